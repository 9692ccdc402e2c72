//! Files and folders that are not complete yet.
//!
//! Each has a hidden name beside its place, and gets its own name in one step when it is whole. A program that is killed
//! leaves it behind, and the next one that makes something in the same folder removes it: it has a name of the shape that
//! only this program gives, belongs to this user, and no program that lives holds the lock on it. Systems without locks
//! of that kind keep it.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rand::TryRng;
use rand::rngs::SysRng;
use tempfile::Builder;
pub use tempfile::NamedTempFile as NewFile;

use crate::file;
use crate::removal;

/// Beginning of the names of files that are not complete yet.
pub const NEW: &str = ".new-";
/// Length of the rest of a name: so many digits of a number.
const DIGITS: usize = 16;
/// Number of tries to make something that another program removes before it is locked.
const TRIES: usize = 100;
/// The most time for the removal of a folder.
const LIMIT: Duration = Duration::from_secs(600);

/// Writes a file completely or not at all, even if the program or the machine stops meanwhile. Only its owner
/// can read it.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = file::folder_of(path);
    let mut new = file_in(folder)?;
    new.write_all(content)?;
    new.as_file().sync_all()?;
    new.persist(path).map_err(|error| error.error)?;
    // The name of the file must outlive a loss of power, too.
    file::sync_folder(folder)
}

/// Makes a file that only its owner can read, and removes what killed programs have left in the folder.
///
/// # Errors
///
/// Fails if it cannot be made.
pub fn file_in(folder: &Path) -> io::Result<NewFile> {
    locked_file(folder, |_| {})
}

/// Does the same with a file that others can read, as far as the umask lets them.
///
/// # Errors
///
/// Fails if it cannot be made.
pub fn file_for_all_in(folder: &Path) -> io::Result<NewFile> {
    locked_file(folder, for_all)
}

/// Writes a new file completely or not at all. Only its owner can read it.
///
/// # Errors
///
/// Fails if there is something with this name, or it cannot be written.
pub fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    must_be_new(path)?;
    put_new(path, file_in(file::folder_of(path))?, content)
}

/// Does the same with a file that others can read, as far as the umask lets them.
///
/// # Errors
///
/// As for [`write_new`].
pub fn write_new_for_all(path: &Path, content: &[u8]) -> io::Result<()> {
    must_be_new(path)?;
    put_new(path, file_for_all_in(file::folder_of(path))?, content)
}

fn put_new(path: &Path, mut new: NewFile, content: &[u8]) -> io::Result<()> {
    new.write_all(content)?;
    new.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(())
}

/// Fails if there is something with this name, if only a link.
///
/// # Errors
///
/// [`AlreadyExists`](io::ErrorKind::AlreadyExists)
pub fn must_be_new(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => Ok(()),
    }
}

/// Returns true if a folder is not there yet, or has nothing in it but what killed programs have left there, which is
/// removed.
///
/// # Errors
///
/// Fails if it cannot be read, and where something else has its name.
pub fn is_free(folder: &Path) -> io::Result<bool> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A link that leads nowhere is there anyway.
            return Ok(fs::symlink_metadata(folder).is_err());
        }
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if !(is_name(&entry.file_name()) && remove_if_dead(&entry.path())) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes what killed programs have left in a folder. What cannot be removed stays.
pub fn remove_dead(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_name(&entry.file_name()) {
            remove_if_dead(&entry.path());
        }
    }
}

/// Returns true if this program gives such a name to what is not complete.
pub fn is_name(name: &OsStr) -> bool {
    let digits = name.as_encoded_bytes().strip_prefix(NEW.as_bytes());
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    digits.is_some_and(|digits| digits.len() == DIGITS && digits.iter().all(is_digit))
}

fn new_name() -> io::Result<String> {
    let mut number = [0; 8];
    SysRng.try_fill_bytes(&mut number).map_err(io::Error::other)?;
    Ok(format!("{NEW}{:016x}", u64::from_ne_bytes(number)))
}

