//! Programs and features that a test needs and this machine does not have.

use std::env;

/// Set, nothing that a machine can have may be missing: the tests that need it fail.
const NOTHING_MISSING: &str = "ARBITER_TEST_NOTHING_MISSING";

/// Says that a test was skipped, or a part of it, because something is not there.
///
/// # Panics
///
/// Panics where the tests were started with `ARBITER_TEST_NOTHING_MISSING`.
pub fn tell(what: &str) {
    let is_failure = env::var_os(NOTHING_MISSING).is_some();
    assert!(!is_failure, "{what}, and {NOTHING_MISSING} is set");
    println!("skipped: {what}");
}
