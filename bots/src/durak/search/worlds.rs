//! Worlds that fit a request: where the cards may be that the seat does not see.

use std::num::NonZeroU32;

use rules::Nature;
use search::Determinise;

use crate::durak::search::cards::{Cards, Place};
use crate::durak::search::position::{Position, SEATS, World};
use crate::durak::search::start::Start;

/// Number of times a card that hints make unlikely is drawn again.
const TRIES: u32 = 8;

/// Number of times a card that the seat cannot hold is drawn again.
const MANY_TRIES: u32 = 32;

/// The parts in which chances are counted.
const PARTS: NonZeroU32 = NonZeroU32::MIN.saturating_add(1023);

impl Determinise for Start {
    type World = (Position, World);

    /// A world that fits, drawn by what hints weigh; there always is one.
    fn draw(&self, nature: &mut Nature) -> Option<(Position, World)> {
        let (mut position, mut world) = (self.position, self.world);
        let mut pool = Pool::new(self.unseen);
        // The seats with fewer open places for barred trumps choose first.
        let mut seats: [usize; SEATS] = std::array::from_fn(|seat| seat);
        seats.sort_by_key(|seat| self.knowledge.most_barred[*seat]);
        for seat in seats {
            let mut barred = self.knowledge.most_barred[seat];
            for _ in 0..self.hidden[seat] {
                let kept = if barred == 0 { self.knowledge.barred } else { Cards::EMPTY };
                let Some(place) = pool.draw(&self.knowledge.weights[seat], kept, nature) else {
                    break;
                };
                barred = barred.saturating_sub(u32::from(self.knowledge.barred.contains(place)));
                position.hands[seat] = position.hands[seat].and(Cards::one(place));
            }
        }
        let face_down = usize::from(world.size.saturating_sub(1));
        for (slot, place) in world.talon.iter_mut().take(face_down).zip(pool.shuffled(nature)) {
            *slot = *place;
        }
        world.lay_out();
        Some((position, world))
    }
}

/// Cards to draw from.
struct Pool {
    cards: [Place; 52],
    left: usize,
}

impl Pool {
    fn new(cards: Cards) -> Pool {
        let mut pool = Pool { cards: [0; 52], left: 0 };
        for (slot, place) in pool.cards.iter_mut().zip(cards) {
            *slot = place;
            pool.left += 1;
        }
        pool
    }

    /// A card that is none of `kept`, the likelier the greater its weight.
    fn draw(&mut self, weights: &[f32; 64], kept: Cards, nature: &mut Nature) -> Option<Place> {
        for tries in 0..MANY_TRIES {
            let index = below(self.left, nature)?;
            let place = self.cards[index];
            if kept.contains(place) {
                continue;
            }
            let chance = weights[usize::from(place) % 64] * PARTS.get() as f32;
            if tries >= TRIES || nature.below(PARTS) < chance as u32 {
                return Some(self.take(index));
            }
        }
        let is_free = |index: &usize| !kept.contains(self.cards[*index]);
        let index = (0..self.left).find(is_free).or(self.left.checked_sub(1))?;
        Some(self.take(index))
    }

    fn take(&mut self, index: usize) -> Place {
        self.left -= 1;
        self.cards.swap(index, self.left);
        self.cards[self.left]
    }

    fn shuffled(&mut self, nature: &mut Nature) -> &[Place] {
        for last in (1..self.left).rev() {
            if let Some(index) = below(last + 1, nature) {
                self.cards.swap(index, last);
            }
        }
        &self.cards[..self.left]
    }
}

fn below(bound: usize, nature: &mut Nature) -> Option<usize> {
    NonZeroU32::new(bound as u32).map(|bound| nature.below(bound) as usize)
}
