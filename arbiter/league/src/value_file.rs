//! The small files beside the log of a league that change as a whole: participants, keys, notices.
//!
//! Each holds one value as JSON, which only its owner can read. A program that changes it holds a lock meanwhile, and
//! the new content is there completely or not at all.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::folder::{IS_WRITTEN, LeagueError, LeagueFolder, unusable};
use sandbox::file;
use sandbox::unfinished;

/// Time to wait for another program.
const PATIENCE: Duration = Duration::from_secs(30);

/// A file of a league with one value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueFile {
    /// Its name.
    pub name: &'static str,
    /// The name of the lock for those who change it.
    pub lock: &'static str,
    /// Longest content that is read and written, in bytes.
    pub longest: u64,
}

impl ValueFile {
    /// Reads the value; it is empty if the file is not there.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read.
    pub(crate) fn read<T: DeserializeOwned + Default>(
        &self,
        folder: &LeagueFolder,
    ) -> Result<T, LeagueError> {
        let bad = |error| unusable(&self.place(folder), error);
        match file::text(&self.place(folder), self.longest) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| bad(error.into())),
            // A league on a disk that is not there, say, still has its file.
            Err(error) if error.kind() == io::ErrorKind::NotFound && folder.log().exists() => {
                Ok(T::default())
            }
            Err(error) => Err(bad(error)),
        }
    }

    /// Changes the value, and returns what `change` returns.
    ///
    /// # Errors
    ///
    /// An error of `change`, or [`LeagueError`], with nothing changed.
    pub(crate) fn change<T, R, E>(
        &self,
        folder: &LeagueFolder,
        change: impl FnOnce(&mut T) -> Result<R, E>,
    ) -> Result<R, E>
    where
        T: DeserializeOwned + Default + Serialize,
        E: From<LeagueError>,
    {
        let _lock = folder.lock(self.lock, PATIENCE, IS_WRITTEN)?;
        let mut value = self.read(folder)?;
        let result = change(&mut value)?;
        let bad = |error| unusable(&self.place(folder), error);
        let text = serde_json::to_string(&value).map_err(|error| bad(error.into()))?;
        // A longer one could not be read again.
        if text.len() as u64 > self.longest {
            let problem = format!("it would be longer than {} bytes", self.longest);
            return Err(bad(io::Error::other(problem)).into());
        }
        unfinished::replace(&self.place(folder), text.as_bytes()).map_err(bad)?;
        Ok(result)
    }

    fn place(&self, folder: &LeagueFolder) -> PathBuf {
        folder.path().join(self.name)
    }
}
