//! The file of a log, opened to be read: plain, or compressed by gzip, whatever its name is.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rules::Digest;
use sandbox::file::{self, ReadableFile};

use crate::gzip::{AppendPoint, Gunzip, MAGIC, MemberStart, tail};
use crate::line::{LONGEST_LINE, unchained};

/// The most that is read from a pipe, in bytes.
const LONGEST_STREAM: u64 = 64 << 30;

/// The number of bytes read first to find the last line, which is seldom longer.
const FIRST_LOOK: u64 = 64 << 10;

/// The number of bytes before the end of a compressed log in which the beginning of its last member is
/// looked for.
const LAST_MEMBER: u64 = 4 << 20;

/// The lines of a log in a file.
#[derive(Debug)]
pub struct LogFile(Form);

#[derive(Debug)]
enum Form {
    Plain(BufReader<File>),
    Gzip {
        lines: BufReader<Gunzip<BufReader<File>>>,
        /// The same file once more, to read it from elsewhere.
        file: File,
    },
}

/// Opens a log. A pipe is copied to a file without a name first, since the seed in the last line is needed
/// for the first line.
///
/// # Errors
///
/// Fails if it cannot be read, and where it is neither a regular file nor a stream that this
/// process has open.
///
/// A custom game whose copy lies beside the log is known from then on.
pub fn open(path: &Path) -> io::Result<LogFile> {
    games::know_beside(path);
    LogFile::new(match file::open_or_stream(path)? {
        ReadableFile::Regular(file) => file,
        ReadableFile::Stream(stream) => copied(stream)?,
    })
}

/// The number of bytes in the lines of a log, or 0 if there is none; nothing if it is compressed, as only reading
/// all of it would tell.
pub fn length(path: &Path) -> Option<u64> {
    let Ok(mut file) = file::open(path) else { return Some(0) };
    let is_gzip = is_gzip(&mut file).unwrap_or_default();
    (!is_gzip).then(|| file.metadata().map_or(0, |found| found.len()))
}

impl LogFile {
    /// The lines of a log in a file, from its beginning.
    pub(crate) fn new(mut file: File) -> io::Result<LogFile> {
        file.rewind()?;
        Ok(LogFile(match is_gzip(&mut file)? {
            true => Form::gzip(file, MemberStart::default())?,
            false => Form::Plain(BufReader::new(file)),
        }))
    }

    /// What comes behind this number of bytes in the lines of a log. If it is compressed, that place is in this
    /// member or behind it.
    pub(crate) fn behind(mut file: File, bytes: u64, member: MemberStart) -> io::Result<LogFile> {
        if !is_gzip(&mut file)? {
            file.seek(SeekFrom::Start(bytes))?;
            return Ok(LogFile(Form::Plain(BufReader::new(file))));
        }
        file.seek(SeekFrom::Start(member.compressed))?;
        let mut source = LogFile(Form::gzip(file, member)?);
        skip(&mut source, bytes.saturating_sub(member.plain))?;
        Ok(source)
    }

    /// The end of a log that was read up to its last whole line, which has this distance from its beginning; none
    /// if the log is plain.
    pub(crate) fn tail(&self, whole: u64) -> io::Result<Option<AppendPoint>> {
        let Form::Gzip { lines, file } = &self.0 else { return Ok(None) };
        match lines.get_ref().next_member() {
            Some(next) if next.plain == whole => Ok(Some(AppendPoint::at(next.compressed))),
            _ => tail(file, lines.get_ref().member(), whole).map(Some),
        }
    }
}

impl Form {
    fn gzip(file: File, member: MemberStart) -> io::Result<Form> {
        let lines = Gunzip::new(BufReader::new(file.try_clone()?), member);
        Ok(Form::Gzip { lines: BufReader::new(lines), file })
    }
}

impl Read for LogFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Form::Plain(lines) => lines.read(buffer),
            Form::Gzip { lines, .. } => lines.read(buffer),
        }
    }
}

impl BufRead for LogFile {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match &mut self.0 {
            Form::Plain(lines) => lines.fill_buf(),
            Form::Gzip { lines, .. } => lines.fill_buf(),
        }
    }

    fn consume(&mut self, length: usize) {
        match &mut self.0 {
            Form::Plain(lines) => lines.consume(length),
            Form::Gzip { lines, .. } => lines.consume(length),
        }
    }
}

/// Lines whose last one can be read first.
pub trait LastLineSource: BufRead {
    /// The last line without its line feed; nothing if it is longer than any line can be. Then they are read from
    /// their beginning.
    fn last_line(&mut self) -> io::Result<Vec<u8>>;
}

impl LastLineSource for LogFile {
    fn last_line(&mut self) -> io::Result<Vec<u8>> {
        match &mut self.0 {
            Form::Plain(lines) => sought_last_line(lines),
            Form::Gzip { file, .. } => {
                let file = file.try_clone()?;
                let last = last_compressed_line(&file);
                *self = LogFile::new(file)?;
                last
            }
        }
    }
}

impl<T: AsRef<[u8]>> LastLineSource for Cursor<T> {
    fn last_line(&mut self) -> io::Result<Vec<u8>> {
        sought_last_line(self)
    }
}

/// The last line of what can be sought in, which is left at its beginning.
fn sought_last_line(source: &mut (impl Read + Seek)) -> io::Result<Vec<u8>> {
    let last = last_line_of_bytes(source)?;
    source.rewind()?;
    Ok(last)
}

