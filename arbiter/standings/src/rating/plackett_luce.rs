//! Choices among several bots, in proportion to their strengths.
//!
//! This is the model of Luce (1959) and Plackett (1975) as Hunter (2004, section 5) fits it; how
//! rankings become choices is said in [`choices`](crate::choices). The parameters are the
//! logarithms of the strengths. There is none for seats: their number is often greater than what
//! games can tell, and the bots of a tournament change seats, which balances them.

use super::add_prior;
use super::newton::{Concave, Slope};
use crate::game::Entrant;

/// The choices to fit to.
#[derive(Debug)]
pub(crate) struct PlackettLuce<'a> {
    /// Number of times each bot was chosen.
    pub(super) chosen: Vec<f64>,
    /// From which bots, and how often.
    pub(super) choices: Vec<Choice<'a>>,
}

/// Some bots and how often one of them was chosen.
#[derive(Debug, Clone, Copy)]
pub(super) enum Choice<'a> {
    Two([Entrant; 2], f64),
    /// Any number.
    Many(&'a [Entrant], f64),
}

impl Choice<'_> {
    fn among(&self) -> (&[Entrant], f64) {
        match self {
            Choice::Two(among, times) => (among, *times),
            Choice::Many(among, times) => (among, *times),
        }
    }
}

impl Concave for PlackettLuce<'_> {
    fn parameters(&self) -> usize {
        self.chosen.len()
    }

    fn evaluate(&self, at: &[f64], slope: &mut Slope) {
        for (place, (strength, chosen)) in at.iter().zip(&self.chosen).enumerate() {
            slope.value += strength * chosen;
            slope.gradient[place] += chosen;
            add_prior(at, place, 1.0, slope);
        }
        let greatest = at.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let strengths: Vec<f64> = at.iter().map(|strength| (strength - greatest).exp()).collect();
        for (among, times) in self.choices.iter().map(Choice::among) {
            if times <= 0.0 {
                continue;
            }
            let all: f64 = among.iter().map(|bot| strengths[bot.0]).sum();
            slope.value -= times * (all.ln() + greatest);
            for (place, bot) in among.iter().enumerate() {
                let share = strengths[bot.0] / all;
                slope.gradient[bot.0] -= times * share;
                slope.curvature.add(bot.0, bot.0, times * share);
                for other in &among[..=place] {
                    let other_share = strengths[other.0] / all;
                    slope.curvature.add(bot.0, other.0, -times * share * other_share);
                }
            }
        }
    }
}
