//! The log that a command is to write, and the one that it reads if none is named.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use text::{printable, system_error};

use conditions::failure::Failure;
use record::{Games, LastLog, LogWriter};
use sandbox::file;
use text::shell::word;
use text::terminal::say;

/// Where a log is to go.
#[derive(Debug, Clone)]
pub struct AskedLog {
    /// The file.
    pub path: PathBuf,
    /// What becomes of a log that is there.
    pub existing: Existing,
}

/// What becomes of a log that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and the command is refused.
    Stays,
    /// It is removed once everything else is found to be in order.
    IsReplaced,
}

impl AskedLog {
    /// A log at this path, if there is one.
    pub fn at(path: Option<PathBuf>, existing: Existing) -> Option<AskedLog> {
        path.map(|path| AskedLog { path, existing })
    }

    /// A new log there.
    pub(super) fn create(&self) -> Result<LogWriter, Failure> {
        let path = &self.path;
        let shown = printable(&path.display().to_string());
        let unwritten = |error: io::Error| {
            Failure::Usage(format!("log `{shown}` cannot be created: {}", system_error(error)))
        };
        match LogWriter::create(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map_err(unwritten),
        }
        if self.existing == Existing::Stays {
            let free = word(&free_name(path));
            return Err(Failure::Usage(format!(
                "log `{shown}` exists: name a new file, such as {free}, or use --overwrite"
            )));
        }
        if !is_log(path) {
            return Err(Failure::Usage(format!(
                "`{shown}` is not a log, so it is not overwritten: name a log or a new file"
            )));
        }
        fs::remove_file(path).map_err(unwritten)?;
        LogWriter::create(path).map_err(unwritten)
    }
}

/// The first free name of this kind: `match-2.jsonl`, `match-3.jsonl` and so on.
fn free_name(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending =
        path.extension().map(|it| format!(".{}", it.to_string_lossy())).unwrap_or_default();
    let names = (2u32..).map(|number| path.with_file_name(format!("{stem}-{number}{ending}")));
    let is_free = |name: &PathBuf| name.symlink_metadata().is_err();
    names.take(MOST_TRIES).find(is_free).unwrap_or_else(|| path.with_extension("new.jsonl"))
}

/// How many names are tried.
const MOST_TRIES: usize = 10_000;

/// Whether a regular file begins with the header of a log. An empty one is all that is left of a log whose
/// match was killed at once.
fn is_log(path: &Path) -> bool {
    let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
    let is_empty = file::open(path).and_then(|file| file.metadata()).is_ok_and(|it| it.len() == 0);
    is_file && (is_empty || Games::open(path).is_ok())
}

/// The log that was named, or the one of the last match, which is then named on standard error.
///
/// # Errors
///
/// [`Failure::Usage`] if none is named and none is kept.
pub fn or_last(named: Option<PathBuf>) -> Result<PathBuf, Failure> {
    if let Some(path) = named {
        return Ok(path);
    }
    let last = LastLog::of_user().map(|last| last.path());
    let Some(last) = last.filter(|last| last.is_file()) else {
        return Err(Failure::Usage(
            "there is no log of a last match: name a log or a folder (no match has been played, or \
             its log was longer than 64 MiB or could not be kept)"
                .to_owned(),
        ));
    };
    say(format!("note: no log named, reading the last match: {}", word(&last)));
    Ok(last)
}

/// The logs that were named, or the one of the last match.
///
/// # Errors
///
/// As for [`or_last`].
pub fn all_or_last(named: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    if named.is_empty() { or_last(None).map(|last| vec![last]) } else { Ok(named) }
}
