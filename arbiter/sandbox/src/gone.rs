//! Waiting for the end of a process, for some time at most.

use std::os::fd::AsFd;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::clock::Clock;

/// How long a caller sleeps where the system has no descriptor to wait with: then it looks again.
const PAUSE: Duration = Duration::from_millis(1);

/// Whether a process has ended, at the latest after this time.
pub(super) fn is_gone(pidfd: impl AsFd, time: Duration) -> bool {
    let clock = Clock::start(time);
    loop {
        let mut fds = [PollFd::new(&pidfd, PollFlags::IN)];
        let polled = poll(&mut fds, Timespec::try_from(clock.left()).ok().as_ref());
        if !fds[0].revents().is_empty() {
            return true;
        }
        // An interruption is no end.
        if clock.is_over() || polled.is_err_and(|error| error != rustix::io::Errno::INTR) {
            return false;
        }
    }
}

/// Waits until an unreaped child has ended, at most for this time.
pub(super) fn wait_for(child: Pid, time: Duration) {
    match pidfd_open(child, PidfdFlags::empty()) {
        Ok(pidfd) => drop(is_gone(pidfd, time)),
        Err(_) => thread::sleep(time.min(PAUSE)),
    }
}
