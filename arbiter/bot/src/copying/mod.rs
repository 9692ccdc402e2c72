//! Copies of the folders of bots, so that a bot stays as it entered a tournament or a league.
//!
//! Other users cannot enter the folder of all copies. The copies in it are readable by everyone, since bots may run as
//! another user; neither the umask nor the rights in the original folder change that.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sandbox::file;
use text::{display_path, system_error};
use thiserror::Error;

use crate::build_record::{is_left_out, makes_no_difference};
use crate::fingerprint::digest_of;
use bytesize::ByteSize;
use rules::Digest;
use sha2::{Digest as _, Sha256};

/// Removes a folder with everything in it, if it is there.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Reason why a folder is not read or not copied; one line.
#[derive(Debug, Error)]
pub enum FolderError {
    /// It is too large, cannot be read, or holds what no bot has.
    #[error("{0}")]
    Source(String),
    #[error("{0}")]
    Unwritten(String),
}

/// Copies a folder and everything in it to an unused path. Links stay links, wherever they
/// lead: an isolated bot finds nothing behind links that leave its folder. Returns its extent.
///
/// # Errors
///
/// [`FolderError`]; an incomplete copy remains.
pub fn copy(from: &Path, to: &Path, bounds: FolderBounds) -> Result<FolderBounds, FolderError> {
    let whole = |path: &Path| fs::canonicalize(path).map_err(|error| failed(path, error));
    let place = whole(to.parent().unwrap_or(Path::new(".")))?;
    if place.starts_with(whole(from)?) {
        let path = display_path(from);
        return Err(FolderError::Source(format!(
            "`{path}` contains the folder to which bots are copied: move the bot to its own folder"
        )));
    }
    make_folder(to).map_err(|error| unwritten(to, error))?;
    let mut copied = FolderBounds { entries: 0, bytes: 0 };
    walk(from, bounds, is_left_out, |inner, item| {
        let (path, place) = (from.join(inner), to.join(inner));
        copied.entries += 1;
        if let FolderItem::File(found) = &item {
            copied.bytes = copied.bytes.saturating_add(found.len());
        }
        match item {
            FolderItem::Folder => make_folder(&place),
            FolderItem::Link(target) => link(&target, &place),
            FolderItem::File(found) => return copy_file(from, &path, &found, &place),
        }
        .map_err(|error| unwritten(&place, error))
    })?;
    Ok(copied)
}

/// Copies a file of a folder, up to the size at which it was found: it may grow meanwhile, or become a
/// link.
fn copy_file(folder: &Path, from: &Path, found: &Metadata, to: &Path) -> Result<(), FolderError> {
    let source = file::open_within(folder, from).map_err(|error| failed(from, error))?;
    let written = File::create_new(to).and_then(|mut copy| {
        io::copy(&mut source.take(found.len()), &mut copy)?;
        copy.set_permissions(readable(found.permissions()))
    });
    written.map_err(|error| unwritten(to, error))
}

fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().create(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// Lets everyone read a file, and execute it if anyone may.
#[cfg(unix)]
fn readable(rights: fs::Permissions) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    let mode = rights.mode() & 0o755;
    fs::Permissions::from_mode(if mode & 0o111 == 0 { 0o644 } else { 0o755 } | mode)
}

#[cfg(not(unix))]
fn readable(rights: fs::Permissions) -> fs::Permissions {
    rights
}

#[cfg(unix)]
fn link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(not(unix))]
fn link(target: &Path, at: &Path) -> io::Result<()> {
    // Links need rights there that few users have.
    let target = at.parent().map(|folder| folder.join(target)).unwrap_or_default();
    fs::copy(target, at).map(drop)
}

fn unwritten(path: &Path, source: io::Error) -> FolderError {
    let path = display_path(path);
    FolderError::Unwritten(format!("cannot write `{path}`: {}", system_error(source)))
}

/// The most that a folder of a bot may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FolderBounds {
    /// Number of files, folders and links.
    pub entries: u64,
    /// Total size of the files.
    pub bytes: u64,
}

impl FolderBounds {
    /// The usual bounds: room for an interpreter's packages and a table of chances.
    pub const DEFAULT: FolderBounds = FolderBounds { entries: 50_000, bytes: 2 << 30 };
}

#[derive(Debug)]
enum FolderItem {
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
/// [`FolderError`] if it holds more than the bounds, or anything else than files, folders and links, or
/// cannot be read; or an error of `visit`.
fn walk(
    folder: &Path,
    bounds: FolderBounds,
    passed_over: fn(&str) -> bool,
    mut visit: impl FnMut(&Path, FolderItem) -> Result<(), FolderError>,
) -> Result<(), FolderError> {
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
            visit(&inner, FolderItem::Folder)?;
            let names = names_in(&inner)?;
            levels.push((inner, names.into_iter()));
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).map_err(|error| failed(&path, error))?;
            visit(&inner, FolderItem::Link(target))?;
        } else if kind.is_file() {
            bytes = bytes.saturating_add(found.len());
            if bytes > bounds.bytes {
                let (path, most) = (display_path(folder), ByteSize(bounds.bytes));
                return Err(FolderError::Source(format!(
                    "`{path}` is larger than {most}: keep only the bot in it"
                )));
            }
            visit(&inner, FolderItem::File(found))?;
        } else {
            let path = display_path(&path);
            return Err(FolderError::Source(format!(
                "`{path}` is not a file, folder or link: remove it"
            )));
        }
    }
    Ok(())
}

