//! The first tier: what `cargo test --workspace` runs. Each command, each fault in one way of keeping bots.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod bots;
mod ci;
mod commands;
mod documented;
mod documents;
mod games;
mod handing_in;
mod league;
mod logs;
mod misbehaviour;
mod own_games;
mod people;
mod reports;
mod served;
mod tournaments;
