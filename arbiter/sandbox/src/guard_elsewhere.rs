//! No guard for the referee: the system offers too little to make one, except that on Windows what it has
//! started ends with it.

use std::io::{self, Read};
use std::path::Path;
use std::process::Child;

/// The word that makes the program a guard.
pub const SUBCOMMAND: &str = "guard";

/// Stands for a guard that this system does not have.
#[derive(Debug)]
#[must_use = "the guard goes when this is dropped"]
pub struct Guard {
    /// None where Windows refuses.
    #[cfg(windows)]
    #[expect(dead_code, reason = "its end is what counts")]
    job: Option<crate::exit::OwnJob>,
}

impl Guard {
    /// Has what this process starts end with it, on Windows; elsewhere it does nothing.
    ///
    /// # Errors
    ///
    /// Never fails: where Windows refuses, nothing ends with this process.
    pub fn post(_program: &Path) -> io::Result<Guard> {
        Ok(Guard {
            #[cfg(windows)]
            job: crate::exit::OwnJob::begin().ok(),
        })
    }

    /// Likewise.
    pub(crate) fn of_this_program() -> Option<Guard> {
        Guard::post(Path::new("")).ok()
    }
}

/// There is nothing to do, but as elsewhere it matters when this ends.
impl Drop for Guard {
    fn drop(&mut self) {}
}

/// Does nothing.
pub fn watch(_news: impl Read) {}

pub(super) fn started(_child: &Child) {}

pub(super) fn ended(_id: u32) {}

pub(crate) fn folder_created(_folder: &Path) {}

pub(crate) fn removed(_folder: &Path) {}
