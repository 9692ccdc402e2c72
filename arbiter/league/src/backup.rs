//! A league as one file, and back.
//!
//! # Theory of operation
//!
//! A backup is a `.tar.gz` of the folder. The log of the league comes first, up to the last whole line at that moment,
//! and rounds that are announced later are left out. All other files only grow, are replaced as a whole, or are written
//! before the line of the log that names them: so a backup that is made while games are played is the folder of a league
//! that was killed at that moment, which every command can use. The index, the locks and half-done uploads are left out.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use tar::{Archive, Builder, EntryType, Header};
use text::system_error;

use crate::disk_budget;
use crate::folder::{self, LOG, LeagueError, LeagueFolder, ROUNDS};
use crate::log::ReadLimit;
use crate::quotas::LEAST_FREE;
use crate::state::League;
use ::games::{COPY, LATER};
use contest::tournament::folder::{games, shown};
use sandbox::file;
use sandbox::new_file::{self, NewFolder};
use text::failure::Failure;

/// Entries of the folder that are derived, in use, or half done.
const LEFT_OUT: [&str; 16] = [
    "index.sqlite",
    "index.sqlite-journal",
    "index.sqlite-wal",
    "index.sqlite-shm",
    "lock",
    "running",
    "entering",
    "entering-next",
    "starting-stage",
    "breaking-off",
    "inviting",
    "keying",
    "noticing",
    "taking-in",
    "arriving",
    "unpacking",
];
/// Most files and folders of a backup.
const MOST: u64 = 20_000_000;
/// Longest name in an archive, in bytes.
const LONGEST_NAME: u64 = 64 << 10;
/// The problem with an archive that this program has not written.
const NO_SUCH_ENTRY: &str = "it contains an entry that does not belong in a backup";
/// Number of times that a folder is listed again if files in it have gone meanwhile.
const LISTED: usize = 5;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BackupSize {
    pub files: u64,
    /// Their sizes in the folder together, in bytes.
    pub bytes: u64,
}

/// Writes a league into a new file, which is there only when it is complete. The league may be used meanwhile.
///
/// # Errors
///
/// Fails with no file left.
pub fn write(folder: &LeagueFolder, to: &Path) -> Result<BackupSize, Failure> {
    let bad = |error: io::Error| unusable(to, error);
    if new_file::must_be_new(to).is_err() {
        return Err(already_exists(to));
    }
    let beside = file::folder_of(to);
    let whole = |path: &Path| fs::canonicalize(path).map_err(|error| unusable(path, error));
    if whole(beside)?.starts_with(whole(folder.path())?) {
        let to = shown(to);
        return Err(Failure::Usage(format!(
            "`{to}` is inside the league: choose a path outside it"
        )));
    }
    // Only its owner can read it: it has digests of tokens, and the bots of strangers.
    let mut new = new_file::file_in(beside).map_err(bad)?;
    let size = pack(folder, &mut new, &format!("`{}`", shown(to)))?;
    new.as_file().sync_all().map_err(bad)?;
    new.persist_noclobber(to).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => already_exists(to),
        _ => bad(error.error),
    })?;
    Ok(size)
}