fn locked_file(folder: &Path, access: impl Fn(&mut Builder<'_, 'static>)) -> io::Result<NewFile> {
    remove_dead(folder);
    for _ in 0..TRIES {
        let name = new_name()?;
        let mut builder = Builder::new();
        // The library makes files that only their owner reads.
        access(builder.prefix(&name).rand_bytes(0));
        let new = builder.tempfile_in(folder)?;
        if is_locked(new.as_file(), new.path()) {
            return Ok(new);
        }
    }
    Err(io::Error::other("other programs keep removing the files created here"))
}

#[cfg(unix)]
fn for_all(builder: &mut Builder<'_, 'static>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn for_all(_builder: &mut Builder<'_, 'static>) {}

/// A folder that is not complete yet, which is removed when this is dropped.
#[derive(Debug)]
pub struct NewFolder {
    hidden: PathBuf,
    place: NewFolderPlace,
    /// The lock on it, where the system has one.
    _lock: Option<File>,
}

/// What becomes of a hidden folder.
#[derive(Debug)]
enum NewFolderPlace {
    /// It gets the first name of a path of which nothing is there; the folder to fill has the rest of that path in it.
    Named { top: PathBuf, rest: PathBuf },
    /// What is in it moves into the folder around it, which keeps its name: another file system begins there, or the
    /// folder above it is not ours.
    Around(PathBuf),
}

impl NewFolder {
    /// A folder to fill, which is to be at this path, where nothing is or an empty folder. No other user can look into
    /// a new one.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be made.
    pub fn create_at(path: &Path) -> io::Result<NewFolder> {
        NewFolder::made_at(path, file::private_folder())
    }

    /// Does the same with a folder that others can look into, as far as the umask lets them.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be made.
    pub fn for_all_at(path: &Path) -> io::Result<NewFolder> {
        NewFolder::made_at(path, DirBuilder::new())
    }

    fn made_at(path: &Path, mut builder: DirBuilder) -> io::Result<NewFolder> {
        let Ok(around) = fs::canonicalize(path) else {
            let (top, rest) = missing(path)?;
            let (hidden, lock) = hidden_in(file::folder_of(&top), &builder)?;
            let new = NewFolder { hidden, place: NewFolderPlace::Named { top, rest }, _lock: lock };
            builder.recursive(true).create(new.path())?;
            return Ok(new);
        };
        // It keeps its owner and its rights, and whoever works in it stays there.
        let found = fs::metadata(&around)?;
        let is_here = std::env::current_dir().is_ok_and(|here| here == around);
        let beside = match is_here || begins_file_system(&around) || !is_own(&found) {
            true => Err(io::ErrorKind::PermissionDenied.into()),
            false => hidden_in(file::folder_of(&around), &builder),
        };
        match beside {
            Ok((hidden, lock)) => {
                let place = NewFolderPlace::Named { top: around, rest: PathBuf::new() };
                let new = NewFolder { hidden, place, _lock: lock };
                fs::set_permissions(new.path(), found.permissions())?;
                Ok(new)
            }
            Err(error) if is_denied(&error) => NewFolder::inside(&around),
            Err(error) => Err(error),
        }
    }

    /// A folder to fill inside of one that is there. No other user can look into it.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be made.
    pub fn inside(around: &Path) -> io::Result<NewFolder> {
        let (hidden, lock) = hidden_in(around, &file::private_folder())?;
        Ok(NewFolder { hidden, place: NewFolderPlace::Around(around.to_owned()), _lock: lock })
    }

    /// Does the same with a folder that others can look into, as far as the umask lets them.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be made.
    pub fn for_all_inside(around: &Path) -> io::Result<NewFolder> {
        let (hidden, lock) = hidden_in(around, &DirBuilder::new())?;
        Ok(NewFolder { hidden, place: NewFolderPlace::Around(around.to_owned()), _lock: lock })
    }

    /// The folder to fill.
    pub fn path(&self) -> PathBuf {
        match &self.place {
            // An empty rest would leave a slash at the end.
            NewFolderPlace::Named { rest, .. } if rest.as_os_str().is_empty() => {
                self.hidden.clone()
            }
            NewFolderPlace::Named { rest, .. } => self.hidden.join(rest),
            NewFolderPlace::Around(_) => self.hidden.clone(),
        }
    }

    /// Puts it in its place, the entry of this name last.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be renamed, as where something has the name meanwhile.
    pub fn publish(self, last: &str) -> io::Result<()> {
        let sync = |place: &Path| file::sync_folder(file::folder_of(place));
        match &self.place {
            NewFolderPlace::Named { top, .. } => {
                // Elsewhere a folder does not take the place of an empty one.
                if cfg!(not(unix)) {
                    let _ = fs::remove_dir(top);
                }
                fs::rename(&self.hidden, top)?;
                sync(top)
            }
            NewFolderPlace::Around(around) => {
                let mut names = Vec::new();
                for entry in fs::read_dir(&self.hidden)? {
                    names.push(entry?.file_name());
                }
                names.sort_by_key(|name| name == last);
                for name in names {
                    fs::rename(self.hidden.join(&name), around.join(&name))?;
                }
                file::sync_folder(around)
            }
        }
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // Once it is in its place it is gone. No one is there to be told: the next one removes the rest.
        let _ = removal::remove_within(&self.hidden, LIMIT);
    }
}

/// The path up to the first name that is not there, and the rest of it.
fn missing(path: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let whole = std::path::absolute(path)?;
    let is_there = |path: &&Path| fs::symlink_metadata(path).is_ok();
    let above = whole.ancestors().find(is_there).ok_or(io::ErrorKind::NotFound)?;
    let names = whole.strip_prefix(above).map_err(io::Error::other)?;
    let mut parts = names.components();
    let top = parts.next().map(|first| above.join(first)).ok_or(io::ErrorKind::AlreadyExists)?;
    Ok((top, parts.as_path().to_owned()))
}

fn is_denied(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Makes a hidden folder, and removes what killed programs have left beside it.
fn hidden_in(folder: &Path, builder: &DirBuilder) -> io::Result<(PathBuf, Option<File>)> {
    remove_dead(folder);
    for _ in 0..TRIES {
        let hidden = folder.join(new_name()?);
        builder.create(&hidden)?;
        let Some(lock) = opened(&hidden) else { return Ok((hidden, None)) };
        if is_locked(&lock, &hidden) {
            return Ok((hidden, Some(lock)));
        }
    }
    Err(io::Error::other("other programs keep removing the files created here"))
}

/// Returns true if a file system begins at a folder: nothing can be moved over that.
#[cfg(target_os = "linux")]
fn begins_file_system(folder: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let found = statx(CWD, folder, AtFlags::empty(), StatxFlags::BASIC_STATS);
    found.is_ok_and(|found| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn begins_file_system(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::metadata(path).map(|found| found.dev()).ok();
    device(folder) != device(file::folder_of(folder))
}

#[cfg(not(unix))]
fn begins_file_system(_folder: &Path) -> bool {
    false
}

/// Returns true if a folder belongs to the user and the group of this process.
#[cfg(unix)]
fn is_own(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    (found.uid(), found.gid()) == own
}

#[cfg(not(unix))]
fn is_own(_found: &fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn opened(path: &Path) -> Option<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    openat(CWD, path, flags, Mode::empty()).map(File::from).ok()
}

/// Opens nothing: other systems lock no folders, and no one reads a locked file there.
#[cfg(not(unix))]
fn opened(_path: &Path) -> Option<File> {
    None
}

/// Locks what was just made here, and returns true if it still has this name. On a file system without locks it is not
/// locked, and no one removes it either.
#[cfg(unix)]
fn is_locked(made: &File, path: &Path) -> bool {
    let _ = made.lock();
    is_at(made, path)
}

#[cfg(not(unix))]
fn is_locked(_made: &File, _path: &Path) -> bool {
    true
}

/// Returns true if this name leads to an open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let found = file.metadata().and_then(|own| Ok((own, fs::symlink_metadata(path)?)));
    found.is_ok_and(|(own, named)| (own.dev(), own.ino()) == (named.dev(), named.ino()))
}

/// Removes a file or a folder of a killed program, and returns true if it is gone.
#[cfg(unix)]
fn remove_if_dead(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Some(file) = opened(path) else { return false };
    let Ok(found) = file.metadata() else { return false };
    let is_ours = found.uid() == rustix::process::geteuid().as_raw();
    if !is_ours || file.try_lock().is_err() || !is_at(&file, path) {
        return false;
    }
    match found.is_dir() {
        true => removal::remove_within(path, LIMIT).is_ok(),
        false => found.is_file() && fs::remove_file(path).is_ok(),
    }
}

/// Removes nothing: no one can tell here whether a program is dead.
#[cfg(not(unix))]
fn remove_if_dead(_path: &Path) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::collections::BTreeSet;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use tempfile::TempDir;

    use super::*;

    /// A name of what is not complete.
    const DEAD: &str = ".new-0123456789abcdef";

    fn names(folder: &Path) -> BTreeSet<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn what_a_killed_program_has_left_is_removed_and_nothing_else() {
        let folder = TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let alive = file_in(folder.path()).expect("a file");
        let filling = NewFolder::inside(folder.path()).expect("a folder");
        fs::write(filling.path().join("file"), "").expect("it is ours");
        // A folder that its owner may not write into goes as well.
        fs::create_dir_all(path(DEAD).join("closed/inner")).expect("it is ours");
        fs::set_permissions(path(DEAD).join("closed"), fs::Permissions::from_mode(0o500))
            .expect("it is ours");
        fs::write(path(".new-00000000000000ff"), "half").expect("it is ours");
        let others = [".new-", ".new-x", ".new-0123456789abcdeg", ".new-0123456789abcdef0", "new"];
        for name in others {
            fs::write(path(name), "precious").expect("it is ours");
        }
        symlink("new", path(".new-1111111111111111")).expect("a link");
        remove_dead(folder.path());
        let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
        let kept = others.map(str::to_owned).into_iter().chain([
            ".new-1111111111111111".to_owned(),
            name(alive.path()),
            name(&filling.path()),
        ]);
        assert_eq!(names(folder.path()), kept.collect());
        drop((alive, filling));
        let left = others.len() + 1;
        assert_eq!(names(folder.path()).len(), left);
    }

    #[test]
    fn a_folder_is_there_as_a_whole_or_not_at_all() {
        let folder = TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("empty")).expect("it is ours");
        fs::create_dir(path("around")).expect("it is ours");
        symlink("empty", path("link")).expect("a link");
        for to in ["new", "not/there/yet", "link"] {
            let new = NewFolder::create_at(&path(to)).expect("a folder");
            fs::write(new.path().join("file"), "").expect("it is ours");
            assert!(!path("new").join("file").exists() && !path("not/there/yet").exists());
            drop(new);
            assert!(!path("not").exists() && names(&path("empty")).is_empty(), "{to}");
            let new = NewFolder::create_at(&path(to)).expect("a folder");
            fs::write(new.path().join("file"), "").expect("it is ours");
            new.publish("file").expect("there is nothing");
            assert!(path(to).join("file").is_file(), "{to}");
            fs::remove_file(path(to).join("file")).expect("it is ours");
            for made in ["new", "not"] {
                fs::remove_dir_all(path(made)).unwrap_or_default();
            }
        }
        let new = NewFolder::inside(&path("around")).expect("a folder");
        assert!(!is_free(&path("around")).expect("it can be read"), "somebody fills it");
        fs::write(new.path().join("file"), "").expect("it is ours");
        new.publish("file").expect("there is nothing");
        assert_eq!(names(&path("around")), BTreeSet::from(["file".to_owned()]));
        fs::create_dir(path("killed")).expect("it is ours");
        fs::create_dir(path("killed").join(DEAD)).expect("it is ours");
        assert!(is_free(&path("killed")).expect("it can be read"));
        assert!(names(&path("killed")).is_empty());
        let taken = NewFolder::create_at(&path("taken")).expect("a folder");
        fs::create_dir_all(path("taken/inner")).expect("it is ours");
        taken.publish("file").expect_err("there is something");
        assert!(names(folder.path()).iter().all(|name| !name.starts_with(NEW)));
    }

    #[test]
    fn a_new_file_takes_no_place() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("file");
        write_new(&path, b"one").expect("there is nothing");
        write_new_for_all(&path, b"two").expect_err("there is something");
        assert_eq!(fs::read_to_string(&path).expect("a text"), "one");
        assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o600);
        symlink("nowhere", folder.path().join("link")).expect("a link");
        write_new(&folder.path().join("link"), b"three").expect_err("there is a link");
        assert_eq!(names(folder.path()).len(), 2);
    }
}
