//! Tournaments: played, shown, stopped, resumed and extended.

mod sharded;
mod shown;
mod stopped;
mod submissions;
mod whole;
