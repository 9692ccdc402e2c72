//! A deal with all hands in sight.

use rules::Seat;
use rules::tablic::capture::MOST_CARDS;

use crate::tablic::classes::{ClassCounts, ClassMove};
use crate::tablic::expert::greed::Greed;
use crate::tablic::minimax::Start;

/// The most cards that a hand is dealt.
pub const HAND: usize = 6;

/// A deal with all hands in sight.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    /// The cards on the table.
    pub table: ClassCounts,
    /// The hand of each seat.
    pub hands: [ClassCounts; Seat::MOST],
    /// The points of each seat so far.
    pub points: [u8; Seat::MOST],
    /// Number of cards that each seat has captured.
    pub cards: [u8; Seat::MOST],
    /// The seat that captured last.
    pub last: Option<u8>,
    /// The seat to move.
    pub mover: u8,
    /// Number of seats.
    pub seats: u8,
}

impl Position {
    /// The view of a seat: the hands of the others are empty.
    pub fn from_start(start: &Start) -> Position {
        let mut position = Position::new(start.points.len());
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
    pub fn new(seats: usize) -> Position {
        Position {
            table: ClassCounts::NONE,
            hands: [ClassCounts::NONE; Seat::MOST],
            points: [0; Seat::MOST],
            cards: [0; Seat::MOST],
            last: None,
            mover: 0,
            seats: seats.min(Seat::MOST) as u8,
        }
    }

    /// Plays a move of the seat to move.
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
    pub fn play_out(&mut self, greed: &mut Greed) {
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
