//! Under what games are played: the [`Conditions`], bots as they are named and as they can be started, and the series
//! of games that a header describes, with its schedule and its seed.
//!
//! It starts no bot itself, and knows neither logs nor competitions. [`failure`] says why a command gives up, and
//! with what exit code.

#![forbid(unsafe_code)]

pub mod bot;
mod conditions;
pub mod failure;
pub mod series;
mod treatment;

pub use conditions::Conditions;
pub use series::fault_share::disqualify_after;
pub use treatment::{MOST_RETRIES, Treatment, chances};
