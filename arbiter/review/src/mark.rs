//! What is called a mistake.

use std::fmt;

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::decision::MoveValue;

/// The chance to call a move a mistake where no move leads by more than half of the mark.
const ERROR: f64 = 0.05;

/// A mistake, by what it cost.
///
/// The parts of a win are those of lichess: 0.1, 0.2 and 0.3 on a scale from -1 to 1
/// (`modules/tree/src/main/Advice.scala`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// At least 5% of a win.
    Inaccuracy,
    /// At least 10%.
    Mistake,
    /// At least 15%.
    Blunder,
}

impl Mark {
    /// Every mark, the smallest first.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The part of a win at which it begins.
    pub fn threshold(self) -> f64 {
        match self {
            Mark::Inaccuracy => 0.05,
            Mark::Mistake => 0.10,
            Mark::Blunder => 0.15,
        }
    }

    /// Its place in [`Mark::ALL`].
    pub fn place(self) -> usize {
        self as usize
    }

    /// The mark of a decision, if the move played was a mistake beyond chance.
    ///
    /// The best move must lead by the threshold, and some move by half of it beyond as many standard errors as leave
    /// an error of 5% to all leads together (Bonferroni, one-sided).
    pub fn of(moves: &[MoveValue]) -> Option<Mark> {
        let best = moves.iter().map(|mv| mv.lead).fold(0.0, f64::max);
        let z = critical_value(moves.len().saturating_sub(1));
        let surely = moves.iter().map(|mv| mv.lead - z * mv.lead_error).fold(0.0, f64::max);
        let is_it = |mark: &Mark| best >= mark.threshold() && surely > mark.threshold() / 2.0;
        Mark::ALL.into_iter().rev().find(is_it)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        })
    }
}

/// The standard errors that a lead must exceed if there are this many leads.
pub(crate) fn critical_value(leads: usize) -> f64 {
    Normal::standard().inverse_cdf(1.0 - ERROR / leads.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(leads: &[(f64, f64)]) -> Vec<MoveValue> {
        let value = |(lead, lead_error): &(f64, f64)| MoveValue {
            mv: String::new(),
            win: 0.5 + lead,
            error: 0.0,
            points: None,
            lead: *lead,
            lead_error: *lead_error,
            habits: None,
        };
        leads.iter().map(value).collect()
    }

    #[test]
    fn a_mark_needs_its_threshold_and_half_of_it_beyond_chance() {
        let played = (0.0, 0.0);
        for (lead, mark) in [
            (0.049, None),
            (0.051, Some(Mark::Inaccuracy)),
            (0.11, Some(Mark::Mistake)),
            (0.16, Some(Mark::Blunder)),
        ] {
            assert_eq!(Mark::of(&moves(&[played, (lead, 0.001)])), mark, "{lead}");
        }
        // 16% ahead, of which 5.1% are beyond chance: no more than a mistake.
        assert_eq!(Mark::of(&moves(&[played, (0.16, 0.109 / 1.645)])), Some(Mark::Mistake));
        // More moves, more chances to be lucky.
        let lucky = (0.06, 0.02);
        assert_eq!(Mark::of(&moves(&[played, lucky])), Some(Mark::Inaccuracy));
        assert_eq!(Mark::of(&moves(&[[played].as_slice(), &[lucky; 9]].concat())), None);
        assert_eq!(Mark::of(&moves(&[played])), None);
        assert_eq!(Mark::of(&[]), None);
    }
}
