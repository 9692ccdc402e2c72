//! Writing and resuming a log.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rules::Digest;
use text::{counted, printable};

use super::line::LONGEST_LINE;
use super::{LineContent, LogFile, LogFileError, LogReader};
use crate::gzip::{AppendPoint, Compressor};
use crate::stderr_texts::StderrVisibility;
use sandbox::file;

/// Writes a log, a line at a time, and compresses it if the name of its file ends in `.gz`.
#[derive(Debug)]
pub struct LogWriter {
    file: File,
    path: PathBuf,
    /// What compresses the lines; none for a plain log.
    gzip: Option<Compressor>,
    /// The expected length of the file in bytes.
    bytes: u64,
    /// The number of games in it, with every attempt counted.
    games: u64,
    previous: Digest,
}

impl LogWriter {
    /// Starts a log in a new file.
    pub fn create(path: &Path) -> io::Result<LogWriter> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let gzip = is_compressed(path).then(Compressor::new);
        let path = path.to_owned();
        Ok(LogWriter { file, path, gzip, bytes: 0, games: 0, previous: Digest::default() })
    }

    /// Opens a log to resume it, and returns the result of `read`, which reads its lines. A last line that a
    /// crash cut off is dropped.
    ///
    /// # Errors
    ///
    /// Fails at a line that was changed or is out of place, and where `read` does; then the file is
    /// left as it was.
    pub fn resume<T, E: From<LogFileError>>(
        path: &Path,
        read: impl FnOnce(&mut LogReader<LogFile>) -> Result<T, E>,
    ) -> Result<(LogWriter, T), E> {
        let unreadable = |error| E::from(LogFileError::Unreadable(error));
        let mut options = OpenOptions::new();
        let opened = file::open_with(path, options.read(true).write(true));
        let mut file = opened.map_err(unreadable)?;
        let source = file.try_clone().and_then(LogFile::new).map_err(unreadable)?;
        let mut lines = LogReader::new(source).with_stderr(path, StderrVisibility::Shown);
        let read = read(&mut lines)?;
        lines.skip_the_rest().map_err(LogFileError::Wrong)?;
        let LogReader { source, whole, games, previous, .. } = lines;
        let (gzip, end) = match source.tail(whole).map_err(unreadable)? {
            Some(end) => (Some(Compressor::new()), end),
            // Without a line it is empty, whatever it is to be.
            None => {
                ((whole == 0 && is_compressed(path)).then(Compressor::new), AppendPoint::at(whole))
            }
        };
        let bytes = end.cut(&mut file).map_err(unreadable)?;
        Ok((LogWriter { file, path: path.to_owned(), gzip, bytes, games, previous }, read))
    }

    /// Renames the log, replacing a file of the new name.
    pub fn rename(&mut self, to: &Path) -> io::Result<()> {
        fs::rename(&self.path, to)?;
        self.path = to.to_owned();
        Ok(())
    }

    /// Checks that the log is still where it was created, with just what was appended.
    ///
    /// # Errors
    ///
    /// Says what another program did to the file, and what became of the games in it.
    pub fn check(&self) -> io::Result<()> {
        let found = self.file.metadata()?;
        self.check_place(&found)?;
        if found.len() == self.bytes {
            return Ok(());
        }
        let (shown, length, expected) = (self.display_path(), found.len(), self.bytes);
        let games = match self.games {
            0 => "no game was in it".to_owned(),
            games => format!(
                "see `arbiter show` for what remains of the {}",
                counted(games, "game", "games")
            ),
        };
        Err(io::Error::other(format!(
            "{shown} was changed by another program while it was written: it has {length} bytes, \
             expected {expected}; {games}"
        )))
    }

    /// Checks that the path still leads to this file.
    #[cfg(unix)]
    fn check_place(&self, found: &fs::Metadata) -> io::Result<()> {
        use std::os::unix::fs::MetadataExt;
        let there = match fs::metadata(&self.path) {
            Ok(there) if (there.dev(), there.ino()) == (found.dev(), found.ino()) => return Ok(()),
            Ok(_) => "replaced by another file",
            // Nothing says then that it is another file, and writing to it will tell.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
            Err(_) => "removed",
        };
        let (shown, is_gone) = (self.display_path(), found.nlink() == 0);
        let games = counted(self.games, "game", "games");
        let problem = match (present_path(&self.file).filter(|_| !is_gone), self.games) {
            (Some(path), 0) => format!("moved to `{path}` while it was written, without a game"),
            (Some(path), _) => format!("moved to `{path}` while it was written, with {games}"),
            (None, 0) => format!("{there} while it was written; no game was in it"),
            (None, _) if is_gone => {
                format!("{there} while it was written, and {games} with it are lost")
            }
            (None, _) => {
                format!("{there} while it was written; {games} are in a file with a different name")
            }
        };
        Err(io::Error::other(format!("{shown} was {problem}")))
    }

    #[cfg(not(unix))]
    fn check_place(&self, _found: &fs::Metadata) -> io::Result<()> {
        Ok(())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn display_path(&self) -> String {
        format!("`{}`", printable(&self.path.display().to_string()))
    }

    pub fn head(&self) -> Digest {
        self.previous
    }

    /// Waits until all that was appended is on the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        must_fit(self.bytes.saturating_add(bytes.len() as u64))?;
        self.file.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Appends a line, and leaves it to the operating system before it returns.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written; the lines before are kept. Also fails if another program
    /// removed, replaced or changed the file, as [`check`](LogWriter::check) says.
    pub fn append<C: LineContent>(&mut self, line: &C) -> io::Result<()> {
        self.append_all(std::slice::from_ref(line)).map(|_| ())
    }

    /// Does the same with several lines, and returns their digests. They are written at once, so that a program that is
    /// killed leaves all of them or none.
    pub fn append_all<C: LineContent>(&mut self, lines: &[C]) -> io::Result<Vec<Digest>> {
        let (mut texts, mut digests) = (Vec::new(), Vec::new());
        for line in lines {
            let (text, digest) = chained(line, digests.last().copied().unwrap_or(self.previous))?;
            // A line that cannot be read back would be lost anyway, and silently.
            if text.len() as u64 >= LONGEST_LINE {
                let problem =
                    format!("a line of {} bytes, expected less than {LONGEST_LINE}", text.len());
                return Err(io::Error::other(problem));
            }
            texts.push(text);
            digests.push(digest);
        }
        self.check()?;
        let bytes = match &mut self.gzip {
            None => texts.concat().into_bytes(),
            Some(gzip) => {
                let mut bytes = Vec::new();
                for (line, text) in lines.iter().zip(&texts) {
                    bytes.extend(gzip.line(text.as_bytes())?);
                    if line.is_last() {
                        bytes.extend(gzip.close()?);
                    }
                }
                bytes
            }
        };
        self.write(&bytes)?;
        self.previous = digests.last().copied().unwrap_or(self.previous);
        self.games += lines.iter().filter(|line| line.is_game()).count() as u64;
        // It may have gone while the lines were written, and no line need come after these.
        self.check()?;
        Ok(digests)
    }
}

