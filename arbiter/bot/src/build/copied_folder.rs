//! A copy of a bot's folder in which its build works. What the build has made comes back when it has
//! succeeded; otherwise the folder stays as it was.
//!
//! Builds may be strangers' work, and so may folders. So nothing is reached through a link: a link comes
//! back as a link, a file only if it is a regular one of the user who built, and all of it within bounds.
//! A path kept from bots is not copied, and does not come back.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use bytesize::ByteSize;
use text::system_error;

use super::BuildError;
use super::tree::{EntryKind, FileStamp, FoundEntry, RootFolder};
use crate::grants::real;
use sandbox::scratch::{RemovalError, Scratch};
use sandbox::{BuildFolder, is_of_machine};
use text::excerpt;

/// The most bytes of a folder to be copied, and of what a build makes.
const MOST_BYTES: u64 = 8 << 30;

/// The most files, folders and links.
const MOST_ENTRIES: usize = 200_000;

/// The most that their paths may take together, in bytes.
const MOST_OF_PATHS: usize = 64 << 20;

/// The most time to remove a copy: nothing but time bounds what a build leaves there.
const REMOVAL: Duration = Duration::from_secs(600);

/// Beginning of the name of a file that is about to take the place of another one.
const NEW: &str = ".arbiter-new-";

#[derive(Debug)]
pub(super) struct CopiedFolder {
    pub(super) build_folder: BuildFolder,
    original: RootFolder,
    copy: RootFolder,
    /// Entries that are neither copied nor come back, by paths from the folder.
    kept: BTreeSet<PathBuf>,
    /// The user who builds, if not the user of this process.
    builder: Option<u32>,
    /// Copied entries, as they were then, by paths from the folder.
    copied: BTreeMap<PathBuf, (EntryKind, FileStamp)>,
    /// The folder around the copy.
    scratch: Scratch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CopySide {
    /// The folder before the build. What cannot be read there, its build could not read either.
    Original,
    /// The copy after the build, all of which must be readable.
    Copy,
}

struct CopiedEntry {
    path: PathBuf,
    found: FoundEntry,
    kind: EntryKind,
}

impl CopySide {
    fn holds_more_than(self, most: String) -> BuildError {
        let text = match self {
            CopySide::Original => format!(
                "the folder has more than {most}: remove files, or build without a copy (--isolation off)"
            ),
            CopySide::Copy => format!("the build produced more than {most}"),
        };
        refused(text)
    }
}

impl CopiedFolder {
    /// Copies a folder without what is to be kept from bots, for a build by this user.
    pub(super) fn copy(
        folder: &Path,
        kept: &[PathBuf],
        builder: Option<u32>,
    ) -> Result<CopiedFolder, BuildError> {
        let error = |source| cannot("make a copy of", folder, source);
        let folder = folder.canonicalize().map_err(error)?;
        let original = RootFolder::open(&folder).map_err(error)?;
        let scratch = Scratch::new().map_err(error)?;
        if builder.is_some() {
            // Others must get through; the copy itself is closed.
            let passable = Permissions::from_mode(0o711);
            fs::set_permissions(scratch.path(), passable).map_err(error)?;
        }
        let place = scratch.path().canonicalize().map_err(error)?;
        let made = original.find(Path::new("")).and_then(|found| {
            RootFolder::open(&place)?.make_folder(
                Path::new("copy"),
                found.rights_on_folder(),
                builder,
            )
        });
        let build_folder = BuildFolder { folder, copy: place.join("copy") };
        let copy = made.and_then(|()| RootFolder::open(&build_folder.copy)).map_err(error)?;
        let inside = |path: &PathBuf| {
            Some(real(path).strip_prefix(&build_folder.folder).ok()?.to_path_buf())
        };
        let kept = kept.iter().filter_map(inside);
        let kept = kept.filter(|path| !path.as_os_str().is_empty()).collect();
        let copied = BTreeMap::new();
        let mut all = CopiedFolder { build_folder, original, copy, kept, builder, copied, scratch };
        all.fill().map(|()| all)
    }

