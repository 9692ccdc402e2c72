//! The rulings on answers.

use crate::answer::{Answer, BadReply, Refusal, Ruling, line};
use crate::cause::Cause;
use crate::dialect::{ClassicCall, Reading};
use crate::record::{ClassicReply, FileChange};
use crate::text::Escaped;
use crate::verdict::Verdict;

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
