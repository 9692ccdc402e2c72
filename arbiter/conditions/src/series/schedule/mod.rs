//! Seats of the players, and deals: a pure function of a game's number.
//!
//! Games are numbered from 0. The header of a log alone decides what game number g is, so it does
//! not depend on who plays it, when, or how many games are played at once.
//!
//! In a match there is one table; each game has a deal of its own, and turns rotate. In a
//! tournament the unit is the deal: its games, which are those of all tables in all orders, come
//! one after the other, and all of them are dealt the same cards.

mod combination;
mod cycle;
mod drawn;
mod line;
mod tables;

use rules::PerSeat;
use thiserror::Error;

use text::counted;

use drawn::MOST_PLAYERS;
pub use line::{Block, Format, Orders, ScheduleLine, Shard};
pub use tables::BadList;
use tables::Tables;

/// The most games that a tournament can have: more than a machine plays in a year, and few enough
/// for those that are skipped to be counted one by one.
const MOST_GAMES: u64 = 1 << 30;

/// The most seats of which every order is played: 6! games a table and deal are 720 already.
const MOST_SEATS_FOR_ALL_ORDERS: usize = 6;

/// The games of a match or of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule(Kind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Rotation { games: u64, seats: usize },
    Tables(Box<Tables>),
}

/// One game of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seating {
    /// The number of its deal, from 0.
    pub deal: u64,
    /// For each seat the place of its player in the list of players.
    pub players: PerSeat<usize>,
}

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

impl Schedule {
    /// The games of a match between as many players as there are seats: in game g, seat s is taken
    /// by player (s + g) modulo their number.
    pub fn rotation(games: u64, seats: usize) -> Schedule {
        Schedule(Kind::Rotation { games, seats })
    }

    /// The games of a tournament with this number of seats at a table and of players.
    ///
    /// If tables are drawn, they follow from `key`: 32 bytes that everyone may know.
    pub fn tournament(
        line: &ScheduleLine,
        seats: usize,
        players: usize,
        key: [u8; 32],
    ) -> Result<Schedule, NoSchedule> {
        Tables::new(line, seats, players, key)
            .map(|tables| Schedule(Kind::Tables(Box::new(tables))))
    }

    /// The number of games, those of other shards included.
    pub fn games(&self) -> u64 {
        match &self.0 {
            Kind::Rotation { games, .. } => *games,
            Kind::Tables(tables) => tables.games(),
        }
    }

    /// The number of seats each game has.
    pub fn seats(&self) -> usize {
        match &self.0 {
            Kind::Rotation { seats, .. } => *seats,
            Kind::Tables(tables) => tables.seats(),
        }
    }

    /// The number of games each deal is played in, by everyone together.
    pub fn games_per_deal(&self) -> u64 {
        match &self.0 {
            Kind::Rotation { .. } => 1,
            Kind::Tables(tables) => tables.games_per_deal(),
        }
    }

    /// Number of games that belong to this shard: all, if there is only one.
    pub fn own_games(&self) -> u64 {
        match &self.0 {
            Kind::Rotation { games, .. } => *games,
            Kind::Tables(tables) => tables.own_games(),
        }
    }

    /// The first game of this shard whose number is at least this one; none after the last.
    pub fn own_from(&self, game: u64) -> Option<u64> {
        let own = match &self.0 {
            Kind::Rotation { .. } => game,
            Kind::Tables(tables) => tables.own_from(game),
        };
        (own < self.games()).then_some(own)
    }

    /// A game by its number.
    pub fn seating(&self, game: u64) -> Seating {
        match &self.0 {
            Kind::Rotation { seats, .. } => {
                let turn = (game % (*seats).max(1) as u64) as usize;
                let player = |seat: rules::Seat| (seat.index() + turn) % (*seats).max(1);
                Seating { deal: game, players: PerSeat::new(*seats, player) }
            }
            Kind::Tables(tables) => tables.seating(game),
        }
    }
}
