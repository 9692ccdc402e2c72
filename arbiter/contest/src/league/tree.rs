//! What is in a folder that was handed in, item after item in a fixed order, up to a bound.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use text::system_error;
use thiserror::Error;

use crate::tournament::folder::shown;

/// How much a folder may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// How many files, folders and links.
    pub entries: u64,
    /// How many bytes in all files.
    pub bytes: u64,
}

impl Bounds {
    /// What is usual: room for an interpreter's packages and a table of chances.
    pub const DEFAULT: Bounds = Bounds { entries: 50_000, bytes: 2 << 30 };
}

/// Why a folder is not handed in; one line.
#[derive(Debug, Error)]
pub enum NotRead {
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
    /// A file cannot be read.
    #[error("`{path}` cannot be read: {}", system_error(source))]
    Failed {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

/// What a path in a folder leads to.
#[derive(Debug)]
pub enum Item {
    /// A folder; what is in it comes later.
    Folder,
    /// A link to this path, which is not followed.
    Link(PathBuf),
    /// A file.
    File(Metadata),
}

/// Visits all that is in a folder but names that are passed over, with paths from there: the items of a folder in the
/// order of their names, and each folder directly before what is in it.
///
/// # Errors
///
/// [`NotRead`] where it holds more than the bounds, or something else than files, folders and links, or
/// cannot be read; and what `visit` gives.
pub fn walk<E: From<NotRead>>(
    folder: &Path,
    bounds: Bounds,
    passed_over: fn(&str) -> bool,
    mut visit: impl FnMut(&Path, Item) -> Result<(), E>,
) -> Result<(), E> {
    let (mut entries, mut bytes) = (0, 0_u64);
    let mut names_in = |inner: &Path| names(folder, inner, (bounds, passed_over), &mut entries);
    // Names and not paths wait: paths may be long.
    let mut levels = vec![(PathBuf::new(), names_in(Path::new(""))?.into_iter())];
    while let Some((above, names)) = levels.last_mut() {
        let Some(name) = names.next() else {
            levels.pop();
            continue;
        };
        let inner = above.join(name);
        let path = folder.join(&inner);
        let found = fs::symlink_metadata(&path).map_err(|error| failed(&path, error))?;
        let kind = found.file_type();
        if kind.is_dir() {
            visit(&inner, Item::Folder)?;
            let names = names_in(&inner)?;
            levels.push((inner, names.into_iter()));
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).map_err(|error| failed(&path, error))?;
            visit(&inner, Item::Link(target))?;
        } else if kind.is_file() {
            bytes = bytes.saturating_add(found.len());
            if bytes > bounds.bytes {
                return Err(NotRead::TooLarge { folder: shown(folder), most: bounds.bytes }.into());
            }
            visit(&inner, Item::File(found))?;
        } else {
            return Err(NotRead::Special(shown(&path)).into());
        }
    }
    Ok(())
}

/// The names in a folder within this one, in their order; `entries` were counted before.
fn names(
    folder: &Path,
    inner: &Path,
    (bounds, passed_over): (Bounds, fn(&str) -> bool),
    entries: &mut u64,
) -> Result<Vec<OsString>, NotRead> {
    let path = folder.join(inner);
    let mut names = Vec::new();
    for entry in fs::read_dir(&path).map_err(|error| failed(&path, error))? {
        let name = entry.map_err(|error| failed(&path, error))?.file_name();
        if name.to_str().is_some_and(passed_over) {
            continue;
        }
        *entries += 1;
        if *entries > bounds.entries {
            return Err(NotRead::TooMany { folder: shown(folder), most: bounds.entries });
        }
        names.push(name);
    }
    names.sort();
    Ok(names)
}

/// A file or folder that cannot be read, with what the system says.
pub fn failed(path: &Path, source: io::Error) -> NotRead {
    NotRead::Failed { path: shown(path), source }
}
