//! What is served, without a network.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod own;
mod people;
mod seats;
mod weight;
