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
    #[error("{} for {seats} seats: add bots", counted(players, "bot", "bots"))]
    TooFewPlayers { players: usize, seats: usize },
    #[error("{0} seats in every order: at most {MOST_SEATS_FOR_ALL_ORDERS}")]
    TooManyOrders(usize),
    #[error("more than {MOST_GAMES} games: use fewer deals")]
    TooManyGames,
    #[error("0 {0}: use at least 1")]
    None(&'static str),
    #[error("{tables} tables per deal: there are only {most} different ones")]
    TooManyDrawn { tables: u64, most: u64 },
    #[error("cannot draw tables from {0} bots: at most {MOST_PLAYERS}")]
    TooManyToDrawFrom(usize),
    #[error(transparent)]
    Listed(#[from] BadList),
    #[error("invalid shard {0}: use I/N with I from 0 to N - 1")]
    NoShard(Shard),
    #[error("{shards} shards: at most {most} (one per table and deal)")]
    TooManyShards { shards: u64, most: u64 },
    #[error(
        "block {number} does not exist: the tournament has {}",
        counted(deals, "deal", "deals")
    )]
    NoBlock { number: u64, deals: u64 },
}
