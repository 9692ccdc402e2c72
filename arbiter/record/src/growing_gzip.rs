//! A compressed log that is still being written, read up to its last whole line.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::mem;

use crate::gzip::{Gunzip, Member};
use crate::line::LONGEST_LINE;

/// The number of bytes that are decompressed at once.
const PIECE: usize = 64 << 10;

/// The whole lines of a compressed file.
#[derive(Debug)]
pub(crate) struct GzipLines {
    file: File,
    /// Whole lines that are not read yet.
    ready: Cursor<Vec<u8>>,
    /// The member in which the lines that were ready last begin, or one before it.
    member: Member,
    /// The number of bytes in the lines that were ready so far.
    given: u64,
    /// The beginning of a line whose end was not decompressed yet.
    rest: Vec<u8>,
    /// The member in which that line begins, or one before it.
    of_rest: Member,
    state: State,
}

#[derive(Debug)]
enum State {
    Reading {
        lines: Gunzip<BufReader<File>>,
        /// The length of the file when this began, in bytes.
        length: u64,
    },
    /// All of the file was read while it had this length.
    Ended { length: u64 },
}

impl GzipLines {
    pub(crate) fn new(file: File) -> GzipLines {
        let (ready, rest, member) = (Cursor::new(Vec::new()), Vec::new(), Member::default());
        let state = State::Ended { length: 0 };
        GzipLines { file, ready, member, given: 0, rest, of_rest: member, state }
    }

    /// The member in which the lines given last begin, or one before it.
    pub(crate) fn member(&self) -> Member {
        self.member
    }

    /// Decompresses further whole lines; returns false where there are none yet.
    fn advance(&mut self) -> io::Result<bool> {
        let (lines, length) = match &mut self.state {
            State::Reading { lines, length } => (lines, *length),
            State::Ended { length: before } => {
                let length = self.file.metadata()?.len();
                if length == *before {
                    return Ok(false);
                }
                let lines = self.reopened()?;
                self.state = State::Reading { lines, length };
                return self.advance();
            }
        };
        let (begun, member) = (self.rest.len(), lines.member());
        if begun == 0 {
            self.of_rest = member;
        }
        let most = PIECE as u64;
        let read = lines.by_ref().take(most).read_to_end(&mut self.rest)?;
        if read == 0 {
            // What a crash left of a line may be written anew, and is read again.
            self.rest.clear();
            self.state = State::Ended { length };
            return Ok(false);
        }
        let end = self.rest[begun..].iter().rposition(|byte| *byte == b'\n');
        let end = match end {
            Some(place) => begun + place + 1,
            // The reader says that it is too long.
            None if self.rest.len() as u64 > LONGEST_LINE => self.rest.len(),
            None => return Ok(true),
        };
        let rest = self.rest.split_off(end);
        self.ready = Cursor::new(mem::replace(&mut self.rest, rest));
        self.member = mem::replace(&mut self.of_rest, member);
        self.given += end as u64;
        Ok(true)
    }

    /// The lines behind those that were given.
    fn reopened(&self) -> io::Result<Gunzip<BufReader<File>>> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(self.of_rest.compressed))?;
        let mut lines = Gunzip::new(BufReader::new(file), self.of_rest);
        let before = self.given.saturating_sub(self.of_rest.plain);
        match io::copy(&mut lines.by_ref().take(before), &mut io::sink())? {
            skipped if skipped == before => Ok(lines),
            _ => Err(io::Error::other("it was cut off while it was read")),
        }
    }
}

impl Read for GzipLines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.ready.read(buffer)?;
            if read > 0 || buffer.is_empty() || !self.advance()? {
                return Ok(read);
            }
        }
    }
}
