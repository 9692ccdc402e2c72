//! Players of Coup.

mod court;
pub mod expert;
mod greedy;
pub mod minimax;
pub mod review;
pub mod table;
mod yardsticks;

pub use expert::Expert;
pub use greedy::Greedy;
pub use minimax::Minimax;
pub use review::TableReviewer;
pub use rules::coup::Coup;
pub use yardsticks::{Calculator, Challenger};

use rules::coup::{CoupRules, Options};

use crate::coup::court::{CoupPlayer, Opponents};
use crate::options::BadOption;
use crate::player::{AnyPlayer, Players, Random, without_options};

/// Number of worlds in which `minimax` tries its moves at a court, for each turn that it looks ahead in the
/// contest.
const WORLDS_A_TURN: u32 = 100;

impl Players for Coup {
    fn random(options: &[String]) -> Result<AnyPlayer<Coup>, BadOption> {
        without_options(Random, options)
    }

    fn greedy(options: &[String]) -> Result<AnyPlayer<Coup>, BadOption> {
        without_options(Greedy, options)
    }

    fn minimax(options: &[String]) -> Result<AnyPlayer<Coup>, BadOption> {
        let settings = Minimax::SETTINGS.read(options)?;
        let worlds = settings.depth.saturating_mul(WORLDS_A_TURN);
        let contest = Box::new(Minimax::new(settings));
        Ok(Box::new(CoupPlayer::new(contest, Opponents::Honest, worlds, settings.time)))
    }

    fn expert(options: &[String]) -> Result<AnyPlayer<Coup>, BadOption> {
        let settings = expert::Settings::read(options)?;
        let damaged = || BadOption::Wrong("the table of `expert` is damaged: build it anew".into());
        let contest = settings.player().ok_or_else(damaged)?;
        let (worlds, time) = settings.effort();
        Ok(Box::new(CoupPlayer::new(contest, Opponents::Any, worlds, time)))
    }

    fn refusal(name: &str, options: &Options) -> Option<String> {
        let is_contest = options.rules == CoupRules::Contest;
        (!is_contest && name == "calculator").then(|| {
            format!("`{name}` plays Coup only with rules=contest: use another player at a court")
        })
    }

    fn yardstick(name: &str, options: &[String]) -> Option<Result<AnyPlayer<Coup>, BadOption>> {
        match name {
            "challenger" => Some(without_options(Challenger, options)),
            "calculator" => Some(without_options(Calculator, options)),
            _ => None,
        }
    }
}
