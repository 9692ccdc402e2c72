//! The last deal between two seats, by the points of the game alone, and the luck of each deal.
//!
//! The players that search it count a point card that is laid down against the seat that lays it, so
//! as not to throw such cards away. A review tells what moves are worth by the rules.

use std::num::NonZeroU32;

use rules::tablic::capture::MOST_CARDS;
use rules::tablic::{Deal, Event, Options, Tablic};
use rules::{Entry, Game, Nature, Seat, Turn};
use search::{Side, TrialExtent, mixed_key};

use crate::review::{DealLuck, NotReviewed};
use crate::tablic::classes::captures::{ClassMove, TableCaptures, list};
use crate::tablic::classes::{ClassCounts, ClassSet};
use crate::tablic::expert::position::{DealEndValue, DealPosition, GreedyCache};
use crate::tablic::minimax::{self, SeatKnowledge};

/// The last deal between two seats, with both hands in sight.
#[derive(Debug)]
pub(super) struct LastDeal {
    now: MoveUndo,
    captures: TableCaptures,
}

/// Everything that a move changes. Seat 0 stands for the one that asks.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoveUndo {
    table: ClassCounts,
    hands: [ClassCounts; 2],
    /// The points of the one that asks minus those of the other.
    lead: i32,
    cards: [u32; 2],
    last: Option<usize>,
    mover: usize,
}

impl LastDeal {
    /// The ending that a seat is asked in; `None` if it is not the last deal of two seats.
    pub(super) fn from_start(start: &SeatKnowledge) -> Option<LastDeal> {
        let SeatKnowledge { table, hand, unseen, seat, .. } = *start;
        let (own, other) = (hand.len(), unseen.len());
        let takes_turns = other == own || other + 1 == own;
        let is_last = start.deal == minimax::DealPlace::Last && start.points.len() == 2;
        if !is_last || !takes_turns || start.held != own + other {
            return None;
        }
        let apart = |values: &[u32]| [values[seat], values[1 - seat]];
        let [own_points, other_points] = apart(&start.points);
        let now = MoveUndo {
            table,
            hands: [hand, unseen],
            lead: own_points as i32 - other_points as i32,
            cards: apart(&start.cards),
            last: start.last.map(|last| usize::from(last != seat)),
            mover: 0,
        };
        Some(LastDeal { now, captures: TableCaptures::default() })
    }

    pub(super) fn plies(&self) -> u32 {
        self.now.hands[0].len() + self.now.hands[1].len()
    }

    fn playable(&self) -> ClassSet {
        self.now.hands[self.now.mover].classes()
    }
}

impl MoveUndo {
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

impl search::Position for LastDeal {
    type Move = ClassMove;
    type Undo = MoveUndo;

    fn side(&self) -> Side {
        if self.now.mover == 0 { Side::Max } else { Side::Min }
    }

    fn trial(&self) -> TrialExtent {
        TrialExtent::All
    }

    fn moves(&mut self, moves: &mut Vec<ClassMove>) {
        self.captures.set_table(self.now.table);
        list(self.playable(), &mut self.captures, moves);
    }

    fn play(&mut self, mv: ClassMove) -> MoveUndo {
        let before = self.now;
        self.now.play(mv);
        before
    }

