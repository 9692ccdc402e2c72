//! Sets of cards laid out so that a beat is a mask.

use rules::{Card, CardSet, Rank, Suit};

/// A set of cards: sixteen bits for each suit, the trumps last, and in a suit the ranks upwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cards(pub u64);

/// The place of a card in that layout.
pub type Place = u8;

const TRUMPS: u64 = 0xffff << 48;

/// All bits of every suit but its last.
const NOT_LAST: u64 = 0x7fff_7fff_7fff_7fff;

/// One bit of every suit.
const EACH_SUIT: u64 = 0x0001_0001_0001_0001;

impl Cards {
    pub const EMPTY: Cards = Cards(0);

    pub const fn one(place: Place) -> Cards {
        Cards(1 << place)
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn contains(self, place: Place) -> bool {
        self.0 >> place & 1 == 1
    }

    pub const fn and(self, other: Cards) -> Cards {
        Cards(self.0 | other.0)
    }

    pub const fn common(self, other: Cards) -> Cards {
        Cards(self.0 & other.0)
    }

    pub const fn without(self, other: Cards) -> Cards {
        Cards(self.0 & !other.0)
    }

    pub const fn trumps(self) -> Cards {
        Cards(self.0 & TRUMPS)
    }

    pub const fn plain(self) -> Cards {
        Cards(self.0 & !TRUMPS)
    }

    /// The cards whose rank is among the ranks of the others.
    pub const fn of_ranks(self, others: Cards) -> Cards {
        Cards(self.0 & (others.ranks() * EACH_SUIT))
    }

    pub const fn beating(self, attack: Place) -> Cards {
        let suit = 0xffff_u64 << (attack & !15);
        let higher = suit & !(u64::MAX >> (63 - attack));
        Cards(self.0 & if attack < 48 { higher | TRUMPS } else { higher })
    }

    /// The cards that a card of their own suit among the others beats.
    pub const fn below_tops_of(self, others: Cards) -> Cards {
        // In every suit all bits below the highest one.
        let mut below = others.0 >> 1 & NOT_LAST;
        below |= below >> 1 & NOT_LAST;
        below |= below >> 2 & (NOT_LAST & NOT_LAST >> 1);
        below |= below >> 4 & 0x0fff_0fff_0fff_0fff;
        below |= below >> 8 & 0x00ff_00ff_00ff_00ff;
        Cards(self.0 & below)
    }

    /// The ranks that are there, a bit each.
    pub const fn ranks(self) -> u64 {
        let pairs = self.0 | self.0 >> 32;
        (pairs | pairs >> 16) & 0xffff
    }

    /// The lowest card, trumps after all others.
    pub const fn lowest(self) -> Option<Place> {
        let plain = self.plain();
        let of = if plain.is_empty() { self } else { plain };
        if of.is_empty() {
            return None;
        }
        let lowest = of.0 & ((1 << of.ranks().trailing_zeros()) * EACH_SUIT);
        Some(lowest.trailing_zeros() as Place)
    }
}

impl Iterator for Cards {
    type Item = Place;

    fn next(&mut self) -> Option<Place> {
        if self.0 == 0 {
            return None;
        }
        let place = self.0.trailing_zeros() as Place;
        self.0 &= self.0 - 1;
        Some(place)
    }
}

pub const fn is_trump(place: Place) -> bool {
    place >= 48
}

/// The rank of a card, 0 for the two and 12 for the ace.
pub const fn rank(place: Place) -> u8 {
    place & 15
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    trumps: Suit,
}

impl Layout {
    pub fn new(trumps: Suit) -> Layout {
        Layout { trumps }
    }

    pub fn place(self, card: Card) -> Place {
        16 * self.exchanged(card.suit()) as Place + card.rank() as Place
    }

    pub fn card(self, place: Place) -> Card {
        let suit = self.exchanged(Suit::ALL[usize::from(place / 16)]);
        Card::new(Rank::ALL[usize::from(rank(place)).min(12)], suit)
    }

    pub fn cards(self, set: CardSet) -> Cards {
        set.iter().fold(Cards::EMPTY, |all, card| all.and(Cards::one(self.place(card))))
    }

    pub fn set(self, cards: Cards) -> CardSet {
        cards.map(|place| self.card(place)).collect()
    }

    /// Trumps and spades exchange their places, so that trumps are the last.
    fn exchanged(self, suit: Suit) -> Suit {
        match suit {
            Suit::Spades => self.trumps,
            suit if suit == self.trumps => Suit::Spades,
            suit => suit,
        }
    }
}
