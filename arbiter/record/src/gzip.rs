//! Logs that are compressed by gzip: read as they are, written so that a crash loses no whole line.
//!
//! A file of gzip is one member after another. Each is compressed on its own, so reading can begin at any of
//! them. A log is written in members of about a mebibyte. After each line the compressor is flushed: all lines
//! up to there can be read back whatever happens later, and the rest that a crash cut off is a torn last line,
//! as in a plain log. Such a place ends in four known bytes and at a whole byte, so [`tail()`] finds it again, and
//! a writer closes the member there and begins the next one.
//!
//! Files of other programs, mostly one long member, are read the same way. Only marks in them cost more, as all
//! before a mark is decompressed again.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::{io, mem};

use flate2::bufread::GzDecoder;
use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress};

use crate::line::LONGEST_LINE;

/// The most bytes that a member may have without giving one.
const MOST_EMPTY: u64 = 1 << 20;

/// The most members in a row that give less than [`LEAST_PLAIN`] together. A writer that is begun anew for each line
/// gives more.
const MOST_SMALL: u32 = 1024;

/// The least that so many members give, in bytes.
const LEAST_PLAIN: u64 = 32 << 10;

/// The bytes that are compressed in a file of gzip. A member that is cut off ends them, as the end of the file
/// does; what can be read of it comes before.
#[derive(Debug)]
pub(crate) struct Gunzip<R> {
    state: GunzipState<R>,
    /// The member that was begun last.
    member: MemberStart,
    /// The number of bytes given, and of those in the members before.
    plain: u64,
    small: SmallMemberCount,
}

/// The members in a row that have given little so far.
#[derive(Debug, Default)]
struct SmallMemberCount {
    members: u32,
    /// The number of bytes before the first of them.
    before: u64,
}

impl SmallMemberCount {
    /// Counts a member that begins behind this number of bytes; returns false if there are too many.
    fn begin(&mut self, plain: u64) -> bool {
        if plain - self.before >= LEAST_PLAIN {
            *self = SmallMemberCount { members: 0, before: plain };
        }
        self.members += 1;
        self.members <= MOST_SMALL
    }
}

#[derive(Debug)]
enum GunzipState<R> {
    /// Before a member, or at the end of the file.
    Between(CountedReader<R>),
    Within(Box<GzDecoder<CountedReader<R>>>),
    /// A member was cut off, or is damaged.
    Ended,
}

impl<R: BufRead> Gunzip<R> {
    /// Reads from the place of a member on, at which the source is.
    pub(crate) fn new(source: R, member: MemberStart) -> Self {
        let until = member.compressed.saturating_add(MOST_EMPTY);
        let source = CountedReader { source, count: member.compressed, until };
        let small = SmallMemberCount { members: 0, before: member.plain };
        Gunzip { state: GunzipState::Between(source), member, plain: member.plain, small }
    }

    /// The member that was begun last: the bytes given last are from it.
    pub(crate) fn member(&self) -> MemberStart {
        self.member
    }

    /// The place at which the next member would begin, unless one was cut off.
    pub(crate) fn next_member(&self) -> Option<MemberStart> {
        match &self.state {
            GunzipState::Between(source) => {
                Some(MemberStart { compressed: source.count, plain: self.plain })
            }
            GunzipState::Within(_) | GunzipState::Ended => None,
        }
    }

