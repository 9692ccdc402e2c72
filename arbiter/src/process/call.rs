//! The vocabulary of one call: what is asked for, and what was seen.

use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use super::program::Program;
use super::start::StartError;

/// One program to be asked once.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// What is started.
    pub program: &'a Program,
    /// The folder it is started in, as an absolute path; it is also its `HOME`.
    pub scratch: &'a Path,
    /// All bytes of its standard input, which then ends.
    pub request: &'a [u8],
    /// What it may take.
    pub limits: Limits,
}

/// What one call may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From just before the program is started until it has ended, wall time.
    pub time: Duration,
    /// Bytes of standard output; one byte more stops the program.
    pub answer_bytes: usize,
    /// Bytes of standard error that are kept; the rest is read, counted and dropped.
    pub stderr_bytes: usize,
}

impl Default for Limits {
    /// Five seconds, 4096 bytes of answer, 64 KiB of standard error.
    fn default() -> Self {
        Limits { time: Duration::from_secs(5), answer_bytes: 4096, stderr_bytes: 65_536 }
    }
}

/// What was seen of one call, without any opinion of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// How the call ended.
    pub end: End,
    /// Standard output from its beginning, at most one byte more than
    /// [`answer_bytes`](Limits::answer_bytes): that byte is the proof that there was more.
    pub stdout: Vec<u8>,
    /// Standard error from its beginning, at most [`stderr_bytes`](Limits::stderr_bytes).
    pub stderr: Vec<u8>,
    /// How many bytes of standard error were read and dropped.
    pub stderr_dropped: u64,
    /// From just before the start until the end was seen, wall time.
    pub wall: Duration,
}

impl Observed {
    /// A call that ended as `end` says before the program could print anything.
    pub(super) fn nothing(end: End, wall: Duration) -> Observed {
        Observed { end, stdout: Vec::new(), stderr: Vec::new(), stderr_dropped: 0, wall }
    }
}

/// How a call ended: exactly one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The program ended by itself with this exit code.
    Exited(i32),
    /// A signal with this number ended the program, and the referee did not send it.
    Signalled(i32),
    /// The referee killed the program because its time was up.
    Deadline,
    /// The referee killed the program because it printed too much.
    OutputLimit,
    /// The program could not be started, for a reason that lies in the program.
    NotStarted(String),
    /// The referee or the machine failed; the text says how, in one line.
    Fault(String),
}

impl End {
    /// How a program ended that the referee did not kill.
    pub(super) fn of(status: ExitStatus) -> End {
        if let Some(code) = status.code() {
            return End::Exited(code);
        }
        #[cfg(unix)]
        {
            use std::os::unix::process::ExitStatusExt;
            // A traced child is reported where it stops. Nobody but itself can have asked the
            // referee to trace it, so the stop counts as the end it brought on itself.
            if let Some(signal) = status.signal().or(status.stopped_signal()) {
                return End::Signalled(signal);
            }
        }
        End::Fault(format!("unknown exit status: {status}"))
    }
}

impl From<StartError> for End {
    fn from(error: StartError) -> End {
        match error {
            StartError::Program(why) => End::NotStarted(why),
            StartError::Referee(why) => End::Fault(why),
        }
    }
}
