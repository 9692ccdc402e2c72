//! The values of cards in Tablić: as points at the end, and as numbers when capturing.

use crate::card::{Card, Rank, Suit};
use crate::card_set::CardSet;

/// The points for strictly the most cards.
pub const MOST_CARDS: u32 = 3;

/// The 10 of diamonds, worth two points.
pub const TEN_OF_DIAMONDS: Card = Card::new(Rank::Ten, Suit::Diamonds);

/// The 2 of clubs, worth one point.
pub const TWO_OF_CLUBS: Card = Card::new(Rank::Two, Suit::Clubs);

/// The cards worth a point: all of 10, jack, queen, king and ace, and the 2 of clubs.
const ONE_EACH: CardSet =
    CardSet::from_bits((0xf_ffff << (4 * Rank::Ten as u64)) | CardSet::one(TWO_OF_CLUBS).bits());

/// The points of a set of cards: 10, J, Q, K, A and 2C one each, 10D two, others none.
///
/// ```
/// use rules::{CardSet, tablic::points::points};
///
/// assert_eq!(points(CardSet::PACK), 22);
/// ```
pub const fn points(cards: CardSet) -> u32 {
    let ones = (cards.bits() & ONE_EACH.bits()).count_ones();
    if cards.contains(TEN_OF_DIAMONDS) { ones + 1 } else { ones }
}

/// The numbers that a card of this rank counts as when capturing: 2 to 10 as printed, J 12, Q 13,
/// K 14, and for an ace 1 or 11, chosen afresh for every use.
pub const fn values(rank: Rank) -> &'static [u32] {
    match rank {
        Rank::Two => &[2],
        Rank::Three => &[3],
        Rank::Four => &[4],
        Rank::Five => &[5],
        Rank::Six => &[6],
        Rank::Seven => &[7],
        Rank::Eight => &[8],
        Rank::Nine => &[9],
        Rank::Ten => &[10],
        Rank::Jack => &[12],
        Rank::Queen => &[13],
        Rank::King => &[14],
        Rank::Ace => &[1, 11],
    }
}
