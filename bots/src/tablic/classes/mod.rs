//! Cards and moves by classes: those that are worth the same in every way are not told apart.
//!
//! Hands and tables become counts of classes in one word each ([`ClassCounts`]), and moves that
//! differ only in such cards become one ([`ClassMove`]). This is what all players that look ahead
//! think in.

pub(super) mod captures;
mod counts;
pub(super) mod moves;
pub mod value;

pub use counts::{Class, ClassCounts, ClassSet};
pub use moves::ClassMove;

use rules::tablic::Move;
use rules::tablic::capture::{TEN_OF_DIAMONDS, TWO_OF_CLUBS};
use rules::{Card, CardSet, Nature};

/// The two cards that are worth more than the others of their rank.
const SPECIAL: CardSet =
    CardSet::from_bits(CardSet::one(TEN_OF_DIAMONDS).bits() | CardSet::one(TWO_OF_CLUBS).bits());

/// The cards of a set that are worth the same as this one in every way: those of its rank, but
/// the 10 of diamonds and the 2 of clubs are equivalent to themselves alone.
pub fn equivalent(card: Card, cards: CardSet) -> CardSet {
    if SPECIAL.contains(card) {
        return CardSet::from_bits(cards.bits() & CardSet::one(card).bits());
    }
    let rank = 0xf << (4 * card.rank() as u64);
    CardSet::from_bits(cards.bits() & rank & !SPECIAL.bits())
}

/// Replaces the card of a move by one drawn from the equivalent cards of the hand, each
/// equally likely, so that its suit tells nothing.
///
/// Nothing is drawn from `nature` where there is no choice.
pub fn hide_suit(mv: Move, hand: CardSet, nature: &mut Nature) -> Move {
    let mut equivalents = equivalent(mv.card, hand);
    if equivalents.len() < 2 {
        return mv;
    }
    Move { card: nature.draw(&mut equivalents).unwrap_or(mv.card), ..mv }
}
