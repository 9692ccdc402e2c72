//! The request of a program, the file through which it can be asked, and the remains of the call.

use std::ffi::OsString;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use super::removal::RemovalError;
use super::scratch::Scratch;
use serde::{Deserialize, Serialize};

/// Input of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallInput<'a> {
    /// These bytes as its standard input, which then ends.
    Input(&'a [u8]),
    /// A file with this text; its path and these words are the last arguments. Standard input is
    /// empty.
    File {
        /// The text.
        text: &'a [u8],
        /// The words behind the path.
        words: &'a [String],
        /// The most bytes of the file to read afterwards.
        most: usize,
    },
    /// These bytes as more of the standard input of a program that lives on, and the end of its answer.
    /// It is started where it does not run.
    Turn(&'a [u8], EndOfAnswer),
}

/// The end of an answer of a program that lives on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndOfAnswer {
    /// The answer is one line.
    Line,
    /// The answer is some lines, and an empty one.
    EmptyLine,
}

impl EndOfAnswer {
    /// Returns true if these bytes hold a whole answer.
    pub(super) fn is_in(self, bytes: &[u8]) -> bool {
        match self {
            EndOfAnswer::Line => bytes.contains(&b'\n'),
            EndOfAnswer::EmptyLine => {
                bytes.first() == Some(&b'\n') || bytes.windows(2).any(|two| two == b"\n\n")
            }
        }
    }
}

#[cfg(target_os = "linux")]
impl CallInput<'_> {
    /// The most bytes of a file to read afterwards.
    pub(super) fn max_file_bytes(&self) -> usize {
        match self {
            CallInput::Input(_) | CallInput::Turn(..) => 0,
            CallInput::File { most, .. } => *most,
        }
    }
}

/// Permission of a program that lives on to think while others have their turns.
///
/// In a file it is `true` or `false`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum PonderPermission {
    /// It is stopped between its turns.
    #[default]
    Never,
    /// It goes on.
    Allowed,
}

impl PonderPermission {
    /// Returns true if it is the usual one.
    pub fn is_never(&self) -> bool {
        *self == PonderPermission::Never
    }
}

impl From<bool> for PonderPermission {
    fn from(allowed: bool) -> PonderPermission {
        if allowed { PonderPermission::Allowed } else { PonderPermission::Never }
    }
}

impl From<PonderPermission> for bool {
    fn from(ponder: PonderPermission) -> bool {
        ponder == PonderPermission::Allowed
    }
}

/// The most time for a program that lives on to end by itself once its input has ended.
pub(super) const FAREWELL: Duration = Duration::from_millis(250);

/// Files that a program has left in its scratch folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftFiles {
    /// The number of files and folders, up to 1000.
    pub files: u64,
    /// The name of one of them; empty if there is none.
    pub name: OsString,
}

impl LeftFiles {
    /// No files.
    pub fn none() -> LeftFiles {
        LeftFiles { files: 0, name: OsString::new() }
    }

    /// Files are counted up to here.
    pub(super) const COUNTED: usize = 1000;
}

/// Says whether what a program does is still wanted; it is asked now and then while the program runs.
#[derive(Clone, Copy)]
pub struct CancellationCheck<'a>(Option<&'a dyn Fn() -> bool>);

impl<'a> CancellationCheck<'a> {
    /// It is wanted however long it takes.
    pub const ALWAYS: CancellationCheck<'static> = CancellationCheck(None);

    /// It is wanted as long as this says so.
    pub fn as_long_as(is_wanted: &'a dyn Fn() -> bool) -> CancellationCheck<'a> {
        CancellationCheck(Some(is_wanted))
    }

    /// Returns true if it is wanted now.
    pub fn is_wanted(self) -> bool {
        self.0.is_none_or(|is_wanted| is_wanted())
    }

    /// Returns true if it may cease to be wanted.
    #[cfg(target_os = "linux")]
    pub(super) fn may_end(self) -> bool {
        self.0.is_some()
    }
}

impl fmt::Debug for CancellationCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancellationCheck").field(&self.0.is_some()).finish()
    }
}

/// A folder of its own with one file, outside of every bot's folder; neither's name tells anything.
///
/// Each call gets a new one, so that nothing that was done to the last one matters.
#[derive(Debug)]
pub(super) struct RequestFile {
    folder: Scratch,
}

impl RequestFile {
    /// The name of the file in its folder.
    const NAME: &str = "game";

    /// A new folder, in which the file holds this text.
    pub(super) fn new(text: &[u8]) -> io::Result<RequestFile> {
        let new = RequestFile { folder: Scratch::new()? };
        let mut file = OpenOptions::new().write(true).create_new(true).open(new.path())?;
        file.write_all(text)?;
        Ok(new)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join(Self::NAME)
    }

    /// Content of the file, up to `most` bytes; nothing if it is no longer a file.
    pub(super) fn read(&self, most: usize) -> Vec<u8> {
        let mut content = Vec::new();
        if let Ok(file) = self.open() {
            // Only readable content counts, and an unreadable file is as good as an empty one.
            let _ = file.take(most as u64).read_to_end(&mut content);
        }
        content
    }

    pub(super) fn remove(mut self) -> Result<(), RemovalError> {
        self.folder.remove()
    }

    /// Opens the file, and neither a link, on the way to it either, nor anything that would keep
    /// the reader waiting.
    fn open(&self) -> io::Result<File> {
        if !self.folder.is_usable() {
            return Err(io::Error::other("not a folder"));
        }
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use rustix::fs::OFlags;
            use std::os::unix::fs::OpenOptionsExt;
            options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
        }
        let file = options.open(self.path())?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::other("not a file")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn file() -> RequestFile {
        RequestFile::new(b"Fdq").expect("a file")
    }

    #[test]
    fn what_is_written_is_read() {
        let file = file();
        assert_eq!(file.read(100), b"Fdq");
        assert_eq!(file.read(2), b"Fd");
        let folder = file.folder.path().to_owned();
        file.remove().expect("it is ours");
        assert!(!folder.exists());
    }

    #[test]
    fn what_is_no_file_any_more_is_not_read() {
        let spoil: [fn(&RequestFile); 3] = [
            |file| fs::remove_file(file.path()).expect("a file"),
            |file| {
                fs::remove_file(file.path()).expect("a file");
                fs::create_dir(file.path()).expect("a folder");
            },
            |file| fs::remove_dir_all(file.folder.path()).expect("a folder"),
        ];
        for spoil in spoil {
            let file = file();
            spoil(&file);
            assert_eq!(file.read(100), b"");
        }
    }

    #[cfg(unix)]
    #[test]
    fn neither_a_link_to_a_file_nor_one_to_its_folder_is_followed() {
        use std::os::unix::fs::symlink;
        let other = file();
        let spoil: [fn(&RequestFile, &RequestFile); 2] = [
            |file, other| {
                fs::remove_file(file.path()).expect("a file");
                symlink(other.path(), file.path()).expect("a link");
            },
            |file, other| {
                fs::remove_dir_all(file.folder.path()).expect("a folder");
                symlink(other.folder.path(), file.folder.path()).expect("a link");
            },
        ];
        for spoil in spoil {
            let file = file();
            spoil(&file, &other);
            assert_eq!(file.read(100), b"");
            file.remove().expect("it is ours");
            assert_eq!(other.read(100), b"Fdq", "what the link points to is let be");
        }
    }
}
