//! What the program does once the command line is parsed, one file for each command.

pub mod asked_log;
pub mod build;
pub mod diff;
pub mod explain;
pub mod export;
pub mod head;
pub mod league;
pub mod lists;
pub mod matches;
pub mod new;
pub mod play;
pub mod report;
pub mod request;
pub mod rerun;
pub mod sandbox;
pub mod seed;
pub mod show;
mod silence;
pub mod simulate;
pub mod tournament;
pub mod verify;
