//! All tests of this package, in one program.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod games;
mod league;
mod logs;
mod pairing;
mod people;
mod playing_now;
mod serve;
mod standings;
mod supervisor;
mod tree;
mod unpacking;
