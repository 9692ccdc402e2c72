//! Answers: what a bot printed, why it is not played, and what a ruling on it says.

use crate::cause::{FailureCause, StopCause, Verdict, VoidCause};
use crate::text::NotText;

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
        by: StopCause,
        /// Output up to then, cut at the answer limit.
        output: Vec<u8>,
    },
    /// The referee or the machine failed, or a person left; no one is charged.
    Void(VoidCause),
}

impl FailureCause {
    /// The answer of a program that had printed `output` until then.
    pub fn answer(self, output: Vec<u8>) -> Answer {
        match self {
            FailureCause::Stopped(by) => Answer::Stopped { by, output },
            FailureCause::Void(why) => Answer::Void(why),
        }
    }
}

/// A judgement on an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailedVerdict {
    /// The verdict.
    pub verdict: Verdict,
    /// The details of a fault, in one line; empty for `ok`.
    pub detail: String,
}

impl DetailedVerdict {
    /// Reason why the answer failed, if that lies outside of the rules.
    pub fn cause(&self) -> Option<FailureCause> {
        FailureCause::from_text(self.verdict, &self.detail)
    }
}

/// The one line of a reply, without the white space around it.
///
/// White space at the end (blanks, tabs, carriage returns, line ends) and blanks and tabs at the
/// start do not count. All else must be one line of printable ASCII.
///
/// ```
/// use rules::answer::{Refusal, line};
///
/// assert_eq!(line(b"7S 3H 4D\r\n"), Ok("7S 3H 4D"));
/// assert_eq!(line(b"7S\n7H\n").unwrap_err().to_string(), "expected one line, found more");
/// assert_eq!(line(b""), Err(Refusal::Nothing));
/// ```
pub fn line(output: &[u8]) -> Result<&str, Refusal> {
    if output.is_empty() {
        return Err(Refusal::Nothing);
    }
    let empty = || Refusal::Malformed("expected a move, found an empty line".to_owned());
    let kept = output.trim_ascii_end();
    if kept.is_empty() {
        return Err(empty());
    }
    let blanks = kept.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let kept = &kept[blanks..];
    let odd = |byte: &u8| !matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n');
    if let Some(place) = kept.iter().position(odd) {
        let (byte, place) = (kept[place], blanks + place);
        return Err(Refusal::Malformed(format!(
            "expected printable ASCII, found byte {byte:#04x} at place {place}"
        )));
    }
    if kept.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
        return Err(Refusal::Malformed("expected one line, found more".to_owned()));
    }
    str::from_utf8(kept).map_err(|_| empty())
}

/// Reason why a line is not played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing was printed at all.
    #[error("nothing was printed")]
    Nothing,
    /// It is not a move; the text says what was expected.
    #[error("{0}")]
    Malformed(String),
    /// It is a move, but not a legal one here; the text names the rule.
    #[error("{0}")]
    Illegal(String),
    /// The rules failed, and no one is charged.
    #[error("{0}")]
    Rules(VoidCause),
}

impl From<NotText> for Refusal {
    fn from(error: NotText) -> Refusal {
        Refusal::Malformed(error.to_string())
    }
}

impl Refusal {
    /// A move that the complete list of a custom game does not hold.
    pub(crate) fn unlisted() -> Refusal {
        Refusal::Illegal("it is not one of the legal moves".to_owned())
    }
}
