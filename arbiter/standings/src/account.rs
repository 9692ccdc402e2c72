//! The sums over the games of one view, all games or those without forfeits.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rules::Verdict;
use serde::{Deserialize, Serialize};

use super::bootstrap::Weights;
use super::deals::{DealSet, DealSketch};
use super::game::{Entrant, Game};
use super::pairs::PairCounts;
use super::setup::Setup;
use super::sums::{Contribution, Sums};

/// Everything that is kept of games; its size does not depend on their number.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Account {
    pub(super) games: u64,
    pub(super) forfeited: u64,
    pub(super) deals: DealSet,
    pub(super) bots: Vec<BotAccount>,
    /// By the lower number of both bots, then the higher one.
    pub(super) pairs: BTreeMap<(Entrant, Entrant), PairAccount>,
    pub(super) counts: PairCounts,
    pub(super) sums: Sums,
}

/// Figures of a bot besides sums.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct BotAccount {
    pub(super) games: u64,
    pub(super) won: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
    /// Games by its place, from the first to the last; none before the first game.
    pub(super) places: Vec<u64>,
    /// In sixtieths.
    pub(super) points: i64,
    /// Of all others together, in sixtieths.
    pub(super) points_of_others: i64,
    pub(super) forfeits: BTreeMap<Verdict, u64>,
    pub(super) deals: DealSketch,
}

/// Figures of two bots besides sums.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct PairAccount {
    /// Of each, in sixtieths.
    pub(super) points: [i64; 2],
    pub(super) deals: DealSketch,
}

impl Account {
    pub(super) fn new(setup: &Setup) -> Account {
        Account {
            games: 0,
            forfeited: 0,
            deals: DealSet::default(),
            bots: vec![BotAccount::default(); setup.names.len()],
            pairs: BTreeMap::new(),
            counts: PairCounts::default(),
            sums: Sums::default(),
        }
    }

    /// Makes room for bots that come later.
    pub(super) fn enter(&mut self, entrants: usize) {
        self.bots.resize_with(entrants.max(self.bots.len()), BotAccount::default);
    }

    /// Returns true if it can belong to this number of bots; a file may hold anything.
    pub(super) fn is_of(&self, entrants: usize, setup: &Setup) -> bool {
        let has_places =
            |bot: &BotAccount| bot.places.is_empty() || bot.places.len() == setup.seats;
        self.bots.len() == entrants
            && self.bots.iter().all(has_places)
            && self.pairs.keys().all(|(one, other)| one < other && other.0 < entrants)
            && self.sums.is_of(entrants, setup.replicates.count())
    }

    pub(super) fn add(&mut self, game: &Game, contribution: &Contribution, weights: &mut Weights) {
        self.games += 1;
        self.forfeited += u64::from(game.is_forfeited());
        self.deals.insert(game.deal());
        self.add_bots(game);
        self.add_pairs(game);
        self.sums.add(contribution, game.deal(), weights);
    }

    fn add_bots(&mut self, game: &Game) {
        let places = game.places();
        let all: i64 = game.scores().values().iter().map(|score| score.sixtieths()).sum();
        for (seat, entrant) in game.seats().iter() {
            let bot = &mut self.bots[entrant.0];
            let points = game.scores()[seat].sixtieths();
            bot.games += 1;
            bot.points += points;
            bot.points_of_others += all - points;
            bot.deals.insert(game.deal());
            match game.compare_to_all(seat) {
                Ordering::Greater => bot.won += 1,
                Ordering::Equal => bot.drawn += 1,
                Ordering::Less => bot.lost += 1,
            }
            bot.places.resize(game.seats().count(), 0);
            bot.places[places[seat] - 1] += 1;
            if let Some(fault) = game.fault(seat) {
                *bot.forfeits.entry(fault).or_default() += 1;
            }
        }
    }

    fn add_pairs(&mut self, game: &Game) {
        let mut seated: Vec<_> = game.seats().iter().map(|(seat, bot)| (*bot, seat)).collect();
        seated.sort();
        for (place, (first, first_seat)) in seated.iter().enumerate() {
            for (second, second_seat) in &seated[place + 1..] {
                let pair = self.pairs.entry((*first, *second)).or_default();
                pair.points[0] += game.scores()[*first_seat].sixtieths();
                pair.points[1] += game.scores()[*second_seat].sixtieths();
                pair.deals.insert(game.deal());
            }
        }
    }
}
