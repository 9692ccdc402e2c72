//! Knowledge of the searching seat, as a position to search.

use rules::Seat;
use rules::tablic::capture::MOST_CARDS;
use search::{Position, Side, TrialExtent, mixed_key};

use crate::tablic::classes::captures::{ClassMove, TableCaptures, list};
use crate::tablic::classes::{ClassCounts, ClassSet, pair};
use crate::tablic::minimax::knowledge::{DealPlace, SeatKnowledge, TopRatings};

/// A position in the search: what the searching seat knows, some moves on.
///
/// Other seats play any class of which a card is unseen and which they are not assumed not to
/// hold. The classes they are assumed not to hold grow with their moves on the way here, as they
/// do in the game, but not in the last deal.
#[derive(Debug, Clone)]
pub struct SearchPosition {
    table: ClassCounts,
    hand: ClassCounts,
    unseen: ClassCounts,
    /// Value of the line so far for the searching seat, as a [`pair`].
    value: i32,
    mover: u8,
    searcher: u8,
    seats: u8,
    last: Option<u8>,
    deal: DealPlace,
    /// Number of cards that all seats still hold.
    held: u32,
    cards: [u8; Seat::MOST],
    assumed: [ClassSet; Seat::MOST],
    captures: TableCaptures,
    /// Number of moves played since the start.
    played: usize,
    /// For each position on the way here, what tempted its mover.
    temptations: Vec<TopRatings>,
}

#[derive(Debug, Clone, Copy)]
pub struct UndoState {
    table: ClassCounts,
    hand: ClassCounts,
    unseen: ClassCounts,
    value: i32,
    mover: u8,
    last: Option<u8>,
    cards: u8,
    assumed: ClassSet,
}

impl SearchPosition {
    /// The position at the start of a search; seats beyond [`Seat::MOST`] are left out.
    pub fn new(start: &SeatKnowledge) -> SearchPosition {
        let mut situation = SearchPosition {
            table: ClassCounts::NONE,
            hand: ClassCounts::NONE,
            unseen: ClassCounts::NONE,
            value: 0,
            mover: 0,
            searcher: 0,
            seats: 0,
            last: None,
            deal: DealPlace::Earlier,
            held: 0,
            cards: [0; Seat::MOST],
            assumed: [ClassSet::EMPTY; Seat::MOST],
            captures: TableCaptures::default(),
            played: 0,
            temptations: Vec::new(),
        };
        situation.start(start);
        situation
    }

    /// Goes to the start of another search, in the same room.
    pub fn start(&mut self, start: &SeatKnowledge) {
        let SeatKnowledge { table, hand, unseen, seat, last, held, deal, .. } = *start;
        let seats = start.points.len().min(Seat::MOST);
        self.table = table;
        self.hand = hand;
        self.unseen = unseen;
        (self.mover, self.searcher, self.seats) = (seat as u8, seat as u8, seats as u8);
        self.last = last.map(|seat| seat as u8);
        self.deal = deal;
        self.held = held;
        self.played = 0;
        self.value = 0;
        for place in 0..seats {
            let gain = pair(start.points[place] as i32, start.cards[place] as i32);
            self.value += self.for_searcher(place as u8, gain);
            self.cards[place] = start.cards[place] as u8;
            self.assumed[place] = start.assumed[place];
        }
    }

    pub fn table(&self) -> ClassCounts {
        self.table
    }

    pub fn playable(&self) -> ClassSet {
        if self.is_searcher() {
            self.hand.classes()
        } else {
            self.unseen.classes().without(self.assumed[usize::from(self.mover)])
        }
    }

    fn is_searcher(&self) -> bool {
        self.mover == self.searcher
    }

    /// The part of a seat's gain in the value: in the difference between the searching seat and the
    /// mean of the others, times the number of these.
    fn for_searcher(&self, seat: u8, gain: i32) -> i32 {
        if seat == self.searcher { gain * (i32::from(self.seats) - 1) } else { -gain }
    }

    /// Value of the end of the game: the rest of the table and the most cards.
    fn settlement(&self) -> i32 {
        let rest = pair(self.table.points() as i32, self.table.len() as i32);
        let mut value = self.last.map_or(0, |last| self.for_searcher(last, rest));
        let mut most = (0, None);
        for seat in 0..self.seats {
            let rest = if self.last == Some(seat) { self.table.len() as u8 } else { 0 };
            let cards = self.cards[usize::from(seat)] + rest;
            most = match most {
                (best, _) if cards > best => (cards, Some(seat)),
                (best, _) if cards == best => (best, None),
                other => other,
            };
        }
        if let (_, Some(seat)) = most {
            value += self.for_searcher(seat, pair(MOST_CARDS as i32, 0));
        }
        value
    }

