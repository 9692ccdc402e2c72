//! A copy of a bot's folder in which its build works. What the build has made comes back when it has
//! succeeded; otherwise the folder stays as it was.
//!
//! Builds may be strangers' work. So nothing that one has made is followed: a link comes back as a link,
//! a file only if it is a regular one of the user who built, and all of it within bounds. What is kept
//! from bots is not copied, and does not come back.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{
    DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown, lchown, symlink,
};
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use rules::text::{printable, system_error};
use rustix::fs::OFlags;
use tempfile::NamedTempFile;
use thiserror::Error;

use crate::bot::grants::real;
use crate::process::scratch::{LeftBehind, Scratch};
use crate::process::{Copied, is_of_machine};

/// How much a folder may hold to be copied, and a build may make, in bytes.
const MOST_BYTES: u64 = 8 << 30;

/// The same in files, folders and links.
const MOST_ENTRIES: usize = 200_000;

/// The rights that are copied.
const RIGHTS: u32 = 0o777;

/// A copy of a folder.
#[derive(Debug)]
pub(super) struct Workshop {
    /// The folder, by a path without links.
    folder: PathBuf,
    copy: PathBuf,
    /// What is neither copied nor comes back, by paths from the folder.
    kept: Vec<PathBuf>,
    /// Who builds, if not the user of this process.
    builder: Option<u32>,
    /// What was copied, as it was then, by paths from the folder.
    copied: BTreeMap<PathBuf, Stamp>,
    /// What holds the copy, and is removed with it.
    scratch: Scratch,
}

/// Why a folder or what a build has made cannot be copied.
#[derive(Debug, Error)]
pub(super) enum NotCopied {
    /// Something that is there is the reason.
    #[error("cannot {doing} `{path}`: {}", system_error(source))]
    Entry {
        /// What failed.
        doing: &'static str,
        /// The file, folder or link.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// There is too much.
    #[error("{} more than {most}, expected less: --isolation off builds without a copy", side.holds())]
    TooMuch {
        /// What holds it.
        side: Side,
        /// How much there may be.
        most: String,
    },
}

/// What something is, and what a program cannot change without leaving a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    kind: Kind,
    number: u64,
    changed: (i64, i64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Folder,
    File,
    Link,
}

/// The folder or its copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The folder before the build. What cannot be read there, its build could not read either.
    Folder,
    /// What the build has made of the copy, all of which must be readable.
    Copy,
}

impl Side {
    fn holds(self) -> &'static str {
        match self {
            Side::Folder => "its folder holds",
            Side::Copy => "it has made",
        }
    }
}

/// Something in a folder that can be copied.
struct Entry {
    /// Its path from the folder.
    path: PathBuf,
    found: Metadata,
    kind: Kind,
}

impl NotCopied {
    /// Whether the machine is to blame, and not what is there.
    pub(super) fn is_of_machine(&self) -> bool {
        matches!(self, NotCopied::Entry { source, .. } if is_of_machine(source))
    }
}

impl Workshop {
    /// Copies a folder without what is to be kept from bots, for a build by this user.
    pub(super) fn copy(
        folder: &Path,
        kept: &[PathBuf],
        builder: Option<u32>,
    ) -> Result<Workshop, NotCopied> {
        let folder = folder.canonicalize().map_err(|it| entry("find", folder, it))?;
        let cannot = |source| entry("make a copy of", &folder, source);
        let scratch = Scratch::new().map_err(cannot)?;
        let copy = scratch.path().join("copy");
        if builder.is_some() {
            // Others must get through; the copy itself is closed.
            fs::set_permissions(scratch.path(), Permissions::from_mode(0o711)).map_err(cannot)?;
        }
        let kept = kept.iter().map(|path| real(path));
        let kept = kept.filter_map(|path| Some(path.strip_prefix(&folder).ok()?.to_path_buf()));
        let kept = kept.filter(|path| !path.as_os_str().is_empty()).collect();
        let mut workshop =
            Workshop { folder, copy, kept, builder, copied: BTreeMap::new(), scratch };
        workshop.fill().map(|()| workshop)
    }

