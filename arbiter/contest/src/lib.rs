//! Playing games: matches, tournaments and leagues; the check that a bot keeps to the protocol; and the entry of bots.
//!
//! It knows neither the command line nor pages: its output goes to a writer or a watcher.

#![forbid(unsafe_code)]

pub mod check;
pub mod compressing;
pub mod copying;
pub mod entry;
pub mod league;
pub mod playing;
pub mod reviewing;
pub mod setup;
pub mod simulation;
pub mod stop;
pub mod test_games;
pub mod tournament;
