//! Players of Tablić.

pub mod capture;
pub mod class;
pub mod classes;
pub mod expert;
mod few_cards;
mod greedy;
mod left;
mod many_cards;
pub mod minimax;
pub mod order;
mod random;
pub mod worth;

pub use expert::Expert;
pub use greedy::{Greedy, best_move};
pub use minimax::Minimax;
pub use random::Random;
pub use rules::tablic::Tablic;

use crate::options::BadOption;
use crate::player::{AnyPlayer, Players, without_options};

impl Players for Tablic {
    fn random(options: &[String]) -> Result<AnyPlayer<Tablic>, BadOption> {
        without_options(Random, options)
    }

    fn greedy(options: &[String]) -> Result<AnyPlayer<Tablic>, BadOption> {
        without_options(Greedy, options)
    }

    fn minimax(options: &[String]) -> Result<AnyPlayer<Tablic>, BadOption> {
        let settings = Minimax::SETTINGS.read(options)?;
        Ok(Box::new(Minimax::new(settings)))
    }

    fn expert(options: &[String]) -> Result<AnyPlayer<Tablic>, BadOption> {
        let settings = expert::Settings::read(options)?;
        Ok(Box::new(Expert::new(settings)))
    }
}