    /// The folder and its copy.
    pub(super) fn copied(&self) -> Copied<'_> {
        Copied { folder: &self.folder, copy: &self.copy }
    }

    fn fill(&mut self) -> Result<(), NotCopied> {
        let entries = self.entries(Side::Folder)?;
        must_be_little(Side::Folder, &entries)?;
        let made = self.folder.metadata().and_then(|it| self.make_folder(&self.copy, it.mode()));
        made.map_err(|it| entry("make", &self.copy, it))?;
        let mut made = Vec::new();
        for Entry { path, found, kind } in entries {
            let (from, to) = (self.folder.join(&path), self.copy.join(&path));
            let copied = match kind {
                Kind::Folder => self.make_folder(&to, found.mode()),
                Kind::Link => fs::read_link(&from).and_then(|target| self.link(&target, &to)),
                Kind::File => self.copy_file(&from, &to, &found),
            };
            match copied {
                Ok(()) => made.push(path),
                Err(error) if is_unreadable(&error) => {}
                Err(error) => return Err(entry("copy", &from, error)),
            }
        }
        // At last, when nothing changes them any more.
        for path in made {
            let copy = self.copy.join(&path);
            let found = copy.symlink_metadata().map_err(|it| entry("copy", &copy, it))?;
            self.copied.extend(Stamp::of(&found).map(|stamp| (path, stamp)));
        }
        Ok(())
    }

    fn make_folder(&self, at: &Path, mode: u32) -> io::Result<()> {
        fs::DirBuilder::new().mode(0o700).create(at)?;
        fs::set_permissions(at, Permissions::from_mode(mode & RIGHTS | 0o700))?;
        self.give(at)
    }

    fn link(&self, target: &Path, at: &Path) -> io::Result<()> {
        symlink(target, at)?;
        self.give(at)
    }

    fn copy_file(&self, from: &Path, to: &Path, found: &Metadata) -> io::Result<()> {
        let source = open(from)?;
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
        if let Some(builder) = self.builder {
            fchown(&file, Some(builder), Some(builder))?;
        }
        fill(&source, &file, found)
    }

    /// Gives something to whoever builds.
    fn give(&self, at: &Path) -> io::Result<()> {
        match self.builder {
            Some(builder) => lchown(at, Some(builder), Some(builder)),
            None => Ok(()),
        }
    }

    /// Makes the folder what its copy has become.
    pub(super) fn take_over(&self) -> Result<(), NotCopied> {
        let entries = self.entries(Side::Copy)?;
        let kinds: BTreeMap<&Path, Kind> =
            entries.iter().map(|it| (it.path.as_path(), it.kind)).collect();
        let is_changed = |it: &&Entry| {
            it.kind == Kind::Folder || self.copied.get(&it.path) != Stamp::of(&it.found).as_ref()
        };
        let changed: Vec<&Entry> = entries.iter().filter(is_changed).collect();
        must_be_little(Side::Copy, changed.iter().copied())?;

        // What lies in a folder comes after it in this order.
        for (path, stamp) in self.copied.iter().rev() {
            if kinds.get(path.as_path()) != Some(&stamp.kind) {
                let at = self.folder.join(path);
                remove(&at, stamp.kind).map_err(|it| entry("remove", &at, it))?;
            }
        }
        for Entry { path, found, kind } in changed {
            let (from, to) = (self.copy.join(path), self.folder.join(path));
            let taken = match kind {
                Kind::Folder => take_folder(&to, found.mode()),
                Kind::Link => fs::read_link(&from).and_then(|target| take_link(&target, &to)),
                Kind::File => self.take_file(&from, &to),
            };
            taken.map_err(|it| entry("take over", path, it))?;
        }
        Ok(())
    }

    /// Removes the copy.
    pub(super) fn close(mut self) -> Result<(), LeftBehind> {
        self.scratch.remove()
    }

    fn take_file(&self, from: &Path, to: &Path) -> io::Result<()> {
        let source = open(from)?;
        let found = source.metadata()?;
        if self.builder.is_some_and(|builder| builder != found.uid()) {
            return Err(io::Error::other("it belongs to somebody else than the build"));
        }
        let above = to.parent().ok_or(io::ErrorKind::NotFound)?;
        // A file that is replaced may be running, and one that is half there must not be.
        let file = NamedTempFile::new_in(above)?;
        fill(&source, file.as_file(), &found)?;
        file.persist(to).map_err(|error| error.error)?;
        Ok(())
    }

    /// All that is on one side and can be copied, each folder before what is in it.
    fn entries(&self, side: Side) -> Result<Vec<Entry>, NotCopied> {
        let folder = match side {
            Side::Folder => &self.folder,
            Side::Copy => &self.copy,
        };
        let mut entries = Vec::new();
        let mut left = vec![PathBuf::new()];
        let mut seen = 0;
        while let Some(path) = left.pop() {
            let at = folder.join(&path);
            let list = match fs::read_dir(&at) {
                Err(error) if is_unreadable(&error) && side == Side::Folder => continue,
                list => list.map_err(|it| entry("read", &at, it))?,
            };
            for next in list {
                let next = next.map_err(|it| entry("read", &at, it))?;
                let path = path.join(next.file_name());
                let found = next.metadata().map_err(|it| entry("read", &next.path(), it))?;
                seen += 1;
                if seen > MOST_ENTRIES {
                    let most = format!("{MOST_ENTRIES} files and folders");
                    return Err(NotCopied::TooMuch { side, most });
                }
                let Some(kind) = Kind::of(&found).filter(|_| !self.kept.contains(&path)) else {
                    continue;
                };
                if kind == Kind::Folder {
                    left.push(path.clone());
                }
                entries.push(Entry { path, found, kind });
            }
        }
        Ok(entries)
    }
}

