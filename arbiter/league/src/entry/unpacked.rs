//! Archives and sources of a folder of submissions, unpacked in a hidden folder beside them.
//!
//! The place of each is named after its content: what a tournament plays from stays as it is when the archive is
//! replaced, and is used again if it comes again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use text::system_error;

use crate::entry::submission_folder::{NamedBot, SubmissionForm, SubmittedFile};
use bot::fingerprint::digest_of;
use bot::is_name;
use bot::unpacking::UnpackError;
use contest::tournament::folder::shown;
use rules::GameKind;
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
