//! The second tier, which a change needs to land: `cargo test --workspace --test full`.
//!
//! A topic has the same folder here as in `it`, and a file of the same name goes on with what that one begins.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod bots;
mod commands;
mod documented;
mod engines;
mod games;
mod handing_in;
mod league;
mod logs;
mod misbehaviour;
mod own_games;
mod people;
mod remote;
mod reports;
mod served;
mod tournaments;
