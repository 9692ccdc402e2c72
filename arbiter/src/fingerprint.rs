//! Whether the files of a bot are still what they were before the first game.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rules::text::printable;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::bot::FileDigest;
use rules::Digest;

/// How old a change must be before the marks of a file can be relied on.
///
/// Two changes within one tick of the file system's clock leave the same marks; the coarsest
/// tick there is takes two seconds.
const TICK: Duration = Duration::from_secs(2);

/// A file that a bot's command names, as it was when it was digested.
#[derive(Debug, Clone)]
pub struct Fingerprint {
    file: FileDigest,
    path: PathBuf,
    /// The marks that the file had with this digest; nothing where they cannot be relied on.
    marks: Option<Marks>,
}

/// Why a bot must not be started.
#[derive(Debug, Error)]
pub enum NotTheSame {
    /// A file has another content, is gone, or may not be read any more.
    #[error("`{0}` was changed since the match began")]
    Changed(String),
    /// The machine failed to tell.
    #[error("cannot look at `{word}`: {source}")]
    Unknown {
        /// The word of the command.
        word: String,
        /// What the system said.
        source: io::Error,
    },
}

impl Fingerprint {
    /// Digests the file that a word of a command names.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be read.
    pub fn take(word: &str, path: &Path) -> io::Result<Fingerprint> {
        // The marks come first: a change in between makes them those of another content, and the
        // file is digested again.
        let marks = Marks::of(path)?;
        let file = FileDigest { word: word.to_owned(), sha256: digest_of(path)? };
        Ok(Fingerprint { file, path: path.to_owned(), marks: marks.settled() })
    }

    /// The digest, for the log.
    pub fn digest(&self) -> &FileDigest {
        &self.file
    }

    /// Looks whether the file is the same; its content is read only if its marks are others.
    ///
    /// # Errors
    ///
    /// [`NotTheSame`]. A change between this look and the start of the program is not seen.
    pub fn check(&mut self) -> Result<(), NotTheSame> {
        let marks = Marks::of(&self.path).map_err(|error| self.blame(error))?;
        if self.marks.as_ref() == Some(&marks) {
            return Ok(());
        }
        let sha256 = digest_of(&self.path).map_err(|error| self.blame(error))?;
        if sha256 != self.file.sha256 {
            return Err(NotTheSame::Changed(self.word()));
        }
        self.marks = marks.settled();
        Ok(())
    }

    /// Says whose fault it is that a file cannot be looked at.
    fn blame(&self, source: io::Error) -> NotTheSame {
        use io::ErrorKind as Kind;
        match source.kind() {
            Kind::NotFound | Kind::NotADirectory | Kind::IsADirectory | Kind::PermissionDenied => {
                NotTheSame::Changed(self.word())
            }
            _ => NotTheSame::Unknown { word: self.word(), source },
        }
    }

    fn word(&self) -> String {
        printable(&self.file.word)
    }
}

/// What cannot stay the same when the content of a file changes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Marks {
    length: u64,
    modified: SystemTime,
    /// Device, number and time of the last change of anything, which no program can set.
    #[cfg(unix)]
    unix: (u64, u64, i64, i64),
}

impl Marks {
    fn of(path: &Path) -> io::Result<Marks> {
        Marks::new(&fs::metadata(path)?)
    }

    #[cfg(unix)]
    fn new(metadata: &Metadata) -> io::Result<Marks> {
        use std::os::unix::fs::MetadataExt;
        let (device, number) = (metadata.dev(), metadata.ino());
        let unix = (device, number, metadata.ctime(), metadata.ctime_nsec());
        Ok(Marks { length: metadata.len(), modified: metadata.modified()?, unix })
    }

    #[cfg(not(unix))]
    fn new(metadata: &Metadata) -> io::Result<Marks> {
        Ok(Marks { length: metadata.len(), modified: metadata.modified()? })
    }

    /// These marks, if the next change is sure to leave others.
    ///
    /// A change that seems to lie ahead was made by another clock, and is as good as an old one.
    fn settled(self) -> Option<Marks> {
        match SystemTime::now().duration_since(self.changed()) {
            Ok(age) if age < TICK => None,
            _ => Some(self),
        }
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

/// The digest of a file's content, read in pieces.
///
/// # Errors
///
/// Fails where the file cannot be read.
pub fn digest_of(path: &Path) -> io::Result<Digest> {
    let mut hasher = Sha256::new();
    let mut file = File::open(path)?;
    let mut piece = vec![0; 64 * 1024];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(Digest(hasher.finalize().into())),
            length => hasher.update(&piece[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use tempfile::TempDir;

    use super::*;

    fn changed(print: &mut Fingerprint) -> bool {
        let shown = print.check().map_err(|error| error.to_string());
        if let Err(shown) = &shown {
            assert_eq!(shown, "`./bot` was changed since the match began");
        }
        shown.is_err()
    }

    #[test]
    fn every_way_to_change_a_file_is_seen() {
        let folder = TempDir::new().expect("a folder");
        let (path, other) = (folder.path().join("bot"), folder.path().join("other"));
        let print = || {
            fs::write(&path, "7S").expect("it is ours");
            Fingerprint::take("./bot", &path).expect("it can be read")
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

    #[test]
    fn marks_are_relied_on_once_they_are_old() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("bot");
        fs::write(&path, "7S").expect("it is ours");
        let marks = Marks::of(&path).expect("it is there");
        assert_eq!(marks.clone().settled(), None);
        let mut old = marks.clone();
        #[cfg(unix)]
        {
            old.unix.2 -= 10;
        }
        old.modified -= Duration::from_secs(10);
        assert_eq!(old.clone().settled(), Some(old));
        let mut ahead = marks;
        #[cfg(unix)]
        {
            ahead.unix.2 += 1000;
        }
        ahead.modified += Duration::from_secs(1000);
        assert_eq!(ahead.clone().settled(), Some(ahead));
    }
}
