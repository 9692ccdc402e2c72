//! The folder of a tournament: its plan, its log, its standings, and the lock on it.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use text::{printable, system_error};
use thiserror::Error;

use crate::tournament::entrants::Entrants;
use crate::tournament::lock::{Lock, NotLocked};
use record::{self, Line, last_line_of};
use sandbox::file::{self, LONGEST_TEXT};
use standings::Standings;
use text::shell::word;

/// The plan, as TOML.
pub const PLAN: &str = "plan.toml";
/// The log.
const GAMES: &str = "games.jsonl";
/// Games that ended before others whose turn comes first.
const AHEAD: &str = "ahead.jsonl";
/// The standings at the end, as JSON.
const STANDINGS: &str = "standings.json";
/// Who plays, and who was refused, as JSON.
const ENTRANTS: &str = "entrants.json";
/// What is being played just now, as JSON.
pub const PLAYING: &str = "playing.json";
/// The same while it is being written.
const NEW_PLAYING: &str = ".new-playing";
/// What only one run at a time holds.
const LOCK: &str = "lock";
/// How long the lock is waited for if nothing is said: a child of a run that was killed holds it, too, until it has
/// become the program of a bot.
const PATIENCE: Duration = Duration::from_secs(1);

/// The folder of a tournament that no one else writes to.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Held for as long as this value lives; the system gives it up when the program ends.
    _lock: Lock,
}

/// Why a folder cannot be used; one line.
#[derive(Debug, Error)]
pub enum BadFolder {
    /// There is a tournament in it.
    #[error(
        "`{}` holds a tournament, expected a new folder; to continue it: `arbiter tournament resume {}` \
         (for one in shards, `run-shard`)",
        shown(_0),
        word(_0)
    )]
    Taken(PathBuf),
    /// There is something else in it.
    #[error("`{0}` is not empty, expected a new or an empty folder")]
    NotEmpty(String),
    /// There is no tournament in it.
    #[error("`{0}` holds no tournament: there is no {PLAN}")]
    NoTournament(String),
    /// Another run uses it.
    #[error("`{0}` is in use by another run")]
    Locked(String),
    /// It cannot be used for a reason of the system's.
    #[error("`{folder}` cannot be used: {}", system_error(source))]
    Unusable {
        /// The folder.
        folder: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file in it is not as it must be.
    #[error("`{file}` cannot be read: {}", system_error(source))]
    Unreadable {
        /// The file.
        file: String,
        /// What is wrong with it.
        source: io::Error,
    },
    /// A text is longer than one that is read again.
    #[error("`{file}` cannot be written: {}", system_error(source))]
    TooLong {
        /// The file.
        file: String,
        /// How long it may be.
        source: io::Error,
    },
}

impl Folder {
    /// Whether a new tournament can be laid out here; changes nothing.
    ///
    /// # Errors
    ///
    /// [`BadFolder`]
    pub fn check_new(path: &Path) -> Result<(), BadFolder> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unusable(path, error)),
        };
        if holds_plan(path) {
            return Err(BadFolder::Taken(path.to_owned()));
        }
        // A lock and files that were not finished are what is left of a run that never began.
        let is_left = |name: &OsStr| {
            name == LOCK
                || name == ENTRANTS
                || name.as_encoded_bytes().starts_with(file::NEW.as_bytes())
        };
        let others = entries.flatten().any(|entry| !is_left(&entry.file_name()));
        if others { Err(BadFolder::NotEmpty(shown(path))) } else { Ok(()) }
    }

    /// A new folder with this plan in it, for the owner's eyes only: the plan holds the seed.
    ///
    /// # Errors
    ///
    /// [`BadFolder`]
    pub fn create(path: &Path, plan: &str, entrants: &Entrants) -> Result<Folder, BadFolder> {
        Folder::create_waiting(path, plan, entrants, PATIENCE)
    }

    /// The same, where another run is waited for that long.
    ///
    /// # Errors
    ///
    /// [`BadFolder`]
    pub fn create_waiting(
        path: &Path,
        plan: &str,
        entrants: &Entrants,
        patience: Duration,
    ) -> Result<Folder, BadFolder> {
        Folder::check_new(path)?;
        let listed = entrants.text().map_err(|error| unusable(path, error))?;
        must_be_readable(path, ENTRANTS, &listed)?;
        must_be_readable(path, PLAN, plan)?;
        file::private_folder()
            .recursive(true)
            .create(path)
            .map_err(|error| unusable(path, error))?;
        let folder = Folder::lock(path, patience)?;
        if folder.path.join(PLAN).exists() {
            return Err(BadFolder::Taken(path.to_owned()));
        }
        // With the plan there is a tournament, so it comes last.
        folder
            .replace(ENTRANTS, listed.as_bytes())
            .and_then(|()| folder.replace(PLAN, plan.as_bytes()))
            .map_err(|error| unusable(path, error))?;
        Ok(folder)
    }

    /// The folder of a tournament that was begun.
    ///
    /// # Errors
    ///
    /// [`BadFolder`]
    pub fn open(path: &Path) -> Result<Folder, BadFolder> {
        Folder::open_waiting(path, PATIENCE)
    }

    /// The same, where another run is waited for that long.
    ///
    /// # Errors
    ///
    /// [`BadFolder`]
    pub fn open_waiting(path: &Path, patience: Duration) -> Result<Folder, BadFolder> {
        if !path.join(PLAN).exists() {
            return Err(BadFolder::NoTournament(shown(path)));
        }
        Folder::lock(path, patience)
    }

    fn lock(path: &Path, patience: Duration) -> Result<Folder, BadFolder> {
        match Lock::take(&path.join(LOCK), patience) {
            Ok(lock) => {
                let folder = Folder { path: path.to_owned(), _lock: lock };
                // A run that was killed has left it.
                folder.show_nothing();
                Ok(folder)
            }
            Err(NotLocked::Held) => Err(BadFolder::Locked(shown(path))),
            Err(NotLocked::Unopened(error)) => Err(unreadable(path, LOCK, error)),
            Err(NotLocked::Refused(error)) => Err(unusable(path, error)),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the log is.
    pub fn games(&self) -> PathBuf {
        games(&self.path)
    }

    /// Where games lie whose turn has not come yet.
    pub fn ahead(&self) -> PathBuf {
        self.path.join(AHEAD)
    }

    /// Writes the standings at the end.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written; then an older one is left.
    pub fn write_standings(&self, standings: &Standings) -> io::Result<()> {
        self.replace(STANDINGS, written(standings)?.as_bytes())
    }

    /// Writes what is being played just now, for its owner's eyes only: it holds hidden cards. It need not
    /// outlive a loss of power.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn show_playing(&self, text: &str) -> io::Result<()> {
        let new = self.path.join(NEW_PLAYING);
        let mut options = OpenOptions::new();
        let options = own(options.create(true).truncate(true).write(true));
        file::open_with(&new, options)?.write_all(text.as_bytes())?;
        fs::rename(new, self.path.join(PLAYING))
    }

    /// Shows that nothing is being played.
    pub fn show_nothing(&self) {
        for name in [NEW_PLAYING, PLAYING] {
            // Usually it is not there.
            let _ = fs::remove_file(self.path.join(name));
        }
    }

    /// Writes a file completely or not at all, even if the program or machine stops meanwhile.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn replace(&self, name: &str, content: &[u8]) -> io::Result<()> {
        file::replace(&self.path.join(name), content)
    }
}

