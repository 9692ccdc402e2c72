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
    #[error("cannot unpack a bot: {}", system_error(.0))]
    Failed(#[from] io::Error),
}

/// A reason to refuse a bot that was sent: one line of printable text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadArchive {
    /// There is nothing in it.
    #[error("the file is empty")]
    Empty,
    /// It is too long.
    #[error("the file is larger than {}", ByteSize(*.0).display().iec())]
    TooLong(u64),
    /// It is something else.
    #[error("unsupported file type ({0}): send a .zip, a .tar.gz or a source file")]
    Other(&'static str),
    /// Its records contradict each other or end too early.
    #[error("the archive is damaged or truncated: {0}")]
    Broken(String),
    /// It becomes too much.
    #[error(
        "the unpacked archive is larger than {}",
        ByteSize(*.0).display().iec()
    )]
    TooLarge(u64),
    /// It becomes much larger than it is.
    #[error("suspicious archive: it unpacks to more than {0} times its size")]
    Bomb(u64),
    /// It holds too many files.
    #[error("the archive has more than {0} files and folders")]
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
    #[error("`{path}` in the archive is {what}: only files and folders are allowed")]
    Special {
        /// The path.
        path: String,
        /// Its kind.
        what: &'static str,
    },
    /// A name that is there already.
    #[error("`{path}` and `{other}` in the archive have the same name")]
    Twice {
        /// The path.
        path: String,
        /// The one that was before it.
        other: String,
    },
    /// An entry that needs a password.
    #[error("`{0}` in the archive is encrypted: remove the password")]
    Encrypted(String),
    /// An entry that is compressed in a way that is not known.
    #[error("`{path}` in the archive uses {method}: recompress it with deflate")]
    Method {
        /// The path.
        path: String,
        /// The way.
        method: String,
    },
    /// Two entries that share bytes.
    #[error("`{0}` in the archive overlaps another entry")]
    Overlapping(String),
    /// It is no bot.
    #[error("no {MANIFEST} in the archive: put it at the top level or in the single folder")]
    NoManifest,
    /// A source without a name.
    #[error("a single source file needs its name, such as bot.py, to tell the language")]
    NoName,
    /// A source with a name that is none.
    #[error("invalid source file name `{0}`: use letters, digits, . _ - (such as bot.py)")]
    BadName(String),
    /// A source in a language that is not known.
    #[error("unknown language of `{file}`: use {known}, or an archive")]
    Language {
        /// The name of the file.
        file: String,
        /// The endings that are known.
        known: String,
    },
}