    fn fill(&mut self) -> Result<(), BuildError> {
        let entries = self.entries(CopySide::Original)?;
        must_be_little(CopySide::Original, &entries)?;
        let mut made = Vec::new();
        for entry in entries {
            match self.copy_one(&entry) {
                Ok(true) => made.push(entry.path),
                Ok(false) => {}
                Err(error) => return Err(cannot("copy", &entry.path, error)),
            }
        }
        // At last, when nothing changes them any more.
        for path in made {
            let found = self.copy.find(&path).map_err(|error| cannot("copy", &path, error))?;
            self.copied.extend(found.kind.map(|kind| (path, (kind, found.stamp))));
        }
        Ok(())
    }

    /// Tells whether it could be read.
    fn copy_one(&self, CopiedEntry { path, found, kind }: &CopiedEntry) -> io::Result<bool> {
        match kind {
            EntryKind::Folder => {
                self.copy.make_folder(path, found.rights_on_folder(), self.builder)?
            }
            EntryKind::Link => {
                self.copy.make_link(&self.original.read_link(path)?, path, self.builder)?;
            }
            EntryKind::File => match self.original.read(path) {
                Ok((source, found)) => self.copy.write(path, (&source, &found), self.builder)?,
                Err(error) if is_unreadable(&error) => return Ok(false),
                Err(error) => return Err(error),
            },
        }
        Ok(true)
    }

    /// Makes the folder what its copy has become.
    pub(super) fn take_over(&self) -> Result<(), BuildError> {
        let entries = self.entries(CopySide::Copy)?;
        let kinds: BTreeMap<&Path, EntryKind> =
            entries.iter().map(|it| (it.path.as_path(), it.kind)).collect();
        let is_changed = |it: &&CopiedEntry| {
            let former = self.copied.get(&it.path);
            match it.kind {
                EntryKind::Folder => former.is_none_or(|(kind, _)| *kind != EntryKind::Folder),
                EntryKind::File | EntryKind::Link => former != Some(&(it.kind, it.found.stamp)),
            }
        };
        let changed: Vec<&CopiedEntry> = entries.iter().filter(is_changed).collect();
        must_be_little(CopySide::Copy, changed.iter().copied())?;
        // The entries of a folder come after it in this order, and must go before it.
        let gone: Vec<(&PathBuf, EntryKind)> = self
            .copied
            .iter()
            .rev()
            .filter(|(path, (kind, _))| kinds.get(path.as_path()) != Some(kind))
            .map(|(path, (kind, _))| (path, *kind))
            .collect();

        // Nothing is changed before it is plain that nothing stands in the way.
        for entry in &changed {
            let path = entry.path.as_path();
            self.can_be_taken(entry).map_err(|error| cannot("copy back", path, error))?;
        }
        for (path, _) in &gone {
            self.can_be_changed(path).map_err(|error| cannot("remove", path, error))?;
        }
        let is_replaced = |path: &Path| {
            path.ancestors().any(|it| kinds.get(it).is_some_and(|kind| *kind != EntryKind::Folder))
                || kinds.contains_key(path)
        };
        let (replaced, gone): (Vec<_>, Vec<_>) =
            gone.into_iter().partition(|(path, _)| is_replaced(path));
        self.remove_all(&replaced)?;
        for entry in changed {
            self.take(entry).map_err(|error| cannot("copy back", &entry.path, error))?;
        }
        self.remove_all(&gone)
    }

    fn can_be_taken(&self, entry: &CopiedEntry) -> io::Result<()> {
        if entry.kind == EntryKind::File {
            let (_, found) = self.copy.read(&entry.path)?;
            if self.builder.is_some_and(|builder| builder != found.owner) {
                return Err(io::Error::other("owned by another user"));
            }
        }
        if self.original.find(&entry.path).is_ok_and(|found| found.kind.is_none()) {
            return Err(io::Error::other("not a file, folder or link"));
        }
        self.can_be_changed(&entry.path)
    }

    /// Checks that something may be made or removed at this path, in the last folder that is there.
    fn can_be_changed(&self, path: &Path) -> io::Result<()> {
        let is_folder = |path: &&Path| {
            self.original.find(path).is_ok_and(|found| found.kind == Some(EntryKind::Folder))
        };
        let folder = path.ancestors().skip(1).find(is_folder);
        folder.map_or(Ok(()), |folder| self.original.may_change(folder))
    }

