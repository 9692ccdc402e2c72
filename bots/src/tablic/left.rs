//! The weight of a set of cards that are left on the table.

use rules::tablic::points::{TEN_OF_DIAMONDS, TWO_OF_CLUBS, points};
use rules::{Card, CardSet, Rank, Suit};

/// The weight of the cards left on the table: the lightest set is best to leave.
///
/// Its digits are, from the highest: points, number of cards, the 10 of diamonds, the 2 of clubs,
/// aces, kings, queens, and so on down to the 2s. Cards of one rank are left in a fixed order, the
/// lowest first and those worth more last, so the weight alone tells which cards they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Left(u64);

/// How many bits the count of one rank takes.
const COUNT: u32 = 3;

impl Left {
    /// More than any set of cards weighs.
    pub(super) const MOST: Left = Left(u64::MAX);

    /// With more cards of a rank, of which none was left before. They are the first to be
    /// left on this table.
    pub(super) fn with(self, rank: Rank, count: u32, table: CardSet) -> Left {
        Left(first_left(rank, count, table).fold(self.0, |sum, card| sum + weight(card)))
    }

    /// The cards of the table that are not left.
    pub(super) fn others(self, table: CardSet) -> CardSet {
        Rank::ALL.iter().fold(table, |others, &rank| {
            let count = (self.0 >> digit(rank)) as u32 & 0b111;
            others - first_left(rank, count, table).collect()
        })
    }
}

/// The cards of a rank that are left when so many are: from the lowest suit up, but the 10 of
/// diamonds last.
fn first_left(rank: Rank, count: u32, table: CardSet) -> impl Iterator<Item = Card> {
    let suits = match rank {
        Rank::Ten => [Suit::Hearts, Suit::Spades, Suit::Clubs, Suit::Diamonds],
        _ => [Suit::Hearts, Suit::Spades, Suit::Diamonds, Suit::Clubs],
    };
    let cards = suits.map(|suit| Card::new(rank, suit));
    cards.into_iter().filter(move |card| table.contains(*card)).take(count as usize)
}

fn weight(card: Card) -> u64 {
    let above_counts = [
        (points(CardSet::one(card)), 0),
        (1, 6),
        ((card == TEN_OF_DIAMONDS).into(), 1),
        ((card == TWO_OF_CLUBS).into(), 1),
    ];
    let digits = above_counts.iter().fold(0, |sum, (digit, bits)| sum << bits | u64::from(*digit));
    digits << (COUNT * Rank::ALL.len() as u32) | 1 << digit(card.rank())
}

/// The bit where the count of a rank begins.
fn digit(rank: Rank) -> u32 {
    COUNT * rank as u32
}
