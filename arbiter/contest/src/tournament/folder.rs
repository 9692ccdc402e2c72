//! The folder of a tournament: its plan, its log, its standings, and the lock on it.
//!
//! A part is the folder of a tournament, with a plan and a log of its own. Extensions lie
//! in the folder of the first, as `extension-1`, `extension-2` and so on, and each names the head
//! of the log before it. Older files never change.

pub use text::display_path as shown;

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};
use std::thread;
use std::time::{Duration, Instant};

use ::games::GameFiles;
use bot::FileDigest;
use record::{self, Line, compress, last_line_of};
use sandbox::file::{self, LONGEST_TEXT};
use sandbox::new_file;
use serde::{Deserialize, Serialize};
use series::PlayerLine;
use standings::Standings;
use text::shell::word;
use text::system_error;
use thiserror::Error;

pub(crate) const PLAN: &str = "plan.toml";
const GAMES: &str = "games.jsonl";
/// Games that ended before earlier ones.
const AHEAD: &str = "ahead.jsonl";
/// The final standings, as JSON.
const STANDINGS: &str = "standings.json";
/// The bots that play and the refused ones, as JSON.
const ENTRANTS: &str = "entrants.json";
/// The games being played, as JSON.
pub(crate) const PLAYING: &str = "playing.json";
/// That file while it is being written.
const NEW_PLAYING: &str = ".new-playing";
const LOCK: &str = "lock";
/// The files of a finished tournament that anybody may have, beside its log.
pub const PUBLIC: [&str; 3] = [PLAN, ENTRANTS, STANDINGS];
/// Default time to wait for the lock: a child of a killed run holds it, too, until it has
/// become the program of a bot.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time between two tries to take a lock.
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// The locked folder of a tournament.
#[derive(Debug)]
pub struct TournamentFolder {
    path: PathBuf,
    _lock: Lock,
}

/// Reason why a folder cannot be used; one line.
#[derive(Debug, Error)]
pub enum TournamentFolderError {
    #[error(
        "`{}` already holds a tournament: choose a new folder, or continue with `arbiter \
         tournament resume {}` (`run-shard` if it is sharded)",
        shown(_0),
        word(_0)
    )]
    Taken(PathBuf),
    #[error("`{0}` is locked by another run")]
    Locked(String),
    #[error("{0}")]
    Other(String),
}

