//! The vocabulary of one call: what is asked for, and what was seen.

use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limits::Limits;
use super::program::Program;
use super::request::EndOfAnswer;
use super::start::StartError;

/// The most of a program's resident memory that may be copies of files, which count for nothing, in
/// bytes.
#[cfg(target_os = "linux")]
const COPIES_OF_FILES: u64 = 128 << 20;

/// One program to be asked once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) program: &'a Program,
    /// The folder it is started in, as an absolute path; it is also its `HOME`.
    pub(super) scratch: &'a Path,
    /// All bytes of its standard input, which then ends.
    pub(super) request: &'a [u8],
    pub(super) limits: Limits,
}

/// Observations of one call, without any opinion of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// The end of the call.
    pub end: CallEnd,
    /// Standard output from its beginning, at most one byte more than
    /// [`answer_bytes`](Limits::answer_bytes): that byte is the proof that there was more.
    #[serde(skip)]
    pub stdout: Vec<u8>,
    /// Standard error from its beginning, at most [`stderr_bytes`](Limits::stderr_bytes).
    #[serde(skip)]
    pub stderr: Vec<u8>,
    /// Content of the file of the request afterwards, up to the length that was asked for; empty if
    /// there was none, or if it is no longer a file.
    #[serde(skip)]
    pub file: Vec<u8>,
    /// Number of bytes of standard error that were read and dropped.
    pub stderr_dropped: u64,
    /// Wall time from the start until the end was seen; the whole limit where a program
    /// has ended in time and that was seen later.
    pub wall: Duration,
    /// CPU time of the program and of the children it waited for, or of all that it has started
    /// together, if that was seen to be more; nothing if it never ran.
    pub cpu: Option<Duration>,
    /// The longest that any one thread of the program was ready to run while others had the
    /// processors; looked at only when its time is up, or if the game has a limit on it.
    ///
    /// Together with little CPU time it says that the machine was overloaded. With much of it,
    /// the others may have been the program's own threads.
    pub waited: Option<Duration>,
    /// Time that the thread of the referee for this program was ready to run in vain; looked at
    /// likewise.
    pub referee_waited: Option<Duration>,
    /// Number of processes that had left the group of the program and were found alive after its
    /// end; they were killed.
    pub escaped: u32,
}

impl Observation {
    /// A call that ended as `end` says before the program could print anything.
    pub fn without_output(end: CallEnd, wall: Duration) -> Observation {
        Observation {
            end,
            stdout: Vec::new(),
            stderr: Vec::new(),
            file: Vec::new(),
            stderr_dropped: 0,
            wall,
            cpu: None,
            waited: None,
            referee_waited: None,
            escaped: 0,
        }
    }
}

/// End of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallEnd {
    /// The program has printed a line and lives on, as one does that stays for a whole game.
    Answered,
    /// The program lives on, and had printed something before it was asked; it was not asked then.
    Unasked,
    /// The program was to live on, and ended with exit code 0 in a turn without a line.
    Left,
    /// The program was to live on, and computed while it was stopped.
    Awake,
    /// The program ended by itself with this exit code.
    Exited(i32),
    /// A signal with this number ended the program, and the referee did not send it.
    Signalled(i32),
    /// The referee killed the program because its time was up.
    Deadline,
    /// The time limit of a program that lives on once it has printed a line.
    Silence,
    /// The referee or the system killed the program because its CPU time was up.
    CpuLimit,
    /// The referee killed the program because it printed too much.
    OutputLimit,
    /// The referee killed the program because it took too much memory.
    MemoryLimit,
    /// The referee killed the program because it had too many processes and threads.
    ProcessLimit,
    /// The program is dead, and a process that it has left keeps hold of it.
    Traced,
    /// The program could not be started, for a reason that lies in the program.
    NotStarted(String),
    /// The referee or the machine failed; the text says how, in one line.
    Fault(String),
}

impl CallEnd {
    /// The end of a program that the referee did not kill.
    pub(super) fn from_status(status: ExitStatus) -> CallEnd {
        if let Some(code) = status.code() {
            return CallEnd::Exited(code);
        }
        #[cfg(unix)]
        {
            use std::os::unix::process::ExitStatusExt;
            if let Some(signal) = status.signal() {
                return CallEnd::Signalled(signal);
            }
        }
        CallEnd::Fault(format!("unknown exit status: {status}"))
    }

