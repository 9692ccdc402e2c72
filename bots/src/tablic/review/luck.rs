//! The luck of each deal, by loose play with all cards in sight.

use std::num::NonZeroU32;

use rules::tablic::{Deal, Event, Options, Tablic};
use rules::{Entry, Game, Nature, Seat, Turn};

use crate::review::{DealLuck, NotReviewed};
use crate::tablic::classes::ClassCounts;
use crate::tablic::expert::greed::Greed;
use crate::tablic::expert::position::Position;
use crate::tablic::expert::value::Prospects;

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
    greed: &mut Greed,
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
                let deal = Deal { to: *to, cards: cards.seen() };
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
    greed: &mut Greed,
    before: &Tablic,
    after: &Tablic,
    nature: &mut Nature,
) -> (Vec<f64>, Vec<f64>) {
    let mut dealt = Means::new(before.seats());
    for _ in 0..PLAYED_ON {
        dealt.add(after, greed, nature);
    }
    let mut others = Means::new(before.seats());
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

/// Mean results of play.
struct Means {
    /// The parts of a win, and the points ahead, of each seat.
    sums: Vec<(f64, f64)>,
    count: f64,
}

impl Means {
    fn new(seats: usize) -> Means {
        Means { sums: vec![(0.0, 0.0); seats], count: 0.0 }
    }

    /// Adds the value of a state whose hands are dealt.
    fn add(&mut self, game: &Tablic, greed: &mut Greed, nature: &mut Nature) {
        let mut position = with_all_hands(game);
        play_loosely(&mut position, greed, nature);
        let prospects = Prospects::new(game.talon().len() as u32, game.seats());
        for (seat, (win, points)) in self.sums.iter_mut().enumerate() {
            *win += f64::from(prospects.share(position, seat));
            *points += f64::from(prospects.lead(position, seat));
        }
        self.count += 1.0;
    }

    fn minus(&self, other: &Means) -> (Vec<f64>, Vec<f64>) {
        let pairs = self.sums.iter().zip(&other.sums);
        let mean = |one: f64, two: f64| one / self.count - two / other.count;
        pairs.map(|(one, two)| (mean(one.0, two.0), mean(one.1, two.1))).unzip()
    }
}

fn with_all_hands(game: &Tablic) -> Position {
    let mut position = Position::new(game.seats());
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
fn play_loosely(position: &mut Position, greed: &mut Greed, nature: &mut Nature) {
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
