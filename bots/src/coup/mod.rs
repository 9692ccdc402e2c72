//! Players of Coup.

pub mod expert;
mod greedy;
mod luck;
pub mod minimax;
pub mod review;
pub mod table;
mod wary;
pub mod worth;
mod yardsticks;

pub use expert::Expert;
pub use greedy::Greedy;
pub use minimax::Minimax;
pub use review::TableReviewer;
pub use rules::coup::Coup;
pub use yardsticks::{Calculator, Challenger};

use rules::coup::{Options, Rules};

use crate::options::BadOption;
use crate::player::{AnyPlayer, Players, Random, without_options};

impl Players for Coup {
    fn random(options: &[String]) -> Result<AnyPlayer<Coup>, BadOption> {
        without_options(Random, options)
    }

    fn greedy(options: &[String]) -> Result<AnyPlayer<Coup>, BadOption> {
        without_options(Greedy, options)
    }

    fn minimax(options: &[String]) -> Result<AnyPlayer<Coup>, BadOption> {
        let settings = Minimax::SETTINGS.read(options)?;
        Ok(Box::new(Minimax::new(settings)))
    }

    fn expert(options: &[String]) -> Result<AnyPlayer<Coup>, BadOption> {
        let player = expert::Settings::read(options)?.player();
        let damaged = || BadOption::Wrong("the table of `expert` is damaged: build it anew".into());
        player.ok_or_else(damaged)
    }

    fn refusal(name: &str, options: &Options) -> Option<String> {
        let knows_contest_alone = ["minimax", "expert", "calculator"].contains(&name);
        let is_contest = options.rules == Rules::Contest;
        (!is_contest && knows_contest_alone).then(|| {
            format!("`{name}` plays coup with rules=contest only, expected `greedy` or `random` at a court")
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
