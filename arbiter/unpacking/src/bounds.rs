//! How much a bot may hold that a stranger sends.

/// How much may be sent, and how much may come of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// How many bytes may be sent.
    pub upload: u64,
    /// How many bytes may be unpacked.
    pub bytes: u64,
    /// How many bytes may be unpacked for each that was sent, where there are more than
    /// [`SMALL`](Bounds::SMALL).
    pub ratio: u64,
    /// How many files and folders there may be.
    pub entries: u64,
    /// How many names a path may have.
    pub depth: usize,
    /// How many bytes a path may have.
    pub path: usize,
}

impl Bounds {
    /// What is usual: room for sources and tables of weights.
    pub const DEFAULT: Bounds = Bounds {
        upload: 16 << 20,
        bytes: 128 << 20,
        ratio: 100,
        entries: 2_000,
        depth: 16,
        path: 200,
    };

    /// How many bytes are no matter, however small the archive is.
    pub const SMALL: u64 = 1 << 20;

    /// How many bytes may be unpacked of an upload of this length.
    pub fn bytes_of(&self, upload: u64) -> u64 {
        self.bytes.min(upload.saturating_mul(self.ratio).max(Bounds::SMALL))
    }
}
