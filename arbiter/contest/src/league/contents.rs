//! What a folder holds, as a digest: a bot that was handed in is another one where this differs.

use std::fs::Metadata;
use std::path::Path;

use rules::Digest;
use sha2::{Digest as _, Sha256};

use crate::league::tree::{Bounds, Item, NotRead, failed, walk};
use conditions::bot::fingerprint::digest_of;
use conditions::bot::sources::makes_no_difference;

/// The digest of all that makes a difference between two copies of a folder: paths, kinds, contents, and which files can be
/// executed.
///
/// # Errors
///
/// [`NotRead`], where there would be no copy.
pub fn digest(folder: &Path, bounds: Bounds) -> Result<Digest, NotRead> {
    over_items(folder, bounds, |path, found| {
        let content = digest_of(path).map_err(|error| failed(path, error))?;
        Ok((content, [u8::from(is_executable(found))]))
    })
}

/// A digest that tells whether something in a folder has changed, without the contents of files being
/// read: when each was last changed stands for them.
///
/// # Errors
///
/// [`NotRead`], where there would be no copy.
pub fn stamp(folder: &Path, bounds: Bounds) -> Result<Digest, NotRead> {
    over_items(folder, bounds, |_, found| Ok((Digest::default(), stamp_of(found))))
}

/// The digest of all items, with what `told` says of the files.
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
    // Unlike the time of the last writing, that of the last change is not the owner's to choose.
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
