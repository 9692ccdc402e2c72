//! Copies of the folders of bots, so that a bot stays as it entered a tournament or a league.
//!
//! Other users cannot enter the folder of all copies. The copies in it are readable by everyone, since bots may run as
//! another user; neither the umask nor the rights in the original folder change that.

use std::fs::{self, DirBuilder, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use sandbox::file;
use text::{display_path, system_error};
use thiserror::Error;

use crate::sources::is_left_out;

pub mod contents;
mod tree;

pub use tree::{Bounds, NotRead};
use tree::{Item, failed, walk};

/// Removes a folder with everything in it, if it is there.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Reason why a folder is not copied; one line.
#[derive(Debug, Error)]
pub enum NotCopied {
    #[error(transparent)]
    Source(#[from] NotRead),
    #[error("`{0}` contains the copies themselves: move the bot to its own folder")]
    Around(String),
    #[error("cannot write `{path}`: {}", system_error(source))]
    Unwritten { path: String, source: io::Error },
}

/// Copies a folder and everything in it to an unused path. Links stay links, wherever they
/// lead: an isolated bot finds nothing behind links that leave its folder. Returns its extent.
///
/// # Errors
///
/// [`NotCopied`]; an incomplete copy remains.
pub fn copy(from: &Path, to: &Path, bounds: Bounds) -> Result<Bounds, NotCopied> {
    let whole = |path: &Path| fs::canonicalize(path).map_err(|error| failed(path, error));
    let place = whole(to.parent().unwrap_or(Path::new(".")))?;
    if place.starts_with(whole(from)?) {
        return Err(NotCopied::Around(display_path(from)));
    }
    make_folder(to).map_err(|error| unwritten(to, error))?;
    let mut copied = Bounds { entries: 0, bytes: 0 };
    walk(from, bounds, is_left_out, |inner, item| {
        let (path, place) = (from.join(inner), to.join(inner));
        copied.entries += 1;
        if let Item::File(found) = &item {
            copied.bytes = copied.bytes.saturating_add(found.len());
        }
        match item {
            Item::Folder => make_folder(&place),
            Item::Link(target) => link(&target, &place),
            Item::File(found) => return copy_file(from, &path, &found, &place),
        }
        .map_err(|error| unwritten(&place, error))
    })?;
    Ok(copied)
}

/// Copies a file of a folder, up to the size at which it was found: it may grow meanwhile, or become a
/// link.
fn copy_file(folder: &Path, from: &Path, found: &Metadata, to: &Path) -> Result<(), NotCopied> {
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

fn unwritten(path: &Path, source: io::Error) -> NotCopied {
    NotCopied::Unwritten { path: display_path(path), source }
}
