//! Ending a program together with what it started.

use std::process::Child;
use std::time::Duration;

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
