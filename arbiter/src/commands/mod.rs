//! The commands, behind the command line: a file or folder each.

pub(crate) mod asked_log;
pub(crate) mod build;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod head;
pub(crate) mod league;
pub(crate) mod lists;
pub(crate) mod matches;
pub(crate) mod new;
pub(crate) mod play;
pub(crate) mod report;
pub(crate) mod request;
pub(crate) mod rerun;
pub(crate) mod sandbox;
pub(crate) mod seed;
pub(crate) mod show;
pub(crate) mod simulate;
pub(crate) mod tournament;
pub(crate) mod verify;
