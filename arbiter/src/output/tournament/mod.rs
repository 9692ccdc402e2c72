//! Tournaments as they are watched, and what is told of them afterwards.

mod json;
mod lines;
mod live;
mod pace;
mod shards;
mod summary;

pub use json::{JsonLines, tell_refused, write_status};
pub use lines::Lines;
pub use live::{LiveTable, leave_for_good};
pub use shards::ShardsLine;
pub use summary::{list_refused, tell_part, tell_result, tell_status};
