//! Pages of games, while they are played and afterwards.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod links;
mod playing_now;
mod weight;
