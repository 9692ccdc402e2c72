//! Answers, and what a ruling on one says.

use crate::cause::{Cause, Stop, Void};
use crate::verdict::Verdict;

/// An answer to the question for a move.
///
/// The one who asked (a supervisor, a script in a test, a log) hands one of these to the referee,
/// which judges it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The program ended cleanly; these are all the bytes of its standard output, possibly none.
    Output(Vec<u8>),
    /// A program of the classic dialect ended cleanly.
    Classic {
        /// Content of its file afterwards, possibly cut.
        file: Vec<u8>,
        /// All bytes of its standard output.
        output: Vec<u8>,
    },
    /// The program was stopped or failed, and is charged with it.
    Stopped {
        /// Cause of the stop.
        by: Stop,
        /// Output up to then, cut at the answer limit.
        output: Vec<u8>,
    },
    /// The referee or the machine failed, or a person left; no one is charged.
    Void(Void),
}

impl Cause {
    /// The answer of a program that had printed `output` until then.
    pub fn answer(self, output: Vec<u8>) -> Answer {
        match self {
            Cause::Stopped(by) => Answer::Stopped { by, output },
            Cause::Void(why) => Answer::Void(why),
        }
    }
}

/// A judgement on an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The verdict.
    pub verdict: Verdict,
    /// The details of a fault, in one line; empty for `ok`.
    pub detail: String,
}

impl Ruling {
    /// Reason why the answer failed, if that lies outside of the rules.
    pub fn cause(&self) -> Option<Cause> {
        Cause::from_text(self.verdict, &self.detail)
    }
}
