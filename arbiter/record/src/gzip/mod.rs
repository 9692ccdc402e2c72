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
pub(crate) use reading::{Gunzip, MAGIC, Member};
pub(crate) use tail::{After, Compressor, Tail, tail};
