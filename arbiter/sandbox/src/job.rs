//! Jobs of Windows: processes, and all that they start, which end together.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::process::Child;

use win32job::{ExtendedLimitInfo, JobError};

/// What ends with everything in it when this is dropped, or when the process that has it is gone.
#[derive(Debug)]
pub(super) struct Job {
    #[expect(dead_code, reason = "its end is what counts")]
    job: win32job::Job,
}

impl Job {
    /// A job for a child that has just been started, and for what it will start.
    ///
    /// What it has started before is not in it, and is ended only if the referee is killed.
    pub(super) fn around(child: &Child) -> io::Result<Job> {
        let job = new().map_err(said)?;
        job.assign_process(child.as_raw_handle() as isize).map_err(said)?;
        Ok(Job { job })
    }
}

/// Has all that this process starts from now on end with it, until this is dropped.
#[derive(Debug)]
pub(super) struct OwnJob {
    job: win32job::Job,
}

impl OwnJob {
    pub(super) fn begin() -> io::Result<OwnJob> {
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
