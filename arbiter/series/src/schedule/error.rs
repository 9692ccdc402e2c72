//! Why there is no such schedule.

use text::counted;
use thiserror::Error;

use super::line::Shard;
use super::listed::BadList;

/// The most games that a tournament can have: more than a machine plays in a year, and few enough
/// for those that are skipped to be counted one by one.
pub(super) const MOST_GAMES: u64 = 1 << 30;

/// The most seats of which every order is played: 6! games a table and deal are 720 already.
pub(super) const MOST_SEATS_FOR_ALL_ORDERS: usize = 6;

/// The most bots that tables are drawn from: all their pairs are counted.
pub(super) const MOST_PLAYERS: usize = 1 << 12;

/// Why there is no such schedule; one line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoSchedule {
    /// A table cannot be filled, or someone would have no seat.
    #[error("{} for {seats} seats, expected at least {seats}", counted(players, "bot", "bots"))]
    TooFewPlayers {
        /// The number of bots.
        players: usize,
        /// The number of seats the game has.
        seats: usize,
    },
    /// Every order of this number of seats would be too many games.
    #[error("every order of {0} seats, expected at most {MOST_SEATS_FOR_ALL_ORDERS} seats")]
    TooManyOrders(usize),
    /// The numbers of the games would be too large.
    #[error("more than {MOST_GAMES} games, expected fewer deals")]
    TooManyGames,
    /// A number that must be there is 0.
    #[error("0 {0}, expected at least 1")]
    None(&'static str),
    /// The tables of a deal are drawn together, and these are too many.
    #[error("{tables} tables drawn for each deal, expected at most {most} with these seats")]
    TooManyDrawn {
        /// Number of tables to be drawn.
        tables: u64,
        /// Number of different tables.
        most: u64,
    },
    /// All pairs of bots are counted where tables are drawn, and these are too many.
    #[error("tables drawn from {0} bots, expected at most {MOST_PLAYERS}")]
    TooManyToDrawFrom(usize),
    /// The tables that are listed are not as they must be.
    #[error(transparent)]
    Listed(#[from] BadList),
    /// There is no such part of the tournament.
    #[error("shard {0}, expected I/N with I from 0 to N - 1")]
    NoShard(Shard),
    /// Some shards would be empty.
    #[error("{shards} shards, expected at most {most}, one for each table of each deal")]
    TooManyShards {
        /// The number of shards.
        shards: u64,
        /// The most shards possible.
        most: u64,
    },
    /// There are no such deals.
    #[error("block {number} of {}, expected one that has deals", counted(deals, "deal", "deals"))]
    NoBlock {
        /// The number of the block, from 0.
        number: u64,
        /// The number of deals a block has.
        deals: u64,
    },
}
