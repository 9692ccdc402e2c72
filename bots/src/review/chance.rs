//! The chance by which reviews draw worlds and deals.

use rules::{BotSeed, Digest, Nature, Seed};

/// The chance by which worlds of a review are drawn.
///
/// It is another than the player's, who has the same seed: a player whose worlds were drawn again
/// would be measured by the luck that it chose by.
pub(crate) fn chance(seed: BotSeed) -> Nature {
    named_chance("review", &seed.0)
}

pub(super) fn named_chance(name: &str, seed: &[u8]) -> Nature {
    Seed(Digest::hash(&[name.as_bytes(), seed].concat()).bytes()).nature(0)
}
