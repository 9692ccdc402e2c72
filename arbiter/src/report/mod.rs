//! What a person or a program is shown of a match or a simulation: as running text, as a summary, as JSON.

pub mod game_bar;
pub mod json;
pub mod progress;
pub mod simulation;
pub mod summary;
pub mod text;
