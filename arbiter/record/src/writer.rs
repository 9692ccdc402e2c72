//! Writing a log, a line at a time, and going on with one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use rules::Digest;
use text::system_error;
use thiserror::Error;

use super::own::Own;
use super::{Content, LONGEST_LINE, LogReader, Wrong};
use sandbox::file;

/// Why a log cannot be resumed.
#[derive(Debug, Error)]
pub enum NotResumed {
    /// It cannot be read or written.
    #[error("cannot be opened: {}", system_error(.0))]
    Unreadable(#[from] io::Error),
    /// A line is not as it must be.
    #[error(transparent)]
    Wrong(#[from] Wrong),
}

/// Writes a log, a line at a time.
#[derive(Debug)]
pub struct LogWriter {
    file: File,
    own: Own,
    previous: Digest,
}

impl LogWriter {
    /// Starts a log in a new file.
    ///
    /// # Errors
    ///
    /// Fails if the file exists already, or cannot be written.
    pub fn create(path: &Path) -> io::Result<LogWriter> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(LogWriter { file, own: Own::new(path), previous: Digest::default() })
    }

    /// Opens a log to resume it: `read` reads its lines, and one after them that a crash has cut
    /// off is dropped. What `read` gives is given back.
    ///
    /// # Errors
    ///
    /// Fails at a line that was changed or is out of place, and where `read` does; then the file is
    /// left as it was.
    pub fn resume<T, E: From<NotResumed>>(
        path: &Path,
        read: impl FnOnce(&mut LogReader<BufReader<&File>>) -> Result<T, E>,
    ) -> Result<(LogWriter, T), E> {
        let unreadable = |error| E::from(NotResumed::Unreadable(error));
        let mut options = OpenOptions::new();
        let opened = file::open_with(path, options.read(true).write(true));
        let mut file = opened.map_err(unreadable)?;
        let mut own = Own::new(path);
        let mut lines = LogReader::new(BufReader::new(&file));
        let read = read(&mut lines)?;
        lines.skip_the_rest().map_err(NotResumed::Wrong)?;
        let (whole, previous) = (lines.whole, lines.previous);
        (own.bytes, own.games) = (whole, lines.games);
        file.set_len(whole).map_err(unreadable)?;
        file.seek(SeekFrom::Start(whole)).map_err(unreadable)?;
        Ok((LogWriter { file, own, previous }, read))
    }

    /// Gives the log another name, and takes the place of what has it.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be renamed.
    pub fn rename(&mut self, to: &Path) -> io::Result<()> {
        fs::rename(self.own.path(), to)?;
        self.own.moved_to(to);
        Ok(())
    }

    /// Whether the log is still where it was created, with just what was appended.
    ///
    /// # Errors
    ///
    /// Says what someone else has done to the file, and what became of the games in it.
    pub fn check(&self) -> io::Result<()> {
        self.own.check(&self.file)
    }

    /// The digest of the last line.
    pub fn head(&self) -> Digest {
        self.previous
    }

    /// Waits until all that was appended is on the disk.
    ///
    /// # Errors
    ///
    /// Fails if the disk does.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Appends a line, and leaves it to the operating system before it returns.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written; what came before is kept. Fails too where someone else
    /// has removed, replaced or changed the file, as [`check`](LogWriter::check) tells.
    pub fn append<C: Content>(&mut self, line: &C) -> io::Result<()> {
        let (text, digest) = chained(line, self.previous)?;
        // A line that cannot be read back would be lost anyway, and silently.
        if text.len() as u64 >= LONGEST_LINE {
            let problem =
                format!("a line of {} bytes, expected less than {LONGEST_LINE}", text.len());
            return Err(io::Error::other(problem));
        }
        self.check()?;
        self.make_sure_of_room(text.len() as u64)?;
        self.file.write_all(text.as_bytes())?;
        self.previous = digest;
        self.own.bytes += text.len() as u64;
        self.own.games += u64::from(line.is_game());
        // It may have gone while the line was written, and no line need come after this one.
        self.check()
    }
}

impl LogWriter {
    /// Refuses a line that would make the file too long.
    fn make_sure_of_room(&mut self, length: u64) -> io::Result<()> {
        must_fit(self.file.stream_position()?.saturating_add(length))
    }
}

/// Refuses a size that would end the program by a signal, for a limit on the size of files.
#[cfg(unix)]
pub(super) fn must_fit(size: u64) -> io::Result<()> {
    use rustix::process::{Resource, getrlimit};
    match getrlimit(Resource::Fsize).current {
        Some(limit) if size > limit => {
            Err(io::Error::other(format!("files are limited to {limit} bytes")))
        }
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
pub(super) fn must_fit(_size: u64) -> io::Result<()> {
    Ok(())
}

/// A line with its place in the chain and its line end, and its digest.
pub(super) fn chained<C: Content>(line: &C, previous: Digest) -> io::Result<(String, Digest)> {
    let mut text = serde_json::to_string(line)?;
    text.pop();
    text.push_str(&format!(",\"previous\":\"{previous}\""));
    let digest = Digest::hash(text.as_bytes());
    text.push_str(&format!(",\"sha256\":\"{digest}\"}}\n"));
    Ok((text, digest))
}
