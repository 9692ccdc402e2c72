//! The output of commands for people and programs: running text, summaries, JSON.

pub(crate) mod json;
pub(crate) mod matches;
pub(crate) mod move_costs;
pub mod progress_bar;
pub(crate) mod rerun;
pub(crate) mod review;
pub(crate) mod series_lines;
pub mod simulation;
pub(crate) mod tournament;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    /// Text for people.
    Text,
    /// Lines of JSON for programs.
    Json,
}
