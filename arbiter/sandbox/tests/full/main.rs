//! Tests that need the machine or the process to themselves, one after another: they multiply without end, leave
//! children to the process, or count its descriptors.

use std::sync::{Mutex, MutexGuard, PoisonError};

#[path = "../it/bench.rs"]
mod bench;
mod escapes;
mod leaks;
#[path = "../../../../tests/src/missing.rs"]
#[expect(unreachable_pub, reason = "in the package of end-to-end tests it is public")]
mod missing;

/// The turn of a test, for as long as it is kept.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