    fn take_back(&mut self, before: MoveUndo) {
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
        let MoveUndo { table, hands, cards, last, mover, .. } = self.now;
        let last = last.map_or(2, |last| last as u64);
        let rest = u64::from(cards[0]) << 16 | u64::from(cards[1]) << 8 | last << 1 | mover as u64;
        [table.bits(), hands[0].bits(), hands[1].bits()].into_iter().fold(rest, mixed_key)
    }
}

/// The number of times that the real deal is played on.
const PLAYED_ON: u32 = 60;

/// The number of other deals, each played on once.
const OTHER_DEALS: u32 = 240;

/// Three of ten moves are with any class of card. Always the greedy move would be chaotic: one card more or less
/// changes all that follows, and then the values are poor.
const LOOSE: u32 = 3;
const OF: NonZeroU32 = NonZeroU32::MIN.saturating_add(9);

/// The luck of each deal of a game with these events, as the referee saw them.
pub(super) fn of_deals(
    greed: &mut GreedyCache,
    options: &Options,
    events: &[Entry<Event>],
    nature: &mut Nature,
) -> Result<Vec<DealLuck>, NotReviewed> {
    let mut game = Tablic::new(options);
    let mut before = None;
    let mut found = Vec::new();
    let mut told = Vec::new();
    for (line, entry) in events.iter().enumerate() {
        match entry {
            Entry::Event(Event::Deal { to, cards }) => {
                before.get_or_insert_with(|| game.clone());
                let deal = Deal { to: *to, cards: cards.visible() };
                game.happen(&deal, &mut told).map_err(|_| NotReviewed::Events)?;
                if game.turn() != Turn::Nature
                    && let Some(before) = before.take()
                {
                    let (win, points) = of_deal(greed, &before, &game, nature);
                    found.push(DealLuck { line, win, points });
                }
            }
            Entry::Event(Event::Move { mv, .. }) => {
                game.play(mv, &mut told).map_err(|_| NotReviewed::Events)?;
            }
            // These follow from deals and moves.
            Entry::Event(Event::Tabla(_) | Event::Rest { .. } | Event::Score { .. })
            | Entry::Out(..) => {}
        }
        told.clear();
    }
    Ok(found)
}

/// Measures the luck of the deal that led from one state to another, for each seat: parts of a win, and points.
fn of_deal(
    greed: &mut GreedyCache,
    before: &Tablic,
    after: &Tablic,
    nature: &mut Nature,
) -> (Vec<f64>, Vec<f64>) {
    let mut dealt = MeanResults::new(before.seats());
    for _ in 0..PLAYED_ON {
        dealt.add(after, greed, nature);
    }
    let mut others = MeanResults::new(before.seats());
    let mut told = Vec::new();
    for _ in 0..OTHER_DEALS {
        let mut other = before.clone();
        while let Some(deal) = other.sample(nature) {
            if other.happen(&deal, &mut told).is_err() {
                break;
            }
        }
        told.clear();
        others.add(&other, greed, nature);
    }
    dealt.minus(&others)
}

struct MeanResults {
    /// The parts of a win, and the points ahead, of each seat.
    sums: Vec<(f64, f64)>,
    count: f64,
}

impl MeanResults {
    fn new(seats: usize) -> MeanResults {
        MeanResults { sums: vec![(0.0, 0.0); seats], count: 0.0 }
    }

    /// Adds the value of a state whose hands are dealt.
    fn add(&mut self, game: &Tablic, greed: &mut GreedyCache, nature: &mut Nature) {
        let mut position = with_all_hands(game);
        play_loosely(&mut position, greed, nature);
        let prospects = DealEndValue::new(game.talon().len() as u32, game.seats());
        for (seat, (win, points)) in self.sums.iter_mut().enumerate() {
            *win += f64::from(prospects.share(position, seat));
            *points += f64::from(prospects.lead(position, seat));
        }
        self.count += 1.0;
    }

    fn minus(&self, other: &MeanResults) -> (Vec<f64>, Vec<f64>) {
        let pairs = self.sums.iter().zip(&other.sums);
        let mean = |one: f64, two: f64| one / self.count - two / other.count;
        pairs.map(|(one, two)| (mean(one.0, two.0), mean(one.1, two.1))).unzip()
    }
}

fn with_all_hands(game: &Tablic) -> DealPosition {
    let mut position = DealPosition::new(game.seats());
    position.table = ClassCounts::count(game.table());
    position.last = game.last_capture().map(|seat| seat.index() as u8);
    for seat in Seat::first(game.seats()) {
        let (place, so_far) = (seat.index(), game.points_so_far(seat));
        position.hands[place] = ClassCounts::count(game.hand(seat));
        position.points[place] = so_far.as_f64() as u8;
        position.cards[place] = game.pile(seat).len() as u8;
    }
    position
}

/// Plays a deal on: the seats do what greedy does, but for some moves.
fn play_loosely(position: &mut DealPosition, greed: &mut GreedyCache, nature: &mut Nature) {
    loop {
        let hand = position.hands[usize::from(position.mover)];
        let classes = hand.classes();
        let is_loose = nature.below(OF) < LOOSE;
        let mv = match NonZeroU32::new(classes.iter().count() as u32).filter(|_| is_loose) {
            Some(count) => {
                let class = classes.iter().nth(nature.below(count) as usize);
                class.map(|class| greed.with(class, position.table))
            }
            None => greed.choose(hand, position.table),
        };
        match mv {
            Some(mv) => position.play(mv),
            None => return,
        }
    }
}
