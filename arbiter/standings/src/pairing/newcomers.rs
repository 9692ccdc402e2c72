//! Bots without games, and the ladder of those that have some.
//!
//! In a young league bots have played and have no rating yet: they stand in the middle of the ladder.
//!
//! All pairs of bots that are new have met as often: never. Left to that, a batch of them would play among
//! themselves, and their ratings would not be on the scale of the others.

use super::candidate::{Candidate, Strength};
use super::table::{Meetings, Table};
use crate::Entrant;

/// The bots of a round that is being chosen, as far as some are new.
#[derive(Debug)]
pub(super) struct Newcomers {
    /// By bot, its third of the ladder, the upper one first; none for a new bot.
    thirds: Vec<Option<usize>>,
    /// By bot, the deals that it has played against the bots of each third.
    deals: Vec<[u64; 3]>,
    /// By bot, its tables of this round with a bot that is not new, less those without.
    balance: Vec<i64>,
    are_others_there: bool,
}

impl Newcomers {
    pub(super) fn new(candidates: &[Candidate], meetings: &Meetings) -> Newcomers {
        let ratings: Vec<f64> =
            candidates.iter().filter_map(|it| Some(it.strength?.rating())).collect();
        let middle = ratings.iter().sum::<f64>() / ratings.len().max(1) as f64;
        let mut ladder: Vec<(usize, f64)> = Vec::new();
        for (place, candidate) in candidates.iter().enumerate() {
            if candidate.strength.is_some() || candidate.deals > 0 {
                ladder.push((place, candidate.strength.map_or(middle, Strength::rating)));
            }
        }
        ladder.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let mut thirds = vec![None; candidates.len()];
        for (rung, (place, _)) in ladder.iter().enumerate() {
            thirds[*place] = Some(rung * 3 / ladder.len());
        }
        let mut newcomers = Newcomers {
            thirds,
            deals: vec![[0; 3]; candidates.len()],
            balance: vec![0; candidates.len()],
            are_others_there: !ladder.is_empty(),
        };
        for (pair, deals) in meetings.pairs() {
            newcomers.add_deals(pair, deals);
        }
        newcomers
    }

    /// Returns true if exactly one of two bots is new.
    pub(super) fn is_one_new(&self, one: Entrant, other: Entrant) -> bool {
        self.thirds[one.0].is_some() != self.thirds[other.0].is_some()
    }

    /// The deals that the new one of two bots has played against the third of the ladder in which the other stands; 0
    /// for other pairs.
    pub(super) fn deals_of_third(&self, one: Entrant, other: Entrant) -> u64 {
        match (self.thirds[one.0], self.thirds[other.0]) {
            (None, Some(third)) => self.deals[one.0][third],
            (Some(third), None) => self.deals[other.0][third],
            _ => 0,
        }
    }

    /// Returns true if a table of these would leave one of them with more tables of new bots alone than others.
    pub(super) fn are_left_alone(&self, mut table: impl Iterator<Item = Entrant> + Clone) -> bool {
        self.are_others_there
            && table.clone().all(|bot| self.thirds[bot.0].is_none())
            && table.any(|bot| self.balance[bot.0] < 1)
    }

    pub(super) fn add(&mut self, table: &Table, deals: u64) {
        let is_mixed = table.bots().any(|bot| self.thirds[bot.0].is_some());
        for bot in table.bots() {
            self.balance[bot.0] += if is_mixed { 1 } else { -1 };
        }
        for pair in table.pairs() {
            self.add_deals(pair, deals);
        }
    }

    fn add_deals(&mut self, [one, other]: [Entrant; 2], deals: u64) {
        for (bot, against) in [(one, other), (other, one)] {
            if let Some(third) = self.thirds[against.0] {
                let sum = &mut self.deals[bot.0][third];
                *sum = sum.saturating_add(deals);
            }
        }
    }
}
