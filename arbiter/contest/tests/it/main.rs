//! Tournaments: their logs, copies of bots, and when a game counts.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod game_status;
mod tournament_journal;
mod winners;
