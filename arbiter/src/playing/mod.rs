//! Playing games: who answers a request, one game, and a series of several.

mod again;
pub mod background;
pub mod driver;
pub mod factory;
pub mod game;
pub mod host;
mod in_turn;
pub mod matches;
pub mod player;
mod process_player;
pub mod simulated;
mod stoppable;
pub mod watcher;

pub use again::pause_before;
