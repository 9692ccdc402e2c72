//! What the referee does to itself once, before it starts the first program.

use std::sync::Once;

use rustix::process::{DumpableBehavior, getpid, set_child_subreaper, set_dumpable_behavior};

/// Keeps other processes of the same user from reading the memory of this one, where the deck and the
/// seed are.
///
/// A system that refuses it leaves it undone: no game is void for it.
pub(super) fn close() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    });
}

/// Makes this process the parent of all orphans among its descendants: of what a keeper leaves that
/// dies before it could end it.
pub(super) fn adopt_orphans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = set_child_subreaper(Some(getpid()));
    });
}