/// Returns the names in an inner folder, sorted; `entries` have been counted before.
fn names(
    folder: &Path,
    inner: &Path,
    (bounds, passed_over): (FolderBounds, fn(&str) -> bool),
    entries: &mut u64,
) -> Result<Vec<OsString>, FolderError> {
    let path = folder.join(inner);
    let mut names = Vec::new();
    for entry in fs::read_dir(&path).map_err(|error| failed(&path, error))? {
        let name = entry.map_err(|error| failed(&path, error))?.file_name();
        if name.to_str().is_some_and(passed_over) {
            continue;
        }
        *entries += 1;
        if *entries > bounds.entries {
            let (path, most) = (display_path(folder), bounds.entries);
            return Err(FolderError::Source(format!(
                "`{path}` has more than {most} files: keep only the bot in it"
            )));
        }
        names.push(name);
    }
    names.sort();
    Ok(names)
}

fn failed(path: &Path, source: io::Error) -> FolderError {
    let path = display_path(path);
    FolderError::Source(format!("cannot read `{path}`: {}", system_error(source)))
}

/// Returns the digest of everything that matters in a folder: paths, kinds, contents, and which files are
/// executable. A bot that was handed in has changed if it differs.
pub fn digest(folder: &Path, bounds: FolderBounds) -> Result<Digest, FolderError> {
    over_items(folder, bounds, |path, found| {
        let content = digest_of(path).map_err(|error| failed(path, error))?;
        Ok((content, [u8::from(is_executable(found))]))
    })
}

/// Returns a digest that shows changes in a folder without reading its files: the time of the last change stands
/// for their contents.
pub fn stamp(folder: &Path, bounds: FolderBounds) -> Result<Digest, FolderError> {
    over_items(folder, bounds, |_, found| Ok((Digest::default(), stamp_of(found))))
}

/// Returns the digest of each file that matters in a folder, by its path there.
pub fn files(
    folder: &Path,
    bounds: FolderBounds,
) -> Result<BTreeMap<PathBuf, Digest>, FolderError> {
    let mut files = BTreeMap::new();
    walk(folder, bounds, makes_no_difference, |inner, item| {
        if let FolderItem::File(_) = item {
            let path = folder.join(inner);
            let digest = digest_of(&path).map_err(|error| failed(&path, error))?;
            files.insert(inner.to_path_buf(), digest);
        }
        Ok(())
    })?;
    Ok(files)
}

/// Returns a digest that shows changes of a file without reading it.
pub fn file_stamp(file: &Path) -> io::Result<Digest> {
    Ok(Digest::hash(&stamp_of(&fs::symlink_metadata(file)?)))
}

/// Returns the digest of all items, with the result of `told` for each file.
fn over_items<const LENGTH: usize>(
    folder: &Path,
    bounds: FolderBounds,
    told: impl Fn(&Path, &Metadata) -> Result<(Digest, [u8; LENGTH]), FolderError>,
) -> Result<Digest, FolderError> {
    let mut hasher = Sha256::new();
    walk(folder, bounds, makes_no_difference, |inner, item| {
        let (letter, content, more) = match item {
            FolderItem::Folder => (b'd', Digest::default(), [0; LENGTH]),
            FolderItem::Link(target) => {
                (b'l', Digest::hash(target.as_os_str().as_encoded_bytes()), [0; LENGTH])
            }
            FolderItem::File(found) => {
                let (content, more) = told(&folder.join(inner), &found)?;
                (b'f', content, more)
            }
        };
        let name = inner.as_os_str().as_encoded_bytes();
        hasher.update([letter]);
        hasher.update((name.len() as u64).to_be_bytes());
        hasher.update(name);
        hasher.update(content.bytes());
        hasher.update(more);
        Ok(())
    })?;
    Ok(Digest(hasher.finalize().into()))
}

#[cfg(unix)]
fn is_executable(found: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_found: &Metadata) -> bool {
    true
}

#[cfg(unix)]
fn stamp_of(found: &Metadata) -> [u8; 40] {
    use std::os::unix::fs::MetadataExt;
    // The owner cannot choose the time of the last change, unlike the time of the last write.
    let parts = [
        found.size(),
        found.ino(),
        found.ctime().cast_unsigned(),
        found.ctime_nsec().cast_unsigned(),
    ];
    let mode = u64::from(found.mode());
    let mut bytes = [0; 40];
    for (place, part) in bytes.chunks_exact_mut(8).zip(parts.into_iter().chain([mode])) {
        place.copy_from_slice(&part.to_be_bytes());
    }
    bytes
}

#[cfg(not(unix))]
fn stamp_of(found: &Metadata) -> [u8; 32] {
    let changed = found.modified().map(|time| format!("{time:?}")).unwrap_or_default();
    Digest::hash(format!("{} {changed}", found.len()).as_bytes()).bytes()
}