fn last_line_of_bytes(source: &mut (impl Read + Seek)) -> io::Result<Vec<u8>> {
    let length = source.seek(SeekFrom::End(0))?;
    let mut look = FIRST_LOOK;
    loop {
        source.seek(SeekFrom::Start(length.saturating_sub(look)))?;
        let mut tail = Vec::new();
        source.by_ref().take(look).read_to_end(&mut tail)?;
        if let Some(last) = behind_line_end(&mut tail) {
            return Ok(last);
        }
        if look >= length {
            return Ok(tail);
        }
        if look >= LONGEST_LINE {
            return Ok(Vec::new());
        }
        look *= 8;
    }
}

/// The last line of these, without its line feed; nothing if there is no line end before it.
fn behind_line_end(lines: &mut Vec<u8>) -> Option<Vec<u8>> {
    lines.pop_if(|byte| *byte == b'\n');
    let before = lines.iter().rposition(|&byte| byte == b'\n')?;
    Some(lines.split_off(before + 1))
}

/// The last line of a compressed log. Where it is damaged, a reader of all lines says at which of them.
fn last_compressed_line(file: &File) -> io::Result<Vec<u8>> {
    match last_line_of_members(file)? {
        Some(last) => Ok(last),
        None => match last_chained_line(LogFile::new(file.try_clone()?)?) {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(Vec::new()),
            last => last,
        },
    }
}

/// The last line, if one of the last members can be read to the end of the file, and another line ends in it.
fn last_line_of_members(mut file: &File) -> io::Result<Option<Vec<u8>>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(LAST_MEMBER)))?;
    let mut end = Vec::new();
    file.take(LAST_MEMBER).read_to_end(&mut end)?;
    let begins = |place: &usize| end[*place..].starts_with(&BEGINNING);
    for place in (0..end.len()).rev().filter(begins).take(MOST_MEMBERS) {
        let member = Gunzip::new(&end[place..], MemberStart::default());
        let mut lines = Vec::new();
        let read = member.take(LONGEST_LINE).read_to_end(&mut lines);
        if read.is_ok_and(|length| (length as u64) < LONGEST_LINE)
            && let Some(last) = behind_line_end(&mut lines)
        {
            return Ok(Some(last));
        }
    }
    Ok(None)
}

/// The first bytes of a member without a name.
const BEGINNING: [u8; 4] = [MAGIC[0], MAGIC[1], 8, 0];

/// The most members that are tried from the end.
const MOST_MEMBERS: usize = 4;

/// The last of the lines that are in the chain, without its line feed. Nothing behind them is read: a reader stops there,
/// too, and a small file can hold any number of empty lines.
fn last_chained_line(mut lines: impl BufRead) -> io::Result<Vec<u8>> {
    let mut previous = Digest::default();
    let (mut last, mut line) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        let text = line.strip_suffix(b"\n").and_then(|text| std::str::from_utf8(text).ok());
        match text.map(unchained) {
            Some(Ok((_, before, own))) if before == previous => previous = own,
            _ => break,
        }
        std::mem::swap(&mut line, &mut last);
    }
    last.pop_if(|byte| *byte == b'\n');
    Ok(last)
}

/// Returns true if a file begins as gzip does; it is left at its beginning.
pub(crate) fn is_gzip(file: &mut File) -> io::Result<bool> {
    file.rewind()?;
    let first = first_bytes(&mut *file)?;
    file.rewind()?;
    Ok(first == MAGIC)
}

/// The first two bytes, or what there is.
pub(crate) fn first_bytes(source: impl Read) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    source.take(MAGIC.len() as u64).read_to_end(&mut first)?;
    Ok(first)
}

fn skip(source: &mut LogFile, bytes: u64) -> io::Result<()> {
    match io::copy(&mut source.take(bytes), &mut io::sink())? {
        skipped if skipped == bytes => Ok(()),
        _ => Err(io::Error::other("it was cut off since it was read")),
    }
}

/// Copies a pipe up to about the first line that is out of the chain. No more is read, and an endless stream would
/// fill the disk.
fn copied(mut stream: File) -> io::Result<File> {
    let first = first_bytes(&mut stream)?;
    let is_gzip = first == MAGIC;
    let copy = BufWriter::new(tempfile::tempfile()?);
    let mut source =
        CopyingReader { source: Cursor::new(first).chain(stream).take(LONGEST_STREAM), copy };
    let lines = BufReader::new(&mut source);
    match is_gzip {
        // If it is damaged, so is the copy, and a reader says where.
        true => match last_chained_line(BufReader::new(Gunzip::new(lines, MemberStart::default())))
        {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {}
            read => drop(read?),
        },
        false => drop(last_chained_line(lines)?),
    }
    if source.source.limit() == 0 {
        return Err(file::too_long(LONGEST_STREAM));
    }
    source.copy.into_inner().map_err(io::IntoInnerError::into_error)
}

/// A source of which everything that is read is copied.
struct CopyingReader<R, W> {
    source: R,
    copy: W,
}

impl<R: Read, W: Write> Read for CopyingReader<R, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        self.copy.write_all(&buffer[..length])?;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `verify` worked for 9 s on 1.8 MB of compressed line feeds.
    #[test]
    fn the_last_line_is_not_looked_for_behind_a_bad_one() {
        const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/matches/coup.jsonl");
        let log = std::fs::read(LOG).expect("an example");
        let last = log[..log.len() - 1].rsplit(|byte| *byte == b'\n').next().expect("a line");
        for byte in [b'\n', b' ', b'\0', b'}'] {
            let mut rest = io::repeat(byte).take(1 << 30);
            let lines = BufReader::new(Cursor::new(&log).chain(&mut rest));
            assert_eq!(last_chained_line(lines).expect("in memory"), last, "{byte}");
            let read = (1 << 30) - rest.limit();
            assert!(read <= 2 * LONGEST_LINE, "{byte}: {read} bytes were read");
        }
    }
}
