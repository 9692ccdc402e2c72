//! The hidden folder of a league in which archives and sources are unpacked before they are copied.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};

use crate::folder::LeagueFolder;
use bot::copying::remove;
use bot::unpacking::UnpackError;
use sandbox::file;

/// Its name.
const UNPACKING: &str = "unpacking";

/// The folder, which is removed when this is dropped. Only a holder of the
/// [right to enter bots](LeagueFolder::hold_entries) may make it.
#[derive(Debug)]
pub struct EntryScratch(PathBuf);

impl EntryScratch {
    /// Makes it empty.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be made.
    pub fn new(folder: &LeagueFolder) -> io::Result<EntryScratch> {
        let path = folder.path().join(UNPACKING);
        // A killed program may have left it.
        remove(&path)?;
        // Until a bot has entered, no other user of the machine reads it.
        file::private_folder().create(&path)?;
        Ok(EntryScratch(path))
    }

    /// Unpacks a bot, and gives its folder, which has this name, in place of an earlier one. Two that are unpacked at
    /// once have different names.
    ///
    /// # Errors
    ///
    /// [`UnpackError`]
    pub fn unpacked(
        &self,
        name: &str,
        unpack: impl FnOnce(&Path) -> Result<PathBuf, UnpackError>,
    ) -> Result<PathBuf, UnpackError> {
        self.clear(name)?;
        let [into, folder] = self.places(name);
        DirBuilder::new().create(&into)?;
        fs::rename(unpack(&into)?, &folder)?;
        Ok(folder)
    }

    /// Removes the files of a bot, if there are any.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be removed.
    pub fn clear(&self, name: &str) -> io::Result<()> {
        self.places(name).iter().try_for_each(|place| remove(place))
    }

    /// The folder into which a bot is unpacked, and the folder of the bot.
    fn places(&self, name: &str) -> [PathBuf; 2] {
        // No name of a bot begins with a sign.
        [self.0.join(format!("-{name}")), self.0.join(name)]
    }
}

impl Drop for EntryScratch {
    fn drop(&mut self) {
        // The next use removes the rest.
        let _ = remove(&self.0);
    }
}
