//! The end of a child: found by a wait with a limit, and collected with its CPU time.

use std::process::{Child, ExitStatus};
use std::time::Duration;

use text::system_error;
use wait4::Wait4;

use super::clock::Moment;

/// Reaps a child that has ended, and takes its CPU time and that of the children it waited for.
///
/// This blocks for as long as the child lives.
pub(super) fn reap(mut child: Child) -> Result<(ExitStatus, Duration), String> {
    loop {
        let taken = child.wait4().map_err(|error| {
            format!("cannot take the exit status of a program: {}", system_error(error))
        })?;
        // A child that has asked to be traced is reported where it stops, too.
        if is_end(taken.status) {
            return Ok((taken.status, taken.rusage.utime + taken.rusage.stime));
        }
    }
}

/// Returns true if a child has ended and can be reaped without waiting: one that someone else traces
/// belongs to that one first.
#[cfg(unix)]
pub(super) fn can_be_reaped(child: &Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    // If the question fails, so will the reaping, and say why.
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

/// Elsewhere no one can tell without reaping it.
#[cfg(not(unix))]
pub(super) fn can_be_reaped(_child: &Child) -> bool {
    false
}

#[cfg(unix)]
fn is_end(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.stopped_signal().is_none()
}

#[cfg(not(unix))]
fn is_end(_status: ExitStatus) -> bool {
    true
}

/// Result of a wait for a child's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildChange {
    /// It has ended, and can be reaped without waiting; that was seen at this time.
    Ended(Moment),
    /// This signal has stopped it, and it has asked to be traced: no one will continue with it.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only Unix has it"))]
    Stopped(i32),
}

#[cfg(unix)]
pub(super) use unix::Waiter;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::process::Child;
    use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
    use std::thread;
    use std::time::Duration;

    use rustix::io::Errno;
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    use text::system_error;

    use super::{ChildChange, Moment};

    /// Time to leave a stopped child alone before the next look.
    const PAUSE: Duration = Duration::from_millis(10);

    /// A thread that waits for a child without reaping it.
    ///
    /// So the child's number stays its own until the referee has killed its group, and no handler
    /// of signals is needed.
    #[derive(Debug)]
    pub(in super::super) struct Waiter {
        changes: Receiver<Result<ChildChange, Errno>>,
    }

    impl Waiter {
        pub(in super::super) fn for_child(child: &Child) -> io::Result<Waiter> {
            let pid = Pid::from_child(child);
            let (sender, changes) = channel();
            thread::Builder::new().name("bot exit".into()).spawn(move || report(pid, &sender))?;
            Ok(Waiter { changes })
        }

        /// Waits for the next change, at most this long.
        pub(in super::super) fn wait(
            &mut self,
            _child: &mut Child,
            time: Duration,
        ) -> Result<Option<ChildChange>, String> {
            let lost = |why: &dyn std::fmt::Display| {
                format!("cannot wait for a program: {}", system_error(why))
            };
            match self.changes.recv_timeout(time) {
                Ok(change) => change.map(Some).map_err(|error| lost(&io::Error::from(error))),
                Err(RecvTimeoutError::Timeout) => Ok(None),
                Err(RecvTimeoutError::Disconnected) => Err(lost(&"its waiting thread is gone")),
            }
        }
    }

    /// Reports every change until the child's end, or until no one wants to know.
    fn report(pid: Pid, sender: &Sender<Result<ChildChange, Errno>>) {
        loop {
            let change =
                match waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
                    Ok(Some(status)) => {
                        let stop = status.stopping_signal().or(status.trapping_signal());
                        Ok(stop.map_or_else(
                            || ChildChange::Ended(Moment::now()),
                            ChildChange::Stopped,
                        ))
                    }
                    Ok(None) | Err(Errno::INTR) => continue,
                    Err(error) => Err(error),
                };
            if sender.send(change).is_err() || !matches!(change, Ok(ChildChange::Stopped(_))) {
                return;
            }
            thread::sleep(PAUSE);
        }
    }
}

/// A wait with a limit.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Waiter;

#[cfg(not(unix))]
impl Waiter {
    pub(super) fn for_child(_child: &Child) -> std::io::Result<Waiter> {
        Ok(Waiter)
    }

    /// Waits for the end, at most this long.
    pub(super) fn wait(
        &mut self,
        child: &mut Child,
        time: Duration,
    ) -> Result<Option<ChildChange>, String> {
        match wait_timeout::ChildExt::wait_timeout(child, time) {
            Ok(status) => Ok(status.map(|_| ChildChange::Ended(Moment::now()))),
            Err(error) => Err(format!("cannot wait for a program: {}", system_error(error))),
        }
    }
}
