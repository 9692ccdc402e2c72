//! Players of Coup.

mod calculator;
mod challenger;
pub mod claims;
pub mod expert;
mod greedy;
pub mod minimax;
mod random;
pub mod table;
pub mod worth;

pub use calculator::Calculator;
pub use challenger::Challenger;
pub use expert::Expert;
pub use greedy::Greedy;
pub use minimax::Minimax;
pub use random::Random;
pub use rules::coup::Coup;

use crate::options::{BadOption, no_options};
use crate::player::{AnyPlayer, Players};

impl Players for Coup {
    fn player(name: &str, options: &[String]) -> Result<AnyPlayer<Coup>, BadOption> {
        let player: AnyPlayer<Coup> = match name {
            "random" => Box::new(Random),
            "greedy" => Box::new(Greedy),
            "minimax" => {
                let settings = Minimax::SETTINGS.read(options)?;
                return Ok(Box::new(Minimax::new(settings)));
            }
            "expert" => {
                let player = expert::Settings::read(options)?.player();
                let damaged =
                    || BadOption::Wrong("the table of `expert` is damaged: build it anew".into());
                return Ok(Box::new(player.ok_or_else(damaged)?));
            }
            "challenger" => Box::new(Challenger),
            "calculator" => Box::new(Calculator),
            _ => return Err(BadOption::Wrong(format!("no player of coup is called `{name}`"))),
        };
        no_options(options).map(|()| player)
    }
}
