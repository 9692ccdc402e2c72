//! Cards of Coup: characters, hands, and counts where their order is unknown.

use std::fmt;
use std::iter::Take;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::seed::Nature;
use crate::text::NotText;

/// Character of a card; the pack has three of each. Written in full: `duke`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Character {
    /// Exchanges cards, blocks steals.
    #[default]
    Ambassador,
    /// Assassinates.
    Assassin,
    /// Steals, blocks steals.
    Captain,
    /// Blocks assassinations.
    Contessa,
    /// Takes tax, blocks foreign aid.
    Duke,
}

impl Character {
    /// Every character, in canonical order.
    pub const ALL: [Character; 5] = [
        Character::Ambassador,
        Character::Assassin,
        Character::Captain,
        Character::Contessa,
        Character::Duke,
    ];

    /// The one spelling of this character.
    pub fn name(self) -> &'static str {
        match self {
            Character::Ambassador => "ambassador",
            Character::Assassin => "assassin",
            Character::Captain => "captain",
            Character::Contessa => "contessa",
            Character::Duke => "duke",
        }
    }
}

impl fmt::Display for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Character {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        Character::ALL
            .into_iter()
            .find(|character| character.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| NotText::new("ambassador, assassin, captain, contessa or duke", text))
    }
}

/// Up to four cards in the order in which they are held, doubles kept.
///
/// The order matters only to the seat itself, and is kept because programs of the classic dialect
/// rely on it. Written as the cards in a row; without cards it is the empty text.
///
/// ```
/// use rules::coup::Hand;
///
/// let hand: Hand = "Duke captain".parse()?;
/// assert_eq!(hand.to_string(), "duke captain");
/// assert_ne!(hand, "captain duke".parse()?);
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Hand {
    len: u8,
    /// Ambassadors beyond `len`, so that equal hands are equal values.
    cards: [Character; Hand::MOST],
}

impl Hand {
    /// No card.
    pub const EMPTY: Hand = Hand { len: 0, cards: [Character::Ambassador; Hand::MOST] };

    /// The most cards that a seat ever holds: its own two and two drawn ones.
    pub const MOST: usize = 4;

    /// These cards, unless they are too many.
    #[inline]
    pub fn new(cards: &[Character]) -> Option<Hand> {
        let mut hand = Hand { len: cards.len() as u8, ..Hand::EMPTY };
        hand.cards.get_mut(..cards.len())?.copy_from_slice(cards);
        Some(hand)
    }

    /// The cards in order.
    #[inline]
    pub fn cards(&self) -> &[Character] {
        &self.cards[..usize::from(self.len)]
    }

    /// Number of cards.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Returns true if there is no card.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns true if one of the cards shows this character.
    #[inline]
    pub fn contains(&self, character: Character) -> bool {
        self.cards().contains(&character)
    }

    /// The hand without one card of this character, if it has one.
    #[inline]
    pub fn without(&self, character: Character) -> Option<Hand> {
        let place = self.cards().iter().position(|card| *card == character)?;
        let (before, after) = (&self.cards()[..place], &self.cards()[place + 1..]);
        Hand::new(&[before, after].concat())
    }

    /// These cards and then the later ones, unless they are too many together.
    pub fn joined(&self, later: Hand) -> Option<Hand> {
        Hand::new(&[self.cards(), later.cards()].concat())
    }

    /// The hand without all of these cards, if it has them all.
    pub fn without_all(&self, cards: Hand) -> Option<Hand> {
        cards.into_iter().try_fold(*self, |rest, card| rest.without(card))
    }
}

impl IntoIterator for Hand {
    type Item = Character;
    type IntoIter = Take<std::array::IntoIter<Character, { Hand::MOST }>>;

    fn into_iter(self) -> Self::IntoIter {
        self.cards.into_iter().take(usize::from(self.len))
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut blank = "";
        for card in self.cards() {
            write!(f, "{blank}{card}")?;
            blank = " ";
        }
        Ok(())
    }
}

