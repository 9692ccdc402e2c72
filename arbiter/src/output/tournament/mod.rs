//! The output of tournaments: while they are played, and afterwards.

mod live_progress;
mod summary;

pub(crate) use super::tournament::summary::ShardsSummary;
pub(crate) use live_progress::{LiveProgress, leave_for_good};
pub(crate) use summary::{estimate_sentence, list_refused, tell_part, tell_result, tell_status};
