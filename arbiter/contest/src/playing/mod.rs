//! Playing games: the players, one game, and a series of several.

pub mod background;
pub mod bot;
pub mod count;
pub mod driver;
pub mod game;
pub mod host;
mod in_turn;
pub mod keeping;
pub mod matches;
pub mod player;
pub mod simulated;
pub mod state;
pub mod told;
pub mod watcher;

pub use in_turn::pause_before;
