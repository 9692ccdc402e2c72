//! The packs that Durak is played with.

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, Rank};
use crate::card_set::CardSet;
use crate::text::NotText;

/// A pack of cards, written as its size: `36`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Deck {
    /// 24 cards, 9 to ace.
    Nines,
    /// 32 cards, 7 to ace.
    Sevens,
    /// 36 cards, 6 to ace.
    #[default]
    Sixes,
    /// 52 cards, 2 to ace.
    Twos,
}

impl Deck {
    /// Every pack, the smallest first.
    pub const ALL: [Deck; 4] = [Deck::Nines, Deck::Sevens, Deck::Sixes, Deck::Twos];

    /// The lowest rank in it.
    pub fn lowest(self) -> Rank {
        match self {
            Deck::Nines => Rank::Nine,
            Deck::Sevens => Rank::Seven,
            Deck::Sixes => Rank::Six,
            Deck::Twos => Rank::Two,
        }
    }

    /// All its cards.
    pub fn cards(self) -> CardSet {
        CardSet::PACK.iter().filter(|card: &Card| card.rank() >= self.lowest()).collect()
    }

    /// How many cards it has.
    pub fn size(self) -> usize {
        match self {
            Deck::Nines => 24,
            Deck::Sevens => 32,
            Deck::Sixes => 36,
            Deck::Twos => 52,
        }
    }
}

impl fmt::Display for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.size())
    }
}

impl FromStr for Deck {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        Deck::ALL
            .into_iter()
            .find(|deck| deck.to_string() == text)
            .ok_or_else(|| NotText::new("24, 32, 36 or 52 as the deck of durak", text))
    }
}
