//! Why a bot that was sent is not unpacked.

use std::{fmt, io};

use text::system_error;
use thiserror::Error;

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