/// Writes a league to a stream with this name. The league may be used meanwhile.
///
/// # Errors
///
/// Fails with a part written.
pub fn pack(folder: &LeagueFolder, to: impl Write, name: &str) -> Result<BackupSize, Failure> {
    // Rounds that are announced from now on are left out, as they would be games that no line names.
    let read = folder.read_lines(ReadLimit::Last)?;
    let rounds = read.league.rounds().iter().map(|it| it.line.round.to_string().into()).collect();
    let unwritten = |error: io::Error| {
        let kind = error.kind();
        Failure::Unwritten {
            problem: format!("cannot write {name}: {}", system_error(error)),
            kind,
        }
    };
    let (mut failed, is_broken) = (None, Cell::new(false));
    let stream = BackupSink { to, failed: &mut failed, is_broken: &is_broken };
    let packed = GzEncoder::new(BufWriter::new(stream), Compression::default());
    let mut archive = Builder::new(packed);
    archive.follow_symlinks(false);
    let mut size = BackupSize::default();
    let log = record::length(&folder.log()).map(|length| length.min(read.end.bytes()));
    let added = add_file(&mut archive, folder.path(), Path::new(LOG), log, &mut size)
        .and_then(|_| add_folder(&mut archive, folder.path(), Path::new(""), &rounds, &mut size));
    // The libraries write the end of an archive also when they are dropped: it would be taken for a whole one.
    is_broken.set(is_broken.get() || added.is_err());
    let finished = archive
        .into_inner()
        .and_then(GzEncoder::finish)
        .and_then(|written| written.into_inner().map_err(io::IntoInnerError::into_error))
        .and_then(|mut stream| stream.flush());
    match (failed, added, finished) {
        // What is told of the file that was being read is of no interest then.
        (Some(error), ..) | (None, Ok(()), Err(error)) => Err(unwritten(error)),
        (None, Err(problem), _) => Err(problem),
        (None, Ok(()), Ok(())) => Ok(size),
    }
}

/// A stream that keeps the first error in writing, to tell it from errors in reading.
struct BackupSink<'a, W> {
    to: W,
    failed: &'a mut Option<io::Error>,
    /// Whether nothing may follow: a part is missing.
    is_broken: &'a Cell<bool>,
}

impl<W> BackupSink<'_, W> {
    fn remembering<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            if error.kind() != io::ErrorKind::Interrupted && self.failed.is_none() {
                self.is_broken.set(true);
                *self.failed = Some(error);
                return io::Error::other("cannot write the backup");
            }
            error
        })
    }
}

impl<W: Write> Write for BackupSink<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_broken.get() {
            return Err(io::Error::other("a part of the backup is missing"));
        }
        let written = self.to.write(bytes);
        self.remembering(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.to.flush();
        self.remembering(flushed)
    }
}

type BackupWriter<'a, W> = Builder<GzEncoder<BufWriter<BackupSink<'a, W>>>>;

fn add_folder<W: Write>(
    archive: &mut BackupWriter<'_, W>,
    root: &Path,
    inner: &Path,
    rounds: &BTreeSet<OsString>,
    size: &mut BackupSize,
) -> Result<(), Failure> {
    let mut done = BTreeSet::new();
    for _ in 0..LISTED {
        let mut has_missed = false;
        for name in names(&root.join(inner))? {
            let is_out = (inner == Path::new("") && is_left_out(&name))
                || (inner == Path::new(ROUNDS) && !rounds.contains(&name))
                || (!is_copied(inner) && new_file::is_name(&name));
            if is_out || !done.insert(name.clone()) {
                continue;
            }
            has_missed |= !add_entry(archive, root, &inner.join(&name), rounds, size)?;
        }
        // A log may have been compressed meanwhile, and has another name then.
        if !has_missed {
            break;
        }
    }
    Ok(())
}

/// Returns the names in a folder, in order; none if it has gone.
fn names(path: &Path) -> Result<Vec<OsString>, Failure> {
    let unread = |error| unusable(path, error);
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        // An old version of a bot may be removed meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unread(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(unread)?.file_name());
    }
    names.sort_unstable();
    Ok(names)
}

/// Adds a file, a folder with everything in it, or a link. Returns false if it has gone.
fn add_entry<W: Write>(
    archive: &mut BackupWriter<'_, W>,
    root: &Path,
    inner: &Path,
    rounds: &BTreeSet<OsString>,
    size: &mut BackupSize,
) -> Result<bool, Failure> {
    let path = root.join(inner);
    let unread = |error| unusable(&path, error);
    let Ok(found) = fs::symlink_metadata(&path) else { return Ok(false) };
    if found.is_dir() {
        let mut header = Header::new_gnu();
        header.set_metadata(&found);
        add(archive, &mut header, root, inner, io::empty())?;
        add_folder(archive, root, inner, rounds, size)?;
    } else if found.is_symlink() {
        let target = fs::read_link(&path).map_err(unread)?;
        let mut header = Header::new_gnu();
        header.set_metadata(&found);
        header.set_size(0);
        archive.append_link(&mut header, inner, target).map_err(unread)?;
        size.files += 1;
    } else if found.is_file() {
        return add_file(archive, root, inner, None, size);
    }
    Ok(true)
}

