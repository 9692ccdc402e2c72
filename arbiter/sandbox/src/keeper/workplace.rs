//! The place where a program runs: its scratch folder, and beside it the file of a request, which
//! is outside of it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{IFlags, OFlags, Timespec, Timestamps, UTIME_NOW, futimens};

use super::super::layers::ChildUser;
use super::super::removal;
use super::super::request::LeftFiles;

/// The name of the scratch folder, until one cannot be removed.
const FOLDER: &str = "bot";

/// The name of the file of a request. Neither this nor its folder's tells anything.
const FILE: &str = "game";

/// The most files of requests that may stay behind.
const MOST_STUCK: u64 = 1000;

/// The folder of a program in a folder of its keeper's.
#[derive(Debug)]
pub(super) struct ProgramFolder {
    base: PathBuf,
    /// The rights on the keeper's folder.
    mode: u32,
    folder: PathBuf,
    /// Entries of the keeper's folder from the beginning, and the target of each link.
    kept: BTreeMap<OsString, Option<PathBuf>>,
    /// Number of folders that could not be removed.
    left: u64,
    /// Number of files of requests that could not be removed.
    stuck: u64,
}

impl ProgramFolder {
    /// A first, empty folder.
    pub(super) fn make(base: &Path, rights: ChildUser) -> io::Result<ProgramFolder> {
        if rights.user.is_some() {
            fs::set_permissions(base, fs::Permissions::from_mode(PASSABLE))?;
        }
        let kept = names(base).map(|name| (name.clone(), fs::read_link(base.join(name)).ok()));
        let kept = kept.collect();
        let mode = fs::metadata(base)?.permissions().mode();
        let mut place = ProgramFolder {
            base: base.to_owned(),
            mode,
            folder: PathBuf::new(),
            kept,
            left: 0,
            stuck: 0,
        };
        place.make_folder(rights)?;
        Ok(place)
    }

    /// A folder that is used as it is, and nothing else.
    pub(super) fn existing(folder: &Path) -> ProgramFolder {
        let folder = folder.to_owned();
        ProgramFolder {
            base: folder.clone(),
            mode: PASSABLE,
            folder,
            kept: BTreeMap::new(),
            left: 0,
            stuck: 0,
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns true if the folder can still be used: its program may have removed, closed or replaced it.
    pub(super) fn is_usable(&self) -> bool {
        // The dot makes the lookup fail where the folder may not be entered.
        fs::symlink_metadata(&self.folder).is_ok_and(|found| found.is_dir())
            && fs::metadata(self.folder.join(".")).is_ok()
    }

    /// Makes a new, empty folder, and removes all else that the program has made; gives what could
    /// not be removed, a line each.
    pub(super) fn renew(&mut self, rights: ChildUser) -> io::Result<Vec<String>> {
        let mut left = Vec::new();
        // A program that owns the folder may have closed it.
        let _ = fs::set_permissions(&self.base, fs::Permissions::from_mode(self.mode));
        if !self.base.is_dir() {
            DirBuilder::new().mode(self.mode).create(&self.base)?;
        }
        for name in names(&self.base).filter(|name| !self.kept.contains_key(name)) {
            if let Err(error) = removal::remove(&self.base.join(name)) {
                left.push(error.to_string());
            }
        }
        for (name, to) in &self.kept {
            // A link in it belongs to whoever owns the folder.
            if let Some(to) = to
                && removal::remove(&self.base.join(name)).is_ok()
            {
                symlink(to, self.base.join(name))?;
            }
        }
        forget(&self.base);
        if self.folder.symlink_metadata().is_ok() {
            self.left += 1;
        }
        self.make_folder(rights)?;
        Ok(left)
    }

    fn make_folder(&mut self, rights: ChildUser) -> io::Result<()> {
        let name = match self.left {
            0 => FOLDER.to_owned(),
            left => format!("{FOLDER}-{}", left + 1),
        };
        self.folder = self.base.join(name);
        DirBuilder::new().mode(0o700).create(&self.folder)?;
        // Under any umask.
        fs::set_permissions(&self.folder, fs::Permissions::from_mode(0o700))?;
        rights.change_owner(&self.folder)
    }

    /// Removes all that the program has made.
    pub(super) fn leave(&self) {
        if self.is_made() {
            for name in names(&self.base).filter(|name| !self.kept.contains_key(name)) {
                // No one is there to be told: the referee finds what is left.
                let _ = removal::remove(&self.base.join(name));
            }
        }
    }

    /// Returns true if the keeper has made the folder.
    fn is_made(&self) -> bool {
        self.folder != self.base
    }

    /// The number of files the folder holds, up to a bound, and the name of one.
    pub(super) fn files(&self) -> (u64, OsString) {
        let mut names = names(&self.folder).take(LeftFiles::COUNTED);
        match names.next() {
            None => (0, OsString::new()),
            Some(first) => (1 + names.count() as u64, first),
        }
    }

    /// Writes the file of a request, and gives its path.
    pub(super) fn write_file(&mut self, text: &[u8], rights: ChildUser) -> io::Result<PathBuf> {
        let mut path = self.base.join(FILE);
        // A file that cannot be removed stays until the end: a program must not make games void by
        // that.
        while removal::remove(&path).is_err() && self.stuck < MOST_STUCK {
            self.stuck += 1;
            path = self.base.join(format!("{FILE}-{}", self.stuck + 1));
        }
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(text)?;
        rights.change_owner(&path)?;
        Ok(path)
    }

    /// Content of the file of a request, up to `most` bytes; nothing if it is no longer a file.
    pub(super) fn read_file(&self, path: &Path, most: u64) -> Vec<u8> {
        let mut content = Vec::new();
        if let Ok(file) = open(path) {
            // Only readable content counts, and an unreadable file is as good as an empty one.
            let _ = file.take(most).read_to_end(&mut content);
        }
        let _ = removal::remove(path);
        content
    }
}

/// Takes from a folder what its owner may have noted on it: attributes, flags and times. What a system
/// does not know of needs no taking.
fn forget(folder: &Path) {
    let Ok(opened) = File::open(folder) else { return };
    let mut names = vec![0; LONGEST_LIST];
    let length = rustix::fs::flistxattr(&opened, &mut names[..]).unwrap_or_default();
    for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let _ = rustix::fs::fremovexattr(&opened, name);
    }
    let _ = rustix::fs::ioctl_setflags(&opened, IFlags::empty());
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    let _ = futimens(&opened, &Timestamps { last_access: now, last_modification: now });
}

/// The longest list of names of attributes that the system gives, in bytes.
const LONGEST_LIST: usize = 64 << 10;

/// The rights on a folder that another user's program can go through.
const PASSABLE: u32 = 0o711;

/// Opens a file, and neither a link nor anything that would keep the reader waiting.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("not a file")),
    }
}

