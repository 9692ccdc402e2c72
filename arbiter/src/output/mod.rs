//! What a person or a program is shown of a match, a tournament, a simulation or a check: as running
//! text, as a summary, as JSON.

pub mod events;
pub mod game_bar;
pub mod json;
pub mod matches;
pub mod rerun;
pub mod simulation;
pub mod tournament;

/// How something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// As text for people.
    Text,
    /// As lines of JSON for programs.
    Json,
}
