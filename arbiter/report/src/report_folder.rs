//! The folder of a report, where a new report takes the place of the old one.
//!
//! The new one is made in a folder inside, so that at the end files need only be renamed: old files
//! go into that folder, new ones come out. The first page is moved away first and put in place
//! last, so it is there only with everything that it shows. If a rename fails, all are undone. Only
//! if the program is killed between two renames is neither report complete: then there is no first
//! page, and the next report repairs it.
//!
//! Only the files of a report are removed, and folders with the marker of a report in them.

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use contest::tournament::folder::shown;
use sandbox::new_file::{self, NewFolder};
use text::{printable, system_error};
use thiserror::Error;

/// The first page of a report.
pub const FIRST: &str = "index.html";
/// The file by which a folder is known to be a report.
const MARKER: &str = "arbiter-report.txt";
const MARKED: &str = "This folder was written by `arbiter report`, which may replace all of it.\n";
/// The beginning of the name of a folder in which a report is being made; the marker lies in it, too.
const NEW: &str = ".new-";
/// The folder for the former report, in the folder of the new one.
const FORMER: &str = ".former";
/// Another marker, for a folder that has none yet.
const SPARE: &str = ".marker";
/// All entries of a report beside its marker and its first page.
const ENTRIES: [&str; 11] = [
    "assets",
    "bots",
    "ceremony.html",
    "crosstable.html",
    "data",
    "game.html",
    "logs",
    "rounds",
    "stages.html",
    "statistics.html",
    "versions.html",
];

/// The folder of a report that is being made.
#[derive(Debug)]
pub(super) struct ReportFolder {
    path: PathBuf,
    /// The folder in which the report is made: inside the other, so that files need only be renamed.
    new: Option<NewFolder>,
    /// True if it was made for this report: it goes if there is none.
    is_made: bool,
}

impl ReportFolder {
    /// A folder that is new, empty, or holds a former report.
    pub(super) fn open(path: &Path) -> Result<ReportFolder, ReportError> {
        let unusable = |error: io::Error| {
            ReportError::Usage(format!("cannot use `{}`: {}", shown(path), system_error(error)))
        };
        new_file::remove_dead(path);
        let is_made = match fs::read_dir(path) {
            Ok(entries) => {
                let entries: Vec<DirEntry> =
                    entries.collect::<io::Result<_>>().map_err(unusable)?;
                check(path, &entries)?;
                false
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(unusable)?;
                true
            }
            Err(error) => return Err(unusable(error)),
        };
        let mut target = ReportFolder { path: path.to_owned(), new: None, is_made };
        let new = target.new.insert(NewFolder::inside(path).map_err(unusable)?);
        fs::write(new.path().join(MARKER), MARKED).map_err(unusable)?;
        Ok(target)
    }

    /// The folder in which the report is to be made.
    pub(super) fn folder(&self) -> PathBuf {
        self.new.as_ref().map_or_else(|| self.path.clone(), NewFolder::path)
    }

    /// Puts the report in its place, and removes the former one. If something cannot be renamed, all is put
    /// back, as far as the system allows.
    pub(super) fn publish(mut self) -> io::Result<()> {
        let Some(new) = self.new.take() else { return Ok(()) };
        let mut renames = RenameTransaction::default();
        if let Err(error) = exchange(&self.path, &new.path(), &mut renames) {
            if !renames.undo() {
                // Then something of the former report lies in there.
                std::mem::forget(new);
            }
            return Err(error);
        }
        self.is_made = false;
        drop(new);
        // Earlier versions of the program have left others. What cannot be removed keeps its marker, so that the next
        // report tries again.
        let is_of_earlier =
            |entry: &DirEntry| is_new(entry) && !new_file::is_name(&entry.file_name());
        let left = fs::read_dir(&self.path).into_iter().flatten().flatten().filter(is_of_earlier);
        for entry in left {
            let _ = remove(&entry.path());
        }
        Ok(())
    }
}