impl FromStr for Hand {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let cards: Vec<Character> =
            text.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        Hand::new(&cards).ok_or_else(|| NotText::new("at most 4 cards", text))
    }
}

/// Cards that came to a seat, as someone saw them.
///
/// Written as the cards, or as `??` for each card that was not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenHand {
    /// These cards.
    Seen(Hand),
    /// This number of cards, face down; never 0, since no card hides nothing.
    Unseen(u8),
}

impl SeenHand {
    /// Number of cards.
    pub fn len(self) -> usize {
        match self {
            SeenHand::Seen(cards) => cards.len(),
            SeenHand::Unseen(count) => usize::from(count),
        }
    }

    /// Returns true if there is no card.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Turns the cards face down.
    pub fn face_down(self) -> SeenHand {
        match self.len() {
            0 => SeenHand::Seen(Hand::EMPTY),
            count => SeenHand::Unseen(count as u8),
        }
    }
}

impl fmt::Display for SeenHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeenHand::Seen(cards) => write!(f, "{cards}"),
            SeenHand::Unseen(count) => {
                f.write_str("??")?;
                (1..*count).try_for_each(|_| f.write_str(" ??"))
            }
        }
    }
}

impl FromStr for SeenHand {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let words = || text.split_ascii_whitespace();
        if words().next() != Some("??") {
            return text.parse().map(SeenHand::Seen);
        }
        if words().count() > Hand::MOST || words().any(|word| word != "??") {
            return Err(NotText::new("at most 4 cards or `??` for each", text));
        }
        Ok(SeenHand::Unseen(words().count() as u8))
    }
}

/// Number of cards of each character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Counts([u8; Character::ALL.len()]);

impl Counts {
    /// No card.
    pub const NONE: Counts = Counts([0; Character::ALL.len()]);

    /// All cards there are, three of each character.
    pub const PACK: Counts = Counts([3; Character::ALL.len()]);

    /// Number of cards that show this character.
    pub fn count(self, character: Character) -> u32 {
        u32::from(self.0[character as usize])
    }

    /// Number of cards.
    pub fn len(self) -> u32 {
        self.0.into_iter().map(u32::from).sum()
    }

    /// Returns true if there is no card.
    pub fn is_empty(self) -> bool {
        self == Counts::NONE
    }

    /// Adds a card.
    #[must_use]
    pub fn with(mut self, character: Character) -> Counts {
        let count = &mut self.0[character as usize];
        *count = count.saturating_add(1);
        self
    }

    /// Removes a card, if there is such a card.
    pub fn without(mut self, character: Character) -> Option<Counts> {
        let count = &mut self.0[character as usize];
        *count = count.checked_sub(1)?;
        Some(self)
    }

    /// Removes all of these cards, if they are there.
    pub fn without_all(self, cards: impl IntoIterator<Item = Character>) -> Option<Counts> {
        cards.into_iter().try_fold(self, Counts::without)
    }

    /// The cards in canonical order.
    pub fn cards(self) -> impl Iterator<Item = Character> {
        let times = move |character| std::iter::repeat_n(character, self.count(character) as usize);
        Character::ALL.into_iter().flat_map(times)
    }

    /// Draws cards one after another, each equally likely; `None` if there are too few.
    pub fn draw(mut self, count: usize, nature: &mut Nature) -> Option<Hand> {
        let mut drawn = Vec::with_capacity(count);
        for _ in 0..count {
            let place = nature.below(NonZeroU32::new(self.len())?);
            let card = self.cards().nth(place as usize)?;
            self = self.without(card)?;
            drawn.push(card);
        }
        Hand::new(&drawn)
    }
}

impl FromIterator<Character> for Counts {
    fn from_iter<T: IntoIterator<Item = Character>>(cards: T) -> Counts {
        cards.into_iter().fold(Counts::NONE, Counts::with)
    }
}
