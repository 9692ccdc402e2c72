//! What came back when a seat was asked, as a value: the referee never sees a process.

use crate::verdict::Verdict;

/// What came back when a seat was asked for a move.
///
/// The one who asked (a supervisor, a script in a test, a log) hands one of these to the referee,
/// which judges it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The program ended cleanly; these are all the bytes of its standard output, possibly none.
    Output(Vec<u8>),
    /// A program of the classic dialect ended cleanly.
    Classic {
        /// What its file holds then, possibly cut.
        file: Vec<u8>,
        /// All bytes of its standard output.
        output: Vec<u8>,
    },
    /// The program was stopped or failed, and is charged with it.
    Stopped {
        /// What stopped it.
        by: Stop,
        /// The details for a person, one line: `exit 1`, `signal 11`, `no exit within 5000 ms`.
        detail: String,
        /// What it had printed until then, cut at the answer limit.
        output: Vec<u8>,
    },
    /// The referee or the machine failed; no one is charged. The text says how, in one line.
    Void(String),
}

/// Why a program did not get as far as an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// Its time was up.
    Timeout,
    /// It printed more than an answer may hold.
    OutputLimit,
    /// It ended with a non-zero exit code or by a signal.
    Crash,
    /// It could not be started.
    StartFailed,
    /// It took more memory than it may.
    Memory,
    /// It lives for a whole game, and printed before it was asked.
    Unasked,
}

impl Stop {
    /// The details of an answer that was given before it was asked for: the log tells it from other
    /// malformed ones by them.
    pub const UNASKED: &str = "printed before it was asked";

    /// The stop that a logged verdict with these details stands for, if it is one.
    pub fn from_logged(verdict: Verdict, detail: &str) -> Option<Stop> {
        match verdict {
            Verdict::Malformed if detail == Stop::UNASKED => Some(Stop::Unasked),
            Verdict::Timeout => Some(Stop::Timeout),
            Verdict::OutputLimit => Some(Stop::OutputLimit),
            Verdict::Crash => Some(Stop::Crash),
            Verdict::StartFailed => Some(Stop::StartFailed),
            Verdict::Memory => Some(Stop::Memory),
            Verdict::Ok
            | Verdict::Illegal
            | Verdict::Malformed
            | Verdict::NoAnswer
            | Verdict::Void => None,
        }
    }
}

impl From<Stop> for Verdict {
    fn from(stop: Stop) -> Verdict {
        match stop {
            Stop::Timeout => Verdict::Timeout,
            Stop::OutputLimit => Verdict::OutputLimit,
            Stop::Crash => Verdict::Crash,
            Stop::StartFailed => Verdict::StartFailed,
            Stop::Memory => Verdict::Memory,
            Stop::Unasked => Verdict::Malformed,
        }
    }
}
