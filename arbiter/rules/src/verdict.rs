//! The verdict on an answer, as written in logs and on the command line.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text::NotText;

/// Verdict on the answer to one request.
///
/// A bot's faults and the referee's own never share a verdict: all but [`Ok`](Verdict::Ok) and
/// [`Void`](Verdict::Void) are charged to the seat that was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A legal move came from a program that ended cleanly.
    Ok,
    /// The answer is a move, but not a legal one here.
    Illegal,
    /// The answer is not a move at all.
    Malformed,
    /// The program had not ended when its time was up.
    Timeout,
    /// The program printed more than an answer may hold.
    OutputLimit,
    /// The program ended with a non-zero exit code or by a signal.
    Crash,
    /// The program ended cleanly without printing anything.
    NoAnswer,
    /// The program could not be started.
    StartFailed,
    /// The program took more memory than it may.
    Memory,
    /// The referee or the machine failed; no seat is charged.
    Void,
}

impl Verdict {
    /// Every verdict, in the order of the documentation.
    pub const ALL: [Verdict; 10] = [
        Verdict::Ok,
        Verdict::Illegal,
        Verdict::Malformed,
        Verdict::Timeout,
        Verdict::OutputLimit,
        Verdict::Crash,
        Verdict::NoAnswer,
        Verdict::StartFailed,
        Verdict::Memory,
        Verdict::Void,
    ];

    /// Returns true if the seat that was asked is charged with it.
    pub fn is_fault(self) -> bool {
        !matches!(self, Verdict::Ok | Verdict::Void)
    }

    /// The one spelling of this verdict.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Illegal => "illegal",
            Verdict::Malformed => "malformed",
            Verdict::Timeout => "timeout",
            Verdict::OutputLimit => "output-limit",
            Verdict::Crash => "crash",
            Verdict::NoAnswer => "no-answer",
            Verdict::StartFailed => "start-failed",
            Verdict::Memory => "memory",
            Verdict::Void => "void",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Verdict {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        Verdict::ALL
            .into_iter()
            .find(|verdict| verdict.name() == text)
            .ok_or_else(|| NotText::new("a verdict", text))
    }
}
