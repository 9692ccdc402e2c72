//! A card as a person names it: a rank, and a suit where it matters.

use std::fmt;
use std::str::FromStr;

use rules::{Card, CardSet, NotText, Rank, Suit};

/// A card by its rank, with or without its suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NamedCard {
    pub rank: Rank,
    pub suit: Option<Suit>,
}

/// The names of suits: in English, in Croatian, and their signs.
const SUITS: [(&str, Suit); 21] = [
    ("clubs", Suit::Clubs),
    ("club", Suit::Clubs),
    ("tref", Suit::Clubs),
    ("c", Suit::Clubs),
    ("♣", Suit::Clubs),
    ("diamonds", Suit::Diamonds),
    ("diamond", Suit::Diamonds),
    ("karo", Suit::Diamonds),
    ("d", Suit::Diamonds),
    ("♦", Suit::Diamonds),
    ("hearts", Suit::Hearts),
    ("heart", Suit::Hearts),
    ("herc", Suit::Hearts),
    ("srce", Suit::Hearts),
    ("h", Suit::Hearts),
    ("♥", Suit::Hearts),
    ("spades", Suit::Spades),
    ("spade", Suit::Spades),
    ("pik", Suit::Spades),
    ("s", Suit::Spades),
    ("♠", Suit::Spades),
];

/// Names of some ranks besides their letters.
const RANKS: [(&str, Rank); 5] = [
    ("ace", Rank::Ace),
    ("king", Rank::King),
    ("queen", Rank::Queen),
    ("jack", Rank::Jack),
    ("t", Rank::Ten),
];

impl NamedCard {
    pub(crate) fn among(self, cards: CardSet) -> CardSet {
        let suits = |suit| self.suit.is_none_or(|named| named == suit);
        cards.iter().filter(|card| card.rank() == self.rank && suits(card.suit())).collect()
    }
}

/// The card with this text, in which custom games may spell a ten `T`.
pub(crate) fn spelt(text: &str) -> Option<Card> {
    let ten = || text.strip_prefix('T').and_then(|suit| format!("10{suit}").parse().ok());
    text.parse::<Card>().ok().or_else(ten)
}

/// The suit with this name, in any letter case.
pub(crate) fn suit(word: &str) -> Option<Suit> {
    let word = word.trim().to_lowercase();
    SUITS.iter().find(|(name, _)| *name == word).map(|(_, suit)| *suit)
}

/// The rank with this name; a name of several letters is in lower case.
pub(crate) fn rank(word: &str) -> Option<Rank> {
    let short = Rank::ALL.into_iter().find(|rank| rank.name().eq_ignore_ascii_case(word));
    short.or_else(|| RANKS.iter().find(|(name, _)| *name == word).map(|(_, rank)| *rank))
}

impl fmt::Display for NamedCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.suit {
            Some(suit) => write!(f, "{}", Card::new(self.rank, suit)),
            None => f.write_str(self.rank.name()),
        }
    }
}

impl FromStr for NamedCard {
    type Err = NotText;

    /// Reads a rank, or a rank and a suit in either order, with or without a blank or `of` between
    /// them, in any letter case.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let lower = text.to_lowercase();
        let word: String = lower.split_whitespace().filter(|word| *word != "of").collect();
        if let Some(rank) = rank(&word) {
            return Ok(NamedCard { rank, suit: None });
        }
        let with_suit = SUITS.iter().find_map(|(name, suit)| {
            let before = word.strip_suffix(name).and_then(rank);
            let rank = before.or_else(|| word.strip_prefix(name).and_then(rank))?;
            Some(NamedCard { rank, suit: Some(*suit) })
        });
        with_suit
            .ok_or_else(|| NotText::new("a card such as `7`, `QH`, `clubs 2` or `tref 2`", text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        text.parse::<NamedCard>().ok().map(|named| named.to_string())
    }

    #[test]
    fn every_card_is_read_in_every_way_in_which_it_is_named() {
        for rank in Rank::ALL {
            assert_eq!(read(rank.name()).as_deref(), Some(rank.name()));
            assert_eq!(read(&rank.name().to_lowercase()).as_deref(), Some(rank.name()));
            for (name, suit) in SUITS {
                let card = Card::new(rank, suit).to_string();
                let (rank, name) = (rank.name(), name.to_owned());
                for text in [
                    format!("{rank}{name}"),
                    format!("{name}{rank}"),
                    format!(" {rank}  {name} "),
                    format!("{name} {rank}"),
                    format!("{rank} of {name}"),
                ] {
                    assert_eq!(read(&text).as_ref(), Some(&card), "{text}");
                    assert_eq!(read(&text.to_lowercase()).as_ref(), Some(&card), "{text}");
                    assert_eq!(read(&text.to_uppercase()).as_ref(), Some(&card), "{text}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_card_is_not_read() {
        for text in ["", "1", "11", "x", "clubs", "tref", "2 2", "2x", "C", "K2", "7 hearts spades"]
        {
            assert_eq!(read(text), None, "{text:?}");
        }
        for (text, card) in
            [("tc", "10C"), ("as", "AS"), ("King of srce", "KH"), ("pik k", "KS"), ("karo K", "KD")]
        {
            assert_eq!(read(text).as_deref(), Some(card));
        }
    }

    #[test]
    fn a_suit_is_read_alone() {
        assert_eq!((suit("C"), suit(" Herc ")), (Some(Suit::Clubs), Some(Suit::Hearts)));
        assert_eq!(suit("2"), None);
    }
}
