//! Exceptions of a league: a later deadline of a participant, or a late submission that counts, and why.
//!
//! Each is a line of the league's log. The deadline itself is no part of the log, so nothing in a verification depends
//! on exceptions: they say who was treated differently.

use jiff::Timestamp;
use serde::Serialize;
use text::printable;

use crate::calendar::Calendar;
use crate::correction::check_reason;
use crate::line::ExceptionLine;
use bot::is_name;

impl ExceptionLine {
    /// Returns an own deadline.
    pub fn until(participant: &str, until: Timestamp, reason: String) -> ExceptionLine {
        let (until, accepted) = (Some(until.as_second()), None);
        ExceptionLine { participant: participant.to_owned(), until, accepted, reason }
    }

    /// Returns the acceptance of a late submission.
    pub fn accepted(participant: &str, number: u64, reason: String) -> ExceptionLine {
        let (until, accepted) = (None, Some(number));
        ExceptionLine { participant: participant.to_owned(), until, accepted, reason }
    }

    /// Returns the exception in a sentence, for people.
    pub fn in_words(&self, calendar: &Calendar) -> String {
        let (name, reason) = (&self.participant, printable(&self.reason));
        match (self.deadline(), self.accepted) {
            (Some(until), _) => {
                format!("{name}: deadline extended to {} ({reason})", calendar.time_text(until))
            }
            (None, Some(number)) => format!("{name}: late submission {number} accepted ({reason})"),
            (None, None) => format!("{name}: {reason}"),
        }
    }

    fn deadline(&self) -> Option<Timestamp> {
        Timestamp::from_second(self.until?).ok()
    }
}

/// All exceptions of a league, in the order of their lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exceptions {
    all: Vec<ExceptionLine>,
}

/// An exception with all keys, for programs.
#[derive(Debug, Serialize)]
pub struct ExceptionView<'a> {
    participant: &'a str,
    until: Option<String>,
    accepted: Option<u64>,
    reason: &'a str,
}

impl Exceptions {
    /// Returns all of them.
    pub fn all(&self) -> &[ExceptionLine] {
        &self.all
    }

    /// Returns those of a participant.
    pub fn of_participant<'a>(
        &'a self,
        participant: &'a str,
    ) -> impl Iterator<Item = &'a ExceptionLine> {
        self.all.iter().filter(move |it| it.participant == participant)
    }

    /// Returns the own deadline of a participant: the last one that was set.
    pub fn deadline(&self, participant: &str) -> Option<Timestamp> {
        self.of_participant(participant).filter_map(ExceptionLine::deadline).last()
    }

    /// Returns them as values for programs.
    pub fn views(&self) -> impl Iterator<Item = ExceptionView<'_>> {
        self.all.iter().map(|it| ExceptionView {
            participant: &it.participant,
            until: it.deadline().map(|until| until.to_string()),
            accepted: it.accepted,
            reason: &it.reason,
        })
    }

    pub(crate) fn add(&mut self, line: ExceptionLine) -> Result<(), String> {
        check_reason(&line.reason)?;
        if !is_name(&line.participant) {
            return Err("its participant has no valid name".to_owned());
        }
        let is_time = line.until.is_none_or(|until| Timestamp::from_second(until).is_ok());
        if line.until.is_some() == line.accepted.is_some() || !is_time {
            return Err("it has neither a time nor a submission, or both".to_owned());
        }
        self.all.push(line);
        Ok(())
    }
}
