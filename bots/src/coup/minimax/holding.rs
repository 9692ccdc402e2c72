//! The cards of a seat as a small number, to look things up by.

use rules::coup::{Character, Hand};

const CHARACTERS: usize = Character::ALL.len();

/// Number of holdings of two cards.
const PAIRS: usize = CHARACTERS * (CHARACTERS + 1) / 2;

/// One or two cards in no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holding(u8);

impl Holding {
    /// Number of holdings.
    pub const COUNT: usize = PAIRS + CHARACTERS;

    /// Every holding, those of two cards first.
    pub fn all() -> impl Iterator<Item = Holding> + Clone {
        (0..Holding::COUNT as u8).map(Holding)
    }

    /// Every holding of this number of cards.
    pub fn of_size(count: usize) -> impl Iterator<Item = Holding> + Clone {
        Holding::all().filter(move |holding| holding.size() == count)
    }

    /// A single card.
    pub fn single(card: Character) -> Holding {
        Holding((PAIRS + card as usize) as u8)
    }

    /// Two cards.
    pub fn pair(one: Character, other: Character) -> Holding {
        let (low, high) = (one.min(other) as usize, one.max(other) as usize);
        // Rows of the triangle grow shorter by one.
        Holding((low * CHARACTERS - low * low.saturating_sub(1) / 2 + high - low) as u8)
    }

    /// The cards of a hand, if they are one or two.
    pub fn new(hand: Hand) -> Option<Holding> {
        match *hand.cards() {
            [card] => Some(Holding::single(card)),
            [one, other] => Some(Holding::pair(one, other)),
            _ => None,
        }
    }

    /// Its place among all holdings.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The cards.
    pub fn cards(self) -> &'static [Character] {
        const HOLDINGS: [([Character; 2], usize); Holding::COUNT] = holdings();
        let (cards, count) = &HOLDINGS[self.index()];
        &cards[..*count]
    }

    /// Number of cards.
    pub fn size(self) -> usize {
        if self.index() < PAIRS { 2 } else { 1 }
    }

    /// Number of cards that show this character.
    pub fn count(self, card: Character) -> u32 {
        self.cards().iter().filter(|other| **other == card).count() as u32
    }

    /// Returns true if one of the cards shows this character.
    pub fn contains(self, card: Character) -> bool {
        self.cards().contains(&card)
    }

    /// Removes one card of this character; `None` if it is the only card, or
    /// is not there.
    pub fn without(self, card: Character) -> Option<Holding> {
        match *self.cards() {
            [one, other] if one == card => Some(Holding::single(other)),
            [one, other] if other == card => Some(Holding::single(one)),
            _ => None,
        }
    }

    /// The holding with another card for one of this character, which it has.
    pub fn replacing(self, old: Character, new: Character) -> Holding {
        match self.without(old) {
            Some(rest) => Holding::pair(rest.cards()[0], new),
            None => Holding::single(new),
        }
    }

    /// The different cards.
    pub fn different(self) -> impl Iterator<Item = Character> {
        let cards = self.cards();
        let doubled = cards.len() == 2 && cards[0] == cards[1];
        cards.iter().copied().skip(usize::from(doubled))
    }
}

const fn holdings() -> [([Character; 2], usize); Holding::COUNT] {
    let mut all = [([Character::Ambassador; 2], 1); Holding::COUNT];
    let (mut low, mut next) = (0, 0);
    while low < CHARACTERS {
        let mut high = low;
        while high < CHARACTERS {
            all[next] = ([Character::ALL[low], Character::ALL[high]], 2);
            next += 1;
            high += 1;
        }
        all[PAIRS + low] = ([Character::ALL[low]; 2], 1);
        low += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_holding_has_a_place_of_its_own() {
        for (place, holding) in Holding::all().enumerate() {
            let again = match *holding.cards() {
                [one, other] => Holding::pair(other, one),
                [card] => Holding::single(card),
                _ => panic!("one or two cards"),
            };
            assert_eq!((again, again.index()), (holding, place));
            assert_eq!(Holding::new(Hand::new(holding.cards()).unwrap()), Some(holding));
            for card in holding.different() {
                let left = holding.without(card).map_or(0, Holding::size);
                assert_eq!(left + 1, holding.size());
                assert!(holding.replacing(card, Character::Duke).contains(Character::Duke));
            }
        }
    }
}
