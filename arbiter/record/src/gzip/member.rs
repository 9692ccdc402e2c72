//! What a member of a file of gzip begins and ends with, and its place.

/// The first two bytes of every member.
pub(crate) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The beginning of the members written here: deflate, without a name, a time or a system.
pub(super) const HEADER: [u8; 10] = [MAGIC[0], MAGIC[1], 8, 0, 0, 0, 0, 0, 0, 255];

/// The last four bytes of a flush: the length of an empty block.
pub(super) const FLUSHED: [u8; 4] = [0, 0, 255, 255];

/// The place at which a member begins: in the file, and in the bytes that are compressed in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its distance from the beginning of the file.
    pub compressed: u64,
    /// The number of bytes in the members before it.
    pub plain: u64,
}
