//! Cards and moves by classes: those that are worth the same in every way are not told apart.
//!
//! Hands and tables become counts of classes in one word each ([`ClassCounts`]), and moves that
//! differ only in such cards become one ([`ClassMove`]). This is what all players that look ahead
//! think in.

pub(super) mod captures;

pub use captures::ClassMove;

use rules::tablic::capture::{TEN_OF_DIAMONDS, TWO_OF_CLUBS};
use rules::tablic::{Move, RankCounts};
use rules::{Card, CardSet, Nature, Rank};

use crate::tablic::capture::{from_order, in_order};

/// The two cards that are worth more than the others of their rank.
const SPECIAL: CardSet = CardSet::from_bits(
    CardSet::single(TEN_OF_DIAMONDS).bits() | CardSet::single(TWO_OF_CLUBS).bits(),
);

/// The cards of a set that are worth the same as this one in every way: those of its rank, but
/// the 10 of diamonds and the 2 of clubs are equivalent to themselves alone.
pub fn equivalent(card: Card, cards: CardSet) -> CardSet {
    if SPECIAL.contains(card) {
        return CardSet::from_bits(cards.bits() & CardSet::single(card).bits());
    }
    let rank = 0xf << (4 * card.rank() as u64);
    CardSet::from_bits(cards.bits() & rank & !SPECIAL.bits())
}

/// Replaces the card of a move by one drawn from the equivalent cards of the hand, each
/// equally likely, so that its suit tells nothing.
///
/// Nothing is drawn from `nature` where there is no choice.
pub fn hide_suit(mv: Move, hand: CardSet, nature: &mut Nature) -> Move {
    let mut equivalents = equivalent(mv.card, hand);
    if equivalents.len() < 2 {
        return mv;
    }
    Move { card: nature.draw(&mut equivalents).unwrap_or(mv.card), ..mv }
}

/// A class of cards that are worth the same in every way: those of one rank, but the 2 of clubs
/// and the 10 of diamonds are classes of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class(u8);

impl Class {
    pub const COUNT: usize = 15;
    pub const ACE: Class = Class(0);
    /// The 2s other than the 2 of clubs.
    pub const TWO: Class = Class(1);
    /// The 10s other than the 10 of diamonds.
    pub const TEN: Class = Class(9);
    pub const TWO_OF_CLUBS: Class = Class(13);
    pub const TEN_OF_DIAMONDS: Class = Class(14);

    /// Every class: by rank from the aces to the kings, then the two special cards.
    pub fn all() -> impl Iterator<Item = Class> {
        (0..Class::COUNT as u8).map(Class)
    }

    pub fn new(card: Card) -> Class {
        match card {
            TWO_OF_CLUBS => Class::TWO_OF_CLUBS,
            TEN_OF_DIAMONDS => Class::TEN_OF_DIAMONDS,
            _ => Class((card.rank() as u8 + 1) % 13),
        }
    }

    /// The place of the class, 0 to 14.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub fn rank(self) -> Rank {
        match self {
            Class::TWO_OF_CLUBS => Rank::Two,
            Class::TEN_OF_DIAMONDS => Rank::Ten,
            Class(place) => Rank::ALL[(usize::from(place) + 12) % 13],
        }
    }

    pub fn cards(self) -> CardSet {
        let special = CardSet::single(TWO_OF_CLUBS) | CardSet::single(TEN_OF_DIAMONDS);
        match self {
            Class::TWO_OF_CLUBS => CardSet::single(TWO_OF_CLUBS),
            Class::TEN_OF_DIAMONDS => CardSet::single(TEN_OF_DIAMONDS),
            _ => CardSet::from_bits(0xf << (4 * self.rank() as u64)) - special,
        }
    }
}

/// A set of classes, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct ClassSet(u16);

impl ClassSet {
    pub const EMPTY: ClassSet = ClassSet(0);

    pub const fn one(class: Class) -> ClassSet {
        ClassSet(1 << class.0)
    }

    /// The set as bits, bit `i` for the class at place `i`.
    pub const fn bits(self) -> u16 {
        self.0
    }

    pub const fn contains(self, class: Class) -> bool {
        self.0 >> class.0 & 1 == 1
    }

    pub const fn with(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 | other.0)
    }

    pub const fn and(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 & other.0)
    }

    pub const fn without(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 & !other.0)
    }

    /// The classes, from the first.
    pub fn iter(self) -> impl Iterator<Item = Class> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros() as u8;
            if left == 0 {
                return None;
            }
            left &= left - 1;
            Some(Class(place))
        })
    }
}

impl FromIterator<Class> for ClassSet {
    fn from_iter<I: IntoIterator<Item = Class>>(classes: I) -> Self {
        classes.into_iter().fold(ClassSet::EMPTY, |set, class| set.with(ClassSet::one(class)))
    }
}

