//! The tables of the next round.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::num::{NonZeroU32, NonZeroUsize};

use rules::{Nature, Seed};
use thiserror::Error;

use super::candidate::{Candidate, Strength};
use super::table::{Meetings, Seats, Table};
use crate::standings::Entrant;

/// What a round has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Its number, from 0; it says what is drawn where bots are equal.
    pub number: u64,
    /// How many seats a table has.
    pub seats: Seats,
    /// How many tables there are, none of them twice.
    pub tables: NonZeroUsize,
    /// How many deals a table plays, each in all rotations of seats.
    pub deals: NonZeroU32,
    /// A bot with fewer deals is new.
    pub least: u64,
}

/// Why a round cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoRound {
    /// A table cannot be filled.
    #[error("{candidates} bots for tables of {seats}, expected at least one bot for each seat")]
    TooFewCandidates {
        /// How many bots there are.
        candidates: usize,
        /// How many seats a table has.
        seats: usize,
    },
    /// Some table would be there twice.
    #[error("{tables} tables in a round, expected at most {possible}, which are all there can be")]
    TooManyTables {
        /// How many tables the round has.
        tables: usize,
        /// How many different ones there are.
        possible: usize,
    },
    /// A bot that is no candidate has met another one.
    #[error("bot {} has met another, expected one of {candidates} bots counted from 0", bot.0)]
    NoCandidate {
        /// The bot.
        bot: Entrant,
        /// How many candidates there are.
        candidates: usize,
    },
}

/// A table of a round, and why it is there.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The table.
    pub table: Table,
    /// Why it is there.
    pub reason: Reason,
}

/// Why a table is in a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reason {
    /// This bot is new.
    New(Entrant),
    /// This bot has fewer than half the deals of another one that is no less certain.
    Behind(Entrant),
    /// These two are in the wrong order with this probability, which is the greatest that is left.
    Uncertain([Entrant; 2], f64),
}

/// Chooses the tables of a round, in the order of their urgency; [`pairing`](super) says by what.
///
/// A bot is its place in the list of candidates. With three seats or more, a table is filled one
/// seat after another, each time by the bot whose order with those at the table is least certain.
/// Of equals, those that have met less come first, then those with fewer deals, then the seed decides.
///
/// ```
/// use std::num::{NonZeroU32, NonZeroUsize};
///
/// use arbiter::pairing::{Candidate, Meetings, Round, Strength, Table, choose};
/// use arbiter::standings::Entrant;
/// use rules::Seed;
///
/// let bot = |rating| -> Result<Candidate, Box<dyn std::error::Error>> {
///     Ok(Candidate { deals: 100, strength: Some(Strength::new(rating, 20.0)?) })
/// };
/// let bots = [bot(200.0)?, bot(-100.0)?, bot(190.0)?];
/// let round = Round {
///     number: 0,
///     seats: 2.try_into()?,
///     tables: NonZeroUsize::MIN,
///     deals: NonZeroU32::MIN,
///     least: 30,
/// };
/// let tables = choose(&bots, &Meetings::default(), &round, &Seed([7; 32]))?;
/// assert_eq!(tables[0].table, Table::new([Entrant(0), Entrant(2)])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`NoRound`], where there are too few bots, or meetings of others.
pub fn choose(
    candidates: &[Candidate],
    meetings: &Meetings,
    round: &Round,
    seed: &Seed,
) -> Result<Vec<Chosen>, NoRound> {
    let (count, seats, tables) = (candidates.len(), round.seats.count(), round.tables.get());
    if count < seats {
        return Err(NoRound::TooFewCandidates { candidates: count, seats });
    }
    if let Some(bot) = meetings.last().filter(|bot| bot.0 >= count) {
        return Err(NoRound::NoCandidate { bot, candidates: count });
    }
    let possible = combinations(count, seats);
    if tables > possible {
        return Err(NoRound::TooManyTables { tables, possible });
    }
    let mut choice = Choice::new(candidates, meetings, round, seed.order(round.number));
    // A table is left as long as there are fewer than are possible.
    while choice.tables.len() < tables && choice.add_table() {}
    Ok(choice.tables)
}

