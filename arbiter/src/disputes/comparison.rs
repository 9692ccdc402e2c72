//! Answers to one question compared, for asking again and for comparing logs.

use std::collections::BTreeMap;

use rules::record::ClassicReply;
use rules::{AnswerRecord, Cause, Escaped, GameKind, JudgedAnswer, Measured, Seat, Verdict};
use serde::Serialize;

use crate::disputes::logged_game::AskedMoment;

/// The parts of an answer that are compared: all but its times and its standard error.
#[derive(Debug, Clone)]
pub(crate) struct ComparedAnswer<'a> {
    reply: &'a Escaped,
    classic: Option<&'a ClassicReply>,
    verdict: Verdict,
    cause: Option<Cause>,
}

impl ComparedAnswer<'_> {
    /// Returns true if both are the same move, in any spelling, or the same fault.
    ///
    /// Faults of the text are the same if the texts are, and crashes if the programs ended in the same way.
    /// For other faults, the output before them is left to chance.
    pub(crate) fn is_same(&self, other: &ComparedAnswer<'_>, kind: &GameKind) -> bool {
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

impl<'a> From<&'a AnswerRecord> for ComparedAnswer<'a> {
    fn from(answer: &'a AnswerRecord) -> ComparedAnswer<'a> {
        let AnswerRecord { reply, classic, verdict, .. } = answer;
        let cause = answer.cause();
        ComparedAnswer { reply, classic: classic.as_ref(), verdict: *verdict, cause }
    }
}

impl<'a> From<&'a JudgedAnswer> for ComparedAnswer<'a> {
    fn from(judged: &'a JudgedAnswer) -> ComparedAnswer<'a> {
        let JudgedAnswer { reply, classic, ruling } = judged;
        let (verdict, cause) = (ruling.verdict, ruling.cause());
        ComparedAnswer { reply, classic: classic.as_ref(), verdict, cause }
    }
}

/// A logged answer beside the present one.
#[derive(Debug)]
pub(crate) struct AnswerComparison<'a> {
    pub kind: &'a GameKind,
    pub game: u64,
    pub time: RerunTime,
    pub moment: AskedMoment,
    pub name: &'a str,
    pub logged: (&'a AnswerRecord, &'a Measured),
    pub now: (&'a JudgedAnswer, &'a Measured),
}

/// One of the times that a game is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RerunTime {
    /// Its number, from 1.
    pub number: u32,
    pub of: u32,
}

impl AnswerComparison<'_> {
    pub(crate) fn are_same(&self) -> bool {
        ComparedAnswer::from(self.logged.0).is_same(&ComparedAnswer::from(self.now.0), self.kind)
    }

    pub(crate) fn place(&self) -> AnswerPlace {
        let AskedMoment { number, retry, seat } = self.moment;
        AnswerPlace { game: self.game, number, retry, seat }
    }
}

/// The sum of all comparisons.
#[derive(Debug, Default)]
pub(crate) struct ComparisonCounts {
    pub answers: u64,
    pub different: u64,
    /// The place of the first difference.
    pub first: Option<AnswerPlace>,
    /// Of the different answers, those that were a fault in the log and are none now.
    pub faults_gone: u64,
    /// Those that are a fault now alone.
    pub faults_new: u64,
    /// The number of differences at each place.
    pub places: BTreeMap<AnswerPlace, u64>,
}

/// The place of an answer in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct AnswerPlace {
    pub game: u64,
    #[serde(rename = "move")]
    pub number: u32,
    pub retry: u32,
    pub seat: Seat,
}

impl ComparisonCounts {
    pub(crate) fn add(&mut self, compared: &AnswerComparison<'_>) {
        self.answers += 1;
        if !compared.are_same() {
            let place = compared.place();
            self.different += 1;
            self.first.get_or_insert(place);
            let is_fault = [compared.logged.0.verdict, compared.now.0.ruling.verdict];
            let [was_fault, is_fault] = is_fault.map(Verdict::is_fault);
            self.faults_gone += u64::from(was_fault && !is_fault);
            self.faults_new += u64::from(is_fault && !was_fault);
            *self.places.entry(place).or_default() += 1;
        }
    }
}
