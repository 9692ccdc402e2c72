//! Archives and sources of a folder of submissions, unpacked in a hidden folder beside them.
//!
//! The place of each is named after its content: what a tournament plays from stays as it is when the archive is
//! replaced, and is used again if it comes again.

use std::fs::DirBuilder;
use std::path::{Path, PathBuf};
use std::{fs, io};

use text::system_error;

use crate::entry::submission_folder::{NamedBot, SubmissionForm, SubmittedFile};
use crate::folder::LeagueFolder;
use bot::copying::remove;
use bot::fingerprint::digest_of;
use bot::is_name;
use bot::unpacking::UnpackError;
use contest::tournament::folder::shown;
use rules::GameKind;
use sandbox::file;
use sandbox::unfinished::NewFolder;
use text::failure::Failure;

/// The hidden folder.
const FOLDER: &str = ".unpacked";

/// Number of digits of the digest in a name.
const DIGITS: usize = 16;

/// Opens a submission, and unpacks it first if it is an archive or a source. The inner error says in one line why it
/// has no bot.
///
/// # Errors
///
/// Fails if it cannot be unpacked through no fault of its own.
pub fn opened(
    submission: &SubmittedFile,
    kind: &GameKind,
    options: &str,
) -> Result<Result<NamedBot, String>, Failure> {
    match submission.form {
        SubmissionForm::Folder | SubmissionForm::Link => {
            Ok(submission.open(&submission.path, kind, options))
        }
        SubmissionForm::Packed => Ok(match unpacked(submission)? {
            Ok(folder) => {
                submission.open(&folder, kind, options).map_err(|why| without_place(&why, &folder))
            }
            Err(why) => Err(why),
        }),
    }
}

/// Takes the place of the unpacked files out of a reason: it does not help the author.
pub(crate) fn without_place(why: &str, folder: &Path) -> String {
    let place = shown(folder);
    [format!("./{place}"), place].into_iter().fold(why.to_owned(), |why, place| {
        why.replace(&format!("{place}/"), "").replace(&place, "it")
    })
}

fn unpacked(submission: &SubmittedFile) -> Result<Result<PathBuf, String>, Failure> {
    let Some(name) = submission.name().filter(|name| is_name(name)) else {
        return Ok(Err("its name before the ending is not a valid bot name".to_owned()));
    };
    let digest = match digest_of(&submission.path) {
        Ok(digest) => digest.to_string(),
        Err(error) => return Ok(Err(format!("it cannot be read: {}", system_error(error)))),
    };
    let inside = submission.path.parent().unwrap_or(Path::new(".")).join(FOLDER);
    let place = inside.join(format!("{name}-{}", &digest[..DIGITS]));
    let failed = |error: io::Error| {
        Failure::Ours(format!("cannot unpack into `{}`: {}", shown(&inside), system_error(error)))
    };
    make(&inside).map_err(failed)?;
    if fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir()) {
        return Ok(Ok(place));
    }
    // Bots run as another user, who reads what may become the folder itself.
    let new = NewFolder::for_all_inside(&inside).map_err(failed)?;
    match submission.unpack(&new.path()) {
        Ok(folder) => fs::rename(folder, &place).map_err(failed).map(|()| Ok(place)),
        Err(UnpackError::BadArchive(why)) => Ok(Err(why)),
        Err(failed @ UnpackError::Failed(_)) => Err(Failure::Ours(failed.to_string())),
    }
}

/// Makes the hidden folder. A link in its place would lead elsewhere.
fn make(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(io::Error::from(io::ErrorKind::NotADirectory)),
        Err(_) => fs::create_dir(folder),
    }
}

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
