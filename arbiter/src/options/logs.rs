//! The log that a command writes, and the log that it reads if none is named.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;
use contest::tournament::folder::{self, TournamentFolders};
use league::folder::LeagueFolder;
use record::stderr_texts::StderrVisibility;
use record::{GameReader, LastLog, LogWriter};
use sandbox::file;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;
use text::{printable, system_error};

#[derive(Debug, Clone)]
pub(crate) struct LogTarget {
    pub path: PathBuf,
    /// True to replace a log that exists, once everything else is in order.
    pub overwrite: bool,
}

impl LogTarget {
    pub(crate) fn create(&self) -> Result<LogWriter, Failure> {
        let path = &self.path;
        let shown = printable(&path.display().to_string());
        let unwritten = |error: io::Error| {
            Failure::Usage(format!("cannot create log `{shown}`: {}", system_error(error)))
        };
        match LogWriter::create(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map_err(unwritten),
        }
        if !self.overwrite {
            let free = word(&free_name(path));
            return Err(Failure::Usage(format!(
                "log `{shown}` exists: use --overwrite, or a new name such as {free}"
            )));
        }
        if !is_log(path) {
            return Err(Failure::Usage(format!(
                "`{shown}` is not a log and will not be overwritten: name a new file"
            )));
        }
        fs::remove_file(path).map_err(unwritten)?;
        LogWriter::create(path).map_err(unwritten)
    }
}

/// The first free name of this kind: `match-2.jsonl`, `match-3.jsonl` and so on.
fn free_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // `.jsonl.gz` is one ending.
    let (inner, gzip) = match name.strip_suffix(GZIP) {
        Some(inner) => (inner, GZIP),
        None => (name.as_ref(), ""),
    };
    let (stem, ending) = match inner.rfind('.').filter(|dot| *dot > 0) {
        Some(dot) => inner.split_at(dot),
        None => (inner, ""),
    };
    let named = |number| path.with_file_name(format!("{stem}-{number}{ending}{gzip}"));
    let is_free = |name: &PathBuf| name.symlink_metadata().is_err();
    let names = (2u32..).map(named);
    names.take(MOST_TRIES).find(is_free).unwrap_or_else(|| path.with_extension("new.jsonl"))
}

/// The ending of logs that are written compressed.
const GZIP: &str = ".gz";

/// The most names that are tried.
const MOST_TRIES: usize = 10_000;

/// Returns true for a regular file that begins with the header of a log. An empty file counts, too: it may be
/// the log of a match that was killed at once.
fn is_log(path: &Path) -> bool {
    let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
    let is_empty = file::open(path).and_then(|file| file.metadata()).is_ok_and(|it| it.len() == 0);
    is_file && (is_empty || GameReader::open(path).is_ok())
}

/// The named log, or the log of the last match, which a note on standard error then names.
pub(crate) fn or_last(named: Option<PathBuf>) -> Result<PathBuf, Failure> {
    if let Some(path) = named {
        return Ok(path);
    }
    let last = LastLog::of_user().map(|last| last.path());
    let Some(last) = last.filter(|last| last.is_file()) else {
        return Err(Failure::Usage(
            "no last match: name a log or a folder (logs of matches are kept only up to 64 MiB)"
                .to_owned(),
        ));
    };
    say(format!("note: reading the last match: {}", word(&last)));
    Ok(last)
}

/// The word that names a log in a command, behind a blank; nothing for the log of the last match.
pub(crate) fn log_argument(path: &Path) -> String {
    match LastLog::of_user().is_some_and(|last| last.path() == path) {
        true => String::new(),
        false => format!(" {}", word(path)),
    }
}

/// The named logs, or the log of the last match.
pub(crate) fn all_or_last(named: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    if named.is_empty() { or_last(None).map(|last| vec![last]) } else { Ok(named) }
}

/// What has a log of its own in what a path names: the parts of a tournament, the rounds of a league, or the log.
pub(crate) fn logs_of(path: &Path) -> Vec<PathBuf> {
    if let Some(league) = LeagueFolder::find(path) {
        return league.begun_rounds();
    }
    if path.is_dir() { TournamentFolders::find_begun(path).all() } else { vec![path.to_owned()] }
}

/// The file of a log, which may be that of a folder.
pub(crate) fn file_of(path: &Path) -> PathBuf {
    if path.is_dir() { folder::games(path) } else { path.to_owned() }
}

/// Standard error on pages.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct StderrArgs {
    /// Show the standard error and notes of bots, which are meant for their authors, not for the public
    #[arg(long)]
    with_stderr: bool,
}

impl StderrArgs {
    pub(crate) fn visibility(self) -> StderrVisibility {
        if self.with_stderr { StderrVisibility::Shown } else { StderrVisibility::Hidden }
    }
}
