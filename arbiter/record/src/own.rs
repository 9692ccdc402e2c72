//! Whether the file that a log is written to is still there, and as it was left.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use text::printable;

use text::counted;

/// What is known of the file of a log that is being written.
#[derive(Debug)]
pub(super) struct Own {
    path: PathBuf,
    /// How many bytes it has, as far as they are ours.
    pub(super) bytes: u64,
    /// How many games are in it, every attempt counted.
    pub(super) games: u64,
}

impl Own {
    pub(super) fn new(path: &Path) -> Own {
        Own { path: path.to_owned(), bytes: 0, games: 0 }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn moved_to(&mut self, path: &Path) {
        self.path = path.to_owned();
    }

    /// Says what someone else has done to the file.
    pub(super) fn check(&self, file: &File) -> io::Result<()> {
        let found = file.metadata()?;
        self.check_place(file, &found)?;
        if found.len() == self.bytes {
            return Ok(());
        }
        let (shown, length, expected) = (self.shown(), found.len(), self.bytes);
        let games = match self.games {
            0 => "no game was in it".to_owned(),
            games => format!(
                "`arbiter show` tells what is left of the {} in it",
                counted(games, "game", "games")
            ),
        };
        Err(io::Error::other(format!(
            "{shown} was changed by another program while it was written: it has {length} bytes, \
             expected {expected}; {games}"
        )))
    }

    /// Whether the path leads to this file still.
    #[cfg(unix)]
    fn check_place(&self, file: &File, found: &fs::Metadata) -> io::Result<()> {
        use std::os::unix::fs::MetadataExt;
        let there = match fs::metadata(&self.path) {
            Ok(there) if (there.dev(), there.ino()) == (found.dev(), found.ino()) => return Ok(()),
            Ok(_) => "replaced by another file",
            // Nothing says then that it is another file, and writing to it will tell.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
            Err(_) => "removed",
        };
        let (shown, is_gone) = (self.shown(), found.nlink() == 0);
        let games = counted(self.games, "game", "games");
        let problem = match (present_path(file).filter(|_| !is_gone), self.games) {
            (Some(path), 0) => format!("moved to `{path}` while it was written, without a game"),
            (Some(path), _) => format!("moved to `{path}` while it was written, with {games}"),
            (None, 0) => format!("{there} while it was written; no game was in it"),
            (None, _) if is_gone => {
                format!("{there} while it was written, and {games} with it are lost")
            }
            (None, _) => format!("{there} while it was written; {games} are under another name"),
        };
        Err(io::Error::other(format!("{shown} was {problem}")))
    }

    #[cfg(not(unix))]
    fn check_place(&self, _file: &File, _found: &fs::Metadata) -> io::Result<()> {
        Ok(())
    }

    fn shown(&self) -> String {
        format!("`{}`", printable(&self.path.display().to_string()))
    }
}

/// Where an open file lies by now, on systems that tell.
#[cfg(unix)]
fn present_path(file: &File) -> Option<String> {
    use std::os::fd::AsRawFd;
    let path = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()?;
    path.exists().then(|| printable(&path.display().to_string()))
}
