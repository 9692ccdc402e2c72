//! The end of a child: found by a wait with a limit, and collected with its CPU time; and ending it together with what it
//! started.

use std::process::{Child, ExitStatus};
use std::time::Duration;

use wait4::Wait4;

use super::clock::Moment;
use text::system_error;
#[cfg(unix)]
pub(super) use unix::Waiter;

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

#[cfg(windows)]
pub(super) use job::OwnJob;

/// The most time to wait until a killed process is gone.
///
/// Only a process stuck inside the kernel takes any time that counts.
pub(super) const BURIAL: Duration = Duration::from_secs(10);

/// A program that was started, and what it starts: a process group on Unix, a job on Windows.
#[derive(Debug)]
pub(super) struct Group {
    /// None where Windows gives none, as for a program that has already ended.
    #[cfg(windows)]
    job: Option<job::Job>,
}

impl Group {
    /// The group of a child that has just been started.
    #[cfg_attr(not(windows), expect(unused_variables, reason = "it already leads a group"))]
    pub(super) fn new(child: &Child) -> Group {
        Group {
            #[cfg(windows)]
            job: job::Job::around(child).ok(),
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
pub(super) fn reap_later(mut child: Child) {
    let name = "burial".to_owned();
    // If not even a thread can be started, the child stays a zombie until the referee ends.
    let _ = std::thread::Builder::new().name(name).spawn(move || child.wait());
}

/// Jobs of Windows: processes, and all that they start, which end together.
#[cfg(windows)]
mod job {
    use std::io;
    use std::os::windows::io::AsRawHandle;
    use std::process::Child;

    use win32job::{ExtendedLimitInfo, JobError};

    /// A job: it ends with everything in it when this is dropped, or when the process that has it
    /// is gone.
    #[derive(Debug)]
    pub(super) struct Job {
        #[expect(dead_code, reason = "its end is what counts")]
        job: win32job::Job,
    }

    impl Job {
        /// A job for a child that has just been started, and for what it will start.
        ///
        /// Processes that the child has started before are not in it, and end only if the referee
        /// is killed.
        pub(super) fn around(child: &Child) -> io::Result<Job> {
            let job = new().map_err(said)?;
            job.assign_process(child.as_raw_handle() as isize).map_err(said)?;
            Ok(Job { job })
        }
    }

    /// Has all that this process starts from now on end with it, until this is dropped.
    #[derive(Debug)]
    pub(crate) struct OwnJob {
        job: win32job::Job,
    }

    impl OwnJob {
        pub(crate) fn begin() -> io::Result<OwnJob> {
            let job = new().map_err(said)?;
            job.assign_current_process().map_err(said)?;
            Ok(OwnJob { job })
        }
    }

    /// This process is in it, too, and must not be ended with its handle.
    impl Drop for OwnJob {
        fn drop(&mut self) {
            // If the system refuses, this process ends here, after all of its work.
            let _ = self.job.set_extended_limit_info(&ExtendedLimitInfo::new());
        }
    }

    fn new() -> Result<win32job::Job, JobError> {
        win32job::Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close())
    }

    fn said(error: JobError) -> io::Error {
        io::Error::other(error)
    }
}
