//! Tables, how often bots have met, and with which result.

use std::collections::{BTreeMap, BTreeSet};

use crate::game::{StandingsError, refused};
use crate::{Entrant, Estimate, Interval, normal_cdf};

/// Number of seats of a game, 2 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seats(usize);

impl Seats {
    /// The number of seats.
    pub fn count(self) -> usize {
        self.0
    }
}

impl TryFrom<usize> for Seats {
    type Error = StandingsError;

    fn try_from(seats: usize) -> Result<Seats, StandingsError> {
        match seats {
            2..=6 => Ok(Seats(seats)),
            _ => Err(refused(format_args!("a table of {seats} seats, expected 2 to 6"))),
        }
    }
}

/// The bots that play the same deals against each other, by their places in the list of candidates.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Table(BTreeSet<Entrant>);

impl Table {
    /// A table of these bots.
    ///
    /// # Errors
    ///
    /// [`StandingsError`], where different bots are fewer than 2 or more than 6.
    pub fn new(bots: impl IntoIterator<Item = Entrant>) -> Result<Table, StandingsError> {
        let bots: BTreeSet<Entrant> = bots.into_iter().collect();
        Seats::try_from(bots.len()).map(|_| Table(bots))
    }

    /// The bots, in ascending order.
    pub fn bots(&self) -> impl Iterator<Item = Entrant> + Clone + '_ {
        self.0.iter().copied()
    }

    /// Returns true if a bot sits at it.
    pub fn seats(&self, bot: Entrant) -> bool {
        self.0.contains(&bot)
    }

    /// Every two of its bots, each pair once.
    pub fn pairs(&self) -> impl Iterator<Item = [Entrant; 2]> + '_ {
        let after = |one| self.bots().filter(move |other| one < *other);
        self.bots().flat_map(move |one| after(one).map(move |other| [one, other]))
    }
}

/// Number of deals that every two bots have played at one table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meetings(BTreeMap<[Entrant; 2], u64>);

impl Meetings {
    /// Adds deals that were played at a table.
    pub fn add(&mut self, table: &Table, deals: u64) {
        for pair in table.pairs() {
            let sum = self.0.entry(pair).or_default();
            *sum = sum.saturating_add(deals);
        }
    }

    /// Notes that a chain of meetings connects two bots, if only through bots that play no more.
    pub fn connect(&mut self, one: Entrant, other: Entrant) {
        self.0.entry([one.min(other), one.max(other)]).or_default();
    }

    /// Number of deals that two bots have played at one table, in either order.
    pub fn deals(&self, one: Entrant, other: Entrant) -> u64 {
        self.0.get(&[one.min(other), one.max(other)]).copied().unwrap_or_default()
    }

    /// The pairs that have met or are connected, with their deals.
    pub(super) fn pairs(&self) -> impl Iterator<Item = ([Entrant; 2], u64)> + '_ {
        self.0.iter().map(|(pair, deals)| (*pair, *deals))
    }

    /// By bot, the number of its group: a chain of meetings connects the bots of one.
    pub(super) fn groups(&self, bots: usize) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..bots).collect();
        for [one, other] in self.0.keys() {
            let (from, to) = (groups[one.0], groups[other.0]);
            if from != to {
                groups.iter_mut().filter(|it| **it == from).for_each(|it| *it = to);
            }
        }
        groups
    }

    /// The bot with the greatest place; none where there are no meetings.
    pub(super) fn last(&self) -> Option<Entrant> {
        self.0.keys().map(|[_, other]| *other).max()
    }
}

/// Result of a table of two bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The bot in seat 0 won.
    One,
    /// Neither won; each gets half of the points of a win.
    Draw,
    /// The bot in seat 1 won.
    Other,
}

impl Outcome {
    /// What a win is worth, in half points.
    pub const WIN: u32 = 2;

    /// What each of the two bots gets, in half points.
    pub fn half_points(self) -> [u32; 2] {
        match self {
            Outcome::One => [Outcome::WIN, 0],
            Outcome::Draw => [1, 1],
            Outcome::Other => [0, Outcome::WIN],
        }
    }
}

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