    /// This end of a program that was to live on: then no exit code is a clean end.
    pub(super) fn of_resident(self) -> CallEnd {
        match self {
            CallEnd::Exited(0) => CallEnd::Left,
            end => end,
        }
    }

    /// This end, or the limit on CPU time where it was the kernel that enforced it.
    #[cfg(target_os = "linux")]
    pub(super) fn or_cpu_limit(self, used: Duration, limits: &Limits) -> CallEnd {
        use rustix::process::Signal;
        let kernels = [Signal::KILL.as_raw(), Signal::XCPU.as_raw()];
        match self {
            CallEnd::Signalled(signal)
                if kernels.contains(&signal) && limits.cpu.is_some_and(|limit| used > limit) =>
            {
                CallEnd::CpuLimit
            }
            end => end,
        }
    }

    /// This end, or what the kernel has done where it had no memory left: the limit on memory where the
    /// program was surely above it, and a fault of the machine where it was not.
    ///
    /// A shell that runs a program which was killed ends with a code that says so.
    #[cfg(target_os = "linux")]
    pub(super) fn or_out_of_memory(self, shortage: MemoryShortage, limits: &Limits) -> CallEnd {
        use rustix::process::Signal;
        const KILLED: i32 = Signal::KILL.as_raw();
        const SHELLS: i32 = 128 + KILLED;
        match (self, shortage) {
            (
                CallEnd::Signalled(KILLED) | CallEnd::Exited(SHELLS),
                MemoryShortage::Killed { largest },
            ) => match largest.is_some_and(|largest| is_surely_above(largest, limits)) {
                true => CallEnd::MemoryLimit,
                false => CallEnd::Fault(format!(
                    "the machine ran out of memory, and its kernel killed a program that was not seen \
                         above its limit of {} bytes",
                    limits.memory
                )),
            },
            (end, _) => end,
        }
    }

    /// This end where the machine had no process for the program: a fault of the machine if the program has failed or is
    /// late.
    #[cfg(target_os = "linux")]
    pub(super) fn without_process(self) -> CallEnd {
        match self {
            CallEnd::Exited(0) => self,
            CallEnd::Exited(_) | CallEnd::Signalled(_) | CallEnd::Deadline | CallEnd::Silence => CallEnd::Fault(
                "the machine refused to start a process, so a program within its limit of processes failed"
                    .to_owned(),
            ),
            end => end,
        }
    }
}

/// Returns true if a process that had this many bytes of resident memory was above the limit, however much of it
/// was copies of files.
#[cfg(target_os = "linux")]
pub(super) fn is_surely_above(largest: u64, limits: &Limits) -> bool {
    largest > limits.memory.saturating_add(COPIES_OF_FILES)
}

/// Shortage of memory in the kernel while a program ran.
#[cfg(target_os = "linux")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemoryShortage {
    /// As far as is known, there was none.
    None,
    Killed {
        /// The most resident memory that any one process of the program had, copies of files
        /// included, in bytes, where that is known.
        largest: Option<u64>,
    },
}

impl From<StartError> for CallEnd {
    fn from(error: StartError) -> CallEnd {
        match error {
            StartError::Program(why) | StartError::NotSeen(why) => CallEnd::NotStarted(why),
            StartError::Referee(why) => CallEnd::Fault(why),
        }
    }
}

/// The first bytes of a stream up to a cap, and a count of the rest: memory stays flat.
#[derive(Debug, Default)]
pub(super) struct Capture {
    kept: Vec<u8>,
    cap: usize,
    dropped: u64,
}

impl Capture {
    /// For standard output, with room for the one byte that proves there was too much.
    pub(super) fn of_stdout(limits: &Limits) -> Capture {
        Capture::with_cap(limits.answer_bytes.saturating_add(1))
    }

    pub(super) fn of_stderr(limits: &Limits) -> Capture {
        Capture::with_cap(limits.stderr_bytes)
    }

    fn with_cap(cap: usize) -> Capture {
        Capture { kept: Vec::new(), cap, dropped: 0 }
    }

