//! Seats of the players, and deals: a pure function of a game's number.
//!
//! Games are numbered from 0. The header of a log alone decides what game number g is, so it does
//! not depend on who plays it, when, or how many games are played at once.
//!
//! In a match there is one table; each game has a deal of its own, and turns rotate. In a
//! tournament the unit is the deal: its games, which are those of all tables in all orders, come
//! one after the other, and all of them are dealt the same cards.

mod cycle;
mod drawn;
mod line;
mod tables;

use rules::PerSeat;

pub use line::{Block, Format, Orders, ScheduleLine, Shard};
use tables::TableSchedule;
pub use tables::{Seating, zero_message};

/// The games of a match or of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule(Kind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Rotation { games: u64, seats: usize },
    Tables(Box<TableSchedule>),
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
    ///
    /// # Errors
    ///
    /// Says in one line why there is no such schedule.
    pub fn tournament(
        line: &ScheduleLine,
        seats: usize,
        players: usize,
        key: [u8; 32],
    ) -> Result<Schedule, String> {
        TableSchedule::new(line, seats, players, key)
            .map(|tables| Schedule(Kind::Tables(Box::new(tables))))
    }

    /// The number of games, those of other shards included.
    pub fn games(&self) -> u64 {
        match &self.0 {
            Kind::Rotation { games, .. } => *games,
            Kind::Tables(tables) => tables.games(),
        }
    }

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
