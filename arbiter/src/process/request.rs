//! What a program is asked with, and what it leaves.

use std::ffi::OsString;

/// What one call gives to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request<'a> {
    /// These bytes as its standard input, which then ends.
    Input(&'a [u8]),
    /// A file with this text; its path and these words are the last arguments. Standard input is
    /// empty.
    File {
        /// The text.
        text: &'a [u8],
        /// The words behind the path.
        words: &'a [String],
        /// How much of the file is read afterwards, in bytes.
        most: usize,
    },
}

#[cfg(target_os = "linux")]
impl Request<'_> {
    /// How much of a file is read afterwards, in bytes.
    pub(super) fn most(&self) -> usize {
        match self {
            Request::Input(_) => 0,
            Request::File { most, .. } => *most,
        }
    }
}

/// What a program has left in its scratch folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// How many files and folders there are, up to 1000.
    pub files: u64,
    /// The name of one of them; empty if there is none.
    pub name: OsString,
}

impl Left {
    /// Files are counted up to here.
    pub(super) const COUNTED: usize = 1000;
}
