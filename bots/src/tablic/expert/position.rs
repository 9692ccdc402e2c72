//! A deal with all hands in sight, the moves of a greedy player in it, and the part of a win that a seat can expect.
//!
//! A conditional logit between the seats: each has a strength, the weighted sum of its features, and
//! wins with a chance in proportion to the exponential of it. The weights were
//! learned from games (`bots/research/src/bin/tablic-train.rs`).

use rules::Seat;
use rules::tablic::capture::MOST_CARDS;

use crate::tablic::classes::captures::TableCaptures;
use crate::tablic::classes::{Class, ClassCounts, ClassMove, Rating};
use crate::tablic::minimax::SeatKnowledge;

/// The most cards that a hand is dealt.
pub const HAND: usize = 6;

/// A deal with all hands in sight.
#[derive(Debug, Clone, Copy)]
pub struct DealPosition {
    pub table: ClassCounts,
    pub hands: [ClassCounts; Seat::MOST],
    pub points: [u8; Seat::MOST],
    /// Number of cards that each seat has captured.
    pub cards: [u8; Seat::MOST],
    /// The seat that captured last.
    pub last: Option<u8>,
    pub mover: u8,
    pub seats: u8,
}

impl DealPosition {
    /// The view of a seat: the hands of the others are empty.
    pub fn from_start(start: &SeatKnowledge) -> DealPosition {
        let mut position = DealPosition::new(start.points.len());
        position.table = start.table;
        position.last = start.last.map(|seat| seat as u8);
        position.mover = start.seat as u8;
        for (place, (points, cards)) in start.points.iter().zip(&start.cards).enumerate() {
            position.points[place] = *points as u8;
            position.cards[place] = *cards as u8;
        }
        position.hands[start.seat] = start.hand;
        position
    }

    /// A position of seats with nothing, and an empty table.
    pub fn new(seats: usize) -> DealPosition {
        DealPosition {
            table: ClassCounts::NONE,
            hands: [ClassCounts::NONE; Seat::MOST],
            points: [0; Seat::MOST],
            cards: [0; Seat::MOST],
            last: None,
            mover: 0,
            seats: seats.min(Seat::MOST) as u8,
        }
    }

    pub fn play(&mut self, mv: ClassMove) {
        let seat = usize::from(self.mover);
        let card = ClassCounts::one(mv.played);
        self.hands[seat] = self.hands[seat].minus(card);
        if mv.captured.is_empty() {
            self.table = self.table.plus(card);
        } else {
            self.table = self.table.minus(mv.captured);
            self.points[seat] += mv.rating.points() as u8;
            self.cards[seat] += mv.rating.captured() as u8 + 1;
            self.last = Some(self.mover);
        }
        self.mover = if self.mover + 1 == self.seats { 0 } else { self.mover + 1 };
    }

    /// Plays the deal out: every seat does what greedy does.
    pub fn play_out(&mut self, greed: &mut GreedyCache) {
        while let Some(mv) = greed.choose(self.hands[usize::from(self.mover)], self.table) {
            self.play(mv);
        }
    }

    /// Settles a game whose last card is played: the rest of the table goes to the seat that
    /// captured last, and the points for the most cards are given.
    pub fn settle(&mut self) {
        if let Some(last) = self.last {
            let last = usize::from(last);
            self.points[last] += self.table.points() as u8;
            self.cards[last] += self.table.len() as u8;
            self.table = ClassCounts::NONE;
        }
        let cards = &self.cards[..usize::from(self.seats)];
        let most = cards.iter().copied().max().unwrap_or(0);
        let mut with_most = (0..cards.len()).filter(|seat| cards[*seat] == most);
        if let (Some(only), None) = (with_most.next(), with_most.next()) {
            self.points[only] += MOST_CARDS as u8;
        }
    }

    /// Share of a win by the points: all, a part of it where several have as many, or
    /// nothing.
    pub fn share(&self, seat: usize) -> f32 {
        let points = &self.points[..usize::from(self.seats)];
        let most = points.iter().copied().max().unwrap_or(0);
        if points.get(seat).is_none_or(|points| *points < most) {
            return 0.0;
        }
        let winners = points.iter().filter(|points| **points == most).count();
        1.0 / winners as f32
    }
}

/// Number of tables remembered, a power of two.
const TABLES: usize = 1 << 13;

/// The best moves from the tables that came up last.
///
/// Playing a deal out again and again leads to the same tables, so most moves are looked up.
#[derive(Debug)]
pub struct GreedyCache {
    known: Vec<CachedMoves>,
    captures: TableCaptures,
}

#[derive(Debug, Clone)]
struct CachedMoves {
    table: ClassCounts,
    /// The classes whose best move is known, a bit each.
    classes: u16,
    best: [(Rating, ClassCounts); Class::COUNT],
}

impl GreedyCache {
    /// The move that greedy makes with this hand on this table; none with an empty hand.
    pub fn choose(&mut self, hand: ClassCounts, table: ClassCounts) -> Option<ClassMove> {
        let moves = hand.classes().iter().map(|played| self.with(played, table));
        moves.max_by_key(|mv| (mv.rating, mv.captured))
    }

    pub fn with(&mut self, played: Class, table: ClassCounts) -> ClassMove {
        let bits = table.bits() ^ table.bits() >> 29;
        let place = (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 51) as usize % TABLES;
        let known = &mut self.known[place];
        if known.table != table {
            (known.table, known.classes) = (table, 0);
        }
        let index = played.index();
        if known.classes >> index & 1 == 0 {
            if self.captures.table() != table {
                self.captures.set_table(table);
            }
            let best = match self.captures.heaviest(played) {
                Some(captured) => ClassMove::capture(played, captured, table),
                None => ClassMove::lay_down(played),
            };
            known.classes |= 1 << index;
            known.best[index] = (best.rating, best.captured);
        }
        let (rating, captured) = known.best[index];
        ClassMove { played, captured, rating }
    }
}

impl Default for GreedyCache {
    fn default() -> Self {
        let nothing = (Rating::default(), ClassCounts::NONE);
        let empty =
            CachedMoves { table: ClassCounts::NONE, classes: 0, best: [nothing; Class::COUNT] };
        GreedyCache { known: vec![empty; TABLES], captures: TableCaptures::default() }
    }
}

pub const FEATURES: usize = 9;

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
pub fn features(position: &DealPosition, seat: usize) -> [f32; FEATURES] {
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

#[derive(Debug, Clone, Copy)]
pub(in crate::tablic) struct DealEndValue {
    deals_left: u32,
}

impl DealEndValue {
    /// The prospects with this many cards still to be dealt.
    pub(in crate::tablic) fn new(talon: u32, seats: usize) -> DealEndValue {
        DealEndValue { deals_left: deals(talon as usize, seats) }
    }

    /// The part of a win that a seat can expect when all cards of the deal are played.
    pub(in crate::tablic) fn share(self, mut position: DealPosition, seat: usize) -> f32 {
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
    pub(in crate::tablic) fn lead(self, mut position: DealPosition, seat: usize) -> i32 {
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
