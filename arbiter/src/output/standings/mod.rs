//! The standings of a tournament: as text for people, as Markdown for what they write, as JSON and
//! CSV for programs.

mod cells;
mod csv;
mod json;
mod markdown;
mod text;

pub(crate) use cells::{ABOUT_ONLINE, ONLINE, Section, forfeits, probability, rows};
pub use csv::{crosstable as csv_crosstable, rows as csv_rows};
pub use json::json;
pub use markdown::markdown;
pub use text::{table, text};
