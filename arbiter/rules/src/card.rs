//! A card of the French pack of 52.

use std::fmt;
use std::str::FromStr;

use crate::text::NotText;

/// A rank, in the order in which cards are written: 2 to 10, jack, queen, king, ace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// Every rank, in order.
    pub const ALL: [Rank; 13] = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// Name of the rank: `2` to `10`, `J`, `Q`, `K`, `A`.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 13] =
            ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
        NAMES[self as usize]
    }
}

/// A suit, in the order in which cards are written: clubs, diamonds, hearts, spades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// Every suit, in order.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// Letter of the suit: `C`, `D`, `H`, `S`.
    pub fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self as usize]
    }
}

/// One card of the pack of 52.
///
/// The order of cards is by rank from the 2 to the ace, then by suit: clubs, diamonds, hearts,
/// spades. It is the order in which sets of cards are written, and says nothing about the value
/// of a card in a game.
///
/// ```
/// use rules::{Card, Rank, Suit};
///
/// let card: Card = "10d".parse()?;
/// assert_eq!(card, Card::new(Rank::Ten, Suit::Diamonds));
/// assert_eq!(card.to_string(), "10D");
/// assert!("1D".parse::<Card>().is_err());
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    /// The card of this rank and suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank as u8 * 4 + suit as u8)
    }

    /// The card at a place in the order of the pack, 0 to 51.
    pub(crate) const fn at(place: u8) -> Card {
        debug_assert!(place < 52);
        Card(place)
    }

    /// The place of this card in the order of the pack, 0 to 51.
    pub const fn place(self) -> u8 {
        self.0
    }

    /// The rank.
    pub fn rank(self) -> Rank {
        Rank::ALL[usize::from(self.0 / 4)]
    }

    /// The suit.
    pub fn suit(self) -> Suit {
        Suit::ALL[usize::from(self.0 % 4)]
    }
}

/// A blank and a card, in the order of the pack. Cards make up most of every text, so they are not
/// assembled from rank and suit each time.
const AFTER_BLANK: [[&str; 4]; 13] = [
    [" 2C", " 2D", " 2H", " 2S"],
    [" 3C", " 3D", " 3H", " 3S"],
    [" 4C", " 4D", " 4H", " 4S"],
    [" 5C", " 5D", " 5H", " 5S"],
    [" 6C", " 6D", " 6H", " 6S"],
    [" 7C", " 7D", " 7H", " 7S"],
    [" 8C", " 8D", " 8H", " 8S"],
    [" 9C", " 9D", " 9H", " 9S"],
    [" 10C", " 10D", " 10H", " 10S"],
    [" JC", " JD", " JH", " JS"],
    [" QC", " QD", " QH", " QS"],
    [" KC", " KD", " KH", " KS"],
    [" AC", " AD", " AH", " AS"],
];

impl Card {
    /// Text of the card behind another one: a blank, and its name.
    pub(crate) fn after_blank(self) -> &'static str {
        AFTER_BLANK[self.rank() as usize][self.suit() as usize]
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.after_blank()[1..])
    }
}

impl FromStr for Card {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let not_card = || NotText::new("a card", text);
        let last = text.chars().next_back().ok_or_else(not_card)?;
        let suit = Suit::ALL
            .into_iter()
            .find(|suit| suit.letter() == last.to_ascii_uppercase())
            .ok_or_else(not_card)?;
        let name = &text[..text.len() - 1];
        let rank = Rank::ALL
            .into_iter()
            .find(|rank| rank.name().eq_ignore_ascii_case(name))
            .ok_or_else(not_card)?;
        Ok(Card::new(rank, suit))
    }
}
