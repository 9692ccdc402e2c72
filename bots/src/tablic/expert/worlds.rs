//! Worlds that fit what a seat knows, drawn by how likely its beliefs make them.

use std::num::NonZeroU32;

use rules::tablic::Tablic;
use rules::{Nature, Request};
use search::Determinise;

use crate::tablic::classes::{Class, ClassCounts};
use crate::tablic::expert::beliefs::Beliefs;
use crate::tablic::expert::greed::Greed;
use crate::tablic::expert::position::Position;
use crate::tablic::minimax::Start;

/// Number of hands drawn for a seat to choose one of them.
const CANDIDATES: u32 = 16;

/// The parts in which chances are counted.
const PARTS: NonZeroU32 = NonZeroU32::MIN.saturating_add((1 << 20) - 1);

/// Knowledge of a seat about a deal.
#[derive(Debug, Clone)]
pub struct Known {
    /// The position, in which the other seats' hands are empty.
    position: Position,
    /// Number of cards that each of the other seats holds.
    hidden: Vec<u32>,
    /// The classes of the cards that the seat has not seen, one for each card.
    unseen: Vec<Class>,
    beliefs: Beliefs,
}

impl Known {
    /// Reads a request; `None` if it contradicts itself.
    pub fn read(request: &Request<Tablic>, greed: &mut Greed) -> Option<Known> {
        Known::at(request, &Start::read(request)?, greed)
    }

    /// The knowledge, where a request has been read already.
    pub(super) fn at(request: &Request<Tablic>, start: &Start, greed: &mut Greed) -> Option<Known> {
        let beliefs = Beliefs::read(request, greed)?;
        let position = Position::from_start(start);
        let mut hidden = request.view.hands.values().to_vec();
        hidden[start.seat] = 0;
        let of_class = |class| std::iter::repeat_n(class, start.unseen.get(class) as usize);
        let unseen = start.unseen.classes().iter().flat_map(of_class).collect();
        Some(Known { position, hidden, unseen, beliefs })
    }

    /// The seat that knows this, which is to move.
    pub(super) fn seat(&self) -> usize {
        usize::from(self.position.mover)
    }

    /// Draws one of several hands, each the likelier the better it explains the moves of the seat.
    ///
    /// Each replaces the one before with a chance that is its part of what all so far weigh, so that
    /// they need not be kept.
    fn draw_likely(
        &self,
        seat: usize,
        pool: &mut Vec<Class>,
        count: usize,
        nature: &mut Nature,
    ) -> ClassCounts {
        let mut chosen = ClassCounts::NONE;
        let mut all = 0.0;
        for _ in 0..CANDIDATES {
            let hand = hand(shuffle_last(pool, count, nature));
            let likelihood = self.beliefs.likelihood(seat, hand);
            all += likelihood;
            let part = nature.below(PARTS) as f32 / PARTS.get() as f32;
            if part * all <= likelihood {
                chosen = hand;
            }
        }
        for class in chosen.classes().iter() {
            for _ in 0..chosen.get(class) {
                if let Some(place) = pool.iter().position(|other| *other == class) {
                    pool.swap_remove(place);
                }
            }
        }
        chosen
    }
}

impl Determinise for Known {
    type World = Position;

    fn draw(&self, nature: &mut Nature) -> Option<Position> {
        let mut position = self.position;
        let mut pool = self.unseen.clone();
        for (seat, hidden) in self.hidden.iter().enumerate() {
            let count = (*hidden as usize).min(pool.len());
            if count == 0 {
                continue;
            }
            position.hands[seat] = if self.beliefs.is_blank(seat) {
                let hand = hand(shuffle_last(&mut pool, count, nature));
                pool.truncate(pool.len() - count);
                hand
            } else {
                self.draw_likely(seat, &mut pool, count, nature)
            };
        }
        Some(position)
    }
}

fn hand(cards: &[Class]) -> ClassCounts {
    cards.iter().fold(ClassCounts::NONE, |hand, class| hand.plus(ClassCounts::one(*class)))
}

/// Draws `count` cards of the pool, each equally likely, to its end, and gives them.
fn shuffle_last<'a>(pool: &'a mut [Class], count: usize, nature: &mut Nature) -> &'a [Class] {
    let first = pool.len().saturating_sub(count);
    for end in (first..pool.len()).rev() {
        if let Some(bound) = NonZeroU32::new(end as u32 + 1) {
            pool.swap(end, nature.below(bound) as usize);
        }
    }
    &pool[first..]
}
