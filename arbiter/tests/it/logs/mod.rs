//! Logs that are written, resumed and verified.

mod resume;
mod tournament_journal;
