//! Bounds on an upload, and why one is not unpacked.

use std::{fmt, io};

use text::system_error;
use thiserror::Error;

/// Bounds on an upload and on what it unpacks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The most bytes sent.
    pub upload: u64,
    /// The most bytes unpacked.
    pub bytes: u64,
    /// The most bytes unpacked for each byte sent; [`SMALL`](Bounds::SMALL) bytes are allowed in
    /// any case.
    pub ratio: u64,
    /// The most files and folders allowed.
    pub entries: u64,
    /// The most names in a path.
    pub depth: usize,
    /// The number of bytes a path may have.
    pub path: usize,
}

impl Bounds {
    /// The usual bounds: room for sources and tables of weights.
    pub const DEFAULT: Bounds = Bounds {
        upload: 16 << 20,
        bytes: 128 << 20,
        ratio: 100,
        entries: 2_000,
        depth: 16,
        path: 200,
    };

    /// This many bytes are allowed however small the archive is.
    pub const SMALL: u64 = 1 << 20;

    /// The most bytes that an upload of this length may unpack to.
    pub fn bytes_of(&self, upload: u64) -> u64 {
        self.bytes.min(upload.saturating_mul(self.ratio).max(Bounds::SMALL))
    }
}

/// Why a bot that was sent is not unpacked; one line.
#[derive(Debug, Error)]
pub enum UnpackError {
    #[error("{0}")]
    BadArchive(String),
    #[error("cannot unpack a bot: {}", system_error(.0))]
    Failed(#[from] io::Error),
}

impl UnpackError {
    /// A reason to refuse a bot that was sent.
    pub(super) fn refused(reason: impl fmt::Display) -> UnpackError {
        UnpackError::BadArchive(reason.to_string())
    }
}
