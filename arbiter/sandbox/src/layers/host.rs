//! The layer of the host name: every bot finds itself on a machine of the same name.
//!
//! It promises nothing else: what machine it is can be told by its processors, memory and kernel.

use std::io;

use nix::sched::{CloneFlags, unshare};
use text::system_error;

/// The name of the machine.
const NAME: &[u8] = b"arbiter";

/// Gives this process its own.
///
/// # Errors
///
/// Fails where the system refuses it.
pub(super) fn own() -> Result<(), String> {
    unshare(CloneFlags::CLONE_NEWUTS).map_err(|error| {
        format!("cannot have a namespace of its own: {}", system_error(error.desc()))
    })?;
    rustix::system::sethostname(NAME)
        .map_err(|error| format!("cannot set a name: {}", system_error(io::Error::from(error))))
}
