//! A bot that may play.

use crate::game::{StandingsError, refused};
use crate::{Estimate, Interval, normal_cdf};

/// A bot that may play in the next round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Number of deals that it has played.
    pub deals: u64,
    /// Its strength; none while games do not tell.
    pub strength: Option<Strength>,
}

/// A rating with its standard error, both in points of Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    rating: f64,
    standard_error: f64,
}

/// The greatest rating and the greatest standard error, in points of Elo.
const MOST: f64 = 100_000.0;

/// The least standard error, in points of Elo: squares of smaller ones are soon lost.
const LEAST: f64 = 0.001;

/// Standard errors from the middle of a normal distribution to an end of its 95% interval.
const ERRORS_TO_END: f64 = 1.959_963_984_540_054;

impl Strength {
    /// A rating and its standard error, both in points of Elo.
    ///
    /// # Errors
    ///
    /// [`StandingsError`] for numbers that no rating has.
    pub fn new(rating: f64, standard_error: f64) -> Result<Strength, StandingsError> {
        if !(-MOST..=MOST).contains(&rating) {
            return Err(refused(format_args!(
                "a rating of {rating}, expected one from -{MOST} to {MOST}"
            )));
        }
        if !(LEAST..=MOST).contains(&standard_error) {
            let text = format_args!(
                "a standard error of {standard_error}, expected one from {LEAST} to {MOST}"
            );
            return Err(refused(text));
        }
        Ok(Strength { rating, standard_error })
    }

    /// The strength of a bot by its rating in standings; none without an interval.
    ///
    /// An interval that lacks an end says nothing of how far the rating may be on that side, so the
    /// distance of the other end stands for both.
    pub fn from_rating(rating: &Estimate) -> Option<Strength> {
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

    /// The rating, in points of Elo.
    pub fn rating(self) -> f64 {
        self.rating
    }

    /// Its standard error, in points of Elo.
    pub fn standard_error(self) -> f64 {
        self.standard_error
    }

    /// The probability, at most one half, that the order of two bots by rating is the wrong one; see
    /// [`pairing`](super).
    pub fn wrong_order(self, other: Strength) -> f64 {
        let standard_error = self.standard_error.hypot(other.standard_error);
        let difference = (self.rating - other.rating).abs();
        normal_cdf(-difference / standard_error)
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
    fn standings_give_strengths() {
        let of = |low, high| {
            Strength::from_rating(&Estimate { value: 10.0, interval: Some(Interval { low, high }) })
        };
        let expected = strength(10.0, 20.0 / ERRORS_TO_END);
        assert_eq!(of(Some(-10.0), Some(30.0)), Some(expected));
        assert_eq!(of(Some(-10.0), None), Some(expected));
        assert_eq!(of(None, Some(30.0)), Some(expected));
        assert_eq!(of(None, None), None);
        assert_eq!(Strength::from_rating(&Estimate { value: 10.0, interval: None }), None);
    }

    #[test]
    fn numbers_that_no_rating_has_are_refused() {
        for rating in [f64::NAN, f64::INFINITY, -1e6] {
            let refused = Strength::new(rating, 1.0).expect_err("no rating").to_string();
            assert_eq!(
                refused,
                format!("a rating of {rating}, expected one from -100000 to 100000")
            );
        }
        for error in [f64::NAN, 0.0, -1.0, 1e6] {
            let refused = Strength::new(0.0, error).expect_err("no error").to_string();
            let bounds = "expected one from 0.001 to 100000";
            assert_eq!(refused, format!("a standard error of {error}, {bounds}"));
        }
    }
}
