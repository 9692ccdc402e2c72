//! Bots that are handed in: a folder with a folder, an archive or a source for each, and the report on each, a file
//! beside it. Tournaments take them all at once, a league watches for new ones.

use std::fs;
use std::fs::DirBuilder;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rules::{Digest, GameKind};
use text::{printable, system_error};

use crate::folder::LeagueFolder;
use bot::copying::{FolderBounds, remove};
use bot::fingerprint::digest_of;
use bot::manifest::{BotFolder, MANIFEST};
use bot::templates::BotTemplate;
use bot::unpacking::{UnpackError, Upload, unpack};
use bot::{BotSpec, copying, is_name};
use contest::setup;
use contest::tournament::folder::shown;
use sandbox::new_file::NewFolder;
use sandbox::{file, new_file};
use text::failure::Failure;

/// Bounds of a bot's folder.
pub const BOUNDS: FolderBounds = FolderBounds::DEFAULT;

/// Ending of a report's name, after the name of the folder.
const REPORT_ENDING: &str = ".report.txt";

/// Result of a submission: the name under which the bot entered, or the reason for its refusal.
pub type SubmissionStatus = Result<String, String>;

#[derive(Debug)]
pub struct SubmissionListing {
    /// The submissions, sorted by their paths.
    pub submissions: Vec<SubmittedItem>,
    /// Other files beside them, sorted, too.
    pub ignored: Vec<IgnoredFile>,
}

/// Something that was handed in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SubmittedItem {
    pub path: PathBuf,
    pub form: SubmissionForm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SubmissionForm {
    Folder,
    /// An archive, or a single source.
    Packed,
    Link,
}

/// A file that is no submission.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct IgnoredFile {
    /// Its path, as text.
    pub path: String,
    /// The reason in words.
    pub why: &'static str,
}

#[derive(Debug, Clone)]
pub struct NamedBot {
    pub name: String,
    pub spec: BotSpec,
}

#[derive(Debug)]
pub struct OpenedBot {
    /// The folder of the bot; what was handed in, if it could not be unpacked.
    pub folder: PathBuf,
    /// The bot, or in one line why it is none.
    pub bot: Result<NamedBot, String>,
}

impl SubmittedItem {
    /// Returns true for a folder with a manifest, right or wrong, and for an archive or a source.
    pub fn may_be_bot(&self) -> bool {
        match self.form {
            SubmissionForm::Folder | SubmissionForm::Link => {
                self.path.join(MANIFEST).symlink_metadata().is_ok()
            }
            SubmissionForm::Packed => true,
        }
    }

    /// Returns its own name: of an archive or a source, the part before the ending.
    pub fn name(&self) -> Option<&str> {
        let name = self.path.file_name()?.to_str()?;
        match self.form {
            SubmissionForm::Folder | SubmissionForm::Link => Some(name),
            SubmissionForm::Packed => stem(name),
        }
    }

    /// Returns a digest that shows changes in it without reading its files.
    pub fn stamp(&self) -> Digest {
        let stamp = match self.form {
            SubmissionForm::Folder | SubmissionForm::Link => {
                copying::stamp(&self.path, BOUNDS).map_err(|error| error.to_string())
            }
            SubmissionForm::Packed => copying::file_stamp(&self.path).map_err(system_error),
        };
        stamp.unwrap_or_else(|problem| Digest::hash(problem.as_bytes()))
    }

    pub(crate) fn file_name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Opens its bot, for a game with these options. `unpack` unpacks an archive or a source, and gives the folder with the
    /// bot, or the reason why it has none.
    ///
    /// # Errors
    ///
    /// Fails if `unpack` does.
    pub(crate) fn opened(
        &self,
        kind: &GameKind,
        options: &str,
        unpack: impl FnOnce() -> Result<Result<PathBuf, String>, Failure>,
    ) -> Result<OpenedBot, Failure> {
        let unopened = |why: String| OpenedBot { folder: self.path.clone(), bot: Err(why) };
        Ok(match self.form {
            SubmissionForm::Link => {
                unopened("symbolic links are not accepted: copy the submission itself".to_owned())
            }
            SubmissionForm::Folder => {
                OpenedBot { folder: self.path.clone(), bot: bot_in(&self.path, kind, options) }
            }
            SubmissionForm::Packed if !self.name().is_some_and(is_name) => {
                unopened("its name without the extension is not a valid bot name".to_owned())
            }
            SubmissionForm::Packed => match unpack()? {
                Ok(folder) => {
                    let bot = bot_in(&folder, kind, options);
                    OpenedBot { bot: bot.map_err(|why| without_place(&why, &folder)), folder }
                }
                Err(why) => unopened(why),
            },
        })
    }

