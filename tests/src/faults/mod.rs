//! Every way in which a bot can misbehave, however bots are kept, and what comes of it.
//!
//! The table is in `table.rs`; each of its cases is a test for each way of keeping them. What is tested elsewhere is in
//! the list of `rows.rs`. In Markdown both are parts of `docs/reference/what-a-bot-can-do.md`, which must agree.

#![cfg(target_os = "linux")]

mod case;
mod check;
mod files;
mod markdown;
mod modes;
mod rows;
mod start;
mod table;
mod taker;

pub use case::Case;
pub use check::{under, unless_alike};
pub use table::{cases, row};

pub use markdown::compare as compare_page;
pub use modes::check as check_modes;
pub use rows::check as check_rows;
