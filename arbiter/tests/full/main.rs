//! Tests that leave children to the process, which no other test may be beside.

use std::sync::{Mutex, MutexGuard, PoisonError};

mod guard;

/// The turn of a test, for as long as it is kept.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
