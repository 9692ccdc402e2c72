//! For whom a command writes: a person or a program.

/// How something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// As text for people.
    Text,
    /// As lines of JSON for programs.
    Json,
}
