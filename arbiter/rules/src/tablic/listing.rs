//! The list of captures and of legal moves, in canonical order, cut if it grows too long.
//!
//! The search decides rank by rank, from the ace down, which cards of the table to take, and
//! continues only where what it has decided can still be completed to a split. So every branch ends
//! in a capture, and the work is bounded by the length of the list, however large the table is.
//!
//! A choice can be completed or not by the number of cards taken of each rank; suits do not matter.
//! So that is found once for each choice of counts, and one way to complete a choice is kept: it
//! shows that the next choice on that way can be completed too.

use crate::card::{Card, CardSet, Rank};
use crate::game::ListCompleteness;
use crate::request_text::LISTED;
use crate::tablic::capture::{CaptureSplitter, RankCounts};
use crate::tablic::notation::Move;

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
    let counts = RankCounts::new(table);
    let on_table = |rank: Rank| {
        let cards = (table.bits() >> (4 * rank as u32) & 0xf) as u8;
        (cards != 0).then(|| TableRank { rank, cards, lower: counts.below_rank(rank) })
    };
    let mut choices = Vec::with_capacity(USUAL);
    choices.push(PartialCapture::new(RankCounts::NONE, RankCounts::NONE));
    let mut search = Search {
        ranks: Rank::ALL.into_iter().rev().filter_map(on_table).collect(),
        most,
        splitter: CaptureSplitter::new(played, counts),
        choices,
        found: Vec::with_capacity(USUAL),
    };
    search.decide(0, 0, CardSet::EMPTY);
    (search.found, search.splitter.steps())
}

/// The subsets of the suits of a rank, in ascending order.
const SUBSETS: [&[u8]; 16] = [
    &[0],
    &[0, 1],
    &[0, 2],
    &[0, 1, 2, 3],
    &[0, 4],
    &[0, 1, 4, 5],
    &[0, 2, 4, 6],
    &[0, 1, 2, 3, 4, 5, 6, 7],
    &[0, 8],
    &[0, 1, 8, 9],
    &[0, 2, 8, 10],
    &[0, 1, 2, 3, 8, 9, 10, 11],
    &[0, 4, 8, 12],
    &[0, 1, 4, 5, 8, 9, 12, 13],
    &[0, 2, 4, 6, 8, 10, 12, 14],
    &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
];

/// Number of suits in a subset.
const COUNTS: [u32; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// Room for what most tables need.
const USUAL: usize = 32;

struct Search {
    /// The ranks on the table, the highest first.
    ranks: Vec<TableRank>,
    most: usize,
    splitter: CaptureSplitter,
    /// Choices found for counts of ranks: suits are of no account for it. Nothing is chosen in the
    /// first.
    choices: Vec<PartialCapture>,
    found: Vec<CardSet>,
}

/// The cards of a rank on the table.
struct TableRank {
    rank: Rank,
    /// Their suits, a bit each.
    cards: u8,
    /// The cards of all lower ranks.
    lower: RankCounts,
}

/// Number of cards taken of every rank down to some rank, so that the rest can be completed.
struct PartialCapture {
    counts: RankCounts,
    /// One way to complete them: the counts of a capture.
    completed: RankCounts,
    /// The choices of the next rank on the table, by how many of its cards are taken.
    next: [NextPartialCapture; 5],
}

impl PartialCapture {
    fn new(counts: RankCounts, completed: RankCounts) -> PartialCapture {
        PartialCapture { counts, completed, next: [NextPartialCapture::Unknown; 5] }
    }
}

#[derive(Clone, Copy)]
enum NextPartialCapture {
    Unknown,
    /// Nothing completes it.
    Impossible,
    /// By its place among the choices.
    Choice(u32),
}

impl Search {
    /// Decides the ranks from a place on, the highest first, in every way that works.
    fn decide(&mut self, place: usize, choice: usize, chosen: CardSet) {
        let Some(&TableRank { rank, cards, .. }) = self.ranks.get(place) else {
            self.found.push(chosen);
            return;
        };
        let shift = 4 * rank as u32;
        let is_last = place + 1 == self.ranks.len();
        // The subsets of the cards of this rank, in ascending order.
        for taken in SUBSETS[cards as usize] {
            if self.found.len() >= self.most {
                return;
            }
            let count = COUNTS[*taken as usize];
            if let Some(next) = self.next(place, choice, count) {
                let chosen = chosen | CardSet::from_bits(u64::from(*taken) << shift);
                if is_last { self.found.push(chosen) } else { self.decide(place + 1, next, chosen) }
            }
        }
    }

    /// The choice of this number of cards of the rank at a place, if it can be completed.
    fn next(&mut self, place: usize, choice: usize, count: u32) -> Option<usize> {
        match self.choices[choice].next[count as usize] {
            NextPartialCapture::Choice(next) => Some(next as usize),
            NextPartialCapture::Impossible => None,
            NextPartialCapture::Unknown => {
                let found = self.complete(place, choice, count);
                let next = found.is_some().then_some(self.choices.len());
                self.choices[choice].next[count as usize] = next
                    .map_or(NextPartialCapture::Impossible, |next| {
                        NextPartialCapture::Choice(next as u32)
                    });
                self.choices.extend(found);
                next
            }
        }
    }

    fn complete(&mut self, place: usize, choice: usize, count: u32) -> Option<PartialCapture> {
        let PartialCapture { counts, completed, .. } = self.choices[choice];
        let TableRank { rank, lower, .. } = self.ranks[place];
        let counts = counts + RankCounts::only(rank, count);
        if completed.get(rank) == count {
            return Some(PartialCapture::new(counts, completed));
        }
        let all = counts | lower;
        let left = self.splitter.complete(all, rank)?;
        Some(PartialCapture::new(counts, all - left))
    }
}

/// Appends the legal moves with the cards of a hand, at most [`LISTED`], in canonical order.
///
/// Every card can be laid down, so every card is listed. If there are too many captures, cards with
/// few captures keep them all, and the others share the rest evenly.
pub(crate) fn list_moves(hand: CardSet, table: CardSet, moves: &mut Vec<Move>) -> ListCompleteness {
    // No share of a card is below `LISTED / hand.len()`, and one capture more shows that a card exceeds its share. On
    // a crowded table no more need be searched.
    let mut most = LISTED / hand.len().max(1) + 1;
    let mut sets: Vec<(Card, Vec<CardSet>)> = Vec::with_capacity(hand.len());
    for card in hand {
        let captures = match sets.last() {
            Some((last, sets)) if last.rank() == card.rank() => sets.clone(),
            _ => captures(card.rank(), table, most).0,
        };
        sets.push((card, captures));
    }
    loop {
        let is_searched = |sets: &Vec<CardSet>| sets.len() < most || most > LISTED;
        let total: usize = sets.iter().map(|(_, sets)| sets.len()).sum();
        let share = if total > LISTED { fair_share(&sets) } else { LISTED };
        // A longer list would have the same share, since it is longer than its share already.
        if (total > LISTED && share < most) || sets.iter().all(|(_, sets)| is_searched(sets)) {
            for (card, captures) in &sets {
                let kept = captures.iter().take(share);
                moves.extend(kept.map(|&captured| Move { card: *card, captured }));
            }
            return if total > LISTED { ListCompleteness::Cut } else { ListCompleteness::Complete };
        }
        let more = (2 * most).min(LISTED + 1);
        for (card, sets) in sets.iter_mut().filter(|(_, sets)| !is_searched(sets)) {
            *sets = captures(card.rank(), table, more).0;
        }
        most = more;
    }
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
