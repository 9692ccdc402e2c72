//! The moves of the search: by classes, so that those which differ only in interchangeable cards
//! come once, in the order in which a greedy player prefers them.

use rules::CardSet;
use rules::tablic::Move;

use crate::tablic::classes::captures::{Captured, TableCaptures};
use crate::tablic::classes::value::{Rating, Tabla};
use crate::tablic::classes::{Class, ClassCounts, ClassSet};

/// A card of a class, and the cards of the table that it captures, by classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassMove {
    /// The class of the card that is played.
    pub played: Class,
    /// The cards of the table that it takes, possibly none.
    pub captured: ClassCounts,
    /// Rating by a greedy player.
    pub rating: Rating,
}

impl ClassMove {
    /// The move that lays a card of this class down.
    pub const fn lay_down(played: Class) -> ClassMove {
        ClassMove { played, captured: ClassCounts::NONE, rating: Rating::lay_down(played) }
    }

    /// The move that captures these cards of this table.
    pub(in crate::tablic) fn capture(
        played: Class,
        captured: Captured,
        table: ClassCounts,
    ) -> ClassMove {
        let tabla = if captured.cards == table { Tabla::Yes } else { Tabla::No };
        let rating = Rating::capture(played, captured.weight, tabla);
        ClassMove { played, captured: captured.cards, rating }
    }

    /// This move on this table.
    pub fn new(mv: Move, table: ClassCounts) -> ClassMove {
        let played = Class::new(mv.card);
        match Captured::new(mv.captured) {
            nothing if nothing.cards.is_empty() => ClassMove::lay_down(played),
            captured => ClassMove::capture(played, captured, table),
        }
    }

    /// The move with the cards of this hand and this table that a greedy player would take;
    /// `None` if they are not there.
    pub fn with_cards(self, hand: CardSet, table: CardSet) -> Option<Move> {
        let card = ClassCounts::one(self.played).highest_of(hand).first()?;
        let captured = self.captured.highest_of(table);
        (captured.len() == self.captured.len() as usize).then_some(Move { card, captured })
    }
}

/// Replaces the list by the moves with these classes, the one that a greedy player prefers first.
pub(in crate::tablic) fn list(
    playable: ClassSet,
    captures: &mut TableCaptures,
    moves: &mut Vec<ClassMove>,
) {
    moves.clear();
    let table = captures.table();
    for played in playable.iter() {
        moves.push(ClassMove::lay_down(played));
        let captures = captures.with(played).iter();
        moves.extend(captures.map(|captured| ClassMove::capture(played, *captured, table)));
    }
    moves.sort_unstable_by(|one, other| {
        (other.rating, other.captured).cmp(&(one.rating, one.captured))
    });
}

#[cfg(test)]
mod tests {
    use rules::BotSeed;

    use super::*;
    use crate::tablic::greedy::Worth;
    use crate::tablic::greedy::best_move;

    #[test]
    fn they_come_in_the_order_of_greed() {
        let mut nature = BotSeed([4; 8]).nature();
        let (mut captures, mut moves) = (TableCaptures::default(), Vec::new());
        for case in 0..400 {
            let mut pack = CardSet::PACK;
            let hand = nature.draw_many(&mut pack, 1 + case % 6);
            let table = nature.draw_many(&mut pack, case % 11);
            captures.set_table(ClassCounts::count(table));
            list(ClassCounts::count(hand).classes(), &mut captures, &mut moves);
            let with_cards = moves.iter().map(|mv| mv.with_cards(hand, table).expect("the cards"));
            let with_cards: Vec<Move> = with_cards.collect();
            let worth: Vec<Worth> = with_cards.iter().map(|mv| Worth::new(*mv, table)).collect();
            assert!(worth.is_sorted_by(|one, other| one > other), "{hand} on {table}");
            assert_eq!(with_cards.first().copied(), best_move(hand, table));
            for (mv, worth) in moves.iter().zip(worth) {
                let points = worth.points + i32::from(worth.tabla);
                let found = (mv.rating.points(), mv.rating.captured());
                assert_eq!(found, (points, worth.captured));
            }
        }
    }
}
