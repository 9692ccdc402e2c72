//! A league for everybody: all that the proof needs, and nothing that is private.
//!
//! What is published is the log of the league, the logs of its rounds, and the rules of a custom game: a folder that
//! `verify` accepts as it is. Bots, participants, tokens, submissions and standard error stay out. A round that is open
//! has a seed that nobody may know yet, so the log ends before it was announced; while the pages are frozen, it ends
//! where they do.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ::games::{COPY, LATER};
use rules::Digest;
use sandbox::file;
use sandbox::unfinished::NewFolder;

use crate::calendar;
use crate::folder::{LOG, LeagueError, LeagueFolder, ROUNDS, ReadUntil, unusable};
use contest::tournament::folder::{PUBLIC, games};
use record::private::games_with_texts;
use text::display_path;
use text::failure::Failure;

/// What anybody may have of a league.
#[derive(Debug)]
pub struct PublicLeague {
    folder: PathBuf,
    /// The length of its log up to the last line that is public, in bytes.
    log: u64,
    /// The other files, by their paths in the folder.
    files: Vec<PathBuf>,
    /// The numbers of the rounds.
    pub rounds: Vec<u64>,
    /// The number of games that count.
    pub games: u64,
    /// The head of the log up to that line.
    pub head: Digest,
    /// The round that is being played; it is left out.
    pub open: Option<u64>,
}

impl PublicLeague {
    /// Finds what is public in a league. It may be played meanwhile.
    ///
    /// # Errors
    ///
    /// Fails if the league or its calendar cannot be read.
    pub fn find(folder: &LeagueFolder) -> Result<PublicLeague, Failure> {
        let frozen = folder.calendar()?.frozen(calendar::now());
        let until = frozen.map_or(ReadUntil::Last, ReadUntil::Time);
        let mut read = folder.read_lines(until)?;
        let open = read.league.rounds().iter().find(|round| round.over.is_none());
        let open = open.map(|round| round.line.round);
        if let Some(round) = open {
            read = folder.read_lines(ReadUntil::Round(round))?;
        }
        let rounds: Vec<u64> = read.league.rounds().iter().map(|it| it.line.round).collect();
        let mut files = Vec::new();
        for folder_of_game in [COPY, LATER] {
            add_all(folder.path(), Path::new(folder_of_game), &mut files)?;
        }
        for round in &rounds {
            let path = folder.round(*round);
            let inner = Path::new(ROUNDS).join(round.to_string());
            let log = games(&path).file_name().map(PathBuf::from);
            let names = PUBLIC.into_iter().map(PathBuf::from).chain(log);
            files.extend(names.filter(|name| path.join(name).is_file()).map(|it| inner.join(it)));
        }
        let (games, head) = (read.league.games(), read.league.head());
        let folder = folder.path().to_owned();
        Ok(PublicLeague { folder, log: read.bytes, files, rounds, games, head, open })
    }

    /// Writes it into a new or an empty folder, which is there only when it is complete.
    ///
    /// # Errors
    ///
    /// Fails if something is there, or a file cannot be read or written.
    pub fn write(&self, to: &Path) -> Result<(), Failure> {
        if !sandbox::unfinished::is_free(to).map_err(|error| unusable(to, error))? {
            let shown = display_path(to);
            return Err(Failure::Usage(format!("`{shown}` is not empty: choose a new folder")));
        }
        let new = NewFolder::for_all_at(to).map_err(|error| unusable(to, error))?;
        for inner in &self.files {
            self.copy(inner, u64::MAX, &new)?;
        }
        self.copy(Path::new(LOG), self.log, &new)?;
        Ok(new.put(LOG).map_err(|error| unusable(to, error))?)
    }

    fn copy(&self, inner: &Path, most: u64, new: &NewFolder) -> Result<(), LeagueError> {
        let (from, to) = (self.folder.join(inner), new.path().join(inner));
        let unwritten = |error| unusable(&to, error);
        let unread = |error| unusable(&from, error);
        fs::create_dir_all(file::folder_of(&to)).map_err(unwritten)?;
        if from.is_symlink() {
            let target = fs::read_link(&from).map_err(unread)?;
            return link(&target, &to).map_err(unwritten);
        }
        let source = file::open(&from).map_err(unread)?;
        let mut target = File::create_new(&to).map_err(unwritten)?;
        if is_program(&source.metadata().map_err(unread)?) {
            make_program(&target).map_err(unwritten)?;
        }
        io::copy(&mut source.take(most), &mut target).map_err(unwritten)?;
        target.sync_all().map_err(unwritten)
    }

    /// The rounds in whose logs an earlier version of the program wrote standard error, each with the number of those
    /// games: it cannot be left out of them.
    ///
    /// # Errors
    ///
    /// Fails if a log cannot be read.
    pub fn rounds_with_texts(&self) -> Result<Vec<(u64, u64)>, LeagueError> {
        let mut found = Vec::new();
        for round in &self.rounds {
            let log = games(&self.folder.join(ROUNDS).join(round.to_string()));
            if log.is_file() {
                let games = games_with_texts(&log).map_err(|error| unusable(&log, error))?;
                found.extend((games > 0).then_some((*round, games)));
            }
        }
        Ok(found)
    }
}

#[cfg(unix)]
fn link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(not(unix))]
fn link(_target: &Path, _at: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn is_program(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_program(_found: &fs::Metadata) -> bool {
    false
}

/// Lets others run a file who can read it.
#[cfg(unix)]
fn make_program(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata()?.permissions().mode();
    file.set_permissions(fs::Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

#[cfg(not(unix))]
fn make_program(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Adds the files below a folder, if it is there.
fn add_all(root: &Path, inner: &Path, files: &mut Vec<PathBuf>) -> Result<(), LeagueError> {
    let path = root.join(inner);
    let unread = |error| unusable(&path, error);
    let entries = match fs::read_dir(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(unread)?,
    };
    for entry in entries {
        let entry = entry.map_err(unread)?;
        let (kind, inner) = (entry.file_type().map_err(unread)?, inner.join(entry.file_name()));
        if kind.is_dir() {
            add_all(root, &inner, files)?;
        } else {
            files.push(inner);
        }
    }
    Ok(())
}
