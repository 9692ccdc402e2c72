//! The part kept of a stream that may never end.

use super::limits::Limits;

/// The first bytes of a stream up to a cap, and a count of the rest: memory stays flat.
#[derive(Debug, Default)]
pub(super) struct Capture {
    kept: Vec<u8>,
    cap: usize,
    dropped: u64,
}

impl Capture {
    /// For standard output, with room for the one byte that proves there was too much.
    pub(super) fn of_stdout(limits: &Limits) -> Capture {
        Capture::with_cap(limits.answer_bytes.saturating_add(1))
    }

    pub(super) fn of_stderr(limits: &Limits) -> Capture {
        Capture::with_cap(limits.stderr_bytes)
    }

    fn with_cap(cap: usize) -> Capture {
        Capture { kept: Vec::new(), cap, dropped: 0 }
    }

    pub(super) fn take(&mut self, bytes: &[u8]) {
        let room = self.cap - self.kept.len();
        let (keep, drop) = bytes.split_at(bytes.len().min(room));
        self.kept.extend_from_slice(keep);
        self.dropped = self.dropped.saturating_add(drop.len() as u64);
    }

    /// Whether nothing more will be kept; for standard output: whether there was too much.
    pub(super) fn is_full(&self) -> bool {
        self.kept.len() == self.cap
    }

    /// Whether this byte is among those that are kept.
    pub(super) fn holds(&self, byte: u8) -> bool {
        self.kept.contains(&byte)
    }

    /// The bytes kept, and how many were dropped.
    pub(super) fn into_parts(self) -> (Vec<u8>, u64) {
        (self.kept, self.dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_beginning_and_counts_the_rest() {
        let mut capture = Capture::with_cap(5);
        capture.take(b"abc");
        assert!(!capture.is_full());
        capture.take(b"defg");
        assert!(capture.is_full());
        capture.take(b"hi");
        assert_eq!(capture.into_parts(), (b"abcde".to_vec(), 4));
    }

    #[test]
    fn a_stdout_of_just_the_limit_is_not_full() {
        let limits = Limits { answer_bytes: 3, ..Limits::default() };
        let mut capture = Capture::of_stdout(&limits);
        capture.take(b"abc");
        assert!(!capture.is_full());
        capture.take(b"d");
        assert!(capture.is_full());
    }
}
