//! Tournaments: played, shown, stopped, resumed and extended.

mod copies;
mod extended;
mod kept_files;
mod killed;
mod sharded;
mod shown;
pub(crate) mod stopped;
mod submissions;
mod ties;
mod whole;
