//! The player that looks ahead.

pub mod cards;
pub mod endgame;
pub mod knowledge;
pub mod memory;
pub mod outcome;
mod player;
pub mod playout;
pub mod policy;
pub mod position;
mod settings;
pub mod start;
pub mod tree;
pub mod trials;
mod worlds;

pub use player::Minimax;
pub use settings::Settings;
