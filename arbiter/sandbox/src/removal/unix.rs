//! Removing a folder that someone hostile has filled.
//!
//! An inner folder is emptied, and the folders in it are moved up into the top one under new names.
//! So nothing is ever more than two levels deep: no recursion, no descriptor for each level and no
//! path that grows too long. Everything goes through the descriptors of folders that were opened
//! without following links, and by names of one component; so nothing outside is touched, even if
//! things are replaced meanwhile.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, fchmod, openat, renameat, unlinkat};
use rustix::io::Errno;
use rustix::path::Arg;

/// Removes a folder, or anything in its place; one that is not there is removed.
pub(super) fn remove(path: &Path, limit: Duration) -> io::Result<()> {
    let deadline = Instant::now().checked_add(limit);
    match Removal::begin(path, deadline) {
        Ok(mut removal) => {
            removal.empty()?;
            Ok(unlinkat(CWD, path, AtFlags::REMOVEDIR)?)
        }
        Err(Errno::NOENT) => Ok(()),
        Err(Errno::NOTDIR | Errno::LOOP | Errno::MLINK) => {
            Ok(unlinkat(CWD, path, AtFlags::empty())?)
        }
        Err(error) => Err(error.into()),
    }
}

struct Removal {
    top: OwnedFd,
    deadline: Option<Instant>,
    /// Number of folders that were moved up, and number of them that are gone.
    moved: u64,
    done: u64,
    /// Number of things removed or moved since the last look at this.
    progress: u64,
    /// Reason why something could not be removed.
    trouble: Option<Errno>,
}

impl Removal {
    fn begin(path: &Path, deadline: Option<Instant>) -> Result<Removal, Errno> {
        let top = open(CWD, path)?;
        Ok(Removal { top, deadline, moved: 0, done: 0, progress: 0, trouble: None })
    }

    /// Empties the top folder.
    fn empty(&mut self) -> io::Result<()> {
        loop {
            let before = self.progress;
            let mut left = false;
            // Removing while a folder is read may hide something else from the reader, so the last
            // reading must find nothing.
            for entry in Dir::read_from(&self.top)? {
                let entry = entry?;
                if is_dots(entry.file_name()) {
                    continue;
                }
                left = true;
                self.is_in_time()?;
                let removed = match entry.file_type() {
                    FileType::Directory => self.remove_folder(entry.file_name())?,
                    _ => self.remove_other(entry.file_name())?,
                };
                self.note(removed);
                self.remove_moved()?;
            }
            if !left {
                return Ok(());
            }
            if self.progress == before {
                return Err(self.trouble.unwrap_or(Errno::NOTEMPTY).into());
            }
        }
    }

    /// Removes what was moved up into the top folder, and what is moved up meanwhile.
    fn remove_moved(&mut self) -> io::Result<()> {
        while self.done < self.moved {
            let name = moved_name(self.done)?;
            self.done += 1;
            let removed = self.remove_folder(&name)?;
            self.note(removed);
        }
        Ok(())
    }

    /// Removes an entry of the top folder that did not seem to be a folder; some file systems do
    /// not tell.
    fn remove_other(&mut self, name: &CStr) -> io::Result<Result<(), Errno>> {
        match unlinkat(&self.top, name, AtFlags::empty()) {
            Err(Errno::ISDIR | Errno::PERM) => self.remove_folder(name),
            done => Ok(done),
        }
    }

    /// Removes a folder of the top folder, and moves those in it up.
    fn remove_folder(&mut self, name: &CStr) -> io::Result<Result<(), Errno>> {
        match unlinkat(&self.top, name, AtFlags::REMOVEDIR) {
            Err(Errno::NOTEMPTY | Errno::EXIST) => {}
            done => return Ok(done),
        }
        let folder = match open(&self.top, name) {
            Ok(folder) => folder,
            Err(error) => return Ok(Err(error)),
        };
        for entry in Dir::read_from(&folder)? {
            let entry = entry?;
            if is_dots(entry.file_name()) {
                continue;
            }
            self.is_in_time()?;
            let removed = match entry.file_type() {
                FileType::Directory => self.move_up(&folder, entry.file_name())?,
                _ => match unlinkat(&folder, entry.file_name(), AtFlags::empty()) {
                    Err(Errno::ISDIR | Errno::PERM) => self.move_up(&folder, entry.file_name())?,
                    done => done,
                },
            };
            self.note(removed);
        }
        Ok(unlinkat(&self.top, name, AtFlags::REMOVEDIR))
    }

