//! What the end of a deal is worth: the part of a win that a seat can expect.
//!
//! A conditional logit between the seats: each has a strength, the weighted sum of its features, and
//! wins with a chance in proportion to the exponential of it. The weights, in `learned.rs`, were
//! learned from games.

use crate::tablic::expert::exponential::exponential;
use crate::tablic::expert::learned::prospects;
use crate::tablic::expert::position::{HAND, Position};

/// How many features a seat has.
pub const FEATURES: usize = 9;

/// What each is called.
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

/// The cards of the pack.
const PACK: f32 = 52.0;

/// What a seat has at the end of a deal after which there are others: its points and cards, the cards
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

/// What the end of the deal that is played is worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prospects {
    /// How many deals come after this one.
    deals_left: u32,
}

impl Prospects {
    /// Those with this many cards still to be dealt.
    pub(super) fn new(talon: u32, seats: usize) -> Prospects {
        Prospects { deals_left: deals(talon as usize, seats) }
    }

    /// The part of a win that a seat can expect when all cards of the deal are played.
    pub(super) fn share(self, mut position: Position, seat: usize) -> f32 {
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
}

/// How many deals it takes to deal these cards.
pub fn deals(talon: usize, seats: usize) -> u32 {
    talon.div_ceil(HAND * seats) as u32
}