    /// Unpacks it into an empty folder, and gives the folder in it with the bot.
    ///
    /// # Errors
    ///
    /// [`UnpackError`]; what was unpacked by then is left.
    pub fn unpack(&self, into: &Path) -> Result<PathBuf, UnpackError> {
        let content = file::open(&self.path)?;
        let file = self.path.file_name().and_then(|name| name.to_str());
        let bot = self.name().unwrap_or_default();
        unpack(Upload { content, file, bot }, into, UPLOAD)
    }
}

const UPLOAD: bot::unpacking::UploadBounds = bot::unpacking::UploadBounds::DEFAULT;

/// The part of a name before the ending of an archive or a source; none for other files.
fn stem(name: &str) -> Option<&str> {
    let archive =
        [".zip", ".tar.gz", ".tgz"].into_iter().find_map(|ending| name.strip_suffix(ending));
    let source = || BotTemplate::of_source(name).and(name.rsplit_once('.').map(|(stem, _)| stem));
    archive.or_else(source).filter(|stem| !stem.is_empty())
}

/// Finds every submission in a folder.
///
/// # Errors
///
/// Fails if the folder cannot be read, or nothing in it may be a bot: then the user probably meant another folder.
pub fn find(path: &Path) -> Result<SubmissionListing, Failure> {
    let found = find_any(path)?;
    match found.submissions.iter().any(SubmittedItem::may_be_bot) {
        true => Ok(found),
        false => {
            let folder = shown(path);
            let problem = format!(
                "no bots in `{folder}`: it has no folder with a {MANIFEST}, no archive and no \
                 source file"
            );
            Err(Failure::Usage(problem))
        }
    }
}

/// Finds every submission in a folder, which may hold none.
pub fn find_any(path: &Path) -> Result<SubmissionListing, Failure> {
    let unreadable = |error: io::Error| {
        Failure::Usage(format!("cannot read `{}`: {}", shown(path), system_error(error)))
    };
    let (mut submissions, mut ignored) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        match entry_at(&path) {
            FolderEntry::Submission(form) => submissions.push(SubmittedItem { path, form }),
            FolderEntry::Ignored(why) => ignored.push(IgnoredFile { path: shown(&path), why }),
            FolderEntry::Ours => {}
        }
    }
    submissions.sort();
    ignored.sort();
    Ok(SubmissionListing { submissions, ignored })
}

enum FolderEntry {
    Submission(SubmissionForm),
    /// It is no submission, for this reason.
    Ignored(&'static str),
    /// A report that was written here before, or a hidden file.
    Ours,
}

fn entry_at(path: &Path) -> FolderEntry {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_hidden = name.starts_with('.');
    match fs::symlink_metadata(path) {
        _ if is_hidden => FolderEntry::Ours,
        Ok(metadata) if metadata.is_dir() => FolderEntry::Submission(SubmissionForm::Folder),
        // A link to another file is ignored as the file would be.
        Ok(metadata) if metadata.is_symlink() && (!path.is_file() || stem(&name).is_some()) => {
            FolderEntry::Submission(SubmissionForm::Link)
        }
        _ if name.ends_with(REPORT_ENDING) => FolderEntry::Ours,
        Ok(metadata) if !metadata.is_file() && !metadata.is_symlink() => {
            FolderEntry::Ignored("it is a pipe, a socket or a device")
        }
        _ if stem(&name).is_some() => FolderEntry::Submission(SubmissionForm::Packed),
        _ => FolderEntry::Ignored(
            "it is neither a folder nor a .zip, a .tar.gz or a source of a bot",
        ),
    }
}

/// Opens the bot of a folder, or says in one line why it has none.
pub(crate) fn bot_in(folder: &Path, kind: &GameKind, options: &str) -> Result<NamedBot, String> {
    // The submission itself must be built and started, not another folder of the machine.
    let linked = |what: &str| format!("{what} is a link: put the submission itself there");
    let type_of = |path: &Path| fs::symlink_metadata(path).map(|found| found.file_type());
    if type_of(folder).is_ok_and(|found| found.is_symlink()) {
        return Err(linked("it"));
    }
    match type_of(&folder.join(MANIFEST)) {
        Ok(found) if found.is_symlink() => return Err(linked(&format!("its {MANIFEST}"))),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(format!("no {MANIFEST} in the folder"));
        }
        Err(error) => {
            return Err(format!("cannot read its {MANIFEST}: {}", system_error(error)));
        }
    }
    let path = folder.to_str().ok_or("its path is not UTF-8: rename it")?;
    // A path, not the name of a built-in bot.
    let word = match folder.is_absolute() || folder.starts_with(".") {
        true => path.to_owned(),
        false => format!("./{path}"),
    };
    let name = BotFolder::open(&word).map_err(|error| error.to_string())?.manifest.name;
    let quoted = shlex::try_quote(&word).map_err(|error| error.to_string())?;
    // With the name first, no `=` in the path is taken for the end of a name.
    let spec: BotSpec =
        format!("{name}={quoted}").parse().map_err(|error: Failure| error.to_string())?;
    let spec = spec.opened().map_err(|error| error.to_string())?;
    setup::must_play(&spec, kind, options).map_err(|failure| failure.to_string())?;
    Ok(NamedBot { name, spec })
}