/// Adds a file up to a length, or with the length that it has now. Returns false if it has gone.
fn add_file<W: Write>(
    archive: &mut BackupWriter<'_, W>,
    root: &Path,
    inner: &Path,
    length: Option<u64>,
    size: &mut BackupSize,
) -> Result<bool, Failure> {
    let path = root.join(inner);
    let unread = |error| unusable(&path, error);
    let file = match file::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(unread(error)),
    };
    let found = file.metadata().map_err(unread)?;
    let mut header = Header::new_gnu();
    header.set_metadata(&found);
    let length = length.unwrap_or(found.len());
    header.set_size(length);
    size.files += 1;
    size.bytes += length;
    add(archive, &mut header, root, inner, file.chain(ShrunkFileError).take(length))?;
    Ok(true)
}

/// The end of a file that became shorter while it was read: a torn line was cut off.
struct ShrunkFileError;

impl Read for ShrunkFileError {
    fn read(&mut self, _into: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("it shrank during the backup: try again"))
    }
}

fn add<W: Write>(
    archive: &mut BackupWriter<'_, W>,
    header: &mut Header,
    root: &Path,
    inner: &Path,
    content: impl Read,
) -> Result<(), Failure> {
    archive.append_data(header, inner, content).map_err(|error| unusable(&root.join(inner), error))
}

fn is_left_out(name: &OsStr) -> bool {
    let text = name.to_str().unwrap_or_default();
    name == LOG || LEFT_OUT.contains(&text)
}

/// Makes a league of a backup, in a new or an empty folder, and reads it. It is there only when it is complete.
///
/// # Errors
///
/// Fails with nothing left of it.
pub fn restore(from: &Path, to: &Path) -> Result<Arc<League>, Failure> {
    if !new_file::is_free(to).map_err(|error| unusable(to, error))? {
        return Err(already_exists(to));
    }
    let file = file::open(from).map_err(|error| unusable(from, error))?;
    let not_backup = |problem: &str| not_backup(from, problem);
    let broken = |error: io::Error| not_backup(&system_error(error));
    let bytes = measured(&file).map_err(broken)?.ok_or_else(|| not_backup(NO_SUCH_ENTRY))?;
    let new = NewFolder::create_at(to).map_err(|error| unusable(to, error))?;
    let free = disk_budget::free(&new.path()).map_err(|error| unusable(to, error))?;
    if free.is_some_and(|free| free.saturating_sub(bytes) < LEAST_FREE) {
        return Err(Failure::Ours(format!("`{}`: the disk is nearly full", shown(to))));
    }
    unpack(&file, &new.path(), from, to)?;
    let folder = LeagueFolder::open(&new.path())?;
    let league = folder.read().map_err(|problem| match problem {
        LeagueError::Log(_, wrong) => LeagueError::Log(shown(from), wrong),
        other => other,
    })?;
    for round in league.rounds().iter().filter_map(|round| round.over.as_ref()) {
        if round.head.is_some() && !games(&folder.round(round.round)).exists() {
            return Err(not_backup(&format!("round {} has no log", round.round)));
        }
    }
    new.publish(LOG).map_err(|error| unusable(to, error))?;
    Ok(league)
}

