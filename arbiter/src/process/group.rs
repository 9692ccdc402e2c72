//! Killing a program together with what it started.

use std::process::Child;
use std::time::Duration;

/// How long a killed process may take to be gone before the referee stops waiting for it.
///
/// Only a process stuck inside the kernel takes any time that counts.
pub(super) const BURIAL: Duration = Duration::from_secs(10);

/// Kills a child and every process of its group; both may be gone already.
///
/// The child is killed by itself as well, because it may have joined another group.
pub(super) fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // No such group is not an error: then there is no one left to kill.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    // It fails only for a child that has already been reaped.
    let _ = child.kill();
}

/// Leaves a child that does not die to a thread of its own, so that it is reaped at some time.
pub(super) fn bury_later(mut child: Child) {
    let name = "burial".to_owned();
    // If not even a thread can be started, the child stays a zombie until the referee ends.
    let _ = std::thread::Builder::new().name(name).spawn(move || child.wait());
}
