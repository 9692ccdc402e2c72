//! All tests of this package, in one program.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod changed;
mod circles;
mod installed;
mod sources;
mod statistics;
mod tree;