    pub(super) fn take(&mut self, bytes: &[u8]) {
        let room = self.cap - self.kept.len();
        let (keep, drop) = bytes.split_at(bytes.len().min(room));
        self.kept.extend_from_slice(keep);
        self.dropped = self.dropped.saturating_add(drop.len() as u64);
    }

    /// Returns true if nothing more will be kept; for standard output: if there was too much.
    pub(super) fn is_full(&self) -> bool {
        self.kept.len() == self.cap
    }

    /// Returns true if a whole answer is kept.
    pub(super) fn holds(&self, end: EndOfAnswer) -> bool {
        end.is_in(&self.kept)
    }

    /// The bytes kept, and how many were dropped.
    pub(super) fn into_parts(self) -> (Vec<u8>, u64) {
        (self.kept, self.dropped)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// The program is at fault only above its limit.
    #[test]
    fn a_program_that_the_kernel_kills_for_want_of_memory_is_charged_only_above_its_limit() {
        let limits = Limits { memory: 1 << 30, ..Limits::default() };
        let killed = |largest: u64| MemoryShortage::Killed { largest: Some(largest) };
        let unknown = MemoryShortage::Killed { largest: None };
        let faults =
            |end: &CallEnd| matches!(end, CallEnd::Fault(why) if why.contains("ran out of memory"));
        for end in [CallEnd::Signalled(9), CallEnd::Exited(137)] {
            let came_of = |shortage| end.clone().or_out_of_memory(shortage, &limits);
            assert_eq!(came_of(MemoryShortage::None), end);
            assert_eq!(came_of(killed(2 << 30)), CallEnd::MemoryLimit);
            assert!(faults(&came_of(killed(1 << 30))));
            // It may all be copies of files.
            assert!(faults(&came_of(killed((1 << 30) + (100 << 20)))));
            assert!(faults(&came_of(unknown)));
        }
        for end in [CallEnd::Signalled(11), CallEnd::Exited(1), CallEnd::Exited(0)] {
            assert_eq!(end.clone().or_out_of_memory(unknown, &limits), end);
        }
    }

    #[test]
    fn a_program_that_fails_for_want_of_processes_is_not_charged() {
        for end in [
            CallEnd::Exited(1),
            CallEnd::Exited(-1),
            CallEnd::Signalled(6),
            CallEnd::Deadline,
            CallEnd::Silence,
        ] {
            assert!(matches!(end.clone().without_process(), CallEnd::Fault(_)), "{end:?}");
        }
        let others = [
            CallEnd::Exited(0),
            CallEnd::CpuLimit,
            CallEnd::MemoryLimit,
            CallEnd::ProcessLimit,
            CallEnd::Traced,
        ];
        for end in others {
            assert_eq!(end.clone().without_process(), end);
        }
    }

    #[test]
    fn the_kernels_limit_on_cpu_time_is_ours() {
        let limits = Limits { cpu: Some(Duration::from_secs(2)), ..Limits::default() };
        let (less, more) = (Duration::from_secs(2), Duration::from_secs(3));
        for signal in [9, 24] {
            let end = || CallEnd::Signalled(signal);
            assert_eq!(end().or_cpu_limit(more, &limits), CallEnd::CpuLimit);
            assert_eq!(end().or_cpu_limit(less, &limits), end());
            assert_eq!(end().or_cpu_limit(more, &Limits::default()), end());
        }
        assert_eq!(CallEnd::Signalled(11).or_cpu_limit(more, &limits), CallEnd::Signalled(11));
    }

    #[test]
    fn keeps_the_beginning_and_counts_the_rest() {
        let mut capture = Capture::with_cap(5);
        capture.take(b"abc");
        assert!(!capture.is_full());
        capture.take(b"defg");
        assert!(capture.is_full());
        capture.take(b"hi");
        assert_eq!(capture.into_parts(), (b"abcde".to_vec(), 4));
    }

    #[test]
    fn a_stdout_of_just_the_limit_is_not_full() {
        let limits = Limits { answer_bytes: 3, ..Limits::default() };
        let mut capture = Capture::of_stdout(&limits);
        capture.take(b"abc");
        assert!(!capture.is_full());
        capture.take(b"d");
        assert!(capture.is_full());
    }
}
