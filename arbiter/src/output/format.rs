//! Whom a command tells what it has found.

/// How something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// As text for people.
    Text,
    /// As lines of JSON for programs.
    Json,
}
