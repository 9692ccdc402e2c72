//! Logs: what was changed in them, and what is made of them.

use std::path::Path;

#[cfg(target_os = "linux")]
mod compressed;
mod export;
mod findings;
mod forged_tournament;
mod forged_values;
mod lost;
mod notes;
mod obstacles;
mod rerun;
mod review_by;
mod same_logs;
mod spelling;

/// Returns true for a log among the examples, and not for a review that a command of the documents has left beside it.
fn is_log(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "jsonl")
}
