//! Tests that need the machine or the process to themselves, one after another: they multiply
//! without end, leave children to the process, count its descriptors, or measure its memory.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::sync::{Mutex, MutexGuard, PoisonError};

#[path = "../it/supervisor/bench.rs"]
mod bench;
mod escapes;
mod guard;
mod league_speed;
mod leaks;
#[path = "../../league/tests/it/made.rs"]
mod made;
mod merge_speed;
#[path = "../../../tests/src/missing.rs"]
#[expect(unreachable_pub, reason = "in the package of end-to-end tests it is public")]
mod missing;
mod pages_speed;
mod played;
mod verify_speed;

/// The turn of a test, for as long as it is kept.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
