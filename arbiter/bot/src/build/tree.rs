//! A folder of which nothing is reached through a link, even if somebody changes it meanwhile.
//!
//! Everything goes through the descriptors of folders, each of which was opened in the one above it
//! without following links.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{
    Access, AtFlags, CWD, Dir, FileType, Gid, Mode, OFlags, Stat, Timespec, Timestamps, UTIME_OMIT,
    Uid, accessat, chownat, fchmod, fchown, fstat, futimens, mkdirat, openat, readlinkat, renameat,
    statat, symlinkat, unlinkat,
};
use rustix::io::Errno;

/// The rights that are given to anything.
const RIGHTS: u32 = 0o777;

/// A folder; paths start there.
#[derive(Debug)]
pub(super) struct RootFolder {
    root: OwnedFd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    Folder,
    File,
    Link,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct FoundEntry {
    /// Nothing for a device, a socket or a named pipe.
    pub(super) kind: Option<EntryKind>,
    pub(super) bytes: u64,
    pub(super) owner: u32,
    pub(super) stamp: FileStamp,
    rights: u32,
    modified: Timespec,
}

/// Facts that no program can change without leaving a trace: the number of a file, and the time of
/// its last change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileStamp {
    number: u64,
    changed: (i64, i64),
}

impl FoundEntry {
    fn new(stat: &Stat) -> FoundEntry {
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => Some(EntryKind::Folder),
            FileType::RegularFile => Some(EntryKind::File),
            FileType::Symlink => Some(EntryKind::Link),
            _ => None,
        };
        FoundEntry {
            kind,
            bytes: u64::try_from(stat.st_size).unwrap_or_default(),
            owner: stat.st_uid,
            stamp: FileStamp {
                number: stat.st_ino,
                changed: (stat.st_ctime, stat.st_ctime_nsec as i64),
            },
            rights: stat.st_mode & RIGHTS,
            modified: Timespec { tv_sec: stat.st_mtime, tv_nsec: stat.st_mtime_nsec as i64 },
        }
    }

    /// The rights on a folder, which its owner can always enter.
    pub(super) fn rights_on_folder(&self) -> u32 {
        self.rights | 0o700
    }
}

impl RootFolder {
    /// Opens a folder by an absolute path without links.
    pub(super) fn open(path: &Path) -> io::Result<RootFolder> {
        let mut root = folder(CWD, OsStr::new("/"))?;
        for part in path.components() {
            if let Component::Normal(name) = part {
                root = folder(&root, name)?;
            }
        }
        Ok(RootFolder { root })
    }

    pub(super) fn find(&self, path: &Path) -> io::Result<FoundEntry> {
        if path.as_os_str().is_empty() {
            return Ok(FoundEntry::new(&fstat(&self.root)?));
        }
        let (above, name) = self.above(path)?;
        Ok(FoundEntry::new(&statat(&above, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// The names in a folder, each with what it is.
    pub(super) fn list(
        &self,
        path: &Path,
    ) -> io::Result<impl Iterator<Item = io::Result<(OsString, FoundEntry)>>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = openat(self.folder(path)?, ".", flags, Mode::empty())?;
        let list = Dir::read_from(&opened)?;
        Ok(list.filter_map(move |entry| {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error.into())),
            };
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                return None;
            }
            match statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => {
                    let name = OsString::from_vec(name.to_bytes().to_vec());
                    Some(Ok((name, FoundEntry::new(&stat))))
                }
                Err(Errno::NOENT) => None,
                Err(error) => Some(Err(error.into())),
            }
        }))
    }

    /// Opens a regular file to read it.
    pub(super) fn read(&self, path: &Path) -> io::Result<(File, FoundEntry)> {
        let (above, name) = self.above(path)?;
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = openat(&above, name, flags, Mode::empty())?;
        let found = FoundEntry::new(&fstat(&file)?);
        match found.kind {
            Some(EntryKind::File) => Ok((file.into(), found)),
            _ => Err(io::Error::other("no longer a file")),
        }
    }

    /// Makes a file with the content, the rights and the time of another one.
    pub(super) fn write(
        &self,
        path: &Path,
        (source, found): (&File, &FoundEntry),
        owner: Option<u32>,
    ) -> io::Result<()> {
        let (above, name) = self.above(path)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mut file = File::from(openat(&above, name, flags, Mode::RUSR | Mode::WUSR)?);
        // No more than was counted, even if it grows.
        io::copy(&mut source.take(found.bytes), &mut file)?;
        if owner.is_some() {
            fchown(&file, owner.map(Uid::from_raw), owner.map(Gid::from_raw))?;
        }
        fchmod(&file, found.rights.into())?;
        let last_access = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
        Ok(futimens(&file, &Timestamps { last_access, last_modification: found.modified })?)
    }

    pub(super) fn make_folder(
        &self,
        path: &Path,
        rights: u32,
        owner: Option<u32>,
    ) -> io::Result<()> {
        let (above, name) = self.above(path)?;
        mkdirat(&above, name, Mode::RWXU)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let made = openat(&above, name, flags, Mode::empty())?;
        fchmod(&made, rights.into())?;
        if owner.is_some() {
            fchown(&made, owner.map(Uid::from_raw), owner.map(Gid::from_raw))?;
        }
        Ok(())
    }

    pub(super) fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        let (above, name) = self.above(path)?;
        let target = readlinkat(&above, name, Vec::new())?;
        Ok(PathBuf::from(OsString::from_vec(target.into_bytes())))
    }

    pub(super) fn make_link(
        &self,
        target: &Path,
        path: &Path,
        owner: Option<u32>,
    ) -> io::Result<()> {
        let (above, name) = self.above(path)?;
        symlinkat(target, &above, name)?;
        if owner.is_some() {
            let (user, group) = (owner.map(Uid::from_raw), owner.map(Gid::from_raw));
            chownat(&above, name, user, group, AtFlags::SYMLINK_NOFOLLOW)?;
        }
        Ok(())
    }

    /// Gives something another name, and replaces what has it.
    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((old, from), (new, to)) = (self.above(from)?, self.above(to)?);
        Ok(renameat(&old, from, &new, to)?)
    }

    /// Removes something of this kind, a folder only if it is empty; tells whether it is gone.
    pub(super) fn remove(&self, path: &Path, kind: EntryKind) -> io::Result<bool> {
        let (above, name) = self.above(path)?;
        let flags = match kind {
            EntryKind::Folder => AtFlags::REMOVEDIR,
            EntryKind::File | EntryKind::Link => AtFlags::empty(),
        };
        match unlinkat(&above, name, flags) {
            Ok(()) | Err(Errno::NOENT) => Ok(true),
            Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Checks that this process may make and remove something in a folder.
    pub(super) fn may_change(&self, path: &Path) -> io::Result<()> {
        let rights = Access::WRITE_OK | Access::EXEC_OK;
        Ok(accessat(self.folder(path)?, ".", rights, AtFlags::empty())?)
    }

    fn folder(&self, path: &Path) -> io::Result<OwnedFd> {
        let mut at = self.root.try_clone()?;
        for name in path {
            at = folder(&at, name)?;
        }
        Ok(at)
    }

    fn above<'a>(&self, path: &'a Path) -> io::Result<(OwnedFd, &'a OsStr)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        Ok((self.folder(path.parent().unwrap_or(Path::new("")))?, name))
    }
}

fn folder(above: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(above, name.as_bytes(), flags, Mode::empty())?)
}
