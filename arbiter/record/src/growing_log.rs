//! Logs that are still being written: read as they grow, or up to the last whole line.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;
use std::{mem, thread};

use sandbox::file::{self, ReadableFile};

use crate::gzip::{Gunzip, MAGIC, MemberStart};
use crate::line::LONGEST_LINE;
use crate::source::{first_bytes, is_gzip};

/// The time between two attempts to read more.
const PAUSE: Duration = Duration::from_millis(100);

/// The number of bytes that are searched at once for the end of the last line.
const PIECE: usize = 64 << 10;

/// Opens a log that is read as it grows.
///
/// Nothing shows that a writer is gone for good, so only the reader can know when to stop.
pub(crate) fn open_growing(path: &Path) -> io::Result<BufReader<Box<dyn Read>>> {
    ::games::know_beside(path);
    let mut waiting = FollowedFile(match file::open_or_stream(path)? {
        ReadableFile::Regular(file) | ReadableFile::Stream(file) => file,
    });
    let first = first_bytes(&mut waiting)?;
    let is_gzip = first == MAGIC;
    let begun = Cursor::new(first).chain(waiting);
    Ok(BufReader::new(match is_gzip {
        true => Box::new(Gunzip::new(BufReader::new(begun), MemberStart::default())),
        false => Box::new(begun),
    }))
}

/// A file whose end is waited at.
#[derive(Debug)]
struct FollowedFile(File);

impl Read for FollowedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer)? {
                0 if buffer.is_empty() => return Ok(0),
                0 => {}
                length => return Ok(length),
            }
            // A pipe tells by itself when its writer is gone.
            let Ok(place) = self.0.stream_position() else { return Ok(0) };
            if self.0.metadata()?.len() < place {
                return Err(io::Error::other("it was cut off while it was followed"));
            }
            thread::sleep(PAUSE);
        }
    }
}

/// A log up to the end of its last whole line. Reading gives nothing at that end, and continues from
/// there once more lines are written.
#[derive(Debug)]
pub struct WholeLines(WholeLinesForm);

#[derive(Debug)]
enum WholeLinesForm {
    /// Nothing was read yet.
    Unknown(File),
    Plain(PlainLines),
    Gzip(GzipLines),
}

impl WholeLines {
    /// Opens a log to read the whole lines, again and again.
    pub fn open(path: &Path) -> io::Result<BufReader<WholeLines>> {
        ::games::know_beside(path);
        Ok(BufReader::new(WholeLines(WholeLinesForm::Unknown(file::open(path)?))))
    }

    /// The member in which the lines given last begin, if the log is compressed.
    pub(crate) fn member(&self) -> MemberStart {
        match &self.0 {
            WholeLinesForm::Unknown(_) | WholeLinesForm::Plain(_) => MemberStart::default(),
            WholeLinesForm::Gzip(lines) => lines.member(),
        }
    }
}

impl Read for WholeLines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.0 {
                WholeLinesForm::Plain(lines) => return lines.read(buffer),
                WholeLinesForm::Gzip(lines) => return lines.read(buffer),
                // A single byte does not show yet what the file is.
                WholeLinesForm::Unknown(file) if file.metadata()?.len() < MAGIC.len() as u64 => {
                    return Ok(0);
                }
                WholeLinesForm::Unknown(file) => {
                    let mut file = file.try_clone()?;
                    self.0 = match is_gzip(&mut file)? {
                        true => WholeLinesForm::Gzip(GzipLines::new(file)),
                        false => WholeLinesForm::Plain(PlainLines::new(file)),
                    };
                }
            }
        }
    }
}

/// The whole lines of a plain file.
#[derive(Debug)]
struct PlainLines {
    file: File,
    position: u64,
    /// The end of the last known whole line.
    end: u64,
    /// The place up to which there is no further line end.
    searched: u64,
}

impl PlainLines {
    fn new(file: File) -> PlainLines {
        PlainLines { file, position: 0, end: 0, searched: 0 }
    }

