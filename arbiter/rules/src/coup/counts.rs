//! How many cards there are of each character: the deck, and hands where their order is unknown.

use std::num::NonZeroU32;

use crate::coup::character::Character;
use crate::coup::hand::Hand;
use crate::nature::Nature;

/// How many cards there are of each character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts([u8; Character::ALL.len()]);

impl Counts {
    /// No card.
    pub const NONE: Counts = Counts([0; Character::ALL.len()]);

    /// All cards there are, three of each character.
    pub const PACK: Counts = Counts([3; Character::ALL.len()]);

    /// How many cards show this character.
    pub fn count(self, character: Character) -> u32 {
        u32::from(self.0[character as usize])
    }

    /// How many cards there are.
    pub fn len(self) -> u32 {
        self.0.into_iter().map(u32::from).sum()
    }

    /// Whether there is no card.
    pub fn is_empty(self) -> bool {
        self == Counts::NONE
    }

    /// The same with one card more.
    #[must_use]
    pub fn with(mut self, character: Character) -> Counts {
        let count = &mut self.0[character as usize];
        *count = count.saturating_add(1);
        self
    }

    /// The same with one card less, if there is such a card.
    pub fn without(mut self, character: Character) -> Option<Counts> {
        let count = &mut self.0[character as usize];
        *count = count.checked_sub(1)?;
        Some(self)
    }

    /// The same without all of these cards, if they are there.
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
