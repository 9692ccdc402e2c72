//! Sums over games, in several columns at once.
//!
//! A column is one way to weigh the deals: all alike, only one of them, or as a replicate of the
//! bootstrap does. All sums are of whole numbers, so the order of games does not matter.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::choices::{ChoiceSet, Choices};
use super::game::{Entrant, Game};
use super::setup::Model;

/// Contribution of one game, at any weight.
#[derive(Debug)]
pub(super) struct Contribution {
    meetings: Vec<Met>,
    choices: Choices,
}

/// Result of one bot against another in one game.
#[derive(Debug)]
struct Met {
    first: Entrant,
    second: Entrant,
    result: Ordering,
    /// In sixtieths of a point.
    margin: i64,
}

impl Contribution {
    /// Bots meet in the order of turns in games of two seats, where it is a part of the model, and
    /// otherwise in the order of the tournament.
    pub(super) fn new(game: &Game, model: Model) -> Contribution {
        let mut seats: Vec<_> = game.seats().seats().collect();
        if model != Model::BradleyTerry {
            seats.sort_by_key(|seat| game.seats()[*seat]);
        }
        let pairs = seats.iter().enumerate().flat_map(|(place, first)| {
            seats[place + 1..].iter().map(move |second| (*first, *second))
        });
        let met = |(first, second)| Met {
            first: game.seats()[first],
            second: game.seats()[second],
            result: game.compare(first, second),
            margin: game.scores()[first].sixtieths() - game.scores()[second].sixtieths(),
        };
        let choices = match model {
            Model::PlackettLuce => Choices::new(game),
            Model::BradleyTerry | Model::PlackettLucePairs => Choices::default(),
        };
        Contribution { meetings: pairs.map(met).collect(), choices }
    }
}

/// Whole numbers, one for each column.
type Numbers = Box<[i64]>;

/// Sums over games, in this number of columns.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sums {
    columns: usize,
    /// By the bot that comes first and the one that comes second; only for those that have met.
    meetings: BTreeMap<(Entrant, Entrant), Meetings>,
    chosen: BTreeMap<Entrant, Numbers>,
    among: BTreeMap<ChoiceSet, Numbers>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Meetings {
    won: Numbers,
    drawn: Numbers,
    lost: Numbers,
    margin: Numbers,
}

impl Meetings {
    fn all(&self) -> [&Numbers; 4] {
        [&self.won, &self.drawn, &self.lost, &self.margin]
    }
}

impl Sums {
    pub(super) fn new(columns: usize) -> Sums {
        Sums { columns, meetings: BTreeMap::new(), chosen: BTreeMap::new(), among: BTreeMap::new() }
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Returns true if they can belong to this number of bots in this number of columns.
    pub(super) fn is_of(&self, entrants: usize, columns: usize) -> bool {
        let is_one = |bot: &Entrant| bot.0 < entrants;
        let met = self.meetings.values().flat_map(|met| met.all());
        let numbers = met.chain(self.chosen.values()).chain(self.among.values());
        self.columns == columns
            && numbers.into_iter().all(|numbers| numbers.len() == columns)
            && self.meetings.keys().all(|(one, other)| is_one(one) && is_one(other) && one != other)
            && self.chosen.keys().all(is_one)
            && self.among.keys().all(|set| set.len() > 1 && set.iter().all(is_one))
    }

    /// Adds a game, in each column with its weight.
    pub(super) fn add(&mut self, game: &Contribution, weights: &[i64]) {
        let none = || vec![0; self.columns].into_boxed_slice();
        for met in &game.meetings {
            let meetings = self.meetings.entry((met.first, met.second)).or_insert_with(|| {
                Meetings { won: none(), drawn: none(), lost: none(), margin: none() }
            });
            let results = match met.result {
                Ordering::Greater => &mut meetings.won,
                Ordering::Equal => &mut meetings.drawn,
                Ordering::Less => &mut meetings.lost,
            };
            add(results, weights, 1);
            add(&mut meetings.margin, weights, met.margin);
        }
        for (bot, parts) in &game.choices.chosen {
            add(self.chosen.entry(*bot).or_insert_with(none), weights, *parts);
        }
        for (set, parts) in &game.choices.among {
            // Sets are seldom new, and a copy for nothing would cost more than the search.
            match self.among.get_mut(set) {
                Some(numbers) => add(numbers, weights, *parts),
                None => add(self.among.entry(set.clone()).or_insert_with(none), weights, *parts),
            }
        }
    }

    pub(super) fn column(&self, column: usize) -> Column<'_> {
        let meeting = |((first, second), of): (&(Entrant, Entrant), &Meetings)| Meeting {
            first: *first,
            second: *second,
            won: of.won[column] as f64,
            drawn: of.drawn[column] as f64,
            lost: of.lost[column] as f64,
            margin: of.margin[column] as f64,
        };
        Column {
            meetings: self.meetings.iter().map(meeting).collect(),
            chosen: self.chosen.iter().map(|(bot, of)| (*bot, of[column] as f64)).collect(),
            among: self.among.iter().map(|(set, of)| (&**set, of[column] as f64)).collect(),
        }
    }
}

/// Adds a multiple of the weights to the numbers.
///
/// Sums that no tournament reaches wrap around, since saturated ones would depend on the order.
fn add(numbers: &mut [i64], weights: &[i64], amount: i64) {
    for (number, weight) in numbers.iter_mut().zip(weights) {
        *number = number.wrapping_add(weight.wrapping_mul(amount));
    }
}

/// The sums in one column; whole numbers, as floating point ones.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column<'a> {
    pub(super) meetings: Vec<Meeting>,
    /// In [`PARTS`](super::choices::PARTS).
    pub(super) chosen: Vec<(Entrant, f64)>,
    /// In [`PARTS`](super::choices::PARTS).
    pub(super) among: Vec<(&'a [Entrant], f64)>,
}

/// Sums over the games of two bots, from the view of the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Meeting {
    pub(super) first: Entrant,
    pub(super) second: Entrant,
    pub(super) won: f64,
    pub(super) drawn: f64,
    pub(super) lost: f64,
    /// In sixtieths of a point.
    pub(super) margin: f64,
}

impl Meeting {
    pub(super) fn games(&self) -> f64 {
        self.won + self.drawn + self.lost
    }

    /// The meeting from the view of the second.
    pub(super) fn reversed(&self) -> Meeting {
        Meeting {
            first: self.second,
            second: self.first,
            won: self.lost,
            drawn: self.drawn,
            lost: self.won,
            margin: -self.margin,
        }
    }

    /// Adds games of the same two, from the same view.
    pub(super) fn add(&mut self, other: &Meeting) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.margin += other.margin;
    }
}

impl Column<'_> {
    /// Subtracts those games, which are among these.
    pub(super) fn without(mut self, those: &Column<'_>) -> Self {
        for (all, those) in self.meetings.iter_mut().zip(&those.meetings) {
            all.won -= those.won;
            all.drawn -= those.drawn;
            all.lost -= those.lost;
            all.margin -= those.margin;
        }
        let chosen = self.chosen.iter_mut().zip(&those.chosen);
        chosen.for_each(|((_, all), (_, those))| *all -= those);
        let among = self.among.iter_mut().zip(&those.among);
        among.for_each(|((_, all), (_, those))| *all -= those);
        self
    }
}