    /// Removes a folder in a folder if it is empty, and moves it up otherwise.
    fn move_up(&mut self, folder: &OwnedFd, name: &CStr) -> io::Result<Result<(), Errno>> {
        match unlinkat(folder, name, AtFlags::REMOVEDIR) {
            Err(Errno::NOTEMPTY | Errno::EXIST) => {}
            done => return Ok(done),
        }
        loop {
            let new = moved_name(self.moved)?;
            let mut moved = renameat(folder, name, &self.top, &new);
            if moved == Err(Errno::ACCESS) {
                // A folder that may not be written cannot be moved either; opening it mends that.
                moved = open(folder, name).and_then(|_| renameat(folder, name, &self.top, &new));
            }
            match moved {
                // The name is taken, by something that the bot has made.
                Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => self.moved += 1,
                Ok(()) => {
                    self.moved += 1;
                    return Ok(Ok(()));
                }
                Err(error) => return Ok(Err(error)),
            }
            self.is_in_time()?;
        }
    }

    fn note(&mut self, removed: Result<(), Errno>) {
        match removed {
            Ok(()) => self.progress += 1,
            // Others may be removing it as well.
            Err(Errno::NOENT) => {}
            Err(error) => self.trouble = Some(error),
        }
    }

    fn is_in_time(&self) -> io::Result<()> {
        match self.deadline {
            Some(deadline) if Instant::now() > deadline => {
                Err(io::Error::new(io::ErrorKind::TimedOut, "its removal takes too long"))
            }
            _ => Ok(()),
        }
    }
}

/// The name of a folder that was moved up.
fn moved_name(number: u64) -> io::Result<CString> {
    Ok(CString::new(format!(".arbiter-moved-{number}"))?)
}

fn is_dots(name: &CStr) -> bool {
    matches!(name.to_bytes(), b"." | b"..")
}

/// Opens a folder to empty it, with any mode; never through a link.
fn open(parent: impl AsFd, name: impl Arg + Copy) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = match openat(&parent, name, flags, Mode::empty()) {
        Err(Errno::ACCESS) => {
            unlock(&parent, name)?;
            openat(&parent, name, flags, Mode::empty())?
        }
        opened => opened?,
    };
    // It fails for a folder of someone else; then removing what is in it says why.
    let _ = fchmod(&opened, Mode::RWXU);
    Ok(opened)
}

/// Gives the owner all rights to a folder that may not even be opened.
#[cfg(target_os = "linux")]
fn unlock(parent: &impl AsFd, name: impl Arg) -> Result<(), Errno> {
    use std::os::fd::AsRawFd;
    // A descriptor that only stands for the folder needs no rights to it. Going through its name
    // in `/proc` is the one way to change a mode without following a link that every kernel has.
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(parent, name, flags, Mode::empty())?;
    rustix::fs::chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), Mode::RWXU)
}

/// Gives the owner all rights to a folder that may not even be opened.
#[cfg(not(target_os = "linux"))]
fn unlock(parent: &impl AsFd, name: impl Arg) -> Result<(), Errno> {
    rustix::fs::chmodat(parent, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rustix::fs::mkdirat;
    use tempfile::TempDir;

    use super::*;

    /// A ceiling that is there to catch a hang: the disk may be busy with other things.
    const CEILING: Duration = Duration::from_secs(300);

    /// Makes folders in folders, every tenth of them closed to everyone.
    fn nest(top: &Path, depth: u32) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut folder: OwnedFd = openat(CWD, top, flags, Mode::empty()).expect("it is ours");
        for level in 0..depth {
            mkdirat(&folder, "d", Mode::RWXU).expect("room for a folder");
            let inner = openat(&folder, "d", flags, Mode::empty()).expect("it is ours");
            if level % 10 == 0 {
                fchmod(&folder, Mode::empty()).expect("it is ours");
            }
            folder = inner;
        }
    }

    #[test]
    fn depth_takes_neither_stack_nor_descriptors_nor_long_paths() {
        let folder = TempDir::new().expect("a folder");
        nest(folder.path(), 10_000);
        let begun = Instant::now();
        remove(folder.path(), CEILING).expect("it is ours");
        println!("10,000 folders: {:?}", begun.elapsed());
        assert!(!folder.path().exists());
    }

    #[test]
    fn many_files_go() {
        let folder = TempDir::new().expect("a folder");
        fs::create_dir(folder.path().join("a")).expect("it is ours");
        for number in 0..10_000 {
            fs::write(folder.path().join(number.to_string()), "").expect("room for a file");
            fs::write(folder.path().join("a").join(number.to_string()), "").expect("room for it");
        }
        let begun = Instant::now();
        remove(folder.path(), CEILING).expect("it is ours");
        println!("20,000 files: {:?}", begun.elapsed());
        assert!(!folder.path().exists());
    }

    #[test]
    fn no_time_is_an_error_and_the_rest_can_go_later() {
        let folder = TempDir::new().expect("a folder");
        nest(folder.path(), 5);
        let error = remove(folder.path(), Duration::ZERO).expect_err("there is no time");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        remove(folder.path(), CEILING).expect("it is ours");
        assert!(!folder.path().exists());
    }
}