fn names(folder: &Path) -> impl Iterator<Item = OsString> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs::FileTimes;
    use std::time::Duration;

    use super::*;

    #[test]
    fn nothing_that_was_noted_is_left_for_the_next_game() {
        let base = tempfile::tempdir().expect("a folder");
        let at = |name: &str| base.path().join(name);
        symlink("somewhere", at("link")).expect("a link");
        let mut place = ProgramFolder::make(base.path(), ChildUser::default()).expect("a folder");

        fs::write(place.folder().join("note"), "secret").expect("a file");
        fs::write(at("beside"), "secret").expect("a file");
        fs::remove_file(at("link")).expect("it is there");
        fs::write(at("link"), "secret").expect("a file");
        let opened = File::open(base.path()).expect("it is there");
        let made = opened.metadata().and_then(|it| it.modified()).expect("times");
        let future = made + Duration::from_secs(1 << 30);
        opened
            .set_times(FileTimes::new().set_accessed(future).set_modified(future))
            .expect("it is ours");
        let flags = rustix::fs::XattrFlags::empty();
        let is_noted = rustix::fs::fsetxattr(&opened, "user.note", b"secret", flags).is_ok();

        assert_eq!(place.renew(ChildUser::default()).expect("a folder"), Vec::<String>::new());
        let left: Vec<OsString> = names(base.path()).collect::<BTreeSet<_>>().into_iter().collect();
        assert_eq!(left, [FOLDER, "link"]);
        assert_eq!(names(place.folder()).count(), 0);
        assert_eq!(fs::read_link(at("link")).expect("a link"), Path::new("somewhere"));
        let metadata = fs::metadata(base.path()).expect("it is there");
        let is_forgotten = |time: io::Result<_>| time.expect("times") < future;
        assert!(is_forgotten(metadata.accessed()) && is_forgotten(metadata.modified()));
        let mut value = [0; 16];
        let found = rustix::fs::fgetxattr(&opened, "user.note", &mut value);
        assert!(!is_noted || found.is_err(), "an attribute is left");
    }
}
