//! Bots that are handed in: a folder with a folder for each, and the report on each, a file beside its folder.
//! Tournaments take them all at once, a league watches for new ones.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rules::GameKind;
use text::{printable, system_error};
use thiserror::Error;

use crate::setup;
use crate::tournament::folder::shown;
use conditions::bot::manifest::{BotFolder, MANIFEST};
use conditions::bot::{BadBot, BotSpec};
use conditions::failure::Failure;

/// Ending of a report's name, after the name of the folder.
const REPORT_ENDING: &str = ".report.txt";

/// Result of a submission: the name under which the bot entered, or the reason for its refusal.
pub type SubmissionStatus = Result<String, String>;

/// Contents of a folder of submissions.
pub struct Found {
    /// The submissions, sorted by folder name.
    pub submissions: Vec<Submission>,
    /// Number of other files beside them.
    pub others: usize,
}

/// A folder that was handed in.
pub struct Submission {
    /// Its path.
    pub folder: PathBuf,
    /// The bot, or the reason why it is none, in one line.
    pub bot: Result<NamedBot, String>,
}

/// A bot and its name in a tournament.
pub struct NamedBot {
    /// The name in its manifest.
    pub name: String,
    /// The bot.
    pub spec: BotSpec,
}

/// Kind of an entry of the folder.
enum Entry {
    Folder,
    Link,
    /// A report that was written here before, or a hidden file.
    Ours,
    Other,
}

impl Submission {
    /// Returns true if it holds a manifest, right or wrong.
    pub fn has_manifest(&self) -> bool {
        self.folder.join(MANIFEST).symlink_metadata().is_ok()
    }
}

/// Finds every submission in a folder.
///
/// # Errors
///
/// Fails if the folder cannot be read, or nothing in it has a manifest: then the user probably meant another
/// folder.
pub fn find(path: &Path, kind: &GameKind, options: &str) -> Result<Found, Failure> {
    let found = find_any(path, kind, options)?;
    match found.submissions.iter().any(Submission::has_manifest) {
        true => Ok(found),
        false => {
            let problem = format!("no folder in `{}` has a {MANIFEST}", shown(path));
            Err(Failure::Usage(problem))
        }
    }
}

/// Finds every submission in a folder, which may hold none.
pub fn find_any(path: &Path, kind: &GameKind, options: &str) -> Result<Found, Failure> {
    let unreadable = |error: io::Error| {
        Failure::Usage(format!("`{}` cannot be read: {}", shown(path), system_error(error)))
    };
    let mut folders = Vec::new();
    let mut others = 0;
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let folder = entry.map_err(unreadable)?.path();
        match entry_at(&folder) {
            Entry::Folder | Entry::Link => folders.push(folder),
            Entry::Other => others += 1,
            Entry::Ours => {}
        }
    }
    folders.sort();
    let submission = |folder: PathBuf| Submission { bot: bot_in(&folder, kind, options), folder };
    Ok(Found { submissions: folders.into_iter().map(submission).collect(), others })
}

fn entry_at(path: &Path) -> Entry {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_hidden = name.starts_with('.');
    match fs::symlink_metadata(path) {
        _ if is_hidden => Entry::Ours,
        Ok(metadata) if metadata.is_dir() => Entry::Folder,
        // A link to a file is passed over as a file is.
        Ok(metadata) if metadata.is_symlink() && !path.is_file() => Entry::Link,
        _ if name.ends_with(REPORT_ENDING) => Entry::Ours,
        _ => Entry::Other,
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
            return Err(format!("it has no {MANIFEST}, expected one in the folder"));
        }
        Err(error) => {
            return Err(format!("its {MANIFEST} cannot be read: {}", system_error(error)));
        }
    }
    let path = folder.to_str().ok_or("its path is not UTF-8, expected another name")?;
    // A path, not the name of a built-in bot.
    let word = match folder.is_absolute() || folder.starts_with(".") {
        true => path.to_owned(),
        false => format!("./{path}"),
    };
    let name = BotFolder::open(&word).map_err(|error| error.to_string())?.manifest.name;
    let quoted = shlex::try_quote(&word).map_err(|error| error.to_string())?;
    // With the name first, no `=` in the path is taken for the end of a name.
    let spec: BotSpec =
        format!("{name}={quoted}").parse().map_err(|error: BadBot| error.to_string())?;
    let spec = spec.opened().map_err(|error| error.to_string())?;
    setup::must_play(&spec, kind, options).map_err(|failure| failure.to_string())?;
    Ok(NamedBot { name, spec })
}

/// A report that could not be written; one line.
#[derive(Debug, Error)]
#[error("warning: the report `{file}` cannot be written: {}", system_error(source))]
pub struct Unwritten {
    file: String,
    source: io::Error,
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
) -> Result<String, Unwritten> {
    let file = report_beside(folder);
    let mut text = match checked {
        Some(report) => report.to_vec(),
        None => format!("{}\n", shown(folder)).into_bytes(),
    };
    let status = match status {
        Ok(name) => format!("\nentered as {name}\n"),
        Err(why) => format!("\nrefused: {}\n", printable(why)),
    };
    text.extend_from_slice(status.as_bytes());
    match put(&file, &text) {
        Ok(()) => Ok(shown(&file)),
        Err(source) => Err(Unwritten { file: shown(&file), source }),
    }
}

/// Replaces anything with this name by a new file: a link is not followed, and nothing that lies there is
/// opened.
fn put(file: &Path, text: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut new = readable(tempfile::Builder::new().prefix(".new-")).tempfile_in(folder)?;
    new.write_all(text)?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// Lets others read the file as far as the umask allows; the library would create it for the user only.
#[cfg(unix)]
fn readable<'a, 'b>(
    builder: &'a mut tempfile::Builder<'b, 'static>,
) -> &'a mut tempfile::Builder<'b, 'static> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn readable<'a, 'b>(
    builder: &'a mut tempfile::Builder<'b, 'static>,
) -> &'a mut tempfile::Builder<'b, 'static> {
    builder
}

/// Returns the file for the report on a folder, which lies beside it.
fn report_beside(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(REPORT_ENDING);
    folder.with_file_name(name)
}