    fn take(&self, CopiedEntry { path, found, kind }: &CopiedEntry) -> io::Result<()> {
        let new = path.with_file_name(format!("{NEW}{}", process::id()));
        match kind {
            EntryKind::Folder => {
                let there = self.original.find(path).ok().and_then(|found| found.kind);
                if there != Some(EntryKind::Folder) {
                    self.original.make_folder(path, found.rights_on_folder(), None)?;
                }
                return Ok(());
            }
            EntryKind::Link => {
                let target = self.copy.read_link(path)?;
                self.original.remove(&new, EntryKind::Link)?;
                self.original.make_link(&target, &new, None)?;
            }
            EntryKind::File => {
                let (source, found) = self.copy.read(path)?;
                self.original.remove(&new, EntryKind::File)?;
                let written = self.original.write(&new, (&source, &found), None);
                if written.is_err() {
                    let _ = self.original.remove(&new, EntryKind::File);
                }
                written?;
            }
        }
        // A file that is replaced may be running, and one that is half there must not be.
        self.original.rename(&new, path)
    }

    /// Removes what the build has removed; a folder only if nothing is left in it.
    fn remove_all(&self, gone: &[(&PathBuf, EntryKind)]) -> Result<(), BuildError> {
        for (path, kind) in gone {
            let there = self.original.find(path).ok().and_then(|found| found.kind);
            if there == Some(*kind) {
                self.original.remove(path, *kind).map_err(|error| cannot("remove", path, error))?;
            }
        }
        Ok(())
    }

    pub(super) fn close(mut self) -> Result<(), RemovalError> {
        self.scratch.remove_within(REMOVAL)
    }

    /// All that is on one side and can be copied, each folder before what is in it.
    fn entries(&self, side: CopySide) -> Result<Vec<CopiedEntry>, BuildError> {
        let tree = match side {
            CopySide::Original => &self.original,
            CopySide::Copy => &self.copy,
        };
        let mut entries = Vec::new();
        let mut left = vec![PathBuf::new()];
        let (mut seen, mut of_paths) = (0, 0);
        while let Some(folder) = left.pop() {
            let error = |error| cannot("read", &folder, error);
            let list = match tree.list(&folder) {
                Err(error) if is_unreadable(&error) && side == CopySide::Original => continue,
                list => list.map_err(error)?,
            };
            for next in list {
                let (name, found) = next.map_err(error)?;
                let path = folder.join(&name);
                seen += 1;
                of_paths += path.as_os_str().len();
                if seen > MOST_ENTRIES {
                    let most = format!("{MOST_ENTRIES} files and folders");
                    return Err(side.holds_more_than(most));
                }
                if of_paths > MOST_OF_PATHS {
                    let most = format!("{} of paths", ByteSize(MOST_OF_PATHS as u64));
                    return Err(side.holds_more_than(most));
                }
                let is_copied = |_: &EntryKind| !self.kept.contains(&path) && !is_new(&name);
                let Some(kind) = found.kind.filter(is_copied) else { continue };
                if kind == EntryKind::Folder {
                    left.push(path.clone());
                }
                entries.push(CopiedEntry { path, found, kind });
            }
        }
        Ok(entries)
    }
}

/// Returns true if a file was left by somebody who was ended while taking over.
fn is_new(name: &OsStr) -> bool {
    name.as_bytes().starts_with(NEW.as_bytes())
}

fn must_be_little<'a>(
    side: CopySide,
    entries: impl IntoIterator<Item = &'a CopiedEntry>,
) -> Result<(), BuildError> {
    let files = entries.into_iter().filter(|entry| entry.kind == EntryKind::File);
    let bytes = files.fold(0, |sum: u64, file| sum.saturating_add(file.found.bytes));
    match bytes <= MOST_BYTES {
        true => Ok(()),
        false => Err(side.holds_more_than(ByteSize(MOST_BYTES).to_string())),
    }
}

fn is_unreadable(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

/// The text is one line.
fn refused(why: String) -> BuildError {
    BuildError::Refused(format!("build failed: {why}"))
}

fn cannot(doing: &'static str, path: &Path, source: io::Error) -> BuildError {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let path = excerpt::line(&path.to_string_lossy());
    let text = format!("cannot {doing} `{path}`: {}", system_error(&source));
    match is_of_machine(&source) {
        true => BuildError::Machine(text),
        false => refused(text),
    }
}
