//! What the referee does to itself once, before it starts the first program.

use std::sync::Once;

use rustix::process::{DumpableBehavior, getpid, set_child_subreaper, set_dumpable_behavior};

/// Makes this process the parent of all orphans among its descendants, and keeps other processes of the
/// same user from reading its memory, where the deck and the seed are.
///
/// A system that refuses one of these leaves it undone: no game is void for it.
pub(super) fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = set_child_subreaper(Some(getpid()));
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    });
}
