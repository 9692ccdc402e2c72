//! Answers, and the rulings on them.

use crate::cause::{Cause, Stop, Void};
use crate::dialect::{ClassicCall, Reading};
use crate::record::{ClassicReply, FileChange};
use crate::table::Refusal;
use crate::text::{Escaped, NotText};
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

/// A judgement on an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The verdict.
    pub verdict: Verdict,
    /// The details of a fault, in one line; empty for `ok`.
    pub detail: String,
}

impl Ruling {
    /// Judges an answer by playing its line, and returns the bytes that came with it.
    pub(crate) fn judge(
        answer: Answer,
        play: impl FnOnce(&str) -> Result<(), Refusal>,
    ) -> (Vec<u8>, Ruling) {
        match answer {
            Answer::Output(output) | Answer::Classic { output, .. } => {
                let played = line(&output).map_err(Refusal::from).and_then(play);
                (output, Ruling::of_played(played))
            }
            Answer::Stopped { by, output } => (output, Ruling::of_cause(&Cause::Stopped(by))),
            Answer::Void(why) => (Vec::new(), Ruling::of_cause(&Cause::Void(why))),
        }
    }

    /// Judges an answer to a call of the classic dialect, and returns what the log keeps of it.
    pub(crate) fn of_classic(
        call: &dyn ClassicCall,
        reading: Reading,
        answer: Answer,
        play: impl FnOnce(&str) -> Result<(), Refusal>,
    ) -> (Escaped, Option<ClassicReply>, Ruling) {
        let (file, output) = match answer {
            Answer::Classic { file, output } => (file, output),
            // A program that ended well without touching its file.
            Answer::Output(output) => (call.file().as_bytes().to_vec(), output),
            Answer::Stopped { .. } | Answer::Void(_) => {
                let (output, ruling) = Ruling::judge(answer, play);
                return (kept(output), None, ruling);
            }
        };
        let ruling = match call.read(reading, &file, &output) {
            Ok(mv) => Ruling::of_played(play(&mv)),
            Err(ruling) => ruling,
        };
        let (reply, file) = match file.strip_prefix(call.file().as_bytes()) {
            Some(appended) => (appended.to_vec(), FileChange::Appended),
            None => (file, FileChange::Rewritten),
        };
        (Escaped(reply), Some(ClassicReply { file, printed: kept(output) }), ruling)
    }

    /// Reason why the answer failed, if that lies outside of the rules.
    pub fn cause(&self) -> Option<Cause> {
        Cause::from_text(self.verdict, &self.detail)
    }

    fn of_cause(cause: &Cause) -> Ruling {
        Ruling { verdict: cause.verdict(), detail: cause.to_string() }
    }

    fn of_played(played: Result<(), Refusal>) -> Ruling {
        let Err(refusal) = played else {
            return Ruling { verdict: Verdict::Ok, detail: String::new() };
        };
        let verdict = match &refusal {
            Refusal::Malformed(BadReply::Nothing) => Verdict::NoAnswer,
            Refusal::Malformed(_) => Verdict::Malformed,
            Refusal::Illegal(_) => Verdict::Illegal,
            Refusal::Rules(_) => Verdict::Void,
        };
        Ruling { verdict, detail: refusal.to_string() }
    }
}

/// Output as the log keeps it: all but one line end after other text, on which no ruling
/// depends, its detail included.
pub(crate) fn kept(mut output: Vec<u8>) -> Escaped {
    if output.len() > 1 && output.last() == Some(&b'\n') {
        output.pop();
    }
    Escaped(output)
}

/// Reason why the bytes that a bot printed are not a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadReply {
    /// Nothing was printed at all.
    #[error("nothing was printed")]
    Nothing,
    /// There is only white space.
    #[error("expected a move, found an empty line")]
    Empty,
    /// There is more than one line.
    #[error("expected one line, found more")]
    SeveralLines,
    /// A byte is not printable ASCII.
    #[error("expected printable ASCII, found byte {byte:#04x} at place {place}")]
    NotAscii {
        /// The byte.
        byte: u8,
        /// Number of bytes that come before it.
        place: usize,
    },
    /// The line is not the text of a move.
    #[error(transparent)]
    NotMove(#[from] NotText),
}

/// The one line of a reply, without the white space around it.
///
/// White space at the end (blanks, tabs, carriage returns, line ends) and blanks and tabs at the
/// start do not count. All else must be one line of printable ASCII.
///
/// ```
/// use rules::ruling::{BadReply, line};
///
/// assert_eq!(line(b"7S 3H 4D\r\n"), Ok("7S 3H 4D"));
/// assert_eq!(line(b"7S\n7H\n"), Err(BadReply::SeveralLines));
/// assert_eq!(line(b""), Err(BadReply::Nothing));
/// ```
pub fn line(output: &[u8]) -> Result<&str, BadReply> {
    if output.is_empty() {
        return Err(BadReply::Nothing);
    }
    let kept = output.trim_ascii_end();
    if kept.is_empty() {
        return Err(BadReply::Empty);
    }
    let blanks = kept.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let kept = &kept[blanks..];
    let odd = |byte: &u8| !matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n');
    if let Some(place) = kept.iter().position(odd) {
        return Err(BadReply::NotAscii { byte: kept[place], place: blanks + place });
    }
    if kept.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
        return Err(BadReply::SeveralLines);
    }
    str::from_utf8(kept).map_err(|_| BadReply::Empty)
}
