//! Bounds on an upload, why one is not unpacked, and paths in an archive, which only lead into the folder of the bot.

use std::{fmt, io};

use text::{printable, system_error};
use unicode_normalization::UnicodeNormalization;

use crate::sources::is_left_out;
use thiserror::Error;

/// The most characters of a path in a message.
const SHOWN: usize = 80;

/// A path without a root, without `.` and `..`, in plain characters; its names are separated by `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InnerPath(String);

impl InnerPath {
    /// The path that an archive has in these bytes; none where it is the folder itself, as `./` is.
    pub(crate) fn read(bytes: &[u8], bounds: &Bounds) -> Result<Option<InnerPath>, UnpackError> {
        let wrong = |problem: &str| {
            let path = display_name(bytes);
            UnpackError::refused(format_args!("the path `{path}` in the archive {problem}"))
        };
        if bytes.len() > bounds.path {
            return Err(wrong(&format!("is longer than {} bytes", bounds.path)));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| wrong("is not UTF-8"))?;
        if text.is_empty() {
            return Err(wrong("is empty"));
        }
        if text.chars().any(text::is_control) {
            return Err(wrong("contains a control character"));
        }
        if text.contains('\\') {
            return Err(wrong(
                "uses backslashes: repack with `tar -czf bot.tar.gz *`, which Windows has, too",
            ));
        }
        let is_drive = text.as_bytes().get(1) == Some(&b':');
        if text.starts_with('/') || is_drive {
            return Err(wrong("is absolute: use relative paths"));
        }
        let text = text.strip_suffix('/').unwrap_or(text);
        let mut names = Vec::new();
        for name in text.split('/') {
            match name {
                "" => return Err(wrong("has an empty part")),
                "." => {}
                ".." => return Err(wrong("contains `..`")),
                name => names.push(name),
            }
        }
        if names.len() > bounds.depth {
            let problem = format!("is nested more than {} folders deep", bounds.depth - 1);
            return Err(wrong(&problem));
        }
        Ok(Some(InnerPath(names.join("/"))).filter(|path| !path.0.is_empty()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The path and those of the folders that it lies in, the outermost first.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &str> {
        let ends = self.0.match_indices('/').map(|(place, _)| place).chain([self.0.len()]);
        ends.map(|end| &self.0[..end])
    }

    /// Returns true if it is something that other programs add to archives, and no part of a bot.
    pub(crate) fn is_passed_over(&self) -> bool {
        self.0.split('/').any(is_left_out)
    }
}

/// The form of a path that is equal for paths that some system takes for the same.
pub(crate) fn folded(path: &str) -> String {
    // Some small letters have the same capital, so capitals come first.
    path.nfc().collect::<String>().to_uppercase().to_lowercase()
}

/// A path as it is shown to its author.
pub(crate) fn display_name(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let start: String = text.chars().take(SHOWN).collect();
    let dots = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
    format!("{}{dots}", printable(&start))
}

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
