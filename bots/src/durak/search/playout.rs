//! Playing a game to its end where nothing is searched.

use crate::durak::search::position::{Phase, Play, Position, World};

/// The number of moves after which a game that goes round in circles is given up as a draw.
pub const MOST_MOVES: u32 = 600;

/// How seats play where nothing is searched.
pub trait PlayOutPolicy {
    /// What the seat plays whose turn it is.
    fn choose(&self, position: &Position, world: &World) -> Play;
}

/// The seats that lose, a bit each, if all play on by the policy.
pub fn finish(position: &Position, world: &World, policy: &impl PlayOutPolicy) -> u8 {
    let mut at = *position;
    for _ in 0..MOST_MOVES {
        if let Phase::Over(losers) = at.phase {
            return losers;
        }
        at.play(policy.choose(&at, world), world);
    }
    at.players
}
