//! How fast large logs and leagues are read, on a machine that does nothing else. Most of it is for reading what it prints.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::sync::{Mutex, MutexGuard, PoisonError};

mod league_speed;
#[path = "../../league/tests/it/made.rs"]
mod made;
mod many_bots;
mod merge_speed;
mod pages_speed;
mod played;
mod verify_speed;

/// The turn of a test, for as long as it is kept.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
