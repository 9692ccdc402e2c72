//! The checks that a bot, and the rules of a custom game, keep to their protocols.
//!
//! Both make one step after the other. A step has a name, a result and a note, and if it fails evidence. It goes through
//! a record to the report, which writes it at once.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "the names and types of a crate of one program say the most")]

pub mod bot;
pub mod game;
pub mod report;
mod step;

pub use crate::report::CheckResult;
pub use report::{Extent, Format};
pub use step::{CallList, Evidence, StartupTimes, Status, Step};
