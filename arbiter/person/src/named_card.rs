//! A card as a person names it: a rank, and a suit where it matters.

use std::fmt;
use std::str::FromStr;

use rules::{Card, CardSet, NotText, Rank, Suit};

/// A card by its rank, with or without its suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartialCard {
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

impl PartialCard {
    pub(crate) fn matching_cards(self, cards: CardSet) -> CardSet {
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

impl fmt::Display for PartialCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.suit {
            Some(suit) => write!(f, "{}", Card::new(self.rank, suit)),
            None => f.write_str(self.rank.name()),
        }
    }
}

impl FromStr for PartialCard {
    type Err = NotText;

    /// Reads a rank, or a rank and a suit in either order, with or without a blank or `of` between
    /// them, in any letter case.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let lower = text.to_lowercase();
        let word: String = lower.split_whitespace().filter(|word| *word != "of").collect();
        if let Some(rank) = rank(&word) {
            return Ok(PartialCard { rank, suit: None });
        }
        let with_suit = SUITS.iter().find_map(|(name, suit)| {
            let before = word.strip_suffix(name).and_then(rank);
            let rank = before.or_else(|| word.strip_prefix(name).and_then(rank))?;
            Some(PartialCard { rank, suit: Some(*suit) })
        });
        with_suit
            .ok_or_else(|| NotText::new("a card such as `7`, `QH`, `clubs 2` or `tref 2`", text))
    }
}

/// The most cards that a line can name: a pack.
const MOST: usize = 52;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CardListWord {
    /// A single rank, with its suit possibly next to it.
    Rank(Rank),
    /// A suit, which belongs to a rank next to it.
    Suit(Suit),
    /// A card in one word, or a separator: nothing belongs to the words next to it.
    Card(Option<PartialCard>),
    /// The word between a rank and its suit.
    Of,
}

/// The readings of a line of cards, the likelier first: one, or two if a suit stands between two ranks, as in
/// `9 spades 4`.
///
/// Cards are named one after the other, with blanks, commas or `takes` between them.
pub(crate) fn readings(line: &str) -> Result<Vec<Vec<PartialCard>>, NotText> {
    let not_cards = || NotText::new("cards such as `7S 3H 4D`", line);
    let words = words(line).ok_or_else(not_cards)?;
    let mut readings = Vec::new();
    for side in [SuitBinding::Before, SuitBinding::After] {
        if let Some(cards) = read(&words, side)
            && cards.len() <= MOST
            && !readings.contains(&cards)
        {
            readings.push(cards);
        }
    }
    if readings.is_empty() { Err(not_cards()) } else { Ok(readings) }
}

fn words(line: &str) -> Option<Vec<CardListWord>> {
    let line = line.to_lowercase().replace([',', ';', '+'], " , ");
    let word = |word: &str| match word {
        "," | "take" | "takes" | "and" => Some(CardListWord::Card(None)),
        "of" => Some(CardListWord::Of),
        word => rank(word)
            .map(CardListWord::Rank)
            .or_else(|| suit(word).map(CardListWord::Suit))
            .or_else(|| word.parse().ok().map(|card| CardListWord::Card(Some(card)))),
    };
    line.split_whitespace().map(word).collect()
}

/// The rank to which a suit between two ranks belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SuitBinding {
    Before,
    After,
}

/// Reads words as cards; nothing if a suit is left without a rank.
fn read(words: &[CardListWord], side: SuitBinding) -> Option<Vec<PartialCard>> {
    let mut cards: Vec<PartialCard> = Vec::new();
    // True while the last card is a rank that may still get a suit.
    let mut is_open = false;
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let has_rank_after = matches!(words.peek(), Some(CardListWord::Rank(_)));
        match word {
            CardListWord::Rank(rank) => {
                cards.push(PartialCard { rank, suit: None });
                is_open = true;
            }
            CardListWord::Suit(suit)
                if is_open && !(has_rank_after && side == SuitBinding::After) =>
            {
                cards.last_mut()?.suit = Some(suit);
                is_open = false;
            }
            CardListWord::Suit(suit) => {
                let Some(CardListWord::Rank(rank)) = words.next() else { return None };
                cards.push(PartialCard { rank, suit: Some(suit) });
                is_open = false;
            }
            CardListWord::Of => {
                let Some(CardListWord::Suit(suit)) = words.next().filter(|_| is_open) else {
                    return None;
                };
                cards.last_mut()?.suit = Some(suit);
                is_open = false;
            }
            CardListWord::Card(card) => {
                cards.extend(card);
                is_open = false;
            }
        }
    }
    Some(cards).filter(|cards| !cards.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        text.parse::<PartialCard>().ok().map(|named| named.to_string())
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

    fn read_as(line: &str) -> Vec<String> {
        let text = |cards: &Vec<PartialCard>| {
            cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        readings(line).map(|readings| readings.iter().map(text).collect()).unwrap_or_default()
    }

    #[test]
    fn every_spelling_of_a_card_can_stand_in_a_line_of_them() {
        for line in [
            "9S 4C 5S",
            "9s, 4c, 5s",
            "9S takes 4C 5S",
            "9♠ ♣4 5♠",
            "pik 9 tref 4 pik 5",
            "9 spades 4 clubs 5 spades",
            "9 of spades takes 4 of clubs and 5 of spades",
            "pik9 4tref spade 5",
            "Spades 9, Clubs 4, 5S",
        ] {
            assert_eq!(read_as(line), ["9S 4C 5S"], "{line}");
        }
        assert_eq!(read_as("9 4 5"), ["9 4 5"]);
        assert_eq!(read_as("9 10 A k"), ["9 10 A K"]);
        assert_eq!(read_as("9 4s king"), ["9 4S K"]);
    }

    #[test]
    fn a_suit_between_two_ranks_may_belong_to_either() {
        assert_eq!(read_as("9 spades 4"), ["9S 4", "9 4S"]);
        assert_eq!(read_as("7 herc 3 karo 4"), ["7H 3D 4", "7 3H 4D"]);
        for (line, only) in [
            ("9 of spades 4", "9S 4"),
            ("9 spades, 4", "9S 4"),
            ("9, spades 4", "9 4S"),
            ("9 takes spades 4", "9 4S"),
            ("spades 9 4 clubs", "9S 4C"),
        ] {
            assert_eq!(read_as(line), [only], "{line}");
        }
    }

    #[test]
    fn what_is_no_line_of_cards_is_not_read() {
        let pack = "7S ".repeat(53);
        for line in
            ["", ",", "x", "9S x", "spades", "9S spades clubs", "of spades", "9 of 4", &pack]
        {
            assert!(read_as(line).is_empty(), "{line}");
        }
    }
}
