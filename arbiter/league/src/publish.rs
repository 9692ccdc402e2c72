//! A league for everybody: all that the proof needs, and nothing that is private.
//!
//! What is published is the log of the league, the logs of its rounds, and the rules of a custom game: a folder that
//! `verify` accepts as it is. Bots, participants, tokens, submissions and standard error stay out. A round that is open
//! has a seed that nobody may know yet, so the log ends before it was announced; while the pages are frozen, it ends
//! where they do. Rules that no line up to there names stay out.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use ::games::{COPY, LATER};
use rules::Digest;
use sandbox::file;
use sandbox::new_file::NewFolder;
use tar::{Builder, EntryType, Header};

use crate::calendar;
use crate::folder::{LOG, LeagueError, LeagueFolder, ROUNDS, unusable};
use crate::log::ReadLimit;
use contest::tournament::folder::{PUBLIC, games};
use record::stderr_texts::games_with_texts;
use text::display_path;
use text::failure::Failure;

/// The folder in an archive of the log.
const IN_ARCHIVE: &str = "league";

#[derive(Debug)]
pub struct PublicLeague {
    folder: PathBuf,
    /// The length of its log up to the last line that is public, in bytes.
    log: u64,
    files: Vec<PathBuf>,
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
        let until = frozen.map_or(ReadLimit::Last, ReadLimit::Time);
        let mut read = folder.read_lines(until)?;
        let open = read.league.rounds().iter().find(|round| round.over.is_none());
        let open = open.map(|round| round.line.round);
        if let Some(round) = open {
            read = folder.read_lines(ReadLimit::Round(round))?;
        }
        let rounds: Vec<u64> = read.league.rounds().iter().map(|it| it.line.round).collect();
        let mut files = Vec::new();
        add_all(folder.path(), Path::new(COPY), &mut files)?;
        // The league may return to earlier rules.
        let later = read.league.later_rules().iter();
        let copies: BTreeSet<String> =
            later.map(|later| later.new.rules.id.digest.to_string()).collect();
        for copy in copies {
            add_all(folder.path(), &Path::new(LATER).join(copy), &mut files)?;
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
        Ok(PublicLeague { folder, log: read.end.bytes(), files, rounds, games, head, open })
    }

    /// Writes it into a new or an empty folder, which is there only when it is complete.
    ///
    /// # Errors
    ///
    /// Fails if something is there, or a file cannot be read or written.
    pub fn write(&self, to: &Path) -> Result<(), Failure> {
        if !sandbox::new_file::is_free(to).map_err(|error| unusable(to, error))? {
            let shown = display_path(to);
            return Err(Failure::Usage(format!("`{shown}` is not empty: choose a new folder")));
        }
        let new = NewFolder::for_all_at(to).map_err(|error| unusable(to, error))?;
        for inner in &self.files {
            self.copy(inner, u64::MAX, &new)?;
        }
        self.copy(Path::new(LOG), self.log, &new)?;
        Ok(new.publish(LOG).map_err(|error| unusable(to, error))?)
    }

    /// Writes it to a stream as a tar archive of one folder, the log of the league first. An archive that is not whole
    /// has no end.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, or the stream cannot be written.
    pub fn pack(&self, to: impl Write) -> io::Result<()> {
        let is_broken = Cell::new(false);
        let mut archive = Builder::new(ArchiveSink { to, is_broken: &is_broken });
        let files = self.files.iter().map(|inner| (self.present(inner), u64::MAX));
        let packed = [(PathBuf::from(LOG), self.log)]
            .into_iter()
            .chain(files)
            .try_for_each(|(inner, most)| add(&mut archive, &self.folder, &inner, most));
        // The library writes the end of an archive also when it is dropped.
        is_broken.set(packed.is_err());
        packed?;
        archive.into_inner()?.flush()
    }

    /// The path of a file by now: a log may have been compressed meanwhile.
    fn present(&self, inner: &Path) -> PathBuf {
        let path = self.folder.join(inner);
        if path.exists() || path.is_symlink() {
            return inner.to_owned();
        }
        let log = games(file::folder_of(&path));
        let name = log.file_name().filter(|_| inner.starts_with(ROUNDS));
        name.map_or_else(|| inner.to_owned(), |name| inner.with_file_name(name))
    }

    fn copy(&self, inner: &Path, most: u64, new: &NewFolder) -> Result<(), LeagueError> {
        let inner = &*self.present(inner);
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
            let games = self.games_with_texts(*round)?;
            found.extend((games > 0).then_some((*round, games)));
        }
        Ok(found)
    }

    /// Returns the first of these rounds, if there is one. Those in `without` are known to have no standard error, and
    /// others are added to them.
    ///
    /// # Errors
    ///
    /// Fails if a log cannot be read.
    pub fn first_with_texts(
        &self,
        without: &mut BTreeSet<u64>,
    ) -> Result<Option<u64>, LeagueError> {
        for round in &self.rounds {
            if !without.contains(round) {
                if self.games_with_texts(*round)? > 0 {
                    return Ok(Some(*round));
                }
                without.insert(*round);
            }
        }
        Ok(None)
    }

    fn games_with_texts(&self, round: u64) -> Result<u64, LeagueError> {
        let log = games(&self.folder.join(ROUNDS).join(round.to_string()));
        match log.is_file() {
            true => games_with_texts(&log).map_err(|error| unusable(&log, error)),
            false => Ok(0),
        }
    }
}

/// A stream that takes no end of an archive of which a part is missing.
struct ArchiveSink<'a, W> {
    to: W,
    is_broken: &'a Cell<bool>,
}

impl<W: Write> Write for ArchiveSink<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.is_broken.get() {
            true => Err(io::Error::other("a part of the archive is missing")),
            false => self.to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Adds a file, or its first bytes, or a link.
fn add<W: Write>(
    archive: &mut Builder<W>,
    folder: &Path,
    inner: &Path,
    most: u64,
) -> io::Result<()> {
    let (path, inside) = (folder.join(inner), Path::new(IN_ARCHIVE).join(inner));
    let mut header = Header::new_gnu();
    header.set_mode(0o644);
    if path.is_symlink() {
        header.set_entry_type(EntryType::Symlink);
        header.set_size(0);
        return archive.append_link(&mut header, inside, fs::read_link(&path)?);
    }
    let source = file::open(&path)?;
    let found = source.metadata()?;
    if is_program(&found) {
        header.set_mode(0o755);
    }
    let size = found.len().min(most);
    header.set_entry_type(EntryType::Regular);
    header.set_size(size);
    let mut content = source.take(size);
    archive.append_data(&mut header, inside, &mut content)?;
    match content.limit() {
        0 => Ok(()),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
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
