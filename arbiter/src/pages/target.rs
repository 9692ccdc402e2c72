//! The folder of a report, which changes from the old report to the new one at once, or not at all.

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use rules::text::printable;
use tempfile::TempDir;
use thiserror::Error;

use crate::pages::FIRST;
use crate::tournament::folder::shown;

/// By this file a folder is known to be a report.
const MARKER: &str = "arbiter-report.txt";
/// What stands in it.
const MARKED: &str = "This folder was written by `arbiter report`, which may replace all of it.\n";
/// How the name of a folder begins in which a report is being made.
const NEW: &str = ".new-";
/// All that a report has beside its first page, the marker first.
const ENTRIES: [&str; 6] = [MARKER, "assets", "bots", "data", "game.html", "logs"];

/// A folder that a report is going to be in.
#[derive(Debug)]
pub(super) struct Target {
    path: PathBuf,
    /// Where the report is made: in the folder itself, so that files need only be renamed.
    new: Option<TempDir>,
    origin: Origin,
}

/// Whose folder it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It was there.
    Found,
    /// It was made for this report, and goes if there is none.
    Made,
}

/// Why a folder cannot be used; one line.
#[derive(Debug, Error)]
pub(super) enum BadTarget {
    /// There is something in it, and no report.
    #[error(
        "`{0}` is not empty, expected a new or an empty folder, or one that holds a former report"
    )]
    NotEmpty(String),
    /// There is something in it beside a report.
    #[error("`{folder}` holds `{entry}` beside a former report, expected nothing else")]
    Foreign {
        /// The folder.
        folder: String,
        /// What is in it.
        entry: String,
    },
    /// It cannot be used for a reason of the system's.
    #[error("`{folder}` cannot be used: {source}")]
    Unusable {
        /// The folder.
        folder: String,
        /// What the system said.
        source: io::Error,
    },
}

impl Target {
    /// A folder that is new, empty, or holds a former report.
    pub(super) fn open(path: &Path) -> Result<Target, BadTarget> {
        let unusable = |source| BadTarget::Unusable { folder: shown(path), source };
        let origin = match fs::read_dir(path) {
            Ok(entries) => {
                let entries: Vec<DirEntry> =
                    entries.collect::<io::Result<_>>().map_err(unusable)?;
                check(path, &entries)?;
                Origin::Found
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(unusable)?;
                Origin::Made
            }
            Err(error) => return Err(unusable(error)),
        };
        let mut target = Target { path: path.to_owned(), new: None, origin };
        let new = tempfile::Builder::new().prefix(NEW).tempdir_in(path).map_err(unusable)?;
        fs::write(new.path().join(MARKER), MARKED).map_err(unusable)?;
        target.new = Some(new);
        Ok(target)
    }

    /// Where the report is to be made.
    pub(super) fn folder(&self) -> &Path {
        self.new.as_ref().map_or(&self.path, TempDir::path)
    }

    /// Puts the report in its place, and removes the former one.
    ///
    /// The first page goes first and comes last, so that there is one only with all that it shows.
    pub(super) fn publish(mut self) -> io::Result<()> {
        let Some(new) = self.new.take() else { return Ok(()) };
        self.origin = Origin::Found;
        remove(&self.path.join(FIRST))?;
        for entry in fs::read_dir(&self.path)?.collect::<io::Result<Vec<_>>>()? {
            // By its name: the path of one may be relative, of the other not.
            if is_new(&entry.file_name()) && Some(&*entry.file_name()) != new.path().file_name() {
                remove(&entry.path())?;
            }
        }
        for name in ENTRIES.into_iter().chain([FIRST]) {
            let (from, to) = (new.path().join(name), self.path.join(name));
            remove(&to)?;
            if from.exists() {
                fs::rename(from, to)?;
            }
        }
        new.close()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        drop(self.new.take());
        if self.origin == Origin::Made {
            // Of a report that was not made nothing is left, not even its folder.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// Whether a folder with these entries may be used.
fn check(path: &Path, entries: &[DirEntry]) -> Result<(), BadTarget> {
    let names: Vec<_> = entries.iter().map(DirEntry::file_name).collect();
    let is_ours = |name: &OsStr| name == FIRST || ENTRIES.iter().any(|entry| name == *entry);
    let foreign = names.iter().find(|name| !is_new(name) && !is_ours(name));
    let is_report = names.iter().any(|name| name == MARKER);
    match foreign {
        Some(entry) if is_report => Err(BadTarget::Foreign {
            folder: shown(path),
            entry: printable(&entry.to_string_lossy()),
        }),
        None if is_report || names.iter().all(|name| is_new(name)) => Ok(()),
        _ => Err(BadTarget::NotEmpty(shown(path))),
    }
}

fn is_new(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(NEW.as_bytes())
}

/// Removes a file or a folder with all that is in it, if it is there; a link only itself.
fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
