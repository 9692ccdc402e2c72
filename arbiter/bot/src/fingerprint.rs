//! Checks that the files of a bot are still the same as before the first game.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use text::{printable, system_error};
use thiserror::Error;

use rules::Digest;
use sandbox::file;
use sandbox::is_of_machine;

/// The digest of a file that a bot's command names: the program, or a script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileDigest {
    /// The word of the command that names it.
    pub word: String,
    /// The SHA-256 digest of its content before the first game.
    pub sha256: Digest,
}

/// The least age of a change before the marks of a file can be relied on.
///
/// Two changes within one tick of the file system's clock leave the same marks; the coarsest
/// tick there is takes two seconds.
const TICK: Duration = Duration::from_secs(2);

/// The most time to wait for a lease that keeps a file from being read: the system takes it away
/// after 45 seconds, unless its settings say otherwise.
const LEASE: Duration = Duration::from_secs(60);

/// Time before the next look.
const PAUSE: Duration = Duration::from_millis(20);

/// The longest file that is digested, in bytes.
const LONGEST: u64 = 64 << 30;

/// A file that a bot's command names, as it was when it was digested.
#[derive(Debug, Clone)]
pub struct FileFingerprint {
    file: FileDigest,
    path: PathBuf,
    /// The number of bytes the file had.
    length: u64,
    /// The marks that the file had with this digest; nothing if they cannot be relied on.
    marks: Option<FileStat>,
}

/// Why a bot must not be started.
#[derive(Debug, Error)]
pub enum FileCheckError {
    #[error("`{0}` has changed since the match began")]
    Changed(String),
    #[error("cannot access `{word}`: {}", system_error(source))]
    Unknown { word: String, source: io::Error },
}

impl FileFingerprint {
    /// Digests the file that a word of a command names.
    pub fn take(word: &str, path: &Path) -> io::Result<FileFingerprint> {
        // The marks come first: a change in between makes them those of another content, and the
        // file is digested again.
        let (now, marks) = (SystemTime::now(), FileStat::read(path)?);
        let (sha256, length) = read_through(path, LONGEST)?;
        let file = FileDigest { word: word.to_owned(), sha256 };
        Ok(FileFingerprint { file, path: path.to_owned(), length, marks: marks.settled(now) })
    }

    pub fn digest(&self) -> &FileDigest {
        &self.file
    }

    /// Looks whether the file is the same; its content is read only if its marks are others.
    pub fn check(&mut self) -> Result<(), FileCheckError> {
        let now = SystemTime::now();
        let marks = FileStat::read(&self.path).map_err(|error| self.blame(error))?;
        if self.marks.as_ref() == Some(&marks) {
            return Ok(());
        }
        // A file of another length is another one. It may have far too many bytes to be read.
        let read = match marks.length == self.length {
            true => read_through(&self.path, self.length).map_err(|error| self.blame(error))?,
            false => return Err(FileCheckError::Changed(self.word())),
        };
        if read != (self.file.sha256, self.length) {
            return Err(FileCheckError::Changed(self.word()));
        }
        self.marks = marks.settled(now);
        Ok(())
    }

    /// Says whose fault it is that a file cannot be looked at: the bot's, unless the machine has
    /// failed.
    fn blame(&self, source: io::Error) -> FileCheckError {
        match is_of_machine(&source) {
            true => FileCheckError::Unknown { word: self.word(), source },
            false => FileCheckError::Changed(self.word()),
        }
    }

    fn word(&self) -> String {
        printable(&self.file.word)
    }
}

/// Marks of a file that cannot stay the same when its content changes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileStat {
    length: u64,
    modified: SystemTime,
    /// Device, number and time of the last change of anything, which no program can set.
    #[cfg(unix)]
    unix: (u64, u64, i64, i64),
}

impl FileStat {
    fn read(path: &Path) -> io::Result<FileStat> {
        FileStat::new(&fs::metadata(path)?)
    }

    #[cfg(unix)]
    fn new(metadata: &Metadata) -> io::Result<FileStat> {
        use std::os::unix::fs::MetadataExt;
        let (device, number) = (metadata.dev(), metadata.ino());
        let unix = (device, number, metadata.ctime(), metadata.ctime_nsec());
        Ok(FileStat { length: metadata.len(), modified: metadata.modified()?, unix })
    }

    #[cfg(not(unix))]
    fn new(metadata: &Metadata) -> io::Result<FileStat> {
        Ok(FileStat { length: metadata.len(), modified: metadata.modified()? })
    }

    /// These marks, if any change after `now` is sure to leave others. They were taken just after it,
    /// however long the content was read since.
    ///
    /// A change that lies far ahead was made by another clock, and is as good as an old one.
    fn settled(self, now: SystemTime) -> Option<FileStat> {
        let apart = now.duration_since(self.changed()).unwrap_or_else(|ahead| ahead.duration());
        (apart >= TICK).then_some(self)
    }

