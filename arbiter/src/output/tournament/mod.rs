//! The output of tournaments: while they are played, and afterwards.

mod estimate;
mod json;
mod live_progress;
mod screen;
mod shards;
mod summary;

pub(crate) use estimate::sentence as estimate_sentence;
pub(crate) use json::{tell_checked, tell_refused, write_estimate, write_result, write_status};
pub(crate) use live_progress::LiveProgress;
pub(crate) use screen::leave_for_good;
pub(crate) use shards::ShardsSummary;
pub(crate) use summary::{list_refused, tell_part, tell_result, tell_status};
