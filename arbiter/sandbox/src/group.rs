//! Ending a program together with what it started.

use std::process::Child;
use std::time::Duration;

#[cfg(windows)]
use super::job::Job;

/// How long a killed process may take to be gone before the referee stops waiting for it.
///
/// Only a process stuck inside the kernel takes any time that counts.
pub(super) const BURIAL: Duration = Duration::from_secs(10);

/// A program that was started, and what it starts: a process group on Unix, a job on Windows.
#[derive(Debug)]
pub(super) struct Group {
    /// None where Windows gives none, as for a program that has already ended.
    #[cfg(windows)]
    job: Option<Job>,
}

impl Group {
    /// The group of a child that has just been started.
    #[cfg_attr(not(windows), expect(unused_variables, reason = "it already leads a group"))]
    pub(super) fn of(child: &Child) -> Group {
        Group {
            #[cfg(windows)]
            job: Job::around(child).ok(),
        }
    }

    /// Kills the child and every process of its group; both may be gone already.
    ///
    /// The child is killed by itself as well, because it may have joined another group.
    pub(super) fn kill(&mut self, child: &mut Child) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            // No such group is not an error: then there is no one left to kill.
            let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
        }
        #[cfg(windows)]
        drop(self.job.take());
        // It fails only for a child that has already been reaped.
        let _ = child.kill();
    }
}

/// Leaves a child that does not die to a thread of its own, so that it is reaped at some time.
pub(super) fn bury_later(mut child: Child) {
    let name = "burial".to_owned();
    // If not even a thread can be started, the child stays a zombie until the referee ends.
    let _ = std::thread::Builder::new().name(name).spawn(move || child.wait());
}
