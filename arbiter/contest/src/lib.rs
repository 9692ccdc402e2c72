//! Playing games: matches and tournaments.
//!
//! The crate knows neither the command line nor pages: its output goes to a writer or a watcher.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "the names and types of a crate of one program say the most")]

pub mod playing;
pub mod reviewing;
pub mod setup;
pub mod stop;
pub mod tournament;
