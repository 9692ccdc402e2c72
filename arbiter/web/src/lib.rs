//! Pages: [`report`] writes them as files, [`serve`] serves the same pages, alive, with bots that are handed in and
//! people who play.
//!
//! It plays no game of its own but those of people, and knows no rule: what a page shows comes from a replay.

#![forbid(unsafe_code)]

pub mod report;
pub mod serve;
