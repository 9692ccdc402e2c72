//! Value of the end of a deal: the part of a win that a seat can expect.
//!
//! A conditional logit between the seats: each has a strength, the weighted sum of its features, and
//! wins with a chance in proportion to the exponential of it. The weights were
//! learned from games (`bots/research/src/bin/tablic-train.rs`).

use crate::tablic::expert::position::{HAND, Position};

/// Number of features that a seat has.
pub const FEATURES: usize = 9;

/// Name of each.
pub const NAMES: [&str; FEATURES] = [
    "points",
    "cards",
    "more_cards",
    "last",
    "first",
    "first_points",
    "first_cards",
    "end",
    "last_cards",
];

const PACK: f32 = 52.0;

/// Features of a seat at the end of a deal that is not the last: its points and cards, the cards
/// above a fair part, whether it captured last, whether it moves first in the next deal, the points
/// and the cards that lie there for it if it does, whether it moves last, and the cards on the table
/// if it captured last.
pub fn features(position: &Position, seat: usize) -> [f32; FEATURES] {
    let number = |is: bool| if is { 1.0 } else { 0.0 };
    let (points, cards) = (f32::from(position.points[seat]), f32::from(position.cards[seat]));
    let more = (cards - PACK / f32::from(position.seats)).max(0.0);
    let first = number(seat == 0);
    let end = number(seat > 0 && seat + 1 == usize::from(position.seats));
    let last = number(position.last == Some(seat as u8));
    let table_points = position.table.points() as f32;
    let table_cards = position.table.len() as f32;
    [
        points,
        cards,
        more,
        last,
        first,
        first * table_points,
        first * table_cards,
        end,
        last * table_cards,
    ]
}

/// Value of the end of the current deal.
#[derive(Debug, Clone, Copy)]
pub(in crate::tablic) struct Prospects {
    /// Number of deals that come after this one.
    deals_left: u32,
}

impl Prospects {
    /// The prospects with this many cards still to be dealt.
    pub(in crate::tablic) fn new(talon: u32, seats: usize) -> Prospects {
        Prospects { deals_left: deals(talon as usize, seats) }
    }

    /// The part of a win that a seat can expect when all cards of the deal are played.
    pub(in crate::tablic) fn share(self, mut position: Position, seat: usize) -> f32 {
        let Some(weights) = prospects(position.seats, self.deals_left) else {
            position.settle();
            return position.share(seat);
        };
        let strength = |seat: usize| {
            let features = features(&position, seat);
            features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum::<f32>()
        };
        let own = strength(seat);
        let seats = 0..usize::from(position.seats);
        1.0 / seats.map(|seat| exponential(strength(seat) - own)).sum::<f32>()
    }

    /// By how many points a seat leads the best of the others when all cards of the deal are played;
    /// behind it, it is below zero.
    pub(in crate::tablic) fn lead(self, mut position: Position, seat: usize) -> i32 {
        if self.deals_left == 0 {
            position.settle();
        }
        let points = position.points[..usize::from(position.seats)].iter().enumerate();
        let others = points.filter(|(other, _)| *other != seat).map(|(_, points)| *points);
        i32::from(position.points[seat]) - i32::from(others.max().unwrap_or(0))
    }
}

/// Number of deals that it takes to deal these cards.
pub fn deals(talon: usize, seats: usize) -> u32 {
    talon.div_ceil(HAND * seats) as u32
}

/// Weight of each feature in a seat's strength at the end of a deal, by the number of seats and
/// of deals that come after it.
const PROSPECTS: [(u8, u32, [f32; FEATURES]); 7] = [
    (2, 1, [0.3470, 0.1236, -0.1216, -0.1131, -0.7825, 0.0860, 0.1871, 0.7825, 0.0350]),
    (2, 2, [0.2140, 0.1035, 0.0000, 0.0979, -0.4540, 0.0862, 0.0554, 0.4540, -0.0362]),
    (2, 3, [0.1563, 0.1023, 0.0000, -0.1293, -0.4908, 0.0328, 0.1300, 0.4908, 0.0330]),
    (3, 1, [0.2538, 0.1381, 0.0316, 0.0880, -0.6034, -0.0392, 0.1035, 0.4313, -0.0115]),
    (3, 2, [0.1918, 0.1215, 0.0000, -0.0743, -0.4216, 0.1004, -0.0325, 0.3231, -0.0144]),
    (4, 1, [0.2417, 0.1373, 0.1118, 0.0698, -0.8227, 0.1072, 0.0518, 0.4588, -0.0070]),
    (6, 1, [0.3065, 0.2093, -0.0017, 0.4076, -1.0764, 0.0582, 0.1236, 0.3713, -0.0682]),
];

/// The weights for this number of seats and of deals to come, or those for the next lower number of seats
/// that there are; none if no deal comes.
fn prospects(seats: u8, deals: u32) -> Option<&'static [f32; FEATURES]> {
    let fit = |row: &&(u8, u32, _)| row.0 <= seats && row.1 <= deals;
    PROSPECTS.iter().filter(fit).max_by_key(|row| (row.0, row.1)).map(|(_, _, weights)| weights)
}

/// The numbers beyond which it does not tell numbers apart.
const MOST: f32 = 60.0;

/// The exponential of a number, to about six digits; numbers beyond 60 count as 60, and so below zero.
///
/// The function of the standard library is the system's, and systems round differently. A move that
/// hangs on the last bit would then depend on the machine. Additions and multiplications do not.
///
/// With `x = n·ln 2 + r` it is `2ⁿ` times the first terms of the series of `eʳ`.
pub(super) fn exponential(number: f32) -> f32 {
    let number = number.clamp(-MOST, MOST);
    let whole = (number * std::f32::consts::LOG2_E).round();
    let rest = number - whole * std::f32::consts::LN_2;
    let series = (1..=7).rev().fold(1.0, |sum, term| 1.0 + sum * rest / term as f32);
    // The exponent of a float in its bits; it lies far inside its range.
    let power = f32::from_bits(((whole as i32 + 127) as u32) << 23);
    series * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_near_the_exponential_of_the_system() {
        for step in -600..=600 {
            let number = step as f32 / 10.0;
            let (found, expected) = (exponential(number), number.exp());
            assert!((found - expected).abs() <= 1e-5 * expected, "{number}: {found}, {expected}");
        }
        assert_eq!(exponential(0.0).to_bits(), 1.0f32.to_bits());
        assert_eq!(exponential(1e9).to_bits(), exponential(60.0).to_bits());
    }
}
