//! The layer of shared memory: a namespace of System V segments, semaphores and queues, and of
//! POSIX queues.
//!
//! It promises that a bot finds none of another process, and that its own are gone with the keeper.
//! The keeper serves many games; that a bot makes none in the first place is up to the filter of calls.

use nix::sched::{CloneFlags, unshare};
use text::system_error;

/// Gives this process its own.
///
/// # Errors
///
/// Fails where the system refuses it; then nothing has changed.
pub(super) fn own() -> Result<(), String> {
    unshare(CloneFlags::CLONE_NEWIPC).map_err(|error| {
        format!("cannot have a namespace of its own: {}", system_error(error.desc()))
    })
}
