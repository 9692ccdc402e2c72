//! The log of the last match of a user, so that commands without a log have one to read.
//!
//! It is a convenience that may never disturb the match. While games are played, their lines are in a file
//! without a name, which becomes the last log when the match ends: no bot finds it meanwhile, two matches do
//! not mix, and the referee needs no more memory in a long match. Failures to write are silent. The folder
//! belongs to one user, and is readable by that user only.

use std::env;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use super::line::{LONGEST_LINE, Line, LineContent};
use super::writer::{chained, must_fit};
use rules::Digest;
use sandbox::{file, new_file};

/// The longest log that is kept, in bytes.
const LONGEST: u64 = 64 << 20;

/// The name of the log in its folder.
const NAME: &str = "last.jsonl";

/// The place of the log of the last match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastLog {
    folder: PathBuf,
}

impl LastLog {
    /// The place of this user; none without a home, or if the folder would belong to another user.
    pub fn of_user() -> Option<LastLog> {
        let folder = state_folder()?.join("arbiter");
        let there = folder.ancestors().find(|folder| folder.symlink_metadata().is_ok())?;
        is_ours(there).then_some(LastLog { folder })
    }

    /// Makes its folder.
    pub fn prepare(&self) -> io::Result<()> {
        file::private_folder().recursive(true).create(&self.folder)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn path(&self) -> PathBuf {
        self.folder.join(NAME)
    }

    /// Puts these lines in the place of the former log. If they cannot be written, the former one goes as
    /// well, since it is not the last any more.
    fn replace(&self, lines: BufWriter<File>) -> io::Result<()> {
        self.written(lines).inspect_err(|_| self.forget())
    }

    fn written(&self, lines: BufWriter<File>) -> io::Result<()> {
        let mut lines = lines.into_inner().map_err(io::IntoInnerError::into_error)?;
        lines.rewind()?;
        let mut new = new_file::file_in(&self.folder)?;
        io::copy(&mut lines, &mut new)?;
        new.persist(self.path()).map_err(|error| error.error)?;
        Ok(())
    }

    fn forget(&self) {
        // There may be none, and nothing depends on it.
        let _ = fs::remove_file(self.path());
    }
}

/// The lines of a match for the place of the last log.
#[derive(Debug)]
pub struct LastLogWriter {
    place: LastLog,
    /// A file without a name; nothing once a line could not be written, or there are more than what is kept.
    lines: Option<BufWriter<File>>,
    /// Their bytes.
    length: u64,
    previous: Digest,
    games: u64,
}

impl LastLogWriter {
    /// No line yet.
    pub fn new(place: LastLog) -> LastLogWriter {
        let lines = tempfile::tempfile_in(&place.folder).map(BufWriter::new).ok();
        LastLogWriter { place, lines, length: 0, previous: Digest::default(), games: 0 }
    }

    /// Appends a line, unless the log is too long.
    pub fn append(&mut self, line: &Line) {
        self.games += u64::from(line.is_game());
        if self.push(line).is_err() {
            self.lines = None;
        }
    }

    fn push(&mut self, line: &Line) -> io::Result<()> {
        let Some(lines) = &mut self.lines else { return Ok(()) };
        let (line, digest) = chained(line, self.previous)?;
        let length = self.length + line.len() as u64;
        if line.len() as u64 >= LONGEST_LINE || length > LONGEST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        must_fit(length)?;
        lines.write_all(line.as_bytes())?;
        (self.length, self.previous) = (length, digest);
        Ok(())
    }

    /// Returns true once a game was appended.
    pub fn has_game(&self) -> bool {
        self.games > 0
    }

    /// The folder of the log.
    pub fn folder(&self) -> &Path {
        self.place.folder()
    }

    /// Keeps the log if it has a game, and returns true if it was kept.
    pub fn keep(self) -> bool {
        match self.lines {
            _ if self.games == 0 => false,
            Some(lines) => self.place.replace(lines).is_ok(),
            None => {
                self.place.forget();
                false
            }
        }
    }
}

/// The folder for what programs remember of this user.
fn state_folder() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let folder = env::var_os(name).map(PathBuf::from);
        folder.filter(|folder| folder.is_absolute())
    };
    if cfg!(windows) {
        return absolute("LOCALAPPDATA");
    }
    let home = || absolute("HOME").filter(|home| home.is_dir());
    absolute("XDG_STATE_HOME").or_else(|| Some(home()?.join(".local/state")))
}

/// Returns true if a folder belongs to the user of this process. After `sudo`, `HOME` may name the home of another
/// user, who could not write to a folder that this process makes there.
#[cfg(unix)]
fn is_ours(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    folder.metadata().is_ok_and(|it| it.is_dir() && it.uid() == rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
fn is_ours(folder: &Path) -> bool {
    folder.is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;
    use series::End;

    /// A writer of a log that is this long, with a game counted, in a folder.
    fn writer(folder: &Path, length: u64) -> LastLogWriter {
        let writer = LastLogWriter::new(LastLog { folder: folder.to_owned() });
        assert!(writer.lines.is_some(), "no file");
        LastLogWriter { games: 1, length, ..writer }
    }

    #[test]
    fn a_log_that_grows_too_long_is_not_kept_and_neither_is_the_former_one() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join(NAME);
        let line = Line::End(End { games: 1, points: Vec::new(), seed: None });
        let mut fitting = writer(folder.path(), LONGEST / 2);
        fitting.append(&line);
        assert!(fitting.keep() && path.exists());
        let mut long = writer(folder.path(), LONGEST);
        long.append(&line);
        assert!(!long.keep() && !path.exists());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
