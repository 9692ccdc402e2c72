//! Tournaments and leagues: their logs, the index of a league, and when a game counts.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod game_status;
mod league;
mod tournament_journal;
