//! A pause of a league, which an organiser begins and ends: no game begins meanwhile.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::league::folder::LeagueFolder;
use sandbox::file;

/// The file that is there during a pause.
const PAUSED: &str = "paused";

/// Returns true during a pause.
pub fn is_paused(folder: &LeagueFolder) -> bool {
    place(folder).exists()
}

/// Begins a pause. Games that are being played are played to their ends.
///
/// # Errors
///
/// Fails if the folder cannot be written to.
pub fn begin(folder: &LeagueFolder) -> io::Result<()> {
    file::replace(&place(folder), b"")
}

/// Ends a pause. Returns true if there was one.
///
/// # Errors
///
/// Fails if the folder cannot be written to.
pub fn end(folder: &LeagueFolder) -> io::Result<bool> {
    match fs::remove_file(place(folder)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn place(folder: &LeagueFolder) -> PathBuf {
    folder.path().join(PAUSED)
}
