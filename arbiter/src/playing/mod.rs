//! Playing games: who answers a request, one game, and a match of several.

mod again;
pub mod background;
pub mod classic_file;
pub mod factory;
pub mod game;
pub mod matches;
pub mod player;
mod process_player;
mod stoppable;

pub use again::pause;
