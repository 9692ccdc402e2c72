//! Playing a void game again.

use std::time::Duration;

use crate::series::game_status::AGAIN;

/// How long to wait before an attempt at a game, counted from 0: a machine that has run out of
/// something may need a moment before a game is played again.
pub fn pause_before(attempt: u32) -> Duration {
    match attempt.checked_sub(1) {
        None => Duration::ZERO,
        Some(before) => Duration::from_millis(100 << (2 * before.min(AGAIN))),
    }
}