/// Number of cards of each class: four bits a class, of which the highest is never used.
///
/// Of two captures with equally many cards, and equally many of the special ones, the greater
/// number is the one that greedy prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct ClassCounts(u64);

/// The highest bit of every class's four.
const GUARDS: u64 = 0x888_8888_8888_8888;

/// The lowest bit of every class's four.
const ONES: u64 = 0x111_1111_1111_1111;

impl ClassCounts {
    pub const NONE: ClassCounts = ClassCounts(0);

    pub fn count(cards: CardSet) -> ClassCounts {
        let special =
            |card: Card, class: Class| u64::from(cards.contains(card)) << (4 * class.index());
        let others = cards - CardSet::single(TWO_OF_CLUBS) - CardSet::single(TEN_OF_DIAMONDS);
        let ranks = RankCounts::new(others).bits();
        let from_ace = (ranks << 4 | ranks >> 48) & ((1 << 52) - 1);
        ClassCounts(
            from_ace
                | special(TWO_OF_CLUBS, Class::TWO_OF_CLUBS)
                | special(TEN_OF_DIAMONDS, Class::TEN_OF_DIAMONDS),
        )
    }

    pub const fn one(class: Class) -> ClassCounts {
        ClassCounts(1 << (4 * class.0))
    }

    pub const fn get(self, class: Class) -> u32 {
        (self.0 >> (4 * class.0)) as u32 & 0xf
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> u32 {
        sum(self.0)
    }

    pub const fn points(self) -> u32 {
        sum(self.0 & POINT_CLASSES) + self.get(Class::TEN_OF_DIAMONDS)
    }

    /// The counts as bits, four a class.
    pub const fn bits(self) -> u64 {
        self.0
    }

    pub const fn holds(self, others: ClassCounts) -> bool {
        ((self.0 | GUARDS) - others.0) & GUARDS == GUARDS
    }

    /// The cards of both; no class may come to more than 7.
    pub const fn plus(self, others: ClassCounts) -> ClassCounts {
        ClassCounts(self.0 + others.0)
    }

    /// Takes the others away, which must all be there.
    pub const fn minus(self, others: ClassCounts) -> ClassCounts {
        ClassCounts(self.0 - others.0)
    }

    pub fn classes(self) -> ClassSet {
        let present = (self.0 | self.0 >> 1 | self.0 >> 2) & ONES;
        ClassSet(gather(present))
    }

    /// The class of each card, from the first.
    pub fn cards(self) -> impl Iterator<Item = Class> {
        let of_class = move |class| std::iter::repeat_n(class, self.get(class) as usize);
        self.classes().iter().flat_map(of_class)
    }

    /// Cards of these counts among those of a set, the highest in the order of greedy's ties.
    pub fn highest_of(self, cards: CardSet) -> CardSet {
        self.classes().iter().fold(CardSet::EMPTY, |chosen, class| {
            let mut left = in_order(cards & class.cards());
            let highest = (0..self.get(class)).map_while(|_| {
                let bit = 1 << left.checked_ilog2()?;
                left ^= bit;
                Some(from_order(bit))
            });
            highest.fold(chosen, |chosen, card| chosen | card)
        })
    }
}

/// The bits of the classes that are worth points.
const POINT_CLASSES: u64 = 0xfff_fff0_0000_000f;

/// The sum of all fours of bits.
const fn sum(bits: u64) -> u32 {
    const EVEN: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let bytes = (bits & EVEN) + (bits >> 4 & EVEN);
    (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

/// Every fourth bit, moved together.
const fn gather(spread: u64) -> u16 {
    let pairs = (spread | spread >> 3) & 0x303_0303_0303_0303;
    let fours = (pairs | pairs >> 6) & 0x00f_000f_000f_000f;
    let eights = (fours | fours >> 12) & 0x0000_00ff_0000_00ff;
    (eights | eights >> 24) as u16
}

/// Points and cards as one number, which compares by the points first.
///
/// Both may be differences to the mean of the other seats times the number of these, so that they
/// are whole.
pub const fn pair(points: i32, cards: i32) -> i32 {
    points * POINT + cards
}

/// The points and the cards of such a number.
pub const fn unpair(value: i32) -> (i32, i32) {
    let cards = (value + POINT / 2).rem_euclid(POINT) - POINT / 2;
    ((value - cards) / POINT, cards)
}

/// More than twice the greatest difference of cards: 52 for one of 48 seats, times the other 47.
const POINT: i32 = 1 << 13;

/// Rating of moves by a greedy player, up to the cards themselves, as the digits of one
/// number: tabla, points, captured cards, the 10 of diamonds, the 2 of clubs, aces, and how low
/// the played card is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Rating(u32);

/// The lowest bits of the digits.
const TABLA: u32 = 1 << 25;
const POINTS: u32 = 1 << 19;
const CARDS: u32 = 1 << 13;
const TEN_BIT: u32 = 1 << 11;
const TWO_BIT: u32 = 1 << 9;
const ACES: u32 = 1 << 6;

/// Offset that keeps all digits positive where a card is laid down.
const BIAS: u32 = 2 * POINTS + TEN_BIT + TWO_BIT + ACES;

/// Weight of a card of each class in the digits, without the number of cards.
const WEIGHTS: [u32; Class::COUNT] = {
    let point = POINTS;
    [
        point + ACES,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        point,
        point,
        point,
        point,
        point + TWO_BIT,
        2 * point + TEN_BIT,
    ]
};

/// The numbers by which classes count when capturing; an ace counts 11 as well.
pub const VALUES: [u32; Class::COUNT] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 2, 10];

/// Weight of captured cards together: the digits of a [`Rating`] that they add to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CaptureWeight(u32);

impl CaptureWeight {
    pub const fn new(class: Class) -> CaptureWeight {
        CaptureWeight(WEIGHTS[class.index()] + CARDS)
    }

    pub const fn plus(self, other: CaptureWeight) -> CaptureWeight {
        CaptureWeight(self.0 + other.0)
    }
}

impl Rating {
    pub const fn lay_down(played: Class) -> Rating {
        Rating(BIAS - WEIGHTS[played.index()] + 14 - VALUES[played.index()])
    }

    /// The rating of capturing cards of this weight, at least one.
    pub const fn capture(played: Class, captured: CaptureWeight, is_tabla: Tabla) -> Rating {
        let tabla = match is_tabla {
            Tabla::Yes => TABLA,
            Tabla::No => 0,
        };
        let low = 14 - VALUES[played.index()];
        Rating(BIAS + tabla + captured.0 + WEIGHTS[played.index()] + low)
    }

    /// The points that the move adds to the mover, the tabla included; negative where a point card
    /// is laid down.
    pub const fn points(self) -> i32 {
        (self.0 / POINTS % 64) as i32 - 2 + (self.0 / TABLA) as i32
    }

    pub const fn captured(self) -> u32 {
        self.0 / CARDS % 64
    }

    /// The points and all cards that the move adds, as a [`pair`].
    pub const fn gain(self) -> i32 {
        let captured = self.captured() as i32;
        pair(self.points(), if captured > 0 { captured + 1 } else { 0 })
    }

    /// A number to compare moves by, when a seat might rather have played another: points, then
    /// captured cards, both 0 if a card is laid down.
    pub const fn temptation(self) -> u16 {
        match self.captured() {
            0 => 0,
            captured => (self.points() as u16) << 6 | captured as u16,
        }
    }
}

/// Says whether a capture leaves the table empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tabla {
    Yes,
    No,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_of_the_class_that_holds_it() {
        for card in CardSet::PACK {
            let class = Class::new(card);
            assert!(class.cards().contains(card));
            assert_eq!(class.rank(), card.rank());
            let one = ClassCounts::count(CardSet::single(card));
            assert_eq!(one, ClassCounts::one(class));
            assert_eq!(one.classes(), ClassSet::one(class));
        }
        for card in CardSet::PACK {
            let one = CardSet::single(card);
            assert_eq!(ClassCounts::count(one).points(), rules::tablic::capture::points(one));
        }
        let all: usize = Class::all().map(|class| class.cards().len()).sum();
        assert_eq!(all, 52);
        assert_eq!(ClassCounts::count(CardSet::PACK).len(), 52);
    }

    #[test]
    fn counts_become_the_highest_cards() {
        let table: CardSet = "2C 2H 10D 10C 10H KC KD KH".parse().expect("cards");
        let counts = ClassCounts::count("2D 10D 10H KD KH".parse().expect("cards"));
        let chosen = counts.highest_of(table);
        assert_eq!(chosen, "2H 10D 10C KC KD".parse().expect("cards"));
        assert_eq!(ClassCounts::count(table).highest_of(table), table);
        assert!(ClassCounts::count(table).holds(ClassCounts::count(chosen)));
        assert!(!ClassCounts::count(chosen).holds(ClassCounts::count(table)));
    }

    #[test]
    fn pairs_are_taken_apart_again() {
        for points in [-3000, -1, 0, 1, 2999] {
            for cards in [-52 * 47, -1, 0, 1, 52 * 47] {
                assert_eq!(unpair(pair(points, cards)), (points, cards));
            }
        }
        assert!(pair(1, -2444) > pair(0, 2444));
    }
}
