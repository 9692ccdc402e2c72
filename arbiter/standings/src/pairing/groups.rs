//! Stages in groups: the draw, the rounds of a group, and the seeds of the knockout after it.
//!
//! Groups are drawn by *serpentine seeding*: the first seeds go to the groups in their order, the
//! next ones in reverse order, and so on; with 4 groups, seeds 1, 8, 9 and 16 are together.
//!
//! In a group, every two bots meet once. [`rounds`] gives the rounds of FIDE's tables, the Berger
//! tables (C.05, annex 1), in which no bot is twice in a round.
//!
//! The first bots of each group go on. [`knockout_seeds`] gives all winners of groups the best seeds,
//! in the order of the groups, then all second bots, and so on. Among the second bots, and among all
//! later ones, the seeds are dealt out so that bots of a group meet as late as possible: as few as
//! possible in the first round of the knockout, then as few as possible in the second, and so on.
//! So of 8 bots from 4 groups, winners meet the second of another group, and bots of one group meet in
//! the final only. If several orders are as good, the bot of the first group gets the last seed, which
//! meets the first one: A1 plays B2, and B1 plays A2.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use super::knockout::standard_order;
use super::matching::{Graph, Preference};
use crate::game::{StandingsError, refused};
use crate::{Entrant, Estimate, Interval, normal_cdf};

/// The greatest number of bots that go on from groups.
pub const MOST_SEEDS: usize = 256;

/// Draws groups from seeds, the best one first.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use standings::Entrant;
/// use standings::pairing::groups::draw;
///
/// let groups = draw(&[0, 1, 2, 3, 4].map(Entrant), NonZeroUsize::MIN.saturating_add(1))?;
/// assert_eq!(groups, [vec![Entrant(0), Entrant(3), Entrant(4)], vec![Entrant(1), Entrant(2)]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`StandingsError`], where a group would have fewer than two bots.
pub fn draw(seeds: &[Entrant], groups: NonZeroUsize) -> Result<Vec<Vec<Entrant>>, StandingsError> {
    let count = groups.get();
    if seeds.len() / 2 < count {
        let bots = seeds.len();
        let text = format_args!("{groups} groups for {bots} bots: use at least two bots per group");
        return Err(refused(text));
    }
    let mut drawn = vec![Vec::new(); count];
    for (row, seeds) in seeds.chunks(count).enumerate() {
        for (place, bot) in seeds.iter().enumerate() {
            let group = if row.is_multiple_of(2) { place } else { count - 1 - place };
            drawn[group].push(*bot);
        }
    }
    Ok(drawn)
}

/// The tables of each round of a group, the bot with seat 0 first: every two bots meet once, and no bot is twice in a
/// round. In a group of an odd number, one bot does not play.
///
/// The tables of all rounds one after the other are those of the group at once.
pub fn rounds(group: &[Entrant]) -> Vec<Vec<[Entrant; 2]>> {
    // With an odd number, the bot that would meet the one that is not there rests.
    let last = group.len() + group.len() % 2;
    let Some(turning) = last.checked_sub(1) else { return Vec::new() };
    let round = |number: usize| {
        let middle = number * (last / 2) % turning;
        let [one, other] = [middle, turning];
        let first = if number.is_multiple_of(2) { [one, other] } else { [other, one] };
        let around = |by: usize| [(middle + by) % turning, (middle + turning - by) % turning];
        let pairs = std::iter::once(first).chain((1..last / 2).map(around));
        let seated = |pair: [usize; 2]| Some([*group.get(pair[0])?, *group.get(pair[1])?]);
        pairs.filter_map(seated).collect()
    };
    (0..turning).map(round).collect()
}

/// The seeds of a knockout of the first bots of each group, the best seed first.
///
/// A group is its bots in the order of their ranks.
///
/// # Errors
///
/// [`StandingsError`], where a group has too few bots, or too many go on.
pub fn knockout_seeds(
    groups: &[Vec<Entrant>],
    first: NonZeroUsize,
) -> Result<Vec<Entrant>, StandingsError> {
    if let Some(few) = groups.iter().position(|bots| bots.len() < first.get()) {
        let (group, bots) = (few + 1, groups[few].len());
        let text = format_args!("group {group} has {bots} bots, fewer than the {first} qualifiers");
        return Err(refused(text));
    }
    let count = groups.len().saturating_mul(first.get());
    if count > MOST_SEEDS {
        return Err(refused(format_args!("{count} qualifiers: at most {MOST_SEEDS}")));
    }
    let mut places = vec![0; count];
    for (place, seed) in standard_order(count).into_iter().enumerate() {
        if let Some(of) = places.get_mut(seed) {
            *of = place;
        }
    }
    // By seed, the group that it belongs to.
    let mut seeded: Vec<usize> = (0..groups.len()).collect();
    for _ in 1..first.get() {
        let dealt = dealt(&seeded, groups.len(), &places);
        seeded.extend(dealt);
    }
    let tiers = seeded.chunks(groups.len().max(1)).enumerate();
    Ok(tiers.flat_map(|(rank, tier)| tier.iter().map(move |group| groups[*group][rank])).collect())
}

/// The groups of the next seeds, one seed for each group, where those before are given.
///
/// This is a matching of groups with seeds, which counts the earlier bots of the group that a seed
/// would meet in each round.
fn dealt(seeded: &[usize], groups: usize, places: &[usize]) -> Vec<usize> {
    let rounds = usize::BITS - places.len().leading_zeros();
    let mut graph = Graph::new(2 * groups, rounds as usize);
    for group in 0..groups {
        for offset in 0..groups {
            let place = places[seeded.len() + offset];
            let mut numbers = vec![0; rounds as usize];
            for (seed, _) in seeded.iter().enumerate().filter(|(_, other)| **other == group) {
                // Two places meet in the round in which their numbers get equal if halved.
                let meet = usize::BITS - (places[seed] ^ place).leading_zeros();
                numbers[meet as usize - 1] -= 1;
            }
            graph.allow(group, groups + offset, &numbers);
        }
    }
    // The last seed chooses first, and the first group is its first choice.
    let first_group = |offset| Preference {
        vertex: groups + offset,
        number: Box::new(|group: usize| -(group as i32)),
    };
    let mates = graph.best_matching((0..groups).rev().map(first_group), 2 * groups);
    let mates = mates.unwrap_or_default();
    (0..groups).map(|offset| mates.get(groups + offset).copied().unwrap_or(offset)).collect()
}

/// Number of seats of a game, 2 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableSize(usize);

impl TableSize {
    /// The number of seats.
    pub fn count(self) -> usize {
        self.0
    }
}

impl TryFrom<usize> for TableSize {
    type Error = StandingsError;

    fn try_from(seats: usize) -> Result<TableSize, StandingsError> {
        match seats {
            2..=6 => Ok(TableSize(seats)),
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
        TableSize::try_from(bots.len()).map(|_| Table(bots))
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
pub struct AvailableBot {
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
