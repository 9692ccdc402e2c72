//! The layer of privileges: no right beyond those of a user, and no way to one.
//!
//! It promises that a bot has no capability, and that no program that it starts gives it one: a
//! set-user-id program runs as the bot. It takes nothing from a user's own rights.

use std::io;

use rustix::io::Errno;
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
};
use text::system_error;

/// What a keeper needs that stays the superuser: to start its bot as another user, to end it, to clear
/// up after it, and to see what its descriptors lead to.
pub(super) const OF_KEEPER: CapabilitySet = CapabilitySet::SETUID
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::CHOWN)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::SYS_PTRACE);

/// Gives up all capabilities but those that are `kept`, and the way to new ones.
pub(super) fn give_up(kept: CapabilitySet) -> Result<(), String> {
    give_up_all(kept).map_err(|error| {
        format!("cannot give up privileges: {}", system_error(io::Error::from(error)))
    })
}

fn give_up_all(kept: CapabilitySet) -> Result<(), Errno> {
    set_no_new_privs(true)?;
    for bit in 0..u64::BITS {
        match remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << bit)) {
            Ok(()) => {}
            // It has no right to, and then nothing that it could pass on either.
            Err(Errno::PERM) => break,
            // The kernel knows no further ones.
            Err(Errno::INVAL) => break,
            Err(error) => return Err(error),
        }
    }
    match clear_ambient_capability_set() {
        // Kernels before 4.3 have no such set.
        Ok(()) | Err(Errno::INVAL) => {}
        Err(error) => return Err(error),
    }
    let kept = capabilities(None)?.permitted & kept;
    let sets =
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    set_capabilities(None, sets)
}
