//! Why a bot that was sent is not unpacked.

use std::io;

use bytesize::ByteSize;
use text::system_error;
use thiserror::Error;

use crate::manifest::MANIFEST;

/// Why a bot that was sent is not unpacked; one line.
#[derive(Debug, Error)]
pub enum UnpackError {
    /// It is not as it must be.
    #[error(transparent)]
    BadArchive(#[from] BadArchive),
    /// The machine fails, which says nothing of the bot.
    #[error("a bot cannot be unpacked: {}", system_error(.0))]
    Failed(#[from] io::Error),
}

/// A reason to refuse a bot that was sent: one line of printable text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadArchive {
    /// There is nothing in it.
    #[error("the file is empty, expected a .zip, a .tar.gz or a source")]
    Empty,
    /// It is too long.
    #[error("the file has more than {}, expected the files of the bot alone", ByteSize(*.0).display().iec())]
    TooLong(u64),
    /// It is something else.
    #[error("the file is {0}, expected a .zip, a .tar.gz or a source")]
    Other(&'static str),
    /// Its records contradict each other or end too early.
    #[error("the archive is broken or cut off: {0}")]
    Broken(String),
    /// It becomes too much.
    #[error(
        "the archive unpacks to more than {}, expected the files of the bot alone",
        ByteSize(*.0).display().iec()
    )]
    TooLarge(u64),
    /// It becomes much larger than it is.
    #[error(
        "the archive unpacks to more than {0} times its own size, expected the files of the bot alone"
    )]
    Bomb(u64),
    /// It holds too many files.
    #[error(
        "the archive holds more than {0} files and folders, expected the files of the bot alone"
    )]
    TooMany(u64),
    /// A path that leads out of the folder, or is none.
    #[error("the path `{path}` in the archive {problem}")]
    Path {
        /// The path, or its beginning.
        path: String,
        /// Its fault.
        problem: String,
    },
    /// Something that is neither a file nor a folder.
    #[error("`{path}` in the archive is {what}, expected files and folders alone")]
    Special {
        /// The path.
        path: String,
        /// Its kind.
        what: &'static str,
    },
    /// A name that is there already.
    #[error("`{path}` in the archive has the name of `{other}`, expected different names")]
    Twice {
        /// The path.
        path: String,
        /// The one that was before it.
        other: String,
    },
    /// An entry that needs a password.
    #[error("`{0}` in the archive is encrypted, expected an archive without a password")]
    Encrypted(String),
    /// An entry that is compressed in a way that is not known.
    #[error("`{path}` in the archive is compressed by {method}, expected deflate")]
    Method {
        /// The path.
        path: String,
        /// The way.
        method: String,
    },
    /// Two entries that share bytes.
    #[error("`{0}` in the archive overlaps with another entry, expected each file once")]
    Overlapping(String),
    /// It is no bot.
    #[error("the archive has no {MANIFEST}, expected one at its top or in its only folder")]
    NoManifest,
    /// A source without a name.
    #[error("a single source needs the name of its file, such as bot.py, which tells the language")]
    NoName,
    /// A source with a name that is none.
    #[error("`{0}` is no name for a source, expected letters, digits or . _ - such as bot.py")]
    BadName(String),
    /// A source in a language that is not known.
    #[error("`{file}` is of no known language, expected one of {known}, or an archive")]
    Language {
        /// The name of the file.
        file: String,
        /// The endings that are known.
        known: String,
    },
}
