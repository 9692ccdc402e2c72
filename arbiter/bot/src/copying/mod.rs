//! Copies of the folders of bots, so that a bot stays as it entered a tournament or a league.

pub mod contents;
mod copy;
mod tree;

use std::fs;
use std::io;
use std::path::Path;

pub use copy::{NotCopied, copy};
pub use tree::{Bounds, NotRead};

/// Removes a folder with everything in it, if it is there.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
