//! Tournaments as they are watched, and what is told of them afterwards.

mod json;
mod live;
mod pace;
mod screen;
mod shards;
mod summary;

pub use json::{tell_refused, write_status};
pub use live::Live;
pub use screen::leave_for_good;
pub use shards::ShardsLine;
pub use summary::{list_refused, tell_part, tell_result, tell_status};
