//! Playing a void game again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::playing::background::LOOK;
use conditions::series::game_status::AGAIN;

/// How long to wait before an attempt at a game, counted from 0: a machine that has run out of
/// something may need a moment before a game is played again.
pub fn pause_before(attempt: u32) -> Duration {
    match attempt.checked_sub(1) {
        None => Duration::ZERO,
        Some(before) => Duration::from_millis(100 << (2 * before.min(AGAIN))),
    }
}

/// Sleeps for this time, or until the match is stopped.
pub(super) fn sleep(time: Duration, stop: &AtomicBool) {
    let begun = Instant::now();
    while !stop.load(Ordering::Relaxed) && begun.elapsed() < time {
        thread::sleep(LOOK.min(time));
    }
}