/// Puts the former report aside, and the new one in its place.
fn exchange(path: &Path, new: &Path, renames: &mut RenameTransaction) -> io::Result<()> {
    let former = new.join(FORMER);
    fs::create_dir(&former)?;
    // From the first moment to the last the folder is known to be a report.
    if !path.join(MARKER).exists() {
        fs::write(new.join(SPARE), MARKED)?;
        renames.add(&new.join(SPARE), &path.join(MARKER))?;
    }
    renames.add(&path.join(FIRST), &former.join(FIRST))?;
    for name in ENTRIES.into_iter().chain([FIRST]) {
        renames.add(&path.join(name), &former.join(name))?;
        renames.add(&new.join(name), &path.join(name))?;
    }
    Ok(())
}

/// Removes a folder with the marker, which goes last: until then it is known what the folder is.
fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false if entry.file_name() == MARKER => {}
            false => fs::remove_file(entry.path())?,
        }
    }
    fs::remove_dir_all(folder)
}

impl Drop for ReportFolder {
    fn drop(&mut self) {
        drop(self.new.take());
        if self.is_made {
            // Of a report that was not made nothing is left, not even its folder.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// Checks that a folder with these entries may be used.
fn check(path: &Path, entries: &[DirEntry]) -> Result<(), ReportError> {
    let is_ours = |name: &OsStr| {
        name == MARKER || name == FIRST || ENTRIES.iter().any(|entry| name == *entry)
    };
    let mut others = entries.iter().filter(|entry| !is_new(entry)).map(DirEntry::file_name);
    if !path.join(MARKER).is_file() {
        return match others.next() {
            None => Ok(()),
            Some(_) => Err(ReportError::Usage(format!(
                "`{}` is not empty and not a report: choose another folder",
                shown(path)
            ))),
        };
    }
    match others.find(|name| !is_ours(name)) {
        None => Ok(()),
        Some(entry) => Err(ReportError::Usage(format!(
            "`{}` contains `{}`, which is not part of the report: move it elsewhere",
            shown(path),
            printable(&entry.to_string_lossy())
        ))),
    }
}

/// Returns true for a folder in which a report is being made, or was when the program was killed.
///
/// The name does not prove an owner: it must hold the marker, and be no link to somewhere else.
fn is_new(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(NEW.as_bytes())
        && entry.file_type().is_ok_and(|kind| kind.is_dir())
        && entry.path().join(MARKER).is_file()
}

/// Renames that can be undone.
#[derive(Debug, Default)]
struct RenameTransaction {
    /// The former and the new path of each.
    done: Vec<(PathBuf, PathBuf)>,
}

impl RenameTransaction {
    /// Renames a file or a folder, if it is there; a link itself, not its target.
    fn add(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        match fs::symlink_metadata(from) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            other => other?,
        };
        fs::rename(from, to)?;
        self.done.push((from.to_owned(), to.to_owned()));
        Ok(())
    }

    /// Gives everything its former path again, the last one first. Returns true if all of it could be renamed back.
    fn undo(self) -> bool {
        let back = self.done.iter().rev().map(|(from, to)| fs::rename(to, from));
        // All are tried, even if one fails.
        back.filter(Result::is_err).count() == 0
    }
}

/// The reason why there is no report; one line.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The folder cannot be used, or a source cannot be read.
    #[error("{0}")]
    Usage(String),
    /// A source is not in order.
    #[error("{0}")]
    Wrong(String),
    #[error("cannot write the report: {}", system_error(.0))]
    Machine(#[from] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_renamed_before_a_failure_goes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("old"), "old").expect("the folder is ours");
        fs::write(path("new"), "new").expect("the folder is ours");
        fs::create_dir(path("full")).expect("the folder is ours");
        let mut renames = RenameTransaction::default();
        renames.add(&path("missing"), &path("aside")).expect("what is not there is left out");
        renames.add(&path("old"), &path("aside")).expect("it is there");
        renames.add(&path("new"), &path("old")).expect("it is there");
        renames.add(&path("full"), &path("aside")).expect_err("no folder takes a file's place");
        assert!(renames.undo());
        assert_eq!(fs::read_to_string(path("old")).expect("a text"), "old");
        assert_eq!(fs::read_to_string(path("new")).expect("a text"), "new");
        assert!(!path("aside").exists() && path("full").is_dir());
    }
}
