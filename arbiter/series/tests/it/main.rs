//! Series: the next game, and the progress.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod progress;
mod schedule;
