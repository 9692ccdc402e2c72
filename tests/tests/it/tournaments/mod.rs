//! Tournaments: played, shown, stopped, resumed and extended.

mod copies;
mod extended;
mod kept_files;
mod killed;
mod sharded;
mod shown;
mod stopped;
mod submissions;
mod ties;
mod whole;
