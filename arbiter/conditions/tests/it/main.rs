//! Which games of a series come next, and how far it is.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod progress;
mod schedule;
