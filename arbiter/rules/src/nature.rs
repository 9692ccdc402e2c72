//! Nature: seeded randomness, the only source of chance.

use std::num::NonZeroU32;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

use crate::card::Card;
use crate::card_set::CardSet;

/// A stream of seeded randomness: the same way to draw from it gives the same results.
///
/// It is made by [`Seed::nature`](crate::Seed::nature) for deals and by
/// [`BotSeed::nature`](crate::BotSeed::nature) for a bot's own choices.
///
/// ```
/// use rules::{CardSet, Seed};
///
/// let mut pool = CardSet::PACK;
/// let card = Seed([7; 32]).nature(0).draw(&mut pool);
/// assert!(card.is_some_and(|card| !pool.contains(card)));
/// assert_eq!(pool.len(), 51);
/// ```
#[derive(Debug, Clone)]
pub struct Nature(ChaCha20Rng);

impl Nature {
    pub(crate) fn from_generator(generator: ChaCha20Rng) -> Self {
        Nature(generator)
    }

    /// A number below `bound`, each equally likely.
    ///
    /// It takes one 32-bit word after another until one lies below the greatest multiple of `bound`
    /// that 2³² holds, and gives the remainder. Library functions for this change between versions;
    /// this one is pinned by test vectors, because logs must replay forever.
    pub fn below(&mut self, bound: NonZeroU32) -> u32 {
        let words = 1u64 << 32;
        let fair = words - words % u64::from(bound.get());
        loop {
            let word = self.0.next_u32();
            if u64::from(word) < fair {
                return word % bound;
            }
        }
    }

    /// One of the items, each equally likely; nothing if there is none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let count = u32::try_from(items.len()).ok().and_then(NonZeroU32::new)?;
        items.get(self.below(count) as usize)
    }

    /// Takes one card out of the pool, each equally likely; nothing if it is empty.
    pub fn draw(&mut self, pool: &mut CardSet) -> Option<Card> {
        let count = NonZeroU32::new(pool.len() as u32)?;
        let card = pool.nth(self.below(count) as usize)?;
        pool.remove(card);
        Some(card)
    }

    /// Takes up to `count` cards out of the pool.
    pub fn draw_many(&mut self, pool: &mut CardSet, count: usize) -> CardSet {
        (0..count).map_while(|_| self.draw(pool)).collect()
    }
}
