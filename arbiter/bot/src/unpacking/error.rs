//! Why a bot that was sent is not unpacked.

use std::io;

use bytesize::ByteSize;
use text::system_error;
use thiserror::Error;

use crate::manifest::MANIFEST;

/// Why a bot that was sent is not unpacked; one line.
#[derive(Debug, Error)]
pub enum UnpackError {
    #[error(transparent)]
    BadArchive(#[from] BadArchive),
    #[error("cannot unpack a bot: {}", system_error(.0))]
    Failed(#[from] io::Error),
}

/// A reason to refuse a bot that was sent: one line of printable text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadArchive {
    #[error("the file is empty")]
    Empty,
    #[error("the file is larger than {}", ByteSize(*.0).display().iec())]
    TooLong(u64),
    #[error("unsupported file type ({0}): send a .zip, a .tar.gz or a source file")]
    Other(&'static str),
    #[error("the archive is damaged or truncated: {0}")]
    Broken(String),
    #[error(
        "the unpacked archive is larger than {}",
        ByteSize(*.0).display().iec()
    )]
    TooLarge(u64),
    #[error("suspicious archive: it unpacks to more than {0} times its size")]
    Bomb(u64),
    #[error("the archive has more than {0} files and folders")]
    TooMany(u64),
    #[error("the path `{path}` in the archive {problem}")]
    Path { path: String, problem: String },
    #[error("`{path}` in the archive is {what}: only files and folders are allowed")]
    Special { path: String, what: &'static str },
    #[error("`{path}` and `{other}` in the archive have the same name")]
    Twice { path: String, other: String },
    #[error("`{0}` in the archive is encrypted: remove the password")]
    Encrypted(String),
    #[error("`{path}` in the archive uses {method}: recompress it with deflate")]
    Method { path: String, method: String },
    #[error("`{0}` in the archive overlaps another entry")]
    Overlapping(String),
    #[error("no {MANIFEST} in the archive: put it at the top level or in the single folder")]
    NoManifest,
    #[error("a single source file needs its name, such as bot.py, to tell the language")]
    NoName,
    #[error("invalid source file name `{0}`: use letters, digits, . _ - (such as bot.py)")]
    BadName(String),
    #[error("unknown language of `{file}`: use {known}, or an archive")]
    Language { file: String, known: String },
}
