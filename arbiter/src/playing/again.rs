//! Playing a void game again.

use std::time::Duration;

use crate::series::game_status::AGAIN;

/// How long to wait before a game is played again: a machine that has run out of something may
/// need a moment.
pub fn pause(attempt: u32) -> Duration {
    Duration::from_millis(100 << (2 * attempt.min(AGAIN)))
}