/// How many sets of this size there are, at most the greatest number there is.
fn combinations(of: usize, size: usize) -> usize {
    let ways = (0..size as u128)
        .try_fold(1u128, |ways, next| Some(ways.checked_mul(of as u128 - next)? / (next + 1)));
    ways.and_then(|ways| ways.try_into().ok()).unwrap_or(usize::MAX)
}

/// A round that is being chosen. What is known of bots is as it will be when the tables so far are
/// played.
struct Choice<'a> {
    round: &'a Round,
    nature: Nature,
    bots: Vec<Candidate>,
    meetings: Meetings,
    /// By bot, before the round, the probability that it is in the wrong order with the one for which
    /// that is most likely.
    uncertainty: Vec<f64>,
    /// By bot, how many tables of the round it sits at.
    seated: Vec<u32>,
    /// Bots of which all possible tables are in the round.
    exhausted: BTreeSet<Entrant>,
    tables: Vec<Chosen>,
    taken: BTreeSet<Table>,
}

/// How urgent it is that bots meet; the greatest is most so.
#[derive(Debug, Clone, Copy)]
struct Urgency {
    /// The sum of probabilities that two of them are in the wrong order.
    uncertainty: f64,
    met: u64,
    deals: u64,
    /// What was drawn.
    place: [u32; 2],
}

impl Urgency {
    /// The most urgent first.
    fn compare(&self, other: &Urgency) -> Ordering {
        other
            .uncertainty
            .total_cmp(&self.uncertainty)
            .then(self.met.cmp(&other.met))
            .then(self.deals.cmp(&other.deals))
            .then(self.place.cmp(&other.place))
    }
}

