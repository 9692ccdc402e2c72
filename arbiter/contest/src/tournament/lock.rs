//! A lock on a folder, as a file that only one program holds at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use sandbox::file;

/// Time between two tries.
const PAUSE: Duration = Duration::from_millis(10);

/// A lock, held while this value lives; the system releases it when the program ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Reason why a lock is not taken.
#[derive(Debug)]
pub enum NotLocked {
    /// Another program holds it.
    Held,
    /// Its file cannot be opened.
    Unopened(io::Error),
    /// The system does not lock it.
    Refused(io::Error),
}

impl Lock {
    /// Takes the lock in this file, and waits at most this long while another program holds it.
    ///
    /// # Errors
    ///
    /// [`NotLocked`]
    pub fn take(path: &Path, patience: Duration) -> Result<Lock, NotLocked> {
        let mut options = OpenOptions::new();
        let options = options.create(true).truncate(false).write(true);
        let file = file::open_with(path, options).map_err(NotLocked::Unopened)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::WouldBlock) if begun.elapsed() < patience => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Err(NotLocked::Held),
                Err(TryLockError::Error(error)) => return Err(NotLocked::Refused(error)),
            }
        }
    }

    /// Returns true while a program holds the lock in this file.
    pub fn is_held(path: &Path) -> bool {
        let file = file::open(path);
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}
