//! Logs: what is written, what was changed in them, and what is made of them.

use std::path::Path;

mod chain;
#[cfg(target_os = "linux")]
mod compressed;
mod disputes;
mod export;
mod file;
mod findings;
mod follow;
mod forged_tournament;
mod forged_values;
mod forgery;
mod last;
mod lost;
mod notes;
mod obstacles;
mod rerun;
mod review;
mod review_by;
mod same_logs;
mod spelling;
mod tampering;

/// Returns true for a log among the examples, and not for a review that a command of the documents has left beside it.
fn is_log(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "jsonl")
}
