//! The layer of the network: a namespace of networks with nothing in it.
//!
//! It promises that a bot reaches no one by any address, not even itself: the only interface, the
//! loopback, is down. Sockets with a name outside of the file system are its own as well. It does
//! not promise anything about sockets in folders that are shown.

use nix::sched::{CloneFlags, unshare};
use text::system_error;

/// Gives this process its own.
///
/// # Errors
///
/// Fails where the system refuses it; then nothing has changed.
pub(super) fn own() -> Result<(), String> {
    unshare(CloneFlags::CLONE_NEWNET).map_err(|error| {
        format!("cannot have a namespace of its own: {}", system_error(error.desc()))
    })
}