    /// Begins the next member; returns false at the end of the file.
    fn begin(&mut self, mut source: CountedReader<R>) -> io::Result<bool> {
        let next = source.fill_buf().map(|bytes| bytes.first().copied());
        match next {
            Ok(Some(next)) if next == MAGIC[0] && !self.small.begin(self.plain) => {
                let problem = format!("{MOST_SMALL} members in a row are almost empty");
                Err(damaged(source.count, problem))
            }
            Ok(Some(next)) if next == MAGIC[0] => {
                self.member = MemberStart { compressed: source.count, plain: self.plain };
                self.state = GunzipState::Within(Box::new(GzDecoder::new(source)));
                Ok(true)
            }
            Ok(Some(_)) => Err(damaged(source.count, "the bytes from there on are not gzip")),
            Err(error) if is_damage(&error) => Err(damaged(source.count, error)),
            other => {
                self.state = GunzipState::Between(source);
                other.map(|_| false)
            }
        }
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match mem::replace(&mut self.state, GunzipState::Ended) {
                GunzipState::Ended => return Ok(0),
                GunzipState::Between(source) => {
                    if !self.begin(source)? {
                        return Ok(0);
                    }
                }
                GunzipState::Within(mut member) => match member.read(buffer) {
                    Ok(0) => self.state = GunzipState::Between(member.into_inner()),
                    Ok(length) => {
                        self.plain += length as u64;
                        let source = member.get_mut();
                        source.until = source.count.saturating_add(MOST_EMPTY);
                        self.state = GunzipState::Within(member);
                        return Ok(length);
                    }
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {}
                    Err(error) if is_damage(&error) => {
                        return Err(damaged(member.get_ref().count, error));
                    }
                    Err(error) => {
                        // Nothing but reading the source was interrupted.
                        self.state = GunzipState::Within(member);
                        return Err(error);
                    }
                },
            }
        }
    }
}

/// Returns true for an error that the decoder makes, and not the source.
fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData)
}

/// The error for gzip that is damaged near a byte of the file.
pub(crate) fn damaged(place: u64, problem: impl std::fmt::Display) -> io::Error {
    let problem = format!("its gzip is damaged near byte {place}: {problem}");
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

/// A source that knows its place in the file, and ends where too many bytes are compressed from nothing.
#[derive(Debug)]
struct CountedReader<R> {
    source: R,
    count: u64,
    /// The place from which on it is not read before it has given bytes again.
    until: u64,
}

impl<R: BufRead> Read for CountedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for CountedReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.count > self.until {
            let problem = format!("its last {MOST_EMPTY} bytes hold nothing");
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        self.source.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        self.source.consume(length);
        self.count += length as u64;
    }
}

/// The first two bytes of every member.
pub(crate) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The beginning of the members written here: deflate, without a name, a time or a system.
const HEADER: [u8; 10] = [MAGIC[0], MAGIC[1], 8, 0, 0, 0, 0, 0, 0, 255];

/// The last four bytes of a flush: the length of an empty block.
const FLUSHED: [u8; 4] = [0, 0, 255, 255];

/// The place at which a member begins: in the file, and in the bytes that are compressed in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct MemberStart {
    /// Its distance from the beginning of the file.
    pub compressed: u64,
    /// The number of bytes in the members before it.
    pub plain: u64,
}

/// The place from which on a compressed log is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AppendPoint {
    /// Its distance from the beginning of the file.
    compressed: u64,
    /// The bytes to write there first.
    closing: Vec<u8>,
}

