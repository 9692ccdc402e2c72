//! A copy of a bot's folder, so that a version in a league stays what it was when it entered.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use rules::text::system_error;
use thiserror::Error;

use crate::tournament::folder::shown;

/// How much a folder may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyBounds {
    /// How many files, folders and links.
    pub entries: u64,
    /// How many bytes in all files.
    pub bytes: u64,
}

impl CopyBounds {
    /// What is usual: room for an interpreter's packages and a table of chances.
    pub const DEFAULT: CopyBounds = CopyBounds { entries: 50_000, bytes: 2 << 30 };
}

/// What is not copied: the history of the sources is no part of a bot.
const LEFT_OUT: &str = ".git";

/// Why a folder is not copied; one line.
#[derive(Debug, Error)]
pub enum NotCopied {
    /// It holds too many files.
    #[error("`{folder}` holds more than {most} files, expected the files of the bot alone")]
    TooMany {
        /// The folder.
        folder: String,
        /// How many there may be.
        most: u64,
    },
    /// Its files are too large.
    #[error("`{folder}` holds more than {}, expected the files of the bot alone", ByteSize(*.most))]
    TooLarge {
        /// The folder.
        folder: String,
        /// How many bytes there may be.
        most: u64,
    },
    /// It holds something that is neither a file, a folder nor a link.
    #[error("`{0}` is neither a file nor a folder nor a link, expected the files of the bot alone")]
    Special(String),
    /// A file cannot be read or written.
    #[error("`{path}` cannot be copied: {}", system_error(source))]
    Failed {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

/// Copies a folder with all that is in it to a place where nothing is. Links stay links.
///
/// # Errors
///
/// [`NotCopied`]; what was copied by then is left.
pub fn copy(from: &Path, to: &Path, bounds: CopyBounds) -> Result<(), NotCopied> {
    Copying { from, bounds, entries: 0, bytes: 0 }.folder(from, to)
}

struct Copying<'a> {
    from: &'a Path,
    bounds: CopyBounds,
    entries: u64,
    bytes: u64,
}

impl Copying<'_> {
    fn folder(&mut self, from: &Path, to: &Path) -> Result<(), NotCopied> {
        let mut left: Vec<(PathBuf, PathBuf)> = vec![(from.to_owned(), to.to_owned())];
        while let Some((from, to)) = left.pop() {
            DirBuilder::new().create(&to).map_err(|error| failed(&to, error))?;
            for entry in fs::read_dir(&from).map_err(|error| failed(&from, error))? {
                let entry = entry.map_err(|error| failed(&from, error))?;
                if entry.file_name() == LEFT_OUT {
                    continue;
                }
                let (path, copy) = (entry.path(), to.join(entry.file_name()));
                let kind = entry.file_type().map_err(|error| failed(&path, error))?;
                self.count()?;
                if kind.is_dir() {
                    left.push((path, copy));
                } else if kind.is_symlink() {
                    link(&path, &copy).map_err(|error| failed(&path, error))?;
                } else if kind.is_file() {
                    let size = entry.metadata().map_err(|error| failed(&path, error))?.len();
                    self.measure(size)?;
                    fs::copy(&path, &copy).map_err(|error| failed(&path, error))?;
                } else {
                    return Err(NotCopied::Special(shown(&path)));
                }
            }
        }
        Ok(())
    }

    fn count(&mut self) -> Result<(), NotCopied> {
        self.entries += 1;
        let CopyBounds { entries: most, .. } = self.bounds;
        let folder = || shown(self.from);
        if self.entries > most {
            Err(NotCopied::TooMany { folder: folder(), most })
        } else {
            Ok(())
        }
    }

    fn measure(&mut self, size: u64) -> Result<(), NotCopied> {
        self.bytes = self.bytes.saturating_add(size);
        let CopyBounds { bytes: most, .. } = self.bounds;
        let folder = || shown(self.from);
        if self.bytes > most { Err(NotCopied::TooLarge { folder: folder(), most }) } else { Ok(()) }
    }
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(fs::read_link(from)?, to)
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    // Links need rights there that few users have.
    fs::copy(from, to).map(drop)
}

fn failed(path: &Path, source: io::Error) -> NotCopied {
    NotCopied::Failed { path: shown(path), source }
}
