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

mod reading;
mod tail;
mod writing;
pub(crate) use reading::{Gunzip, damaged};
pub(crate) use tail::{Tail, tail};
pub(crate) use writing::{After, Compressor};

/// The first two bytes of every member.
pub(crate) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The beginning of the members written here: deflate, without a name, a time or a system.
const HEADER: [u8; 10] = [MAGIC[0], MAGIC[1], 8, 0, 0, 0, 0, 0, 0, 255];

/// The last four bytes of a flush: the length of an empty block.
const FLUSHED: [u8; 4] = [0, 0, 255, 255];

/// The place at which a member begins: in the file, and in the bytes that are compressed in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its distance from the beginning of the file.
    pub compressed: u64,
    /// The number of bytes in the members before it.
    pub plain: u64,
}