/// Closes the last member, so that other programs find it whole. Without that, too, no line is lost.
impl Drop for LogWriter {
    fn drop(&mut self) {
        let closing = self.gzip.as_mut().and_then(|gzip| gzip.close().ok());
        if let Some(closing) = closing.filter(|bytes| !bytes.is_empty())
            && self.check().is_ok()
        {
            let _ = self.write(&closing);
        }
    }
}

/// Returns true if a log of this name is written compressed.
pub fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "gz")
}

/// Refuses a size that would end the program by a signal, for a limit on the size of files.
#[cfg(unix)]
pub(crate) fn must_fit(size: u64) -> io::Result<()> {
    use rustix::process::{Resource, getrlimit};
    match getrlimit(Resource::Fsize).current {
        Some(limit) if size > limit => {
            Err(io::Error::other(format!("files are limited to {limit} bytes")))
        }
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
pub(crate) fn must_fit(_size: u64) -> io::Result<()> {
    Ok(())
}

/// A line with its place in the chain and its line end, and its digest.
pub(crate) fn chained<C: LineContent>(line: &C, previous: Digest) -> io::Result<(String, Digest)> {
    let mut text = serde_json::to_string(line)?;
    text.pop();
    text.push_str(&format!(",\"previous\":\"{previous}\""));
    let digest = Digest::hash(text.as_bytes());
    text.push_str(&format!(",\"sha256\":\"{digest}\"}}\n"));
    Ok((text, digest))
}

/// The present path of an open file, on systems that know it.
#[cfg(unix)]
fn present_path(file: &File) -> Option<String> {
    use std::os::fd::AsRawFd;
    let path = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()?;
    path.exists().then(|| printable(&path.display().to_string()))
}
