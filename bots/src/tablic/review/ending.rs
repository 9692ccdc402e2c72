//! The last deal between two seats, by the points of the game alone.
//!
//! The players that search it count a point card that is laid down against the seat that lays it, so
//! as not to throw such cards away. A review tells what moves are worth by the rules.

use rules::tablic::capture::MOST_CARDS;
use search::{Position, Side, Trial, mixed_key};

use crate::tablic::classes::captures::TableCaptures;
use crate::tablic::classes::moves::{ClassMove, list};
use crate::tablic::classes::{ClassCounts, ClassSet};
use crate::tablic::minimax::{Deal, Start};

/// The last deal between two seats, with both hands in sight.
#[derive(Debug)]
pub(super) struct Ending {
    now: Now,
    captures: TableCaptures,
}

/// Everything that a move changes. Seat 0 stands for the one that asks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Now {
    table: ClassCounts,
    hands: [ClassCounts; 2],
    /// The points of the one that asks minus those of the other.
    lead: i32,
    cards: [u32; 2],
    last: Option<usize>,
    mover: usize,
}

impl Ending {
    /// The ending that a seat is asked in; `None` if it is not the last deal of two seats.
    pub(super) fn from_start(start: &Start) -> Option<Ending> {
        let Start { table, hand, unseen, seat, .. } = *start;
        let (own, other) = (hand.len(), unseen.len());
        let takes_turns = other == own || other + 1 == own;
        let is_last = start.deal == Deal::Last && start.points.len() == 2;
        if !is_last || !takes_turns || start.held != own + other {
            return None;
        }
        let apart = |values: &[u32]| [values[seat], values[1 - seat]];
        let [own_points, other_points] = apart(&start.points);
        let now = Now {
            table,
            hands: [hand, unseen],
            lead: own_points as i32 - other_points as i32,
            cards: apart(&start.cards),
            last: start.last.map(|last| usize::from(last != seat)),
            mover: 0,
        };
        Some(Ending { now, captures: TableCaptures::default() })
    }

    /// Number of cards that are still to be played.
    pub(super) fn plies(&self) -> u32 {
        self.now.hands[0].len() + self.now.hands[1].len()
    }

    fn playable(&self) -> ClassSet {
        self.now.hands[self.now.mover].classes()
    }
}

impl Now {
    fn play(&mut self, mv: ClassMove) {
        let card = ClassCounts::one(mv.played);
        self.hands[self.mover] = self.hands[self.mover].minus(card);
        if mv.captured.is_empty() {
            self.table = self.table.plus(card);
        } else {
            self.table = self.table.minus(mv.captured);
            self.gain(self.mover, mv.rating.points());
            self.cards[self.mover] += mv.captured.len() + 1;
            self.last = Some(self.mover);
        }
        self.mover = 1 - self.mover;
    }

    fn gain(&mut self, seat: usize, points: i32) {
        self.lead += if seat == 0 { points } else { -points };
    }

    /// The lead once the game is settled, if all cards are played; else the lead so far.
    fn value(mut self) -> i32 {
        if self.hands.iter().all(|hand| hand.is_empty()) {
            if let Some(last) = self.last {
                self.gain(last, self.table.points() as i32);
                self.cards[last] += self.table.len();
            }
            if self.cards[0] != self.cards[1] {
                let most = usize::from(self.cards[1] > self.cards[0]);
                self.gain(most, MOST_CARDS as i32);
            }
        }
        self.lead
    }
}

impl Position for Ending {
    type Move = ClassMove;
    type Undo = Now;

    fn side(&self) -> Side {
        if self.now.mover == 0 { Side::Max } else { Side::Min }
    }

    fn trial(&self) -> Trial {
        Trial::All
    }

    fn moves(&mut self, moves: &mut Vec<ClassMove>) {
        self.captures.set_table(self.now.table);
        list(self.playable(), &mut self.captures, moves);
    }

    fn play(&mut self, mv: ClassMove) -> Now {
        let before = self.now;
        self.now.play(mv);
        before
    }

    fn take_back(&mut self, before: Now) {
        self.now = before;
    }

    fn value(&self) -> i32 {
        self.now.value()
    }

    fn value_after_best(&mut self) -> Option<i32> {
        self.captures.set_table(self.now.table);
        let side = self.side();
        let mut best: Option<i32> = None;
        for played in self.playable().iter() {
            // The seat that captures with the last card has the rest of the table as well, so that captures
            // differ only if one of them takes all, which is the heaviest.
            let heaviest = self.captures.heaviest(played);
            let capture = heaviest.map(|taken| ClassMove::capture(played, taken, self.now.table));
            for mv in [Some(ClassMove::lay_down(played)), capture].into_iter().flatten() {
                let mut after = self.now;
                after.play(mv);
                let value = after.value();
                best = Some(match side {
                    Side::Max => best.map_or(value, |best| best.max(value)),
                    Side::Min => best.map_or(value, |best| best.min(value)),
                });
            }
        }
        best
    }

    fn work(&self) -> u64 {
        self.captures.work()
    }

    fn key(&self) -> u64 {
        let Now { table, hands, cards, last, mover, .. } = self.now;
        let last = last.map_or(2, |last| last as u64);
        let rest = u64::from(cards[0]) << 16 | u64::from(cards[1]) << 8 | last << 1 | mover as u64;
        [table.bits(), hands[0].bits(), hands[1].bits()].into_iter().fold(rest, mixed_key)
    }
}
