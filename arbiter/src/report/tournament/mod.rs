//! Tournaments as they are watched, and what is told of them afterwards.

mod json;
mod lines;
mod live;
mod pace;
mod summary;

use std::io;

pub use json::JsonLines;
pub use lines::Lines;
pub use live::LiveTable;
pub use summary::{tell_result, tell_status};

use crate::tournament::run::{Event, Watcher};

/// Watches nothing.
#[derive(Debug)]
pub struct Silent;

impl Watcher for Silent {
    fn on(&mut self, _: Event<'_>) -> io::Result<()> {
        Ok(())
    }
}