/// Unpacks a backup into a hidden folder, for another one.
fn unpack(file: &File, hidden: &Path, from: &Path, to: &Path) -> Result<(), Failure> {
    let not_backup = |problem: &str| not_backup(from, problem);
    let broken = |error: io::Error| match is_of_disk(&error) {
        true => unusable(to, error),
        false => not_backup(&system_error(error)),
    };
    // The library leaves out the bits by which a program runs with the rights of its owner.
    let mut archive = packed(file).map_err(broken)?;
    archive.set_preserve_mtime(true);
    archive.set_overwrite(false);
    let mut is_first = true;
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let path = entry.path().map_err(broken)?.into_owned();
        let kind = entry.header().entry_type();
        if std::mem::take(&mut is_first) && !(kind.is_file() && path == Path::new(LOG)) {
            return Err(not_backup("its first file is not the log of a league"));
        }
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        // The library follows no link that leads out of the folder.
        if !is_inside || !may_be(kind, &path) || !entry.unpack_in(hidden).map_err(broken)? {
            return Err(not_backup(NO_SUCH_ENTRY));
        }
        let made = hidden.join(&path);
        if kind.is_dir() && fs::symlink_metadata(&made).is_ok_and(|found| found.is_dir()) {
            open_to_owner(&made).map_err(|error| unusable(&made, error))?;
        }
    }
    if is_first {
        return Err(not_backup("it is empty"));
    }
    Ok(())
}

/// Returns true if a file cannot be written because of the disk; the library keeps only the kind of an error.
fn is_of_disk(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(
        error.kind(),
        Kind::StorageFull | Kind::QuotaExceeded | Kind::ReadOnlyFilesystem | Kind::FileTooLarge
    )
}

/// Begins to read a packed file from its first byte.
fn packed(mut file: &File) -> io::Result<Archive<MultiGzDecoder<BufReader<&File>>>> {
    file.seek(SeekFrom::Start(0))?;
    Ok(Archive::new(MultiGzDecoder::new(BufReader::new(file))))
}

/// Returns the size of all files of an archive; none if it has an entry that no backup has, or too many. The library
/// reads long names as a whole, so their lengths are looked at first.
fn measured(file: &File) -> io::Result<Option<u64>> {
    let (mut bytes, mut entries) = (0_u64, 0_u64);
    for entry in packed(file)?.entries()?.raw(true) {
        let entry = entry?;
        let (kind, size) = (entry.header().entry_type(), entry.size());
        let is_name =
            matches!(kind, EntryType::GNULongName | EntryType::GNULongLink | EntryType::XHeader);
        let is_known = kind.is_file() || kind.is_dir() || kind.is_symlink();
        entries += 1;
        if entries > MOST || !(is_known || (is_name && size <= LONGEST_NAME)) {
            return Ok(None);
        }
        bytes = bytes.saturating_add(size);
    }
    Ok(Some(bytes))
}

/// Tells whether a backup can have an entry: links lie inside the copy of a bot or a game, whose programs reach nothing
/// by them that they may not reach.
fn may_be(kind: EntryType, path: &Path) -> bool {
    let is_in_copy = path.parent().is_some_and(is_copied);
    kind.is_file() || kind.is_dir() || (kind.is_symlink() && is_in_copy)
}

/// Returns true for the copy of a bot or a game, and for a folder in it.
fn is_copied(folder: &Path) -> bool {
    let depth = folder.components().count();
    ((folder.starts_with("bots") || folder.starts_with(LATER)) && depth > 1)
        || folder.starts_with(COPY)
}

/// Lets its owner write into a folder, so that the rest of it can be unpacked there.
#[cfg(unix)]
fn open_to_owner(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::symlink_metadata(folder)?.permissions().mode();
    fs::set_permissions(folder, fs::Permissions::from_mode(mode | 0o700))
}

/// Leaves a folder as it is: other systems have no such rights.
#[cfg(not(unix))]
fn open_to_owner(_folder: &Path) -> io::Result<()> {
    Ok(())
}

fn already_exists(path: &Path) -> Failure {
    Failure::Usage(format!("`{}` already exists", shown(path)))
}

fn not_backup(file: &Path, problem: &str) -> Failure {
    Failure::Usage(format!("`{}` is not a league backup: {problem}", shown(file)))
}

fn unusable(path: &Path, source: io::Error) -> Failure {
    folder::unusable(path, source).into()
}