impl<'a> Choice<'a> {
    fn new(
        candidates: &[Candidate],
        meetings: &Meetings,
        round: &'a Round,
        nature: Nature,
    ) -> Choice<'a> {
        let mut choice = Choice {
            round,
            nature,
            bots: candidates.to_vec(),
            meetings: meetings.clone(),
            uncertainty: Vec::new(),
            seated: vec![0; candidates.len()],
            exhausted: BTreeSet::new(),
            tables: Vec::new(),
            taken: BTreeSet::new(),
        };
        let uncertainty = |bot: Entrant| {
            let others = choice.entrants().filter(|other| *other != bot);
            others.map(|other| choice.wrong_order(bot, other)).fold(0.0, f64::max)
        };
        choice.uncertainty = choice.entrants().map(uncertainty).collect();
        choice
    }

    fn entrants(&self) -> impl Iterator<Item = Entrant> + use<> {
        (0..self.bots.len()).map(Entrant)
    }

    /// The probability that two bots are in the wrong order. Of one whose strength is not known, it
    /// is one half, divided by the tables of the round that it sits at already and one.
    fn wrong_order(&self, one: Entrant, other: Entrant) -> f64 {
        match (self.bots[one.0].strength, self.bots[other.0].strength) {
            (Some(one), Some(other)) => one.wrong_order(other),
            _ => 0.5 / f64::from(1 + self.seated[one.0].max(self.seated[other.0])),
        }
    }

    /// Adds the most urgent table that is not there; false where there is none.
    fn add_table(&mut self) -> bool {
        let places = self.places();
        while let Some((bot, reason)) = self.due(&places) {
            match self.filled(vec![bot], &places) {
                Some(table) => return self.add(Chosen { table, reason }),
                None => self.exhausted.insert(bot),
            };
        }
        let mut pairs: Vec<([Entrant; 2], Urgency)> = Vec::new();
        for one in self.entrants() {
            let others = self.entrants().skip(one.0 + 1);
            pairs.extend(others.map(|other| ([one, other], self.urgency(&[one], other, &places))));
        }
        pairs.sort_by(|(_, one), (_, other)| one.compare(other));
        let chosen = pairs.iter().find_map(|(pair, urgency)| {
            let table = self.filled(pair.to_vec(), &places)?;
            Some(Chosen { table, reason: Reason::Uncertain(*pair, urgency.uncertainty) })
        });
        chosen.is_some_and(|chosen| self.add(chosen))
    }

    /// By bot, its place in an order that is drawn.
    fn places(&mut self) -> Vec<u32> {
        let mut places = vec![0; self.bots.len()];
        let mut left: Vec<usize> = (0..self.bots.len()).collect();
        let mut place = 0;
        while let Some(bot) = self.nature.choose(&left).copied() {
            left.retain(|other| *other != bot);
            places[bot] = place;
            place += 1;
        }
        places
    }

    /// The bot that plays before all measure: a new one, or else one that is behind; of several, that
    /// with the fewest deals.
    fn due(&self, places: &[u32]) -> Option<(Entrant, Reason)> {
        let left = || self.entrants().filter(|bot| !self.exhausted.contains(bot));
        let deals = |bot: &Entrant| (self.bots[bot.0].deals, places[bot.0]);
        let new = left().filter(|bot| self.bots[bot.0].deals < self.round.least);
        if let Some(bot) = new.min_by_key(deals) {
            return Some((bot, Reason::New(bot)));
        }
        let behind = left().filter(|bot| self.is_behind(*bot)).min_by_key(deals);
        behind.map(|bot| (bot, Reason::Behind(bot)))
    }

    /// Whether a bot has fewer than half the deals of another one that is no less certain.
    fn is_behind(&self, bot: Entrant) -> bool {
        let deals = self.bots[bot.0].deals.saturating_mul(2);
        self.entrants().any(|other| {
            self.bots[other.0].deals > deals && self.uncertainty[other.0] <= self.uncertainty[bot.0]
        })
    }

    /// How urgent it is that a bot plays with these.
    fn urgency(&self, table: &[Entrant], bot: Entrant, places: &[u32]) -> Urgency {
        let place = places[bot.0];
        let first = table.first().map_or(place, |first| places[first.0]);
        Urgency {
            uncertainty: table.iter().map(|other| self.wrong_order(*other, bot)).sum(),
            met: table.iter().map(|other| self.meetings.deals(*other, bot)).sum(),
            deals: table.iter().chain([&bot]).map(|bot| self.bots[bot.0].deals).sum(),
            place: [first.min(place), first.max(place)],
        }
    }

    /// The most urgent table with these bots that is not there; none where all are.
    fn filled(&self, seated: Vec<Entrant>, places: &[u32]) -> Option<Table> {
        if seated.len() == self.round.seats.count() {
            return Table::new(seated).ok().filter(|table| !self.taken.contains(table));
        }
        let mut others: Vec<(Entrant, Urgency)> = self
            .entrants()
            .filter(|bot| !seated.contains(bot))
            .map(|bot| (bot, self.urgency(&seated, bot, places)))
            .collect();
        others.sort_by(|(_, one), (_, other)| one.compare(other));
        let with = |bot: Entrant| [&seated[..], &[bot]].concat();
        others.into_iter().find_map(|(bot, _)| self.filled(with(bot), places))
    }

    /// Adds a table, and what is to be expected of its games.
    fn add(&mut self, chosen: Chosen) -> bool {
        let table = &chosen.table;
        let deals = u64::from(self.round.deals.get());
        for [one, other] in table.pairs() {
            let strengths = (self.bots[one.0].strength, self.bots[other.0].strength);
            if let (Some(its), Some(theirs)) = strengths {
                // A deal is a game for each rotation of seats.
                let games = f64::from(self.round.deals.get()) * self.round.seats.count() as f64;
                let [its, theirs]: [Strength; 2] = its.after(theirs, games);
                self.bots[one.0].strength = Some(its);
                self.bots[other.0].strength = Some(theirs);
            }
        }
        for bot in table.bots() {
            self.bots[bot.0].deals = self.bots[bot.0].deals.saturating_add(deals);
            self.seated[bot.0] += 1;
        }
        self.meetings.add(table, deals);
        self.taken.insert(table.clone());
        self.tables.push(chosen);
        true
    }
}
