//! Gains of moves and values of positions, as exact integers.

use crate::tablic::classes::Class;

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
const TEN_OF_DIAMONDS: u32 = 1 << 11;
const TWO_OF_CLUBS: u32 = 1 << 9;
const ACES: u32 = 1 << 6;

/// Offset that keeps all digits positive where a card is laid down.
const BIAS: u32 = 2 * POINTS + TEN_OF_DIAMONDS + TWO_OF_CLUBS + ACES;

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
        point + TWO_OF_CLUBS,
        2 * point + TEN_OF_DIAMONDS,
    ]
};

/// The numbers by which classes count when capturing; an ace counts 11 as well.
pub const VALUES: [u32; Class::COUNT] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 2, 10];

/// Weight of captured cards together: the digits of a [`Rating`] that they add to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Weight(u32);

impl Weight {
    /// The weight of a captured card.
    pub const fn new(class: Class) -> Weight {
        Weight(WEIGHTS[class.index()] + CARDS)
    }

    /// The weight of both together.
    pub const fn plus(self, other: Weight) -> Weight {
        Weight(self.0 + other.0)
    }
}

impl Rating {
    /// The rating of laying a card down.
    pub const fn lay_down(played: Class) -> Rating {
        Rating(BIAS - WEIGHTS[played.index()] + 14 - VALUES[played.index()])
    }

    /// The rating of capturing cards of this weight, at least one.
    pub const fn capture(played: Class, captured: Weight, is_tabla: Tabla) -> Rating {
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

    /// Number of captured cards.
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
    /// It does.
    Yes,
    /// It does not.
    No,
}

#[cfg(test)]
mod tests {
    use super::*;

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