/// Writes the report on a submission, in place of an earlier one: its check, if there was one, and the result.
/// Returns the name of the file.
///
/// # Errors
///
/// Fails if it cannot be written; then an earlier one may remain.
pub fn write_report(
    folder: &Path,
    checked: Option<&[u8]>,
    status: &SubmissionStatus,
) -> Result<String, String> {
    let file = report_beside(folder);
    let mut text = match checked {
        Some(report) => report.to_vec(),
        None => format!("{}\n", shown(folder)).into_bytes(),
    };
    let status = match status {
        Ok(name) => format!("\nentered as {name}\n"),
        Err(why) => format!("\nrejected: {}\n", printable(why)),
    };
    text.extend_from_slice(status.as_bytes());
    match replace_file(&file, &text) {
        Ok(()) => Ok(shown(&file)),
        Err(error) => {
            let (file, error) = (shown(&file), system_error(&error));
            Err(format!("warning: cannot write the report `{file}`: {error}"))
        }
    }
}

/// Replaces anything with this name by a new file: a link is not followed, and nothing that lies there is
/// opened.
fn replace_file(file: &Path, text: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut new = new_file::file_for_all_in(folder)?;
    new.write_all(text)?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// Returns the file for the report on a folder, which lies beside it.
fn report_beside(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(REPORT_ENDING);
    folder.with_file_name(name)
}

/// The hidden folder in which archives and sources of a folder of submissions are unpacked.
const FOLDER: &str = ".unpacked";

/// Number of digits of the digest in a name.
const DIGITS: usize = 16;

/// Takes the place of the unpacked files out of a reason: it does not help the author.
pub(crate) fn without_place(why: &str, folder: &Path) -> String {
    let place = shown(folder);
    [format!("./{place}"), place].into_iter().fold(why.to_owned(), |why, place| {
        why.replace(&format!("{place}/"), "").replace(&place, "it")
    })
}

/// Opens a submission of a tournament. An archive or a source is unpacked into a place that is named after its content: the
/// files that a tournament plays from stay as they are when the archive is replaced, and are used again if it comes again.
///
/// # Errors
///
/// Fails if it cannot be unpacked through no fault of its own.
pub fn opened_beside(
    submission: &SubmittedItem,
    kind: &GameKind,
    options: &str,
) -> Result<OpenedBot, Failure> {
    submission.opened(kind, options, || {
        let digest = match digest_of(&submission.path) {
            Ok(digest) => digest.to_string(),
            Err(error) => return Ok(Err(format!("it cannot be read: {}", system_error(error)))),
        };
        let inside = submission.path.parent().unwrap_or(Path::new(".")).join(FOLDER);
        let name = submission.name().unwrap_or_default();
        let place = inside.join(format!("{name}-{}", &digest[..DIGITS]));
        let failed = |error: io::Error| {
            let said = system_error(error);
            Failure::Ours(format!("cannot unpack into `{}`: {said}", shown(&inside)))
        };
        make(&inside).map_err(failed)?;
        if fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir()) {
            return Ok(Ok(place));
        }
        // Bots run as another user, who reads what may become the folder itself.
        let new = NewFolder::for_all_inside(&inside).map_err(failed)?;
        match bad_or_failed(submission.unpack(&new.path()))? {
            Ok(folder) => fs::rename(folder, &place).map_err(failed).map(|()| Ok(place)),
            Err(why) => Ok(Err(why)),
        }
    })
}

/// Tells a submission that cannot be unpacked from a failure of the machine. The inner error is for its author.
pub(crate) fn bad_or_failed(
    unpacked: Result<PathBuf, UnpackError>,
) -> Result<Result<PathBuf, String>, Failure> {
    match unpacked {
        Ok(folder) => Ok(Ok(folder)),
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

/// The name of the hidden folder of a league.
const UNPACKING: &str = "unpacking";

/// The hidden folder of a league in which archives and sources are unpacked before they are copied. It is removed when
/// this is dropped. Only a holder of the [right to enter bots](LeagueFolder::hold_entries) may make it.
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
