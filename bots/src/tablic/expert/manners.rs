//! What the moves of a seat tell of how it plays: like greedy, or otherwise.
//!
//! Greedy makes one move with each hand. So a seat that plays like it tells much: it holds no card with which
//! greedy would rather have moved. When a deal is over, every hand of it is known, and with it whether a seat
//! moved as greedy would.

use crate::tablic::classes::{Class, ClassCounts, ClassMove, ClassSet};
use crate::tablic::expert::position::GreedyCache;

/// The cards with which greedy would rather have moved than it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PreferredCards(ClassSet);

impl PreferredCards {
    /// Those to this move on this table: all, where greedy would not make it with any hand.
    pub(super) fn to(
        made: ClassMove,
        table: ClassCounts,
        greed: &mut GreedyCache,
    ) -> PreferredCards {
        let key = |mv: ClassMove| (mv.rating, mv.captured);
        let best = greed.with(made.played, table);
        let is_better = |class: &Class| {
            best.captured != made.captured || key(greed.with(*class, table)) > key(best)
        };
        PreferredCards(Class::all().filter(is_better).collect())
    }

    /// Returns true if greedy would have made the move with this hand.
    pub(super) fn none_in(self, hand: ClassCounts) -> bool {
        hand.classes().and(self.0) == ClassSet::EMPTY
    }
}

/// How much likelier a seat is to play like greedy after a move that greedy would have made: other players make
/// about seven of ten moves as greedy does.
const ALIKE: f32 = 1.4;

/// How much likelier after one that it would not have made: far less.
const UNLIKE: f32 = 0.02;

/// The manner of each seat, by its moves in deals that are over.
#[derive(Debug, Clone)]
pub(super) struct Manners {
    /// For each seat, how much likelier it plays like greedy than otherwise.
    odds: Vec<f32>,
    /// For each seat, its moves in this deal: the card that it played, and those that greedy prefers.
    moves: Vec<Vec<(Class, PreferredCards)>>,
}

impl Manners {
    /// Seats of which nothing is known.
    pub(super) fn new(seats: usize) -> Manners {
        Manners { odds: vec![1.0; seats], moves: vec![Vec::new(); seats] }
    }

    pub(super) fn add(&mut self, seat: usize, played: Class, preferred: PreferredCards) {
        if let Some(moves) = self.moves.get_mut(seat) {
            moves.push((played, preferred));
        }
    }

    /// Judges the moves of a deal, in which all cards are played.
    pub(super) fn end_deal(&mut self) {
        for (odds, moves) in self.odds.iter_mut().zip(&mut self.moves) {
            let mut hand = ClassCounts::NONE;
            for (played, preferred) in moves.drain(..).rev() {
                hand = hand.plus(ClassCounts::one(played));
                // With one card there is no choice.
                if hand.len() > 1 {
                    *odds *= if preferred.none_in(hand) { ALIKE } else { UNLIKE };
                }
            }
        }
    }

    /// How likely each seat is to play like greedy, by the deals that are over.
    pub(super) fn chances(&self) -> Vec<f32> {
        self.odds.iter().map(|odds| odds / (1.0 + odds)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(cards: &str) -> ClassCounts {
        ClassCounts::count(cards.parse().expect("cards"))
    }

    fn preferred(mv: &str, table: &str) -> (Class, PreferredCards) {
        let made = ClassMove::new(mv.parse().expect("a move"), counts(table));
        (made.played, PreferredCards::to(made, counts(table), &mut GreedyCache::default()))
    }

    #[test]
    fn greedy_plays_its_lowest_card_without_points_where_it_captures_nothing() {
        let (_, preferred) = preferred("7S", "QD");
        assert!(preferred.none_in(counts("7S 8C 9H KC AS")));
        for better in ["7S QC", "7S 6H"] {
            assert!(!preferred.none_in(counts(better)), "{better}");
        }
    }

    #[test]
    fn a_capture_that_greedy_would_not_choose_is_like_it_with_no_hand() {
        let (_, best) = preferred("9H 4C 5S", "4C 5S");
        assert!(best.none_in(counts("9H")));
        let (_, none) = preferred("9H", "4C 5S");
        assert!(!none.none_in(counts("9H")));
    }

    #[test]
    fn a_deal_that_is_over_tells_how_a_seat_played() {
        let mut manners = Manners::new(2);
        for (seat, moves) in [["7S", "8S"], ["8C", "7C"]].into_iter().enumerate() {
            for mv in moves {
                let (played, preferred) = preferred(mv, "QD");
                manners.add(seat, played, preferred);
            }
        }
        assert_eq!(manners.chances(), [0.5, 0.5]);
        manners.end_deal();
        let chances = manners.chances();
        assert!(chances[0] > 0.55 && chances[1] < 0.05, "{chances:?}");
        manners.end_deal();
        assert_eq!(manners.chances(), chances, "no move counts twice");
    }
}
