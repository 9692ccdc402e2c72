//! Playing games: matches and tournaments; the check that a bot keeps to the protocol; and copies of bots.
//!
//! Plans of leagues have a [`calendar`] and [`quotas`], which are read here.
//!
//! It knows neither the command line nor pages: its output goes to a writer or a watcher.

#![forbid(unsafe_code)]

pub mod calendar;
pub mod check;
pub mod copying;
pub mod playing;
pub mod quotas;
pub mod reviewing;
pub mod setup;
pub mod simulation;
pub mod stop;
pub mod tournament;
