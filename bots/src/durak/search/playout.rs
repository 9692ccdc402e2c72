//! Playing a game to its end by the policy.

use crate::durak::search::policy::Policy;
use crate::durak::search::position::{Phase, Position, World};

/// The number of moves after which a game that goes round in circles is given up as a draw.
pub const MOST_MOVES: u32 = 600;

/// The seats that lose, a bit each, if all play on by the policy.
pub fn finish(position: &Position, world: &World, policy: &Policy) -> u8 {
    let mut at = *position;
    for _ in 0..MOST_MOVES {
        if let Phase::Over(losers) = at.phase {
            return losers;
        }
        at.play(policy.choose(&at, world), world);
    }
    at.players
}
