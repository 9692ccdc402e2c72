//! Removing folders of any content.

#[cfg(unix)]
mod unix;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use text::{printable, system_error};
use thiserror::Error;

#[cfg(unix)]
use unix::remove as removed;

/// The most time for the removal of one folder.
pub(crate) const LIMIT: Duration = Duration::from_secs(10);

/// A folder that could not be removed, or not in time.
#[derive(Debug, Error)]
#[error("cannot remove scratch folder `{}`: {}", printable(&path.to_string_lossy()), system_error(why))]
pub struct RemovalError {
    path: PathBuf,
    why: io::Error,
}

/// Removes a folder of any content, within bounds of time.
pub(crate) fn remove(path: &Path) -> Result<(), RemovalError> {
    remove_within(path, LIMIT)
}

/// Removes a folder of any content, within this time.
pub(crate) fn remove_within(path: &Path, limit: Duration) -> Result<(), RemovalError> {
    // Most bots leave nothing behind, and this needs no descriptor: a referee that has run out of
    // them removes the folder anyway.
    if fs::remove_dir(path).is_ok() {
        return Ok(());
    }
    removed(path, limit).map_err(|why| RemovalError { path: path.to_owned(), why })
}

/// Removes a folder by the standard library, which has no bound of time.
#[cfg(not(unix))]
fn removed(path: &Path, _limit: Duration) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
