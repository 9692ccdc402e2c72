//! Tournaments: played, shown, stopped, gone on with and extended.

mod extended;
mod shown;
mod stopped;
mod submissions;
mod whole;
