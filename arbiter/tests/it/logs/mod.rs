//! Logs that are written, gone on with and verified.

mod resume;
mod tournament_journal;
