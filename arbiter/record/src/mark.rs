//! Places in a log from which it is read again without the lines before.

use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::Path;

use rules::Digest;

use crate::{LogReader, Source};
use sandbox::file;

/// The place behind a line of a log that was read, with the digest of that line: what stands there now
/// must still follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// How many bytes come before it.
    bytes: u64,
    /// The number of the line before it, from 1.
    number: usize,
    /// The digest of that line.
    previous: Digest,
}

impl Mark {
    /// How many bytes are between this place and a later one.
    pub fn bytes_to(&self, later: &Mark) -> u64 {
        later.bytes.saturating_sub(self.bytes)
    }

    /// The lines of a log from this place on.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot be opened.
    pub fn open(&self, path: &Path) -> io::Result<LogReader<Source>> {
        let mut file = file::open(path)?;
        file.seek(SeekFrom::Start(self.bytes))?;
        let Mark { bytes, number, previous } = *self;
        Ok(LogReader { source: BufReader::new(file), number, previous, whole: bytes, games: 0 })
    }
}

impl<R> LogReader<R> {
    /// The place behind the line read last.
    pub fn mark(&self) -> Mark {
        Mark { bytes: self.whole, number: self.number, previous: self.previous }
    }
}