impl TournamentFolder {
    /// Checks that a new tournament can be laid out here; changes nothing.
    pub fn check_new(path: &Path) -> Result<(), TournamentFolderError> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unusable(path, error)),
        };
        if holds_plan(path) {
            return Err(TournamentFolderError::Taken(path.to_owned()));
        }
        // A lock and unfinished files remain of a run that never began.
        let is_left = |name: &OsStr| {
            name == LOCK
                || name == ENTRANTS
                || name == ::games::COPY
                || name.as_encoded_bytes().starts_with(new_file::NEW.as_bytes())
        };
        let others = entries.flatten().any(|entry| !is_left(&entry.file_name()));
        if others {
            let path = shown(path);
            let problem = format!("`{path}` is not empty: choose a new or empty folder");
            return Err(TournamentFolderError::Other(problem));
        }
        Ok(())
    }

    /// Creates a folder with this plan, and a copy of a custom game, readable only by its owner: the plan holds the seed.
    pub fn create(
        path: &Path,
        plan: &str,
        entrants: &Entrants,
        game: Option<&GameFiles>,
    ) -> Result<TournamentFolder, TournamentFolderError> {
        TournamentFolder::create_waiting(path, plan, entrants, game, PATIENCE)
    }

    /// Does the same as [`create`](TournamentFolder::create), but waits at most this long for another run.
    pub fn create_waiting(
        path: &Path,
        plan: &str,
        entrants: &Entrants,
        game: Option<&GameFiles>,
        patience: Duration,
    ) -> Result<TournamentFolder, TournamentFolderError> {
        TournamentFolder::check_new(path)?;
        let listed = entrants.text().map_err(|error| unusable(path, error))?;
        must_be_readable(path, ENTRANTS, &listed)?;
        must_be_readable(path, PLAN, plan)?;
        file::private_folder()
            .recursive(true)
            .create(path)
            .map_err(|error| unusable(path, error))?;
        let folder = TournamentFolder::lock(path, patience)?;
        if folder.path.join(PLAN).exists() {
            return Err(TournamentFolderError::Taken(path.to_owned()));
        }
        if let Some(game) = game {
            game.write_copy(path).map_err(|error| unusable(path, error))?;
        }
        // With the plan there is a tournament, so it comes last.
        folder
            .replace(ENTRANTS, listed.as_bytes())
            .and_then(|()| folder.replace(PLAN, plan.as_bytes()))
            .map_err(|error| unusable(path, error))?;
        Ok(folder)
    }

    /// Opens and locks the folder of a tournament.
    pub fn open(path: &Path) -> Result<TournamentFolder, TournamentFolderError> {
        TournamentFolder::open_waiting(path, PATIENCE)
    }

    /// Does the same as [`open`](TournamentFolder::open), but waits at most this long for another run.
    pub fn open_waiting(
        path: &Path,
        patience: Duration,
    ) -> Result<TournamentFolder, TournamentFolderError> {
        if !path.join(PLAN).exists() {
            return Err(no_tournament(path));
        }
        TournamentFolder::lock(path, patience)
    }

    fn lock(path: &Path, patience: Duration) -> Result<TournamentFolder, TournamentFolderError> {
        match Lock::take(&path.join(LOCK), patience) {
            Ok(lock) => {
                let folder = TournamentFolder { path: path.to_owned(), _lock: lock };
                // A killed run has left it.
                folder.show_nothing();
                Ok(folder)
            }
            Err(LockError::Held) => Err(TournamentFolderError::Locked(shown(path))),
            Err(LockError::Unopened(error)) => Err(unreadable(path, LOCK, error)),
            Err(LockError::Refused(error)) => Err(unusable(path, error)),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn games(&self) -> PathBuf {
        games(&self.path)
    }

    /// Has the log written compressed from its first line on: there is an empty one of that name from now on, which
    /// every run continues.
    pub fn compress_log(&self) -> Result<(), TournamentFolderError> {
        let log = compress::name(&self.path.join(GAMES));
        let made = OpenOptions::new().write(true).create_new(true).open(log);
        made.map(drop).map_err(|error| unusable(&self.path, error))
    }

    /// Returns the path of the games that ended before earlier ones.
    pub fn ahead(&self) -> PathBuf {
        self.path.join(AHEAD)
    }

    /// Writes the final standings.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written; then an older one remains.
    pub fn write_standings(&self, standings: &Standings) -> io::Result<()> {
        self.replace(STANDINGS, written(standings)?.as_bytes())
    }

    /// Writes the games being played, readable only by their owner: they hold hidden cards. The file need not
    /// outlive a loss of power.
    pub(crate) fn show_playing(&self, text: &str) -> io::Result<()> {
        let new = self.path.join(NEW_PLAYING);
        let mut options = OpenOptions::new();
        let options = file::private_file(options.create(true).truncate(true).write(true));
        file::open_with(&new, options)?.write_all(text.as_bytes())?;
        fs::rename(new, self.path.join(PLAYING))
    }

    /// Removes the file of the games being played.
    pub(crate) fn show_nothing(&self) {
        for name in [NEW_PLAYING, PLAYING] {
            // Usually it is not there.
            let _ = fs::remove_file(self.path.join(name));
        }
    }

    /// Writes the plan again.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written; then the older one remains.
    pub fn write_plan(&self, plan: &str) -> io::Result<()> {
        self.replace(PLAN, plan.as_bytes())
    }

    /// Writes a file completely or not at all, even if the program or the machine stops meanwhile.
    pub fn replace(&self, name: &str, content: &[u8]) -> io::Result<()> {
        new_file::replace(&self.path.join(name), content)
    }
}

/// Returns true if a folder holds a tournament.
pub fn holds_plan(path: &Path) -> bool {
    path.join(PLAN).exists()
}

/// Returns true if the program has laid out a tournament in a folder: a plan of its author alone may lie anywhere.
pub(crate) fn is_laid_out(path: &Path) -> bool {
    holds_plan(path) && path.join(ENTRANTS).exists()
}

/// Returns true if a tournament has its end and its standings, which are written last.
pub fn is_finished(path: &Path) -> bool {
    let last = || last_line_of(&mut record::open(&games(path))?);
    path.join(STANDINGS).exists() && matches!(last(), Ok(Some(Line::End(_))))
}

/// Returns the text of a tournament's plan. Readers need no lock.
pub(crate) fn read_plan(path: &Path) -> Result<String, TournamentFolderError> {
    ::games::know_beside(&path.join(PLAN));
    read_if_there(path, PLAN, LONGEST_TEXT)?.ok_or_else(|| no_tournament(path))
}

/// Returns standings as a line of JSON, as in their file.
pub(crate) fn written(standings: &Standings) -> io::Result<String> {
    Ok(serde_json::to_string(standings)? + "\n")
}

/// Returns the final standings of a tournament, if it has ended and they have at most this number of
/// bytes.
pub fn read_standings(path: &Path, most: u64) -> Result<Option<String>, TournamentFolderError> {
    read_if_there(path, STANDINGS, most)
}

/// Returns the text of the list of bots, if there is one.
pub(crate) fn read_entrants(path: &Path) -> Result<Option<String>, TournamentFolderError> {
    read_if_there(path, ENTRANTS, LONGEST_TEXT)
}

fn read_if_there(
    path: &Path,
    name: &'static str,
    most: u64,
) -> Result<Option<String>, TournamentFolderError> {
    match file::text(&path.join(name), most) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, name, error)),
    }
}

