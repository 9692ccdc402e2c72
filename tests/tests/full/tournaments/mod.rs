//! Tournaments: copied, extended, stopped, with submissions, kept files and tie-breaks.

mod copies;
mod extended;
mod kept_files;
mod sharded;
mod shown;
mod stopped;
mod submissions;
mod ties;
mod whole;
