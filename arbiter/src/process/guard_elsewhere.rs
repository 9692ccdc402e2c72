//! No guard for the referee: the system offers too little to make one.

use std::io::{self, Read};
use std::path::Path;
use std::process::Child;

/// The word that makes the program a guard.
pub const SUBCOMMAND: &str = "guard";

/// Stands for a guard that this system does not have.
#[derive(Debug)]
#[must_use = "the guard goes when this is dropped"]
pub struct Guard(());

impl Guard {
    /// Does nothing.
    ///
    /// # Errors
    ///
    /// Never fails.
    pub fn post(_program: &Path) -> io::Result<Guard> {
        Ok(Guard(()))
    }
}

/// Does nothing.
pub fn watch(_news: impl Read) {}

pub(super) fn started(_child: &Child) {}

pub(super) fn ended(_id: u32) {}

pub(crate) fn made(_folder: &Path) {}

pub(crate) fn removed(_folder: &Path) {}
