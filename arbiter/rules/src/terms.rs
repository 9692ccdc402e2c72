//! What the requests of a game tell beside the game itself.

use crate::clock::SeatTime;
use crate::dialect::Dialect;
use crate::seat::PerSeat;
use crate::seed::{BotSeeds, MatchId};

/// Terms of a game that its requests tell beside the game itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// The public name of the game.
    pub id: MatchId,
    /// The time of each seat.
    pub times: PerSeat<SeatTime>,
    /// The number of further chances of a seat after an illegal or malformed answer.
    pub retries: u32,
    /// The way in which each seat is asked.
    pub dialects: PerSeat<Dialect>,
    /// Key of the bots' seeds.
    pub bot_seeds: BotSeeds,
}

impl Terms {
    /// Terms with the same time for every answer of some seats, in milliseconds, the native dialect
    /// and no second chances.
    pub fn even(id: MatchId, seats: usize, time: u64, bot_seeds: BotSeeds) -> Terms {
        let times = PerSeat::new(seats, |_| SeatTime::even(time));
        let dialects = PerSeat::new(seats, |_| Dialect::Native);
        Terms { id, times, retries: 0, dialects, bot_seeds }
    }
}
