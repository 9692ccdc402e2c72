//! Digests of folders: a bot that was handed in has changed if its digest differs.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use rules::Digest;
use sha2::{Digest as _, Sha256};

use super::tree::{Bounds, Item, NotRead, failed, walk};
use crate::fingerprint::digest_of;
use crate::sources::makes_no_difference;

/// Returns the digest of everything that matters in a folder: paths, kinds, contents, and which files are
/// executable.
pub fn digest(folder: &Path, bounds: Bounds) -> Result<Digest, NotRead> {
    over_items(folder, bounds, |path, found| {
        let content = digest_of(path).map_err(|error| failed(path, error))?;
        Ok((content, [u8::from(is_executable(found))]))
    })
}

/// Returns a digest that shows changes in a folder without reading its files: the time of the last change stands
/// for their contents.
pub fn stamp(folder: &Path, bounds: Bounds) -> Result<Digest, NotRead> {
    over_items(folder, bounds, |_, found| Ok((Digest::default(), stamp_of(found))))
}

/// Returns the digest of each file that matters in a folder, by its path there.
pub fn files(folder: &Path, bounds: Bounds) -> Result<BTreeMap<PathBuf, Digest>, NotRead> {
    let mut files = BTreeMap::new();
    walk(folder, bounds, makes_no_difference, |inner, item| {
        if let Item::File(_) = item {
            let path = folder.join(inner);
            let digest = digest_of(&path).map_err(|error| failed(&path, error))?;
            files.insert(inner.to_path_buf(), digest);
        }
        Ok::<_, NotRead>(())
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
    bounds: Bounds,
    told: impl Fn(&Path, &Metadata) -> Result<(Digest, [u8; LENGTH]), NotRead>,
) -> Result<Digest, NotRead> {
    let mut hasher = Sha256::new();
    walk(folder, bounds, makes_no_difference, |inner, item| {
        let (letter, content, more) = match item {
            Item::Folder => (b'd', Digest::default(), [0; LENGTH]),
            Item::Link(target) => {
                (b'l', Digest::hash(target.as_os_str().as_encoded_bytes()), [0; LENGTH])
            }
            Item::File(found) => {
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
        Ok::<_, NotRead>(())
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
