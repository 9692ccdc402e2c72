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
    #[error("{} for {seats} seats: add bots", counted(players, "bot", "bots"))]
    TooFewPlayers {
        /// The number of bots.
        players: usize,
        /// The number of seats the game has.
        seats: usize,
    },
    /// Every order of this number of seats would be too many games.
    #[error("{0} seats in every order: at most {MOST_SEATS_FOR_ALL_ORDERS}")]
    TooManyOrders(usize),
    /// The numbers of the games would be too large.
    #[error("more than {MOST_GAMES} games: use fewer deals")]
    TooManyGames,
    /// A number that must be there is 0.
    #[error("0 {0}: use at least 1")]
    None(&'static str),
    /// The tables of a deal are drawn together, and these are too many.
    #[error("{tables} tables per deal: there are only {most} different ones")]
    TooManyDrawn {
        /// Number of tables to be drawn.
        tables: u64,
        /// Number of different tables.
        most: u64,
    },
    /// All pairs of bots are counted where tables are drawn, and these are too many.
    #[error("cannot draw tables from {0} bots: at most {MOST_PLAYERS}")]
    TooManyToDrawFrom(usize),
    /// The tables that are listed are not as they must be.
    #[error(transparent)]
    Listed(#[from] BadList),
    /// There is no such part of the tournament.
    #[error("invalid shard {0}: use I/N with I from 0 to N - 1")]
    NoShard(Shard),
    /// Some shards would be empty.
    #[error("{shards} shards: at most {most} (one per table and deal)")]
    TooManyShards {
        /// The number of shards.
        shards: u64,
        /// The most shards possible.
        most: u64,
    },
    /// There are no such deals.
    #[error(
        "block {number} does not exist: the tournament has {}",
        counted(deals, "deal", "deals")
    )]
    NoBlock {
        /// The number of the block, from 0.
        number: u64,
        /// The number of deals a block has.
        deals: u64,
    },
}
