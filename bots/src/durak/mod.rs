//! Players of Durak.

pub mod expert;
pub mod greedy;
pub mod minimax;
mod review;
pub mod search;

pub use greedy::{Greedy, Lowest};
pub use review::DurakReviewer;
pub use rules::durak::Durak;

use crate::options::BadOption;
use crate::player::{AnyPlayer, Players, Random, without_options};

impl Players for Durak {
    fn random(options: &[String]) -> Result<AnyPlayer<Durak>, BadOption> {
        without_options(Random, options)
    }

    fn greedy(options: &[String]) -> Result<AnyPlayer<Durak>, BadOption> {
        let scale = greedy::read_scale(options)?;
        Ok(Box::new(Greedy { scale }))
    }

    fn minimax(options: &[String]) -> Result<AnyPlayer<Durak>, BadOption> {
        Ok(Box::new(minimax::player(minimax::read(options)?)))
    }

    fn expert(options: &[String]) -> Result<AnyPlayer<Durak>, BadOption> {
        Ok(Box::new(expert::player(expert::read(options)?)))
    }

    fn yardstick(name: &str, options: &[String]) -> Option<Result<AnyPlayer<Durak>, BadOption>> {
        (name == "lowest").then(|| without_options(Lowest, options))
    }
}
