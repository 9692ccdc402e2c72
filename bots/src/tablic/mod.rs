//! Players of Tablić.

pub mod capture;
pub mod class;
mod few_cards;
mod greedy;
mod left;
mod many_cards;
pub mod order;
mod random;
pub mod worth;

pub use greedy::{Greedy, best_move};
pub use random::Random;
