//! Tests that need the machine to themselves, one after another: they keep a processor busy, or have
//! bots of all matches wait.

#![cfg(target_os = "linux")]

use std::sync::{Mutex, MutexGuard, PoisonError};

mod leases;
mod overload;

/// The turn of a test, for as long as it is kept.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
