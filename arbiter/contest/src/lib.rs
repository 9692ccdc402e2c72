//! Games that are played: a match, a tournament, a league; whether a bot keeps to the protocol; and how bots enter.
//!
//! It knows neither the command line nor a page: what it tells goes to a writer or a watcher.

#![forbid(unsafe_code)]

pub mod check;
pub mod entry;
pub mod league;
pub mod playing;
pub mod setup;
pub mod simulation;
pub mod stop;
pub mod tournament;
