//! Tests that need the machine or the process to themselves, one after another: they keep all
//! processors busy, or change the folder of the process.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::sync::{Mutex, MutexGuard, PoisonError};

mod documents;
mod leases;
mod overload;

/// The turn of a test, for as long as it is kept.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
