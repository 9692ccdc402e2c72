//! The pack of 52 cards.

const RANKS: &str = "23456789TJQKA";
const SUITS: &str = "CDHS";

/// A card, by its place in the pack: clubs, diamonds, hearts, spades, each from 2 to ace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card(u8);

impl Card {
    pub fn pack() -> impl Iterator<Item = Card> {
        (0..52).map(Card)
    }

    /// 0 for a 2, up to 12 for an ace.
    pub fn rank(self) -> usize {
        usize::from(self.0) % RANKS.len()
    }

    pub fn suit(self) -> usize {
        usize::from(self.0) / RANKS.len()
    }

    /// The card that is spelt like this: rank, then suit.
    pub fn read(word: &str) -> Option<Card> {
        let &[rank, suit] = word.as_bytes() else { return None };
        let rank = RANKS.bytes().position(|letter| letter == rank)?;
        let suit = SUITS.bytes().position(|letter| letter == suit)?;
        Some(Card((suit * RANKS.len() + rank) as u8))
    }

    /// How it is spelt: rank, then suit.
    pub fn letters(self) -> [char; 2] {
        [RANKS.as_bytes()[self.rank()], SUITS.as_bytes()[self.suit()]].map(char::from)
    }
}
