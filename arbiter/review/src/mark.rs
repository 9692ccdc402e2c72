//! What is called a mistake.

use std::fmt;

use bots::review::Certainty;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::decision::{Decision, MoveValue};

/// The chance to call a move a mistake where no move leads by more than half of the mark.
const ERROR: f64 = 0.05;

/// The standard errors that are taken off a lead before it is called a mistake. The best of several leads is too great on
/// average, so without this more than one mark in ten does not stand in more worlds.
const CAUTION: f64 = 0.5;

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
    /// A move must lead by the threshold and half a standard error, and some move by half of the threshold beyond chance.
    /// Leads that a program states count as they are.
    pub fn of(decision: &Decision) -> Option<Mark> {
        let cautious = |mv: &MoveValue| mv.lead - CAUTION * mv.lead_error;
        let best = decision.moves.iter().map(cautious).fold(0.0, f64::max);
        let surely = sure_lead(decision);
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

/// The greatest lead over the move played that is beyond chance, at least 0.
///
/// Each lead counts less as many standard errors as leave an error of 5% to all leads together (one-sided, by Student's t
/// and Bonferroni).
pub(crate) fn sure_lead(decision: &Decision) -> f64 {
    let moves = decision.moves.iter().map(|mv| mv.lead - margin(decision, mv));
    moves.fold(0.0, f64::max)
}

/// Returns the part of a lead that may be chance: nothing where values are exact, and where a program states
/// them, whose errors are not known.
pub(crate) fn margin(decision: &Decision, mv: &MoveValue) -> f64 {
    let Certainty::Sampled { worlds } = decision.certainty else { return 0.0 };
    let worlds = f64::from(worlds);
    let leads = decision.moves.len().saturating_sub(1).max(1) as f64;
    // Two worlds are needed to know of an error.
    let Ok(student) = StudentsT::new(0.0, 1.0, (worlds - 1.0).max(1.0)) else { return 0.0 };
    // A few worlds that agree by chance do not make a lead certain.
    student.inverse_cdf(1.0 - ERROR / leads) * mv.lead_error.max(1.0 / worlds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(worlds: u32, leads: &[(f64, f64)]) -> Decision {
        match worlds {
            0 => decided(Certainty::Exact, leads),
            _ => decided(Certainty::Sampled { worlds }, leads),
        }
    }

    fn decided(certainty: Certainty, leads: &[(f64, f64)]) -> Decision {
        let value = |(lead, lead_error): &(f64, f64)| MoveValue {
            mv: String::new(),
            win: 0.5 + lead,
            error: 0.0,
            points: None,
            lead: *lead,
            lead_error: *lead_error,
            habits: None,
        };
        Decision {
            number: 0,
            seat: 0,
            phase: String::new(),
            moves: leads.iter().map(value).collect(),
            played: 0,
            certainty,
            given_away: 0.0,
            difference: None,
        }
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
            assert_eq!(Mark::of(&decision(0, &[played, (lead, 0.0)])), mark, "{lead}");
            assert_eq!(Mark::of(&decided(Certainty::Stated, &[played, (lead, 0.0)])), mark);
            assert_eq!(Mark::of(&decision(10_000, &[played, (lead, 0.001)])), mark, "{lead}");
        }
        // 16% ahead, of which 5.1% are beyond chance: no more than a mistake.
        let unsure = decision(1_000_000, &[played, (0.16, 0.109 / 1.645)]);
        assert_eq!(Mark::of(&unsure), Some(Mark::Mistake));
        // More moves, more chances to be lucky.
        let lucky = (0.07, 0.02);
        assert_eq!(Mark::of(&decision(400, &[played, lucky])), Some(Mark::Inaccuracy));
        assert_eq!(Mark::of(&decision(400, &[[played].as_slice(), &[lucky; 9]].concat())), None);
        assert_eq!(Mark::of(&decision(400, &[played])), None);
        assert_eq!(Mark::of(&decision(400, &[])), None);
    }

    #[test]
    fn few_worlds_that_agree_by_chance_make_no_mistake() {
        let agreed = |worlds| Mark::of(&decision(worlds, &[(0.0, 0.0), (1.0, 0.0)]));
        assert_eq!(agreed(2), None);
        assert!(agreed(3) < Some(Mark::Mistake));
        assert_eq!((agreed(100), agreed(0)), (Some(Mark::Blunder), Some(Mark::Blunder)));
    }
}