impl AppendPoint {
    /// The end of a plain log, or of a member that is closed.
    pub(crate) fn at(place: u64) -> AppendPoint {
        AppendPoint { compressed: place, closing: Vec::new() }
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
pub(crate) fn tail(file: &File, last: MemberStart, whole: u64) -> io::Result<AppendPoint> {
    let Some(wanted) = whole.checked_sub(last.plain) else {
        return Err(foreign_member_error(last));
    };
    let mut end = AppendPoint::at(last.compressed);
    if wanted == 0 {
        return Ok(end);
    }
    let mut file = file;
    file.seek(SeekFrom::Start(last.compressed))?;
    let mut source = BufReader::new(file);
    let mut header = HEADER;
    source.read_exact(&mut header)?;
    if header[3] != 0 {
        return Err(foreign_member_error(last));
    }
    let mut member = MemberInflater::new(last.compressed + header.len() as u64);
    loop {
        let piece = up_to_flush(&mut source)?;
        member.take(&piece, wanted)?;
        if piece.ends_with(&FLUSHED) && u64::from(member.crc.amount()) <= wanted {
            let closing = [LAST_BLOCK.as_slice(), &trailer(&member.crc)].concat();
            end = AppendPoint { compressed: member.place, closing };
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
            let mut compressor = Compressor::new();
            end.closing.extend(compressor.line(&member.line)?);
            end.closing.extend(compressor.close()?);
            Ok(end)
        }
        _ => Err(foreign_member_error(last)),
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
struct MemberInflater {
    inflate: Decompress,
    /// The checksum and the length of the bytes so far.
    crc: Crc,
    /// The bytes since the last flush, up to those wanted.
    line: Vec<u8>,
    /// The place behind the pieces taken.
    place: u64,
}

impl MemberInflater {
    fn new(place: u64) -> MemberInflater {
        let (inflate, crc) = (Decompress::new(false), Crc::new());
        MemberInflater { inflate, crc, line: Vec::new(), place }
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
fn foreign_member_error(member: MemberStart) -> io::Error {
    let problem = format!(
        "its gzip data from byte {} was not written by arbiter and ends mid-line: decompress it \
         first (`gzip -dc`)",
        member.compressed
    );
    io::Error::other(problem)
}

/// The number of bytes from which on a member takes no more lines.
const MEMBER: u32 = 1 << 20;

/// The room that the compressor gets at a time.
const ROOM: usize = 32 << 10;

/// Compresses the lines of one log, in order.
#[derive(Debug)]
pub(crate) struct Compressor {
    deflate: Compress,
    /// The checksum and the length of the member so far.
    crc: Crc,
}

impl Compressor {
    /// One that begins with a new member.
    pub(crate) fn new() -> Compressor {
        Compressor { deflate: Compress::new(Compression::default(), false), crc: Crc::new() }
    }

    /// The bytes to write for a line.
    pub(crate) fn line(&mut self, line: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if !self.is_within() {
            bytes.extend(HEADER);
        }
        self.crc.update(line);
        self.compress(line, FlushCompress::Sync, &mut bytes)?;
        if self.crc.amount() >= MEMBER {
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

/// The bytes after the compressed data of a member.
fn trailer(crc: &Crc) -> [u8; 8] {
    let mut trailer = [0; 8];
    trailer[..4].copy_from_slice(&crc.sum().to_le_bytes());
    trailer[4..].copy_from_slice(&crc.amount().to_le_bytes());
    trailer
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// The same bytes again and again.
    struct RepeatingReader(Vec<u8>, usize);

    impl Read for RepeatingReader {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            for (place, byte) in buffer.iter_mut().enumerate() {
                *byte = self.0[(self.1 + place) % self.0.len()];
            }
            self.1 = (self.1 + buffer.len()) % self.0.len();
            Ok(buffer.len())
        }
    }

    /// Members without a byte or with one, and blocks without one in a member that never ends.
    #[test]
    fn gzip_of_nothing_that_never_ends_is_read_up_to_a_bound() {
        let member = |bytes: &[u8]| {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(bytes).expect("in memory");
            gzip.finish().expect("in memory")
        };
        let empty = member(b"");
        let header = empty[..10].to_vec();
        let block = vec![0, 0, 0, 255, 255];
        let small = "1024 members in a row are almost empty";
        for (first, then, expected) in [
            (Vec::new(), empty, small),
            (Vec::new(), member(b"\n"), small),
            (member(&[b'x'; 100_000]), member(b"xx"), small),
            (header, block, "its last 1048576 bytes hold nothing"),
        ] {
            let source = io::Cursor::new(first).chain(RepeatingReader(then, 0));
            let plain = Gunzip::new(BufReader::new(source), MemberStart::default());
            let problem = plain.take(1 << 20).read_to_end(&mut Vec::new());
            let problem = problem.expect_err("nothing").to_string();
            assert!(problem.contains(expected), "{problem}");
        }
    }
}
