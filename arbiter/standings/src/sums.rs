//! What each game adds to sums, and these sums: of every two bots that met, and of choices.
//!
//! All of them are of whole numbers, so the order of games does not matter.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bootstrap::Weights;
use super::choices::{ChoiceSet, Choices};
use super::column::{Column, Meeting};
use super::game::{Entrant, Game};
use super::setup::Model;
use super::weighted_sum::{WeightedSum, Weighting};

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

/// Sums over games.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Sums {
    /// Won, drawn, lost and the margin, by the bot that comes first and the one that comes second; only
    /// for those that have met.
    meetings: BTreeMap<(Entrant, Entrant), WeightedSum<4>>,
    chosen: BTreeMap<Entrant, WeightedSum<1>>,
    among: BTreeMap<ChoiceSet, WeightedSum<1>>,
}

impl Sums {
    /// Returns true if they can belong to this number of bots with this number of replicates.
    pub(super) fn is_of(&self, entrants: usize, replicates: usize) -> bool {
        let is_one = |bot: &Entrant| bot.0 < entrants;
        let mut choices = self.chosen.values().chain(self.among.values());
        self.meetings.values().all(|sum| sum.is_of(replicates))
            && choices.all(|sum| sum.is_of(replicates))
            && self.meetings.keys().all(|(one, other)| is_one(one) && is_one(other) && one != other)
            && self.chosen.keys().all(is_one)
            && self.among.keys().all(|set| set.len() > 1 && set.iter().all(is_one))
    }

    /// Adds a game of this deal.
    pub(super) fn add(&mut self, game: &Contribution, deal: u64, weights: &mut Weights) {
        for met in &game.meetings {
            let counts = [Ordering::Greater, Ordering::Equal, Ordering::Less];
            let [won, drawn, lost] = counts.map(|result| i64::from(met.result == result));
            let sum = self.meetings.entry((met.first, met.second)).or_default();
            sum.add([won, drawn, lost, met.margin], deal, weights);
        }
        for (bot, parts) in &game.choices.chosen {
            self.chosen.entry(*bot).or_default().add([*parts], deal, weights);
        }
        for (set, parts) in &game.choices.among {
            // Sets are seldom new, and a copy for nothing would cost more than the search.
            match self.among.get_mut(set) {
                Some(sum) => sum.add([*parts], deal, weights),
                None => self.among.entry(set.clone()).or_default().add([*parts], deal, weights),
            }
        }
    }

    /// The deals that have their parts in a sum, one sum after the other.
    pub(super) fn deals(&self) -> impl Iterator<Item = u64> {
        let choices = self.chosen.values().chain(self.among.values());
        self.meetings
            .values()
            .flat_map(WeightedSum::deals)
            .chain(choices.flat_map(WeightedSum::deals))
    }

    /// The sums with deals weighed in this way; those of one tally have the same meetings and choices.
    pub(super) fn column(&self, mut weighing: Weighting<'_>) -> Column<'_> {
        let meeting = |((first, second), sum): (&(Entrant, Entrant), &WeightedSum<4>)| {
            let [won, drawn, lost, margin] = sum.weighed(&mut weighing).map(|it| it as f64);
            Meeting { first: *first, second: *second, won, drawn, lost, margin }
        };
        let meetings = self.meetings.iter().map(meeting).collect();
        let mut one = |sum: &WeightedSum<1>| {
            let [number] = sum.weighed(&mut weighing);
            number as f64
        };
        let chosen = self.chosen.iter().map(|(bot, sum)| (*bot, one(sum))).collect();
        let among = self.among.iter().map(|(set, sum)| (&**set, one(sum))).collect();
        Column { meetings, chosen, among }
    }
}
