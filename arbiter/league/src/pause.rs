//! Times in which no game of a league begins: a pause of the organiser, and quiet hours.

use std::fs;
use std::io;
use std::path::PathBuf;

use jiff::Timestamp;

use crate::calendar::Calendar;
use crate::folder::LeagueFolder;
use sandbox::new_file;

const PAUSED: &str = "paused";

/// Reason why no game may begin for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseReason {
    Paused,
    /// Quiet hours until this time.
    Quiet(Timestamp),
}

impl PauseReason {
    /// Returns the reason why no game may begin at this time, if there is one.
    pub fn reason_at(
        folder: &LeagueFolder,
        calendar: &Calendar,
        now: Timestamp,
    ) -> Option<PauseReason> {
        let quiet = || calendar.quiet_until(now).map(PauseReason::Quiet);
        if is_paused(folder) { Some(PauseReason::Paused) } else { quiet() }
    }
}

pub fn is_paused(folder: &LeagueFolder) -> bool {
    place(folder).exists()
}

/// Begins a pause. Games that are being played are played to their ends.
///
/// # Errors
///
/// Fails if the folder cannot be written to.
pub fn begin(folder: &LeagueFolder) -> io::Result<()> {
    new_file::replace(&place(folder), b"")
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
