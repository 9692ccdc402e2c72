//! Tables, how often bots have met, and with which result.

use std::collections::{BTreeMap, BTreeSet};

use crate::Entrant;
use crate::game::{StandingsError, refused};

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