/// Returns the path of a tournament's log: the compressed one if there is no other. With both there, a compression
/// was cut short, and the plain one is whole.
pub fn games(path: &Path) -> PathBuf {
    let plain = path.join(GAMES);
    let compressed = compress::name(&plain);
    if !plain.exists() && compressed.exists() { compressed } else { plain }
}

/// Returns true while a run uses the folder of a tournament.
pub fn is_in_use(path: &Path) -> bool {
    Lock::is_held(&path.join(LOCK))
}

fn no_tournament(path: &Path) -> TournamentFolderError {
    TournamentFolderError::Other(format!("no tournament in `{}` ({PLAN} is missing)", shown(path)))
}

fn unusable(path: &Path, source: io::Error) -> TournamentFolderError {
    TournamentFolderError::Other(format!("cannot use `{}`: {}", shown(path), system_error(source)))
}

/// Refuses a text that would not be read again.
fn must_be_readable(path: &Path, name: &str, text: &str) -> Result<(), TournamentFolderError> {
    if text.len() as u64 <= LONGEST_TEXT {
        return Ok(());
    }
    let (file, problem) = (shown(&path.join(name)), system_error(file::too_long(LONGEST_TEXT)));
    Err(TournamentFolderError::Other(format!("cannot write `{file}`: {problem}")))
}

fn unreadable(path: &Path, name: &'static str, source: io::Error) -> TournamentFolderError {
    let file = shown(&path.join(name));
    TournamentFolderError::Other(format!("cannot read `{file}`: {}", system_error(source)))
}

/// A lock, held while this value lives; the system releases it when the program ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Reason why a lock is not taken.
#[derive(Debug)]
pub enum LockError {
    /// Another program holds it.
    Held,
    /// Its file cannot be opened.
    Unopened(io::Error),
    /// The system does not lock it.
    Refused(io::Error),
}

