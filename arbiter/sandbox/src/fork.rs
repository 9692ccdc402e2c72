//! A copy of this process.

use std::fs;
use std::io;

use rustix::process::Pid;

pub(super) enum ForkResult {
    /// The process that there was, with the number of its new child.
    Parent(Pid),
    Child,
}

/// Makes a child that goes on from here with a copy of all that this process has.
///
/// Fails if the system has no room for one more process, and if this process has several threads or
/// cannot tell: a copy has one thread only, and what the others held would be held for ever.
pub(super) fn fork() -> io::Result<ForkResult> {
    if fs::read_dir("/proc/self/task")?.count() != 1 {
        return Err(io::Error::other("a process with several threads makes no copy of itself"));
    }
    match copy() {
        ..0 => Err(io::Error::last_os_error()),
        child => Ok(Pid::from_raw(child).map_or(ForkResult::Child, ForkResult::Parent)),
    }
}

#[expect(unsafe_code, reason = "no crate has this call in a safe form")]
fn copy() -> libc::pid_t {
    // SAFETY: the caller has checked that this is the only thread, and only this thread could start
    // another. So no lock is held by a thread that the copy does not have, and the copy
    // may do whatever the original may.
    unsafe { libc::fork() }
}
