//! The lines of a request that do not depend on the game, and the terms of a game behind them.

use crate::clock::{Bank, SeatTime};
use crate::dialect::Dialect;
use crate::seat::{PerSeat, Seat};
use crate::seed::{BotSeed, BotSeeds, MatchId};

/// Part of the time for a game that one answer may take.
const REST: u64 = 12;

/// The lines of a request that do not depend on the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The public name of the game.
    pub id: MatchId,
    /// The seat that is asked.
    pub seat: Seat,
    /// Number of moves made before in the game, those of the house included.
    pub number: u32,
    /// The time for the answer, in milliseconds.
    pub time: u64,
    /// The time for the game, if that is limited.
    pub bank: Option<Bank>,
    /// For the bot's own randomness.
    pub seed: BotSeed,
    /// Number and reason of a second chance.
    pub retry: Option<Retry>,
}

impl Heading {
    /// The time for this answer in milliseconds, with enough left for the rest of a game on a clock.
    pub fn share(&self) -> u64 {
        let share = |bank: Bank| (bank.left / REST).saturating_add(bank.increment / 2);
        self.bank.map_or(self.time, |bank| self.time.min(share(bank)))
    }
}

/// A second chance, after an answer that was illegal or malformed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retry {
    /// The number of this chance, from 1.
    pub number: u32,
    /// The rule that the previous answer broke, in one line of printable ASCII.
    pub reason: String,
}

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
