//! Logs that are written, cut off, changed and resumed.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod compress;
mod gzip;
mod resume;
mod tampered;
