//! The list of captures and of legal moves, in canonical order, cut if it grows too long.
//!
//! The search decides rank by rank, from the ace down, which cards of the table to take, and
//! continues only where what it has decided can still be completed to a split. So every branch ends
//! in a capture, and the work is bounded by the length of the list, however large the table is.

use crate::card::{Card, Rank};
use crate::card_set::CardSet;
use crate::game::Listing;
use crate::tablic::capture::Splitter;
use crate::tablic::moves::Move;
use crate::tablic::rank_counts::RankCounts;
use crate::wire::LISTED;

/// The first sets of the table that a card of this rank may capture, in canonical order, at most
/// `most` of them; the empty set comes first. Says how many steps it took.
///
/// ```
/// use rules::Rank;
/// use rules::tablic::captures;
///
/// let (sets, _) = captures(Rank::Seven, "3H 4C 4D".parse()?, 100);
/// let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
/// assert_eq!(sets, ["", "3H 4C", "3H 4D"]);
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn captures(played: Rank, table: CardSet, most: usize) -> (Vec<CardSet>, u64) {
    let mut search = Search { table, most, splitter: Splitter::new(played), found: Vec::new() };
    search.decide(Rank::ALL.len(), CardSet::EMPTY);
    (search.found, search.splitter.steps())
}

struct Search {
    table: CardSet,
    most: usize,
    splitter: Splitter,
    found: Vec<CardSet>,
}

impl Search {
    /// Decides the ranks below the place `undecided`, the highest first, in every way that works.
    fn decide(&mut self, undecided: usize, chosen: CardSet) {
        let Some((&rank, _)) = Rank::ALL[..undecided].split_last() else {
            self.found.push(chosen);
            return;
        };
        let shift = 4 * rank as u32;
        let here = self.table.bits() >> shift & 0xf;
        if here == 0 {
            // What could be completed before can be completed still.
            return self.decide(undecided - 1, chosen);
        }
        let lower = RankCounts::new(self.table).below_rank(rank);
        let mut works = [None; 5];
        let mut suits: u64 = 0;
        loop {
            if self.found.len() >= self.most {
                return;
            }
            let count = suits.count_ones();
            let with = chosen | CardSet::from_bits(suits << shift);
            let splitter = &mut self.splitter;
            let works = *works[count as usize]
                .get_or_insert_with(|| splitter.completes(RankCounts::new(with) | lower, rank));
            if works {
                self.decide(undecided - 1, with);
            }
            // The next subset of the cards of this rank, in ascending order.
            suits = suits.wrapping_sub(here) & here;
            if suits == 0 {
                return;
            }
        }
    }
}

/// Appends the legal moves with the cards of a hand, at most [`LISTED`], in canonical order.
///
/// Every card can be laid down, so every card is listed. If there are too many captures, cards with
/// few captures keep them all, and the others share the rest evenly.
pub(crate) fn list_moves(hand: CardSet, table: CardSet, moves: &mut Vec<Move>) -> Listing {
    let mut sets: Vec<(Card, Vec<CardSet>)> = Vec::with_capacity(hand.len());
    for card in hand {
        let captures = match sets.last() {
            Some((last, sets)) if last.rank() == card.rank() => sets.clone(),
            _ => captures(card.rank(), table, LISTED + 1).0,
        };
        sets.push((card, captures));
    }
    let total: usize = sets.iter().map(|(_, sets)| sets.len()).sum();
    let share = if total > LISTED { fair_share(&sets) } else { LISTED };
    for (card, captures) in &sets {
        let kept = captures.iter().take(share);
        moves.extend(kept.map(|&captured| Move { card: *card, captured }));
    }
    if total > LISTED { Listing::Cut } else { Listing::Complete }
}

/// The most moves that each card may have listed so that all together fit.
fn fair_share(sets: &[(Card, Vec<CardSet>)]) -> usize {
    let mut lengths: Vec<usize> = sets.iter().map(|(_, sets)| sets.len()).collect();
    lengths.sort_unstable();
    let mut left = LISTED;
    for (place, length) in lengths.iter().enumerate() {
        let share = left / (lengths.len() - place);
        if *length > share {
            return share;
        }
        left -= length;
    }
    LISTED
}