/// Whether a folder holds a tournament.
pub fn holds_plan(path: &Path) -> bool {
    path.join(PLAN).exists()
}

/// Whether a tournament has its end and its standings, the last thing that is written.
pub fn is_finished(path: &Path) -> bool {
    let last = || last_line_of(&mut record::open(&games(path))?);
    path.join(STANDINGS).exists() && matches!(last(), Ok(Some(Line::End(_))))
}

/// The plan of a tournament, as it is written; for readers, who need no lock.
///
/// # Errors
///
/// [`BadFolder`]
pub fn read_plan(path: &Path) -> Result<String, BadFolder> {
    match file::text(&path.join(PLAN), LONGEST_TEXT) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(BadFolder::NoTournament(shown(path)))
        }
        Err(error) => Err(unreadable(path, PLAN, error)),
    }
}

/// Standings as they are kept: a line of JSON.
///
/// # Errors
///
/// Never: all of them has a form in JSON.
pub fn written(standings: &Standings) -> io::Result<String> {
    Ok(serde_json::to_string(standings)? + "\n")
}

/// The standings that a tournament ended with, if it has ended and they have at most this number of
/// bytes.
///
/// # Errors
///
/// Fails where they are there and cannot be read, or are longer.
pub fn read_standings(path: &Path, most: u64) -> Result<Option<String>, BadFolder> {
    match file::text(&path.join(STANDINGS), most) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, STANDINGS, error)),
    }
}

/// The list of who plays, as it is kept, if there is one.
///
/// # Errors
///
/// Fails if it is there and cannot be read.
pub fn read_entrants(path: &Path) -> Result<Option<String>, BadFolder> {
    match file::text(&path.join(ENTRANTS), LONGEST_TEXT) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, ENTRANTS, error)),
    }
}

/// Where the log of a tournament is.
pub fn games(path: &Path) -> PathBuf {
    path.join(GAMES)
}

/// Whether a run uses the folder of a tournament just now.
pub fn is_in_use(path: &Path) -> bool {
    Lock::is_held(&path.join(LOCK))
}

/// Lets a new file be read by its owner only.
#[cfg(unix)]
fn own(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600)
}

#[cfg(not(unix))]
fn own(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

fn unusable(path: &Path, source: io::Error) -> BadFolder {
    BadFolder::Unusable { folder: shown(path), source }
}

/// Refuses a text that would not be read again.
fn must_be_readable(path: &Path, name: &str, text: &str) -> Result<(), BadFolder> {
    if text.len() as u64 <= LONGEST_TEXT {
        return Ok(());
    }
    Err(BadFolder::TooLong { file: shown(&path.join(name)), source: file::too_long(LONGEST_TEXT) })
}

fn unreadable(path: &Path, name: &'static str, source: io::Error) -> BadFolder {
    BadFolder::Unreadable { file: shown(&path.join(name)), source }
}

/// A path as it is told, in one line.
pub fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}
