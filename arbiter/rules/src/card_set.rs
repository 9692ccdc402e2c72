//! A set of cards, as bits.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};
use std::str::FromStr;

use crate::card::Card;
use crate::text::NotText;

/// A set of cards of the pack of 52.
///
/// It is written in the order of the pack, separated by blanks, and read in any order. Sets are
/// ordered by the highest card that only one of them holds: the one without it comes first, so
/// the empty set is the least.
///
/// ```
/// use rules::CardSet;
///
/// let table: CardSet = "10D 3H 3C".parse()?;
/// assert_eq!(table.to_string(), "3C 3H 10D");
/// assert_eq!(table.len(), 3);
/// assert!("3C 3C".parse::<CardSet>().is_err(), "a card twice is no set");
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// The whole pack of 52.
    pub const PACK: CardSet = CardSet((1 << 52) - 1);

    /// The set as bits: bit 4·r + s for rank r (0 for the 2, 12 for the ace) and suit s (clubs,
    /// diamonds, hearts, spades).
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of these bits; those above the pack are dropped.
    pub const fn from_bits(bits: u64) -> CardSet {
        CardSet(bits & CardSet::PACK.0)
    }

    /// The set of one card.
    pub const fn one(card: Card) -> CardSet {
        CardSet(1 << card.place())
    }

    /// Number of cards.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if it holds no card.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if it holds this card.
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.place() & 1 == 1
    }

    /// Returns true if it holds every card of the other set.
    pub const fn contains_all(self, other: CardSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Returns true if the two sets share no card.
    pub const fn is_disjoint(self, other: CardSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Adds a card.
    pub fn insert(&mut self, card: Card) {
        self.0 |= CardSet::one(card).0;
    }

    /// Takes a card out, if it is there.
    pub fn remove(&mut self, card: Card) {
        self.0 &= !CardSet::one(card).0;
    }

    /// The card that has `before` others before it in the order of the pack.
    pub fn nth(self, before: usize) -> Option<Card> {
        self.iter().nth(before)
    }

    /// The first card in the order of the pack.
    pub fn first(self) -> Option<Card> {
        self.iter().next()
    }

    /// The cards, in the order of the pack.
    pub fn iter(self) -> Cards {
        Cards(self.0)
    }
}

/// The cards of a set, in the order of the pack.
#[derive(Debug, Clone)]
pub struct Cards(u64);

impl Iterator for Cards {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let place = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Card::at(place))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for Cards {
    fn next_back(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let place = 63 - self.0.leading_zeros() as u8;
        self.0 &= !(1 << place);
        Some(Card::at(place))
    }
}

impl ExactSizeIterator for Cards {}
impl FusedIterator for Cards {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    fn into_iter(self) -> Cards {
        self.iter()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(CardSet::EMPTY, |set, card| set | CardSet::one(card))
    }
}

impl BitOr for CardSet {
    type Output = CardSet;

    fn bitor(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }
}

impl BitOrAssign for CardSet {
    fn bitor_assign(&mut self, other: CardSet) {
        self.0 |= other.0;
    }
}

impl BitAnd for CardSet {
    type Output = CardSet;

    fn bitand(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }
}

impl Sub for CardSet {
    type Output = CardSet;

    fn sub(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }
}

impl SubAssign for CardSet {
    fn sub_assign(&mut self, other: CardSet) {
        self.0 &= !other.0;
    }
}

impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cards = self.iter();
        cards.next().map_or(Ok(()), |first| first.fmt(f))?;
        cards.try_for_each(|card| f.write_str(card.after_blank()))
    }
}

impl FromStr for CardSet {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let mut set = CardSet::EMPTY;
        for word in text.split_ascii_whitespace() {
            let card: Card = word.parse()?;
            if set.contains(card) {
                return Err(NotText::new("each card once", text));
            }
            set.insert(card);
        }
        Ok(set)
    }
}

/// Cards that were dealt: seen, or only counted.
///
/// Written as the cards, or as `??` for each card that was not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dealt {
    /// These cards.
    Seen(CardSet),
    /// This number of cards, face down; never 0, since no card hides nothing.
    Unseen(u8),
}

impl Dealt {
    /// Number of cards dealt.
    pub fn len(self) -> usize {
        match self {
            Dealt::Seen(cards) => cards.len(),
            Dealt::Unseen(count) => usize::from(count),
        }
    }

    /// Returns true if no card was dealt.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The cards that can be seen here: none if they lie face down.
    pub fn seen(self) -> CardSet {
        match self {
            Dealt::Seen(cards) => cards,
            Dealt::Unseen(_) => CardSet::EMPTY,
        }
    }

    /// Turns the cards face down.
    pub fn face_down(self) -> Dealt {
        match self.len() {
            0 => Dealt::Seen(CardSet::EMPTY),
            count => Dealt::Unseen(count as u8),
        }
    }
}

impl fmt::Display for Dealt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dealt::Seen(cards) => write!(f, "{cards}"),
            Dealt::Unseen(count) => {
                f.write_str("??")?;
                (1..*count).try_for_each(|_| f.write_str(" ??"))
            }
        }
    }
}

impl FromStr for Dealt {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let words = || text.split_ascii_whitespace();
        if words().next() != Some("??") {
            return text.parse().map(Dealt::Seen);
        }
        if words().count() > 52 || words().any(|word| word != "??") {
            return Err(NotText::new("cards or `??` for each", text));
        }
        Ok(Dealt::Unseen(words().count() as u8))
    }
}
