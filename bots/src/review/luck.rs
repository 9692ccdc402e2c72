//! The chance by which reviews draw, and luck: how much the decisions of nature favoured each seat.
//!
//! The luck of a deal is the value of the cards as they were dealt minus the mean value of other deals, drawn anew
//! from the same state. Its mean over deals is 0 whatever the values are, as long as those of the real deal and
//! those of the others come about in the same way. So a result minus its luck has the same mean as the result,
//! and a smaller variance if the values are any good.

use rules::{BotSeed, Digest, Nature, Seed};

/// The luck of one deal: how much its cards gave to each seat, or took from it.
#[derive(Debug, Clone, PartialEq)]
pub struct DealLuck {
    /// The line in the history of the game, from 0, after which the deal was complete.
    pub line: usize,
    /// A part of a win for each seat, from -1 to 1.
    pub win: Vec<f64>,
    /// Points ahead of the others for each seat; empty in a game that counts none.
    pub points: Vec<f64>,
}

/// The chance by which the luck of a game is measured.
///
/// It is another one for each game: with the same one in all games, the errors of values would not cancel, and the
/// mean over games would be wrong.
pub(crate) fn luck_chance(game: Digest) -> Nature {
    named_chance("luck", &game.bytes())
}

/// The chance by which worlds of a review are drawn.
///
/// It is another than the player's, who has the same seed: a player whose worlds were drawn again
/// would be measured by the luck that it chose by.
pub(crate) fn chance(seed: BotSeed) -> Nature {
    named_chance("review", &seed.0)
}

fn named_chance(name: &str, seed: &[u8]) -> Nature {
    Seed(Digest::hash(&[name.as_bytes(), seed].concat()).bytes()).nature(0)
}
