//! Games of two bots in pairs: those of one deal, with the seats exchanged.
//!
//! The luck of the cards favours one bot in one game and the other bot in the other, so the results
//! of a pair are correlated, and only pairs are independent of each other.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::game::{Entrant, Game};

/// Numbers of pairs that the first bot ended with 0, ½, 1, 1½ and 2 points, with 1 for a win and ½
/// for a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// The points of each count, as text.
    pub const POINTS: [&'static str; 5] = ["0", "½", "1", "1½", "2"];

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(super) fn add(&mut self, pair: Pair) {
        self.0[pair.one.half_points() + pair.other.half_points()] += 1;
    }
}

/// The two games of a deal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    one: Half,
    other: Half,
}

impl Pair {
    pub(super) fn is_forfeited(&self) -> bool {
        self.one.forfeited || self.other.forfeited
    }
}

#[derive(Debug, Clone, Copy)]
struct Half {
    /// Of the first bot.
    result: Ordering,
    forfeited: bool,
}

impl Half {
    fn half_points(self) -> usize {
        match self.result {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        }
    }
}

/// Games whose pair is not complete, as many as deals are under way.
#[derive(Debug, Clone, Default)]
pub(super) struct Unpaired {
    /// By the deal, and by who had the first seat.
    games: BTreeMap<(u64, Entrant), Vec<Half>>,
}

impl Unpaired {
    /// Takes a game of two bots, and gives the pair that it completes.
    pub(super) fn add(&mut self, game: &Game) -> Option<Pair> {
        let mut seats = game.seats().iter();
        let ((one, first), (other, second)) = (seats.next()?, seats.next()?);
        let result = game.compare(one, other);
        let result = if *first == Entrant(0) { result } else { result.reverse() };
        let half = Half { result, forfeited: game.is_forfeited() };
        let exchanged = (game.deal(), *second);
        match self.games.get_mut(&exchanged).and_then(Vec::pop) {
            Some(other) => {
                if self.games.get(&exchanged).is_some_and(Vec::is_empty) {
                    self.games.remove(&exchanged);
                }
                Some(Pair { one: half, other })
            }
            None => {
                self.games.entry((game.deal(), *first)).or_default().push(half);
                None
            }
        }
    }
}
