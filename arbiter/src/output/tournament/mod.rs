//! Tournaments as they are watched, and what is told of them afterwards.

mod json;
mod lines;
mod live;
mod pace;
mod summary;

use std::io;

pub use json::{JsonLines, tell_refused, write_status};
pub use lines::Lines;
pub use live::{LiveTable, leave_for_good};
pub use summary::{list_refused, tell_part, tell_result, tell_status};

use crate::tournament::run::{Event, Watcher};

/// Watches nothing.
#[derive(Debug)]
pub struct Silent;

impl Watcher for Silent {
    fn on(&mut self, _: Event<'_>) -> io::Result<()> {
        Ok(())
    }
}
