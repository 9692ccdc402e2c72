//! A walk through a folder that was handed in, item by item in a fixed order, up to a bound.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use text::{display_path, system_error};
use thiserror::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Number of files, folders and links.
    pub entries: u64,
    /// Total size of the files.
    pub bytes: u64,
}

impl Bounds {
    /// The usual bounds: room for an interpreter's packages and a table of chances.
    pub const DEFAULT: Bounds = Bounds { entries: 50_000, bytes: 2 << 30 };
}

/// Reason why a folder is not accepted; one line.
#[derive(Debug, Error)]
pub enum NotRead {
    #[error("`{folder}` has more than {most} files: keep only the bot in it")]
    TooMany { folder: String, most: u64 },
    #[error("`{folder}` is larger than {}: keep only the bot in it", ByteSize(*.most))]
    TooLarge { folder: String, most: u64 },
    #[error("`{0}` is not a file, folder or link: remove it")]
    Special(String),
    #[error("cannot read `{path}`: {}", system_error(source))]
    Failed { path: String, source: io::Error },
}

/// Kind of an item in a folder.
#[derive(Debug)]
pub(super) enum Item {
    /// A folder; its items come later.
    Folder,
    /// A link to this path, which is not followed.
    Link(PathBuf),
    File(Metadata),
}

/// Visits everything in a folder except the names that are passed over. Paths are relative to the folder; items come
/// in the order of their names, and each folder directly before its contents.
///
/// # Errors
///
/// [`NotRead`] if it holds more than the bounds, or anything else than files, folders and links, or
/// cannot be read; or an error of `visit`.
pub(super) fn walk<E: From<NotRead>>(
    folder: &Path,
    bounds: Bounds,
    passed_over: fn(&str) -> bool,
    mut visit: impl FnMut(&Path, Item) -> Result<(), E>,
) -> Result<(), E> {
    let (mut entries, mut bytes) = (0, 0_u64);
    let mut names_in = |inner: &Path| names(folder, inner, (bounds, passed_over), &mut entries);
    // Names wait rather than paths, as paths may be long.
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
                return Err(
                    NotRead::TooLarge { folder: display_path(folder), most: bounds.bytes }.into()
                );
            }
            visit(&inner, Item::File(found))?;
        } else {
            return Err(NotRead::Special(display_path(&path)).into());
        }
    }
    Ok(())
}

/// Returns the names in an inner folder, sorted; `entries` have been counted before.
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
            return Err(NotRead::TooMany { folder: display_path(folder), most: bounds.entries });
        }
        names.push(name);
    }
    names.sort();
    Ok(names)
}

/// Makes the error for an unreadable file or folder.
pub(super) fn failed(path: &Path, source: io::Error) -> NotRead {
    NotRead::Failed { path: display_path(path), source }
}