    /// Adds what the others learn from a move: that the mover does not hold what it would rather
    /// have played, and that it may hold what it did play.
    fn assume(&mut self, mv: ClassMove) {
        let better = self.temptations[self.played].better_than(mv);
        let assumed = &mut self.assumed[usize::from(self.mover)];
        *assumed = assumed.with(better).without(ClassSet::one(mv.played));
    }
}

impl Position for SearchPosition {
    type Move = ClassMove;
    type Undo = UndoState;

    fn side(&self) -> Side {
        if self.is_searcher() { Side::Max } else { Side::Min }
    }

    fn trial(&self) -> TrialExtent {
        // In the last deal the search is exact, and stays so.
        if self.is_searcher() && self.deal == DealPlace::Earlier && self.hand.len() == 1 {
            TrialExtent::UntilWorse
        } else {
            TrialExtent::All
        }
    }

    fn moves(&mut self, moves: &mut Vec<ClassMove>) {
        let playable = self.playable();
        self.captures.set_table(self.table);
        list(playable, &mut self.captures, moves);
        if !self.is_searcher() && self.deal == DealPlace::Earlier {
            let levels = self.temptations.len().max(self.played + 1);
            self.temptations.resize_with(levels, TopRatings::default);
            self.temptations[self.played] = TopRatings::new(moves);
        }
    }

    fn play(&mut self, mv: ClassMove) -> UndoState {
        let seat = usize::from(self.mover);
        let before = UndoState {
            table: self.table,
            hand: self.hand,
            unseen: self.unseen,
            value: self.value,
            mover: self.mover,
            last: self.last,
            cards: self.cards[seat],
            assumed: self.assumed[seat],
        };
        let card = ClassCounts::one(mv.played);
        if self.is_searcher() {
            self.hand = self.hand.minus(card);
        } else {
            self.unseen = self.unseen.minus(card);
            if self.deal == DealPlace::Earlier {
                self.assume(mv);
            }
        }
        self.value += self.for_searcher(self.mover, mv.rating.gain());
        if mv.captured.is_empty() {
            self.table = self.table.plus(card);
        } else {
            self.table = self.table.minus(mv.captured);
            self.cards[seat] += mv.rating.captured() as u8 + 1;
            self.last = Some(self.mover);
        }
        self.mover = if self.mover + 1 == self.seats { 0 } else { self.mover + 1 };
        self.held = self.held.wrapping_sub(1);
        self.played += 1;
        before
    }

    fn take_back(&mut self, before: UndoState) {
        let UndoState { table, hand, unseen, value, mover, last, cards, assumed } = before;
        (self.table, self.hand, self.unseen, self.value) = (table, hand, unseen, value);
        (self.mover, self.last) = (mover, last);
        self.cards[usize::from(mover)] = cards;
        self.assumed[usize::from(mover)] = assumed;
        self.held = self.held.wrapping_add(1);
        self.played -= 1;
    }

    fn value(&self) -> i32 {
        if self.deal == DealPlace::Last && self.held == 0 {
            self.value + self.settlement()
        } else {
            self.value
        }
    }

    fn value_after_best(&mut self) -> Option<i32> {
        let playable = self.playable();
        self.captures.set_table(self.table);
        let is_end = self.deal == DealPlace::Last && self.held == 1;
        let mut best: Option<i32> = None;
        for played in playable.iter() {
            let lay_down = ClassMove::lay_down(played);
            let capture = self
                .captures
                .heaviest(played)
                .map(|captured| ClassMove::capture(played, captured, self.table));
            for mv in [Some(lay_down), capture].into_iter().flatten() {
                let value = if is_end {
                    self.value_after(mv)
                } else {
                    self.value + self.for_searcher(self.mover, mv.rating.gain())
                };
                best = Some(match self.side() {
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
        let cards = [self.table, self.hand, self.unseen].map(ClassCounts::bits);
        let key = cards.into_iter().fold(u64::from(self.mover), mixed_key);
        let seats = ..usize::from(self.seats);
        match self.deal {
            DealPlace::Earlier => self.assumed[seats]
                .iter()
                .fold(key, |key, assumed| mixed_key(key, assumed.bits().into())),
            // The most cards and the last capture count in the end.
            DealPlace::Last => {
                let key = mixed_key(key, self.last.map_or(u64::MAX, u64::from));
                self.cards[seats].iter().fold(key, |key, cards| mixed_key(key, u64::from(*cards)))
            }
        }
    }
}

impl SearchPosition {
    fn value_after(&mut self, mv: ClassMove) -> i32 {
        let before = self.play(mv);
        let value = self.value();
        self.take_back(before);
        value
    }
}
