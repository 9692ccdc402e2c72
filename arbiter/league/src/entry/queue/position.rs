//! The submissions that are not decided, and the place of each among them.

use std::num::NonZeroUsize;

use crate::submissions::SubmissionSummary;

/// The submissions of a league that are not decided.
#[derive(Debug, Clone)]
pub struct PendingSubmissions {
    /// Those that are being checked, in the order in which their checks began.
    pub checking: Vec<SubmissionSummary>,
    /// Those that wait, in the order of the queue.
    pub waiting: Vec<SubmissionSummary>,
    /// The most that are checked at once.
    pub at_once: NonZeroUsize,
}

/// State of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueuePosition {
    /// It waits.
    Waits {
        /// Its place among those that are not decided, from 1; those that are being checked come first.
        place: usize,
        /// Number of those that are not decided.
        of: usize,
    },
    /// It is being checked.
    Checking {
        /// Its place among those that are not decided, from 1.
        place: usize,
        /// Number of those that are not decided, including this one.
        of: usize,
    },
    /// It is decided.
    Decided,
}

impl PendingSubmissions {
    /// Returns all of them: those that are being checked, then those that wait.
    pub fn all(&self) -> impl Iterator<Item = &SubmissionSummary> {
        self.checking.iter().chain(&self.waiting)
    }

    /// Returns the state of a submission of this participant with this number.
    pub fn standing(&self, participant: &str, number: u64) -> QueuePosition {
        let of = self.checking.len() + self.waiting.len();
        let is_it = |it: &SubmissionSummary| it.participant == participant && it.number == number;
        match self.all().position(is_it) {
            Some(before) if before < self.checking.len() => {
                QueuePosition::Checking { place: before + 1, of }
            }
            Some(before) => QueuePosition::Waits { place: before + 1, of },
            None => QueuePosition::Decided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submissions::SummaryVerdict;

    #[test]
    fn those_that_are_being_checked_have_the_first_places() {
        let brief = |participant: &str, number| SubmissionSummary {
            participant: participant.to_owned(),
            number,
            received: 0,
            verdict: SummaryVerdict::Waiting,
        };
        let undecided = PendingSubmissions {
            checking: vec![brief("anna", 4), brief("ben", 1)],
            waiting: vec![brief("carl", 2), brief("anna", 5)],
            at_once: NonZeroUsize::MIN,
        };
        let names: Vec<_> = undecided.all().map(|it| it.participant.as_str()).collect();
        assert_eq!(names, ["anna", "ben", "carl", "anna"]);
        for (participant, number, expected) in [
            ("anna", 4, QueuePosition::Checking { place: 1, of: 4 }),
            ("ben", 1, QueuePosition::Checking { place: 2, of: 4 }),
            ("carl", 2, QueuePosition::Waits { place: 3, of: 4 }),
            ("anna", 5, QueuePosition::Waits { place: 4, of: 4 }),
            ("anna", 3, QueuePosition::Decided),
            ("eve", 1, QueuePosition::Decided),
        ] {
            assert_eq!(undecided.standing(participant, number), expected, "{participant} {number}");
        }
    }
}
