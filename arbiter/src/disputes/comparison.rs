//! When two answers to one question are the same: for asking again and for comparing logs.

use rules::record::ClassicReply;
use rules::{Answered, Cause, Escaped, GameKind, Verdict, Weighed};

/// What is compared of an answer; its times and its standard error are no part of it.
#[derive(Debug, Clone)]
pub struct ComparedAnswer<'a> {
    reply: &'a Escaped,
    classic: Option<&'a ClassicReply>,
    verdict: Verdict,
    cause: Option<Cause>,
}

impl ComparedAnswer<'_> {
    /// Whether both are the same: one move however it is spelt, or one fault.
    ///
    /// A fault of the text is the same if the text is, a crash if the program ended in the same
    /// way; of the others what was printed before is left to chance.
    pub fn is_same(&self, other: &ComparedAnswer<'_>, kind: &GameKind) -> bool {
        if self.verdict != other.verdict {
            return false;
        }
        match self.verdict {
            Verdict::Ok => self.played(kind) == other.played(kind),
            Verdict::Illegal | Verdict::Malformed | Verdict::NoAnswer => {
                self.reply == other.reply && self.classic == other.classic
            }
            Verdict::Crash => self.cause == other.cause,
            _ => true,
        }
    }

    /// A legal move in its one spelling. In the classic dialect it is the new content of the file;
    /// what the program prints besides is ignored.
    fn played(&self, kind: &GameKind) -> String {
        let text = String::from_utf8_lossy(&self.reply.0);
        match self.classic {
            None => kind.spelt(text.trim()).unwrap_or_else(|| text.into_owned()),
            Some(ClassicReply { file, .. }) => format!("{file:?} {}", text.trim_end()),
        }
    }
}

impl<'a> From<&'a Answered> for ComparedAnswer<'a> {
    fn from(answer: &'a Answered) -> ComparedAnswer<'a> {
        let Answered { reply, classic, verdict, .. } = answer;
        let cause = answer.cause();
        ComparedAnswer { reply, classic: classic.as_ref(), verdict: *verdict, cause }
    }
}

impl<'a> From<&'a Weighed> for ComparedAnswer<'a> {
    fn from(weighed: &'a Weighed) -> ComparedAnswer<'a> {
        let Weighed { reply, classic, ruling } = weighed;
        let (verdict, cause) = (ruling.verdict, ruling.cause());
        ComparedAnswer { reply, classic: classic.as_ref(), verdict, cause }
    }
}
