//! Sets of cards in the order of cards.

use rules::{Card, CardSet};

/// The lowest bit of every rank's four.
const LOWEST: u64 = 0x1_1111_1111_1111;

/// A set of cards as bits in the order of cards: the ace lowest, then the 2 up to the king; within
/// a rank hearts, spades, diamonds, clubs.
///
/// Of two sets of equally many cards, both sorted from the highest and compared card by card, the
/// higher is the one with the greater bits.
///
/// ```
/// use bots::tablic::card_order::in_order;
///
/// assert!(in_order("2H".parse()?) > in_order("AC".parse()?));
/// assert!(in_order("KC 3H".parse()?) > in_order("KD 4C".parse()?));
/// # Ok::<(), rules::NotText>(())
/// ```
pub const fn in_order(cards: CardSet) -> u64 {
    let bits = cards.bits();
    let clubs_and_diamonds = (bits & LOWEST) << 3 | (bits & LOWEST << 1) << 1;
    let suits = clubs_and_diamonds | bits >> 2 & (LOWEST | LOWEST << 1);
    (suits << 4 | suits >> 48) & CardSet::PACK.bits()
}

/// The set of cards that [`in_order`] gives these bits for.
pub const fn from_order(bits: u64) -> CardSet {
    let suits = (bits >> 4 | bits << 48) & CardSet::PACK.bits();
    let clubs_and_diamonds = suits >> 3 & LOWEST | suits >> 1 & LOWEST << 1;
    CardSet::from_bits(clubs_and_diamonds | (suits & (LOWEST | LOWEST << 1)) << 2)
}

/// The cards of a set, from the lowest to the highest.
pub fn ascending(cards: CardSet) -> impl Iterator<Item = Card> {
    let mut left = in_order(cards);
    std::iter::from_fn(move || {
        let lowest = left & left.wrapping_neg();
        left ^= lowest;
        from_order(lowest).first()
    })
}
