//! What a person or a program is shown of a match, a tournament, a simulation or a check: as running
//! text, as a summary, as JSON.

pub(crate) mod abridged;
pub mod check;
pub mod check_json;
pub mod events;
mod fault;
mod format;
pub mod game_bar;
pub mod json;
pub mod league;
mod limits;
pub mod progress;
pub mod rerun;
pub mod simulation;
pub mod standings;
pub mod summary;
pub mod text;
pub mod tournament;

pub use format::Format;
pub(crate) use limits::limits;
