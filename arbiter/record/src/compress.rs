//! Compressing a log that no line is added to any more.
//!
//! The compressed file is written beside the plain one, read back and compared with it, and waited for until it is on
//! the disk. Only then is the plain one removed, so a crash at any point loses nothing: with both files there, the
//! plain one counts, and the next try goes on.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

use sandbox::{file, new_file};
use text::system_error;
use thiserror::Error;

use crate::checked_log::{CheckedLog, LogRange};
use crate::gzip::Compressor;
use crate::line::LONGEST_LINE;
use crate::source::is_gzip;
use crate::{LogFile, LogFileError, LogReader};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompressionResult {
    pub path: PathBuf,
    /// The length of the plain file, in bytes.
    pub before: u64,
    /// The length of the compressed one.
    pub after: u64,
}

/// What shows that no line is added to a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndEvidence {
    /// Its last line: the end, or the game at which it had to stop.
    Line,
    /// Another log that continues from it.
    Continued,
}

/// The reason why a log is not compressed. Nothing was changed then.
#[derive(Debug, Error)]
pub enum CompressionError {
    #[error("is compressed already")]
    Already,
    #[error("is unfinished: compress it when it is complete")]
    NotOver,
    #[error("`{0}` already exists with different content: move it elsewhere")]
    Taken(String),
    #[error(transparent)]
    Bad(#[from] LogFileError),
    #[error("cannot be compressed: {}", system_error(.0))]
    Unwritten(#[from] io::Error),
}

/// Compresses a log, and removes the plain file once the other one is whole.
pub fn compress(path: &Path, last: EndEvidence) -> Result<CompressionResult, CompressionError> {
    let mut plain = file::open(path).map_err(LogFileError::Unreadable)?;
    if is_gzip(&mut plain)? {
        return Err(CompressionError::Already);
    }
    let whole = whole_lines(path, last)?;
    let to = name(path);
    if fs::symlink_metadata(&to).is_ok() {
        // A try that was killed leaves both files.
        let mut found = LogFile::new(file::open(&to)?)?;
        if !is_same(&mut found, &plain, whole)? {
            return Err(CompressionError::Taken(to.display().to_string()));
        }
    } else {
        let folder = file::folder_of(path);
        let mut new = new_file::file_in(folder)?;
        write(&plain, whole, new.as_file_mut())?;
        let mut written = LogFile::new(new.reopen()?)?;
        if !is_same(&mut written, &plain, whole)? {
            return Err(io::Error::other("the compressed file does not read back the same").into());
        }
        new.as_file().set_permissions(plain.metadata()?.permissions())?;
        new.as_file().sync_all()?;
        new.persist_noclobber(&to).map_err(|error| error.error)?;
    }
    file::sync_folder(file::folder_of(path))?;
    let (before, after) = (plain.metadata()?.len(), fs::metadata(&to)?.len());
    fs::remove_file(path)?;
    file::sync_folder(file::folder_of(path))?;
    Ok(CompressionResult { path: to, before, after })
}

/// The name of a log once it is compressed.
pub fn name(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".gz");
    name.into()
}

/// The number of bytes in the whole lines of a log, each of which is in its place.
fn whole_lines(path: &Path, last: EndEvidence) -> Result<u64, CompressionError> {
    let lines = LogReader::new(crate::open(path).map_err(LogFileError::Unreadable)?);
    let mut log = CheckedLog::begin(lines, LogRange::SoFar, None).map_err(LogFileError::from)?;
    while log.next_game(|_, _, ()| Ok(())).map_err(LogFileError::from)?.is_some() {}
    match log.fold().is_closed() || last == EndEvidence::Continued {
        true => Ok(log.lines().bytes()),
        false => Err(CompressionError::NotOver),
    }
}

/// Writes the first bytes of a plain log compressed.
fn write(mut plain: &File, whole: u64, to: &mut File) -> io::Result<()> {
    plain.rewind()?;
    let mut lines = BufReader::new(plain.take(whole));
    let mut compressor = Compressor::new();
    let mut line = Vec::new();
    while lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? > 0 {
        to.write_all(&compressor.line(&line)?)?;
        line.clear();
    }
    to.write_all(&compressor.close()?)
}

/// Returns true if a log holds just the first bytes of a plain one.
fn is_same(log: &mut LogFile, mut plain: &File, whole: u64) -> io::Result<bool> {
    plain.rewind()?;
    let mut plain = BufReader::new(plain.take(whole));
    loop {
        let (one, other) = (log.fill_buf()?, plain.fill_buf()?);
        let both = one.len().min(other.len());
        if one[..both] != other[..both] {
            return Ok(false);
        }
        if both == 0 {
            return Ok(one.is_empty() && other.is_empty());
        }
        log.consume(both);
        plain.consume(both);
    }
}
