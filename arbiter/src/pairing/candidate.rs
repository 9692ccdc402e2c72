//! What is known of a bot that may play.

use statrs::distribution::{ContinuousCDF, Normal};
use thiserror::Error;

use crate::standings::{Estimate, Interval};

/// A bot that may play in the next round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// How many deals it has played.
    pub deals: u64,
    /// How strong it is; none while games do not tell.
    pub strength: Option<Strength>,
}

/// A rating with its standard error, both in points of Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    rating: f64,
    standard_error: f64,
}

/// Why two numbers are not a strength.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum NotAStrength {
    /// The rating is not a number, or far from all that occur.
    #[error("a rating of {0}, expected one from -100000 to 100000")]
    Rating(f64),
    /// The standard error is not a number, or out of its bounds.
    #[error("a standard error of {0}, expected one from 0.001 to 100000")]
    StandardError(f64),
}

/// The greatest rating and the greatest standard error, in points of Elo.
const MOST: f64 = 100_000.0;

/// The least standard error, in points of Elo: squares of smaller ones are soon lost.
const LEAST: f64 = 0.001;

/// How many standard errors an end of a 95% interval of a normal distribution is from its middle.
const ERRORS_TO_END: f64 = 1.959_963_984_540_054;

impl Strength {
    /// A rating and its standard error, both in points of Elo.
    ///
    /// # Errors
    ///
    /// [`NotAStrength`] for numbers that no rating has.
    pub fn new(rating: f64, standard_error: f64) -> Result<Strength, NotAStrength> {
        if !(-MOST..=MOST).contains(&rating) {
            return Err(NotAStrength::Rating(rating));
        }
        match (LEAST..=MOST).contains(&standard_error) {
            true => Ok(Strength { rating, standard_error }),
            false => Err(NotAStrength::StandardError(standard_error)),
        }
    }

    /// That of a rating as standings have it; none without an interval.
    ///
    /// An interval that lacks an end says nothing of how far the rating may be on that side, so the
    /// distance of the other end stands for both.
    pub fn of(rating: &Estimate) -> Option<Strength> {
        let Interval { low, high } = rating.interval?;
        let half = match (low, high) {
            (Some(low), Some(high)) => (high - low) / 2.0,
            (Some(low), None) => rating.value - low,
            (None, Some(high)) => high - rating.value,
            (None, None) => return None,
        };
        let standard_error = (half / ERRORS_TO_END).clamp(LEAST, MOST);
        Strength::new(rating.value.clamp(-MOST, MOST), standard_error).ok()
    }

    /// The probability, at most one half, that the order of two bots by rating is the wrong one; see
    /// [`pairing`](super).
    pub fn wrong_order(self, other: Strength) -> f64 {
        let standard_error = self.standard_error.hypot(other.standard_error);
        let difference = (self.rating - other.rating).abs();
        Normal::standard().cdf(-difference / standard_error)
    }

    /// The two after this number of games that they are going to play against each other: the
    /// ratings are the same, the standard errors are those to expect.
    pub(super) fn after(self, other: Strength, games: f64) -> [Strength; 2] {
        /// Natural units of strength in a point of Elo.
        const UNIT: f64 = std::f64::consts::LN_10 / 400.0;
        let [one, two] = [self, other].map(|it| it.standard_error.powi(2));
        // The product of both chances is `1 / (2 + 2 cosh x)`, which does not overflow this way.
        let odds = (-UNIT * (self.rating - other.rating).abs()).exp();
        let information = games * UNIT.powi(2) * odds / (1.0 + odds).powi(2);
        let gain = information / (1.0 + information * (one + two));
        let shrunk = |it: Strength, variance: f64| Strength {
            standard_error: (variance - variance.powi(2) * gain).max(0.0).sqrt().max(LEAST),
            ..it
        };
        [shrunk(self, one), shrunk(other, two)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strength(rating: f64, standard_error: f64) -> Strength {
        Strength::new(rating, standard_error).expect("a strength")
    }

    #[test]
    fn the_probability_is_that_of_the_standard_normal() {
        let known = [(0.0, 0.5), (50.0, 0.158_655_253_931), (100.0, 0.022_750_131_948)];
        for (difference, expected) in known {
            // A triangle with sides of 30, 40 and 50.
            let found = strength(difference, 30.0).wrong_order(strength(0.0, 40.0));
            assert!((found - expected).abs() < 1e-9, "{difference}: {found}");
        }
    }

    #[test]
    fn games_shrink_errors_as_much_as_they_tell() {
        // The information of 100 games between equals is 100 · (ln 10 / 400)² / 4.
        let [one, other] = strength(0.0, 50_000.0).after(strength(0.0, 0.001), 100.0);
        let expected = 2.0 * 400.0 / 10.0_f64.ln() / 10.0;
        assert!((one.standard_error - expected).abs() < 0.01, "{one:?}");
        assert_eq!(other.standard_error, 0.001);
        let [far, _] = strength(1000.0, 50.0).after(strength(0.0, 50.0), 100.0);
        let [near, _] = strength(10.0, 50.0).after(strength(0.0, 50.0), 100.0);
        assert!(near.standard_error < 40.0 && far.standard_error > 49.0, "{near:?}, {far:?}");
    }

    #[test]
    fn standings_give_strengths() {
        let of = |low, high| {
            Strength::of(&Estimate { value: 10.0, interval: Some(Interval { low, high }) })
        };
        let expected = strength(10.0, 20.0 / ERRORS_TO_END);
        assert_eq!(of(Some(-10.0), Some(30.0)), Some(expected));
        assert_eq!(of(Some(-10.0), None), Some(expected));
        assert_eq!(of(None, Some(30.0)), Some(expected));
        assert_eq!(of(None, None), None);
        assert_eq!(Strength::of(&Estimate { value: 10.0, interval: None }), None);
    }

    #[test]
    fn numbers_that_no_rating_has_are_refused() {
        for rating in [f64::NAN, f64::INFINITY, -1e6] {
            assert!(matches!(Strength::new(rating, 1.0), Err(NotAStrength::Rating(_))));
        }
        for error in [f64::NAN, 0.0, -1.0, 1e6] {
            assert!(matches!(Strength::new(0.0, error), Err(NotAStrength::StandardError(_))));
        }
    }
}