    #[cfg(unix)]
    fn changed(&self) -> SystemTime {
        let seconds = u64::try_from(self.unix.2).unwrap_or_default();
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[cfg(not(unix))]
    fn changed(&self) -> SystemTime {
        self.modified
    }
}

pub fn digest_of(path: &Path) -> io::Result<Digest> {
    read_through(path, LONGEST).map(|(digest, _)| digest)
}

/// Opens a file, and waits for one on which another program has a lease.
fn open(path: &Path) -> io::Result<File> {
    let begun = Instant::now();
    loop {
        match file::open(path) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && begun.elapsed() < LEASE => {
                thread::sleep(PAUSE);
            }
            other => return other,
        }
    }
}

/// The digest of a file's content, read in pieces, and how many bytes were read: at most one more
/// than `most`.
fn read_through(path: &Path, most: u64) -> io::Result<(Digest, u64)> {
    let mut hasher = Sha256::new();
    let file = open(path)?;
    if file.metadata()?.len() > LONGEST {
        return Err(file::too_long(LONGEST));
    }
    // It may grow while it is read, and then it is no longer the same.
    let mut file = file.take(most.min(LONGEST).saturating_add(1));
    let mut piece = vec![0; 64 * 1024];
    let mut read = 0;
    loop {
        match file.read(&mut piece)? {
            0 if read > LONGEST => return Err(file::too_long(LONGEST)),
            0 => return Ok((Digest(hasher.finalize().into()), read)),
            length => {
                hasher.update(&piece[..length]);
                read += length as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn changed(print: &mut FileFingerprint) -> bool {
        let shown = print.check().map_err(|error| error.to_string());
        if let Err(shown) = &shown {
            assert_eq!(shown, "`./bot` has changed since the match began");
        }
        shown.is_err()
    }

    #[test]
    fn every_way_to_change_a_file_is_seen() {
        let folder = TempDir::new().expect("a folder");
        let (path, other) = (folder.path().join("bot"), folder.path().join("other"));
        let print = || {
            fs::write(&path, "7S").expect("it is ours");
            FileFingerprint::take("./bot", &path).expect("it can be read")
        };
        let mut same = print();
        assert!(!changed(&mut same));
        // As long as before, and a moment after.
        fs::write(&path, "8S").expect("it is ours");
        assert!(changed(&mut same));
        fs::write(&path, "7S").expect("it is ours");
        assert!(!changed(&mut same));
        // With the times that it had.
        let mut old = print();
        let times = fs::metadata(&path).and_then(|it| it.modified()).expect("it has one");
        fs::write(&path, "8S").expect("it is ours");
        File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_modified(times))
            .expect("it is ours");
        assert!(changed(&mut old));
        let mut replaced = print();
        fs::write(&other, "8S").and_then(|()| fs::rename(&other, &path)).expect("it is ours");
        assert!(changed(&mut replaced));
        let mut gone = print();
        fs::remove_file(&path).expect("it is ours");
        assert!(changed(&mut gone));
        fs::create_dir(&path).expect("it is ours");
        assert!(changed(&mut gone));
    }

    #[cfg(unix)]
    #[test]
    fn whatever_stands_in_the_place_of_a_file_is_a_change() {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;

        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("bot");
        let others: [fn(&Path) -> io::Result<()>; 7] = [
            |path| symlink(path, path),
            |path| symlink("x".repeat(300), path),
            |path| symlink("/dev/zero", path),
            |path| Ok(mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?),
            |path| UnixListener::bind(path).map(drop),
            |path| fs::create_dir(path),
            // No one reads all of it.
            |path| File::create(path).and_then(|file| file.set_len(1 << 40)),
        ];
        for other in others {
            fs::write(&path, "7S").expect("it is ours");
            let mut print = FileFingerprint::take("./bot", &path).expect("it can be read");
            fs::remove_file(&path).expect("it is ours");
            other(&path).expect("it can be made");
            assert!(changed(&mut print));
            fs::remove_file(&path).or_else(|_| fs::remove_dir(&path)).expect("it is ours");
        }
    }

    #[test]
    fn marks_are_relied_on_once_they_are_old() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("bot");
        fs::write(&path, "7S").expect("it is ours");
        let marks = FileStat::read(&path).expect("it is there");
        let changed = marks.changed();
        let settled = |now: SystemTime| marks.clone().settled(now);
        assert_eq!(settled(changed), None);
        assert_eq!(settled(changed + TICK - Duration::from_millis(1)), None);
        assert_eq!(settled(changed + TICK), Some(marks.clone()));
        assert_eq!(settled(changed - Duration::from_millis(1)), None);
        assert_eq!(settled(changed - TICK), Some(marks.clone()));
    }
}
