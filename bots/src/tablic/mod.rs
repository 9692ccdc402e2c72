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

use crate::options::{BadOption, no_options};
use crate::player::{AnyPlayer, Players};

impl Players for Tablic {
    fn player(name: &str, options: &[String]) -> Result<AnyPlayer<Tablic>, BadOption> {
        match name {
            "random" => no_options(options).map(|()| Box::new(Random) as AnyPlayer<Tablic>),
            "greedy" => no_options(options).map(|()| Box::new(Greedy) as AnyPlayer<Tablic>),
            "minimax" => {
                let settings = Minimax::SETTINGS.read(options)?;
                Ok(Box::new(Minimax::new(settings)))
            }
            "expert" => {
                let settings = expert::Settings::read(options)?;
                Ok(Box::new(Expert::new(settings)))
            }
            _ => Err(BadOption::Wrong(format!("no player of tablic is called `{name}`"))),
        }
    }
}
