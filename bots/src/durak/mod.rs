//! Players of Durak.

pub mod expert;
pub mod greedy;
mod lowest;
pub mod minimax;
mod random;
pub mod search;

pub use expert::Expert;
pub use greedy::Greedy;
pub use lowest::Lowest;
pub use minimax::Minimax;
pub use random::Random;
pub use rules::durak::Durak;

use crate::options::{BadOption, no_options};
use crate::player::{AnyPlayer, Players};

impl Players for Durak {
    fn player(name: &str, options: &[String]) -> Result<AnyPlayer<Durak>, BadOption> {
        match name {
            "random" => no_options(options).map(|()| Box::new(Random) as AnyPlayer<Durak>),
            "lowest" => no_options(options).map(|()| Box::new(Lowest) as AnyPlayer<Durak>),
            "greedy" => {
                let scale = greedy::read_scale(options)?;
                Ok(Box::new(Greedy { scale }))
            }
            "minimax" => {
                let settings = minimax::Settings::read(options)?;
                Ok(Box::new(Minimax::new(settings)))
            }
            "expert" => {
                let settings = expert::Settings::read(options)?;
                Ok(Box::new(Expert::new(settings)))
            }
            _ => Err(BadOption::Wrong(format!("no player of durak is called `{name}`"))),
        }
    }
}
