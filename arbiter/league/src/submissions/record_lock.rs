//! The right to change records of submissions, which one thread of one program has at a time.

use std::time::Duration;

use contest::tournament::folder::{Lock, NotLocked};

use crate::folder::LeagueFolder;

/// The file of the lock.
const TAKING: &str = "taking-in";
/// Time to wait for others.
const PATIENCE: Duration = Duration::from_secs(10);

/// The right to change records of submissions of a league, for as long as it lives.
#[derive(Debug)]
pub struct RecordLock {
    folder: LeagueFolder,
    _lock: Lock,
}

impl RecordLock {
    /// Takes the lock, and waits a moment for others.
    ///
    /// # Errors
    ///
    /// [`NotLocked`]
    pub(crate) fn take(folder: &LeagueFolder) -> Result<RecordLock, NotLocked> {
        let lock = Lock::take(&folder.path().join(TAKING), PATIENCE)?;
        Ok(RecordLock { folder: folder.clone(), _lock: lock })
    }

    /// Returns the league.
    pub(super) fn folder(&self) -> &LeagueFolder {
        &self.folder
    }
}
