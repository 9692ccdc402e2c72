//! The submissions that are not decided, and the place of each among them.

use std::num::NonZeroUsize;

use crate::submissions::Brief;

/// The submissions of a league that are not decided.
#[derive(Debug, Clone)]
pub struct Undecided {
    /// Those that are being checked, in the order in which their checks began.
    pub checking: Vec<Brief>,
    /// Those that wait, in the order of the queue.
    pub waiting: Vec<Brief>,
    /// The most that are checked at once.
    pub at_once: NonZeroUsize,
}

/// State of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
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

impl Undecided {
    /// Returns all of them: those that are being checked, then those that wait.
    pub fn all(&self) -> impl Iterator<Item = &Brief> {
        self.checking.iter().chain(&self.waiting)
    }

    /// Returns the state of a submission of this participant with this number.
    pub fn standing(&self, participant: &str, number: u64) -> Standing {
        let of = self.checking.len() + self.waiting.len();
        let is_it = |it: &Brief| it.participant == participant && it.number == number;
        match self.all().position(is_it) {
            Some(before) if before < self.checking.len() => {
                Standing::Checking { place: before + 1, of }
            }
            Some(before) => Standing::Waits { place: before + 1, of },
            None => Standing::Decided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submissions::BriefVerdict;

    #[test]
    fn those_that_are_being_checked_have_the_first_places() {
        let brief = |participant: &str, number| Brief {
            participant: participant.to_owned(),
            number,
            verdict: BriefVerdict::Waiting,
        };
        let undecided = Undecided {
            checking: vec![brief("anna", 4), brief("ben", 1)],
            waiting: vec![brief("carl", 2), brief("anna", 5)],
            at_once: NonZeroUsize::MIN,
        };
        let names: Vec<_> = undecided.all().map(|it| it.participant.as_str()).collect();
        assert_eq!(names, ["anna", "ben", "carl", "anna"]);
        for (participant, number, expected) in [
            ("anna", 4, Standing::Checking { place: 1, of: 4 }),
            ("ben", 1, Standing::Checking { place: 2, of: 4 }),
            ("carl", 2, Standing::Waits { place: 3, of: 4 }),
            ("anna", 5, Standing::Waits { place: 4, of: 4 }),
            ("anna", 3, Standing::Decided),
            ("eve", 1, Standing::Decided),
        ] {
            assert_eq!(undecided.standing(participant, number), expected, "{participant} {number}");
        }
    }
}