impl Lock {
    /// Takes the lock in this file, and waits at most this long while another program holds it.
    pub fn take(path: &Path, patience: Duration) -> Result<Lock, LockError> {
        let mut options = OpenOptions::new();
        let options = options.create(true).truncate(false).write(true);
        let file = file::open_with(path, options).map_err(LockError::Unopened)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::WouldBlock) if begun.elapsed() < patience => {
                    thread::sleep(LOCK_PAUSE)
                }
                Err(TryLockError::WouldBlock) => return Err(LockError::Held),
                Err(TryLockError::Error(error)) => return Err(LockError::Refused(error)),
            }
        }
    }

    /// Returns true while a program holds the lock in this file.
    pub fn is_held(path: &Path) -> bool {
        let file = file::open(path);
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

/// The bots that play, with the digests of their files, and the refused ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrants {
    /// The bots that play, in the order of the plan.
    pub entered: Vec<EnteredBot>,
    /// The bots that were handed in and refused.
    pub refused: Vec<RefusedBot>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnteredBot {
    pub name: String,
    /// Its command, as it was typed.
    pub command: String,
    /// The digests of the files in the command.
    pub files: Vec<FileDigest>,
}

/// A bot that was not entered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusedBot {
    pub folder: String,
    /// Reason in one line.
    pub why: String,
    /// The report, beside its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

impl Entrants {
    pub fn new(players: &[PlayerLine], refused: Vec<RefusedBot>) -> Entrants {
        let entered = |player: &PlayerLine| EnteredBot {
            name: player.name.clone(),
            command: player.command.clone(),
            files: player.files.clone(),
        };
        Entrants { entered: players.iter().map(entered).collect(), refused }
    }

    /// Returns the list for its file: JSON that people can read, too.
    pub fn text(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// Name of the folder of an extension, before its number from 1.
const EXTENSION: &str = "extension-";

/// The folders of the parts of a tournament, in order; there is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentFolders {
    first: PathBuf,
    extensions: Vec<PathBuf>,
}

impl TournamentFolders {
    /// Finds all parts of the tournament in this folder; for an extension, the parts up to it.
    pub fn find(path: &Path) -> TournamentFolders {
        match extended_by(path) {
            Some((first, number)) => {
                let extensions = (1..=number).map(|number| extension(&first, number)).collect();
                TournamentFolders { first, extensions }
            }
            None => {
                let extensions = (1..).map(|number| extension(path, number));
                let extensions = extensions.take_while(|path| holds_plan(path)).collect();
                TournamentFolders { first: path.to_owned(), extensions }
            }
        }
    }

    /// Finds all parts of the tournament to which this folder belongs, including later ones.
    pub fn find_all(path: &Path) -> TournamentFolders {
        TournamentFolders::find(TournamentFolders::find(path).first())
    }

    /// Does the same as [`find`](TournamentFolders::find), but only up to the last part of which something was played. After
    /// a crash the last extension may have a plan and no log yet.
    pub fn find_begun(path: &Path) -> TournamentFolders {
        let mut parts = TournamentFolders::find(path);
        parts.extensions.retain(|part| games(part).exists());
        parts
    }

    /// Returns the parts before the one in this folder, in order; none for the first part.
    pub fn earlier_parts(path: &Path) -> Vec<PathBuf> {
        extended_by(path).map_or(Vec::new(), |_| {
            let mut parts = TournamentFolders::find(path).all();
            parts.pop();
            parts
        })
    }

    /// Returns true if there is a part after the one in this folder.
    pub fn has_later(path: &Path) -> bool {
        let later = match extended_by(path) {
            Some((first, number)) => extension(&first, number + 1),
            None => extension(path, 1),
        };
        holds_plan(&later)
    }

    pub fn first(&self) -> &Path {
        &self.first
    }

    pub fn last(&self) -> &Path {
        self.extensions.last().unwrap_or(&self.first)
    }

    /// Returns all parts, in order.
    pub fn all(&self) -> Vec<PathBuf> {
        [&self.first].into_iter().chain(&self.extensions).cloned().collect()
    }

    /// Returns the folder for the next part.
    pub fn next(&self) -> PathBuf {
        extension(&self.first, self.extensions.len() + 1)
    }
}

fn extension(first: &Path, number: usize) -> PathBuf {
    first.join(format!("{EXTENSION}{number}"))
}

/// Returns the first part that this folder extends, and the number of the extension.
fn extended_by(path: &Path) -> Option<(PathBuf, usize)> {
    let whole = absolute(path).ok()?;
    let number = whole.file_name().and_then(OsStr::to_str)?.strip_prefix(EXTENSION)?;
    let number: usize = number.parse().ok().filter(|number| *number > 0)?;
    let first = match path.parent().filter(|_| path.file_name() == whole.file_name()) {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => whole.parent()?.to_owned(),
    };
    let is_own = (1..=number).all(|number| holds_plan(&extension(&first, number)));
    (is_own && holds_plan(&first)).then_some((first, number))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn an_extension_has_the_parts_before_it() {
        let folder = TempDir::new().expect("a folder");
        let cup = folder.path().join("cup");
        for part in ["", "extension-1", "extension-2", "extension-4"] {
            fs::create_dir_all(cup.join(part)).expect("it is ours");
            fs::write(cup.join(part).join("plan.toml"), "").expect("it is ours");
        }
        let names = |path: &Path| -> Vec<String> {
            let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
            TournamentFolders::find(path).all().iter().map(name).collect()
        };
        assert_eq!(names(&cup), ["cup", "extension-1", "extension-2"]);
        assert_eq!(names(&cup.join("extension-1")), ["cup", "extension-1"]);
        assert_eq!(names(&cup.join("extension-4")), ["extension-4"], "it extends nothing");
        assert_eq!(TournamentFolders::find(&cup).next(), cup.join("extension-3"));
        assert_eq!(TournamentFolders::earlier_parts(&cup), [] as [PathBuf; 0]);
        assert_eq!(TournamentFolders::earlier_parts(&cup.join("extension-1")), [cup]);
    }
}
