//! The strongest player.

mod player;
pub mod race;
mod settings;
pub mod trial;

pub use player::Expert;
pub use settings::Settings;