impl Stamp {
    fn of(found: &Metadata) -> Option<Stamp> {
        let changed = (found.ctime(), found.ctime_nsec());
        Some(Stamp { kind: Kind::of(found)?, number: found.ino(), changed })
    }
}

impl Kind {
    /// Nothing for a device, a socket or a named pipe.
    fn of(found: &Metadata) -> Option<Kind> {
        let kind = found.file_type();
        if kind.is_dir() {
            Some(Kind::Folder)
        } else if kind.is_symlink() {
            Some(Kind::Link)
        } else {
            kind.is_file().then_some(Kind::File)
        }
    }
}

/// Opens a regular file, and no link to one.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is no file any more")),
    }
}

/// Gives a file the content, the rights and the time of another one.
fn fill(source: &File, mut file: &File, found: &Metadata) -> io::Result<()> {
    // No more than was counted, even if it grows.
    io::copy(&mut source.take(found.len()), &mut file)?;
    file.set_permissions(Permissions::from_mode(found.mode() & RIGHTS))?;
    file.set_modified(found.modified()?)
}

fn take_folder(at: &Path, mode: u32) -> io::Result<()> {
    if at.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return Ok(());
    }
    fs::DirBuilder::new().create(at)?;
    fs::set_permissions(at, Permissions::from_mode(mode & RIGHTS | 0o700))
}

fn take_link(target: &Path, at: &Path) -> io::Result<()> {
    if at.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
        fs::remove_file(at)?;
    }
    symlink(target, at)
}

/// Removes what the build has removed; a folder only if nothing is left in it.
fn remove(at: &Path, kind: Kind) -> io::Result<()> {
    let found = at.symlink_metadata().ok().and_then(|found| Kind::of(&found));
    let removed = match (kind, found) {
        (Kind::Folder, Some(Kind::Folder)) => fs::remove_dir(at),
        (Kind::File | Kind::Link, Some(Kind::File | Kind::Link)) => fs::remove_file(at),
        _ => Ok(()),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(error),
        _ => Ok(()),
    }
}

fn must_be_little<'a>(
    side: Side,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Result<(), NotCopied> {
    let files = entries.into_iter().filter(|entry| entry.kind == Kind::File);
    let bytes = files.fold(0, |sum: u64, file| sum.saturating_add(file.found.len()));
    match bytes <= MOST_BYTES {
        true => Ok(()),
        false => Err(NotCopied::TooMuch { side, most: ByteSize(MOST_BYTES).to_string() }),
    }
}

fn is_unreadable(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

fn entry(doing: &'static str, path: &Path, source: io::Error) -> NotCopied {
    NotCopied::Entry { doing, path: printable(&path.to_string_lossy()), source }
}
