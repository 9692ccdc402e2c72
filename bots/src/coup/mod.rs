//! Players of Coup.

mod random;

pub use random::Random;
pub use rules::coup::Coup;

use crate::player::{AnyPlayer, BadOption, Players, no_options};

impl Players for Coup {
    fn player(name: &str, options: &[String]) -> Result<AnyPlayer<Coup>, BadOption> {
        match name {
            "random" => no_options(options).map(|()| Box::new(Random) as AnyPlayer<Coup>),
            _ => Err(BadOption(format!("no player of coup is called `{name}`"))),
        }
    }
}
