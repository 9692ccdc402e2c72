//! Compressing lines, so that each can be read back once its bytes are written, and the end of a log that is written on.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};

use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress};

use crate::gzip::{FLUSHED, HEADER, Member, damaged};
use crate::line::LONGEST_LINE;

/// The place from which on a compressed log is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tail {
    /// Its distance from the beginning of the file.
    compressed: u64,
    /// The bytes to write there first.
    closing: Vec<u8>,
}

impl Tail {
    /// The end of a plain log, or of a member that is closed.
    pub(crate) fn at(place: u64) -> Tail {
        Tail { compressed: place, closing: Vec::new() }
    }

    /// Cuts a file off there and closes the member. Returns the length of the file, at whose end it is left.
    pub(crate) fn cut(self, file: &mut File) -> io::Result<u64> {
        file.set_len(self.compressed)?;
        file.seek(SeekFrom::Start(self.compressed))?;
        file.write_all(&self.closing)?;
        Ok(self.compressed + self.closing.len() as u64)
    }
}

/// An empty last block, which closes the compressed bytes of a member after a flush.
const LAST_BLOCK: [u8; 2] = [3, 0];

/// The end of a file with this many bytes of whole lines, the last of them in this member, which was not closed.
///
/// If the last line was cut off in the bytes of its flush, it is written anew. Its writer had not got to know then
/// that it was written, so no other file depends on it.
pub(crate) fn tail(file: &File, last: Member, whole: u64) -> io::Result<Tail> {
    let Some(wanted) = whole.checked_sub(last.plain) else { return Err(elsewhere(last)) };
    let mut end = Tail::at(last.compressed);
    if wanted == 0 {
        return Ok(end);
    }
    let mut file = file;
    file.seek(SeekFrom::Start(last.compressed))?;
    let mut source = BufReader::new(file);
    let mut header = HEADER;
    source.read_exact(&mut header)?;
    if header[3] != 0 {
        return Err(elsewhere(last));
    }
    let mut member = Inflating::new(last.compressed + header.len() as u64);
    loop {
        let piece = up_to_flush(&mut source)?;
        member.take(&piece, wanted)?;
        if piece.ends_with(&FLUSHED) && u64::from(member.crc.amount()) <= wanted {
            let closing = [LAST_BLOCK.as_slice(), &trailer(&member.crc)].concat();
            end = Tail { compressed: member.place, closing };
            member.line.clear();
        }
        if piece.is_empty() || u64::from(member.crc.amount()) >= wanted {
            break;
        }
    }
    let is_line_end = |byte: &&u8| **byte == b'\n';
    match member.line.iter().filter(is_line_end).count() {
        0 if member.line.is_empty() => Ok(end),
        1 if member.line.ends_with(b"\n") => {
            end.closing.extend(Compressor::new().line(&member.line, LinesAfter::None)?);
            Ok(end)
        }
        _ => Err(elsewhere(last)),
    }
}

/// The longest piece that is read at a time.
const PIECE: usize = 64 << 10;

/// The next bytes, up to the next ones that may be the end of a flush.
fn up_to_flush(source: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut piece = Vec::new();
    while piece.len() < PIECE && !piece.ends_with(&FLUSHED) {
        let left = (PIECE - piece.len()) as u64;
        if source.by_ref().take(left).read_until(FLUSHED[3], &mut piece)? == 0 {
            break;
        }
    }
    Ok(piece)
}

/// A member that is decompressed piece by piece.
struct Inflating {
    inflate: Decompress,
    /// The checksum and the length of the bytes so far.
    crc: Crc,
    /// The bytes since the last flush, up to those wanted.
    line: Vec<u8>,
    /// The place behind the pieces taken.
    place: u64,
}

impl Inflating {
    fn new(place: u64) -> Inflating {
        let (inflate, crc) = (Decompress::new(false), Crc::new());
        Inflating { inflate, crc, line: Vec::new(), place }
    }

    /// Decompresses a piece, up to the bytes wanted.
    fn take(&mut self, piece: &[u8], wanted: u64) -> io::Result<()> {
        let mut plain = [0; 8 << 10];
        let mut left = piece;
        loop {
            let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
            self.inflate
                .decompress(left, &mut plain, FlushDecompress::None)
                .map_err(|error| damaged(self.place, error))?;
            let read = usize::try_from(self.inflate.total_in() - read).unwrap_or(left.len());
            let new = usize::try_from(self.inflate.total_out() - written).unwrap_or(0);
            self.crc.update(&plain[..new]);
            self.place += read as u64;
            left = &left[read..];
            let of_line = usize::try_from(wanted.saturating_sub(written)).unwrap_or(new).min(new);
            self.line.extend(&plain[..of_line]);
            if self.line.len() as u64 >= LONGEST_LINE || (read == 0 && new == 0) {
                return Ok(());
            }
        }
    }
}

/// The error for a member that has no end of a line where it can be written on.
fn elsewhere(member: Member) -> io::Error {
    let problem = format!(
        "its gzip from byte {} on was not written by arbiter and stops in a line: decompress it \
         first (`gzip -dc`)",
        member.compressed
    );
    io::Error::other(problem)
}

/// The number of bytes from which on a member takes no more lines.
const MEMBER: u32 = 1 << 20;

/// The room that the compressor gets at a time.
const ROOM: usize = 32 << 10;

/// What compresses the lines of one log, in order.
#[derive(Debug)]
pub(crate) struct Compressor {
    deflate: Compress,
    /// The checksum and the length of the member so far.
    crc: Crc,
}

/// The lines after a line that is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinesAfter {
    MayCome,
    /// None: the log ends.
    None,
}

impl Compressor {
    /// One that begins with a new member.
    pub(crate) fn new() -> Compressor {
        Compressor { deflate: Compress::new(Compression::default(), false), crc: Crc::new() }
    }

    /// The bytes to write for a line.
    pub(crate) fn line(&mut self, line: &[u8], after: LinesAfter) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if !self.is_within() {
            bytes.extend(HEADER);
        }
        self.crc.update(line);
        self.compress(line, FlushCompress::Sync, &mut bytes)?;
        if after == LinesAfter::None || self.crc.amount() >= MEMBER {
            bytes.extend(self.close()?);
        }
        Ok(bytes)
    }

    /// The bytes that close the member; none if none is open.
    pub(crate) fn close(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if self.is_within() {
            self.compress(&[], FlushCompress::Finish, &mut bytes)?;
            bytes.extend(trailer(&self.crc));
            self.deflate.reset();
            self.crc.reset();
        }
        Ok(bytes)
    }

    fn is_within(&self) -> bool {
        self.crc.amount() > 0
    }

    fn compress(
        &mut self,
        input: &[u8],
        flush: FlushCompress,
        output: &mut Vec<u8>,
    ) -> io::Result<()> {
        let begun = self.deflate.total_in();
        loop {
            let read = usize::try_from(self.deflate.total_in() - begun).unwrap_or(input.len());
            output.reserve(ROOM);
            self.deflate.compress_vec(&input[read..], output, flush).map_err(io::Error::other)?;
            // With room to spare, everything is in the output.
            if output.len() < output.capacity() {
                return Ok(());
            }
        }
    }
}

/// What follows the compressed bytes of a member.
fn trailer(crc: &Crc) -> [u8; 8] {
    let mut trailer = [0; 8];
    trailer[..4].copy_from_slice(&crc.sum().to_le_bytes());
    trailer[4..].copy_from_slice(&crc.amount().to_le_bytes());
    trailer
}