    /// Looks for whole lines behind those that are known.
    fn look(&mut self) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        if length < self.end {
            return Err(io::Error::other("it was cut off while it was read"));
        }
        // The rest of a line that a crash left may be gone by now.
        let from = if length < self.searched { self.end } else { self.searched };
        let mut upto = length;
        let mut piece = vec![0; PIECE];
        while upto > from {
            let start = upto.saturating_sub(PIECE as u64).max(from);
            let piece = &mut piece[..usize::try_from(upto - start).unwrap_or(PIECE)];
            self.file.seek(SeekFrom::Start(start))?;
            self.file.read_exact(piece)?;
            if let Some(place) = piece.iter().rposition(|byte| *byte == b'\n') {
                self.end = start + place as u64 + 1;
                break;
            }
            upto = start;
        }
        self.searched = length.max(self.end);
        Ok(())
    }
}

impl Read for PlainLines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.position == self.end {
            self.look()?;
        }
        let left = usize::try_from(self.end - self.position).unwrap_or(usize::MAX);
        let most = buffer.len().min(left);
        if most == 0 {
            return Ok(0);
        }
        self.file.seek(SeekFrom::Start(self.position))?;
        let read = self.file.read(&mut buffer[..most])?;
        self.position += read as u64;
        Ok(read)
    }
}

/// The whole lines of a compressed log that is still being written.
#[derive(Debug)]
pub(crate) struct GzipLines {
    file: File,
    /// Whole lines that are not read yet.
    ready: Cursor<Vec<u8>>,
    /// The member in which the lines that were ready last begin, or one before it.
    member: MemberStart,
    /// The number of bytes in the lines that were ready so far.
    given: u64,
    /// The beginning of a line whose end was not decompressed yet.
    rest: Vec<u8>,
    /// The member in which that line begins, or one before it.
    of_rest: MemberStart,
    state: GzipLinesState,
}

#[derive(Debug)]
enum GzipLinesState {
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
        let (ready, rest, member) = (Cursor::new(Vec::new()), Vec::new(), MemberStart::default());
        let state = GzipLinesState::Ended { length: 0 };
        GzipLines { file, ready, member, given: 0, rest, of_rest: member, state }
    }

    /// The member in which the lines given last begin, or one before it.
    pub(crate) fn member(&self) -> MemberStart {
        self.member
    }

    /// Decompresses further whole lines; returns false where there are none yet.
    fn advance(&mut self) -> io::Result<bool> {
        let (lines, length) = match &mut self.state {
            GzipLinesState::Reading { lines, length } => (lines, *length),
            GzipLinesState::Ended { length: before } => {
                let length = self.file.metadata()?.len();
                if length == *before {
                    return Ok(false);
                }
                let lines = self.reopened()?;
                self.state = GzipLinesState::Reading { lines, length };
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
            self.state = GzipLinesState::Ended { length };
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{BufRead, Write};

    use super::*;

    /// Lines come in pieces, some are longer than `PIECE`, and a crash leaves half a line, later removed.
    #[test]
    fn only_whole_lines_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        let mut file = File::create(&path).expect("a file");
        let mut lines = WholeLines::open(&path).expect("it opens");
        let next = |lines: &mut BufReader<WholeLines>| {
            let mut text = String::new();
            lines.read_line(&mut text).expect("it is read");
            text
        };
        assert_eq!(next(&mut lines), "");
        file.write_all(b"one\ntw").expect("it is written");
        assert_eq!(next(&mut lines), "one\n");
        assert_eq!(next(&mut lines), "");
        file.write_all(b"o\n").expect("it is written");
        assert_eq!(next(&mut lines), "two\n");
        let long = "x".repeat(3 * PIECE);
        file.write_all(long.as_bytes()).expect("it is written");
        assert_eq!(next(&mut lines), "");
        file.write_all(b"\nhalf").expect("it is written");
        assert_eq!(next(&mut lines), long + "\n");
        assert_eq!(next(&mut lines), "");
        let whole = fs::metadata(&path).expect("it is there").len() - 4;
        file.set_len(whole).expect("it is cut");
        assert_eq!(next(&mut lines), "");
        let mut file = fs::OpenOptions::new().append(true).open(&path).expect("it opens");
        file.write_all(b"last\n").expect("it is written");
        assert_eq!(next(&mut lines), "last\n");
        file.set_len(3).expect("it is cut");
        let mut text = String::new();
        assert!(lines.read_line(&mut text).is_err());
    }
}
