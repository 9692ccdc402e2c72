//! Games that are to be played, and games that were.

use rules::{Digest, GameKind, PerSeat, Score, Seed};

use crate::order::Order;

/// The time in the requests, in milliseconds: the default of a match.
pub const TIME: u64 = 5000;

/// Games to be played between built-in players.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// The game.
    pub kind: GameKind,
    /// Its options, which say how many seats there are.
    pub options: String,
    /// The players, one for each seat.
    pub players: Vec<BuiltIn>,
    /// Order of seats.
    pub order: Order,
    /// Number of deals.
    pub deals: u64,
    /// Seed of every deal and of the bots' randomness.
    pub seed: Seed,
}

/// A built-in player as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name here.
    pub name: String,
    /// The name of its program.
    pub program: String,
    /// The options of its program.
    pub options: Vec<String>,
}

/// A finished game of a simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The number of the game, from 0.
    pub game: u64,
    /// The number of its deal, from 0.
    pub deal: u64,
    /// For each seat the place of its player in the list of players.
    pub seating: PerSeat<usize>,
    /// The points.
    pub scores: PerSeat<Score>,
    /// For each seat how many there were of each of [`COUNTS`](rules::Game::COUNTS).
    pub counts: PerSeat<Vec<u32>>,
    /// For each seat, how many of its moves a time limit cut short; where there are any, the game
    /// may go otherwise when it is played again.
    pub cuts: PerSeat<u32>,
}

impl Simulation {
    /// Number of games that each deal is played in.
    pub fn games_per_deal(&self) -> u64 {
        self.order.games_per_deal(self.players.len())
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.deals.saturating_mul(self.games_per_deal())
    }

    /// The deal of a game, and who sits where.
    pub(crate) fn seating(&self, game: u64) -> (u64, PerSeat<usize>) {
        let per_deal = self.games_per_deal();
        let (deal, turn) = (game / per_deal, game % per_deal);
        (deal, self.order.seating(self.players.len(), turn, || self.orders().order(deal)))
    }

    /// The seed of the orders that are drawn.
    fn orders(&self) -> Seed {
        // Twice: once is what the seed is committed to, and tables of tournaments are drawn from that.
        let committed = Digest::hash(&self.seed.0).bytes();
        Seed(Digest::hash(&committed).bytes())
    }
}

/// A finished game as text.
pub trait AsText {
    /// The moves of those who were asked, in order.
    fn moves(&self) -> Vec<String>;

    /// The events as the referee sees them.
    fn events(&self) -> Vec<String>;
}
