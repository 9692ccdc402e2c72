//! A card of the French pack of 52, and sets of cards as bits.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};
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
    pub(crate) const fn from_place(place: u8) -> Card {
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
    pub const fn single(card: Card) -> CardSet {
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
        self.0 |= CardSet::single(card).0;
    }

    /// Takes a card out, if it is there.
    pub fn remove(&mut self, card: Card) {
        self.0 &= !CardSet::single(card).0;
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
    pub fn iter(self) -> CardIter {
        CardIter(self.0)
    }
}

/// The cards of a set, in the order of the pack.
#[derive(Debug, Clone)]
pub struct CardIter(u64);

impl Iterator for CardIter {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let place = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Card::from_place(place))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for CardIter {
    fn next_back(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let place = 63 - self.0.leading_zeros() as u8;
        self.0 &= !(1 << place);
        Some(Card::from_place(place))
    }
}

impl ExactSizeIterator for CardIter {}
impl FusedIterator for CardIter {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = CardIter;

    fn into_iter(self) -> CardIter {
        self.iter()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(CardSet::EMPTY, |set, card| set | CardSet::single(card))
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
pub enum DealtCards {
    /// These cards.
    Seen(CardSet),
    /// This number of cards, face down; never 0, since no card hides nothing.
    Unseen(u8),
}

impl DealtCards {
    /// Number of cards dealt.
    pub fn len(self) -> usize {
        match self {
            DealtCards::Seen(cards) => cards.len(),
            DealtCards::Unseen(count) => usize::from(count),
        }
    }

    /// Returns true if no card was dealt.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The cards that can be seen here: none if they lie face down.
    pub fn visible(self) -> CardSet {
        match self {
            DealtCards::Seen(cards) => cards,
            DealtCards::Unseen(_) => CardSet::EMPTY,
        }
    }

    /// Turns the cards face down.
    pub fn face_down(self) -> DealtCards {
        match self.len() {
            0 => DealtCards::Seen(CardSet::EMPTY),
            count => DealtCards::Unseen(count as u8),
        }
    }
}

impl fmt::Display for DealtCards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DealtCards::Seen(cards) => write!(f, "{cards}"),
            DealtCards::Unseen(count) => {
                f.write_str("??")?;
                (1..*count).try_for_each(|_| f.write_str(" ??"))
            }
        }
    }
}

impl FromStr for DealtCards {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let words = || text.split_ascii_whitespace();
        if words().next() != Some("??") {
            return text.parse().map(DealtCards::Seen);
        }
        if words().count() > 52 || words().any(|word| word != "??") {
            return Err(NotText::new("cards or `??` for each", text));
        }
        Ok(DealtCards::Unseen(words().count() as u8))
    }
}
