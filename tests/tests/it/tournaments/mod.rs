//! Tournaments: played, shown, stopped, resumed and extended.

mod extended;
mod killed;
mod sharded;
mod shown;
pub(crate) mod stopped;
mod submissions;
mod whole;
