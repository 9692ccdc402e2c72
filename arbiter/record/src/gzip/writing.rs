//! Compressing lines, so that each can be read back once its bytes are written.

use std::io;

use flate2::{Compress, Compression, Crc, FlushCompress};

use super::member::HEADER;

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
pub(crate) enum After {
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
    pub(crate) fn line(&mut self, line: &[u8], after: After) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if !self.is_within() {
            bytes.extend(HEADER);
        }
        self.crc.update(line);
        self.compress(line, FlushCompress::Sync, &mut bytes)?;
        if after == After::None || self.crc.amount() >= MEMBER {
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
pub(super) fn trailer(crc: &Crc) -> [u8; 8] {
    let mut trailer = [0; 8];
    trailer[..4].copy_from_slice(&crc.sum().to_le_bytes());
    trailer[4..].copy_from_slice(&crc.amount().to_le_bytes());
    trailer
}
