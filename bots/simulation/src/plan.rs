//! Games that are to be played and their seatings, and games that were played.

use std::fmt;
use std::str::FromStr;

use rules::{Digest, GameKind, Nature, NotText, PerSeat, Score, Seat, Seed};

/// The time in the requests, in milliseconds: the default of a match.
pub const TIME: u64 = 5000;

/// Games to be played between built-in players.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    pub kind: GameKind,
    /// Its options, which say how many seats there are.
    pub options: String,
    pub players: Vec<BuiltInPlayer>,
    pub order: SeatOrder,
    pub deals: u64,
    /// Seed of every deal and of the bots' randomness.
    pub seed: Seed,
}

/// A built-in player as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltInPlayer {
    /// Its name here.
    pub name: String,
    pub program: String,
    pub options: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulatedGame {
    pub game: u64,
    pub deal: u64,
    /// For each seat the place of its player in the list of players.
    pub seating: PerSeat<usize>,
    pub scores: PerSeat<Score>,
    /// For each seat how many there were of each of [`COUNTS`](rules::Game::COUNTS).
    pub counts: PerSeat<Vec<u32>>,
    /// For each seat, how many of its moves a time limit cut short; where there are any, the game
    /// may go otherwise when it is played again.
    pub cuts: PerSeat<u32>,
}

impl Simulation {
    pub fn games_per_deal(&self) -> u64 {
        self.order.games_per_deal(self.players.len())
    }

    pub fn games(&self) -> u64 {
        self.deals.saturating_mul(self.games_per_deal())
    }

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

pub trait GameText {
    /// The moves of those who were asked, in order.
    fn moves(&self) -> Vec<String>;

    /// The events as the referee sees them.
    fn events(&self) -> Vec<String>;
}

/// Seatings of the games of a deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeatOrder {
    /// One game, the players in the order in which they are named.
    Fixed,
    /// One game, the players in the reverse of that order.
    Reversed,
    /// A game for each rotation of that order, so that every player meets the same cards on every
    /// seat. With three players or more, each always has the same neighbours.
    Rotate,
    /// One game, the players in an order drawn for the deal.
    Random,
}

impl SeatOrder {
    pub const ALL: [SeatOrder; 4] =
        [SeatOrder::Fixed, SeatOrder::Reversed, SeatOrder::Rotate, SeatOrder::Random];

    /// Its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            SeatOrder::Fixed => "fixed",
            SeatOrder::Reversed => "reversed",
            SeatOrder::Rotate => "rotate",
            SeatOrder::Random => "random",
        }
    }

    /// Number of games of each deal between a number of players, at least 1.
    pub fn games_per_deal(self, players: usize) -> u64 {
        match self {
            SeatOrder::Rotate => players.max(1) as u64,
            SeatOrder::Fixed | SeatOrder::Reversed | SeatOrder::Random => 1,
        }
    }

    /// For each seat the place of its player in the list of players, in the game of this number
    /// within its deal, from 0; `nature` is what is drawn from where the order is random.
    pub fn seating(
        self,
        players: usize,
        game: u64,
        nature: impl FnOnce() -> Nature,
    ) -> PerSeat<usize> {
        let turn = (game % players.max(1) as u64) as usize;
        match self {
            SeatOrder::Fixed => PerSeat::new(players, Seat::index),
            SeatOrder::Reversed => PerSeat::new(players, |seat| players - 1 - seat.index()),
            SeatOrder::Rotate => PerSeat::new(players, |seat| (seat.index() + turn) % players),
            SeatOrder::Random => {
                let mut nature = nature();
                let mut left: Vec<usize> = (0..players).collect();
                let mut drawn = Vec::with_capacity(players);
                while let Some(&player) = nature.choose(&left) {
                    left.retain(|other| *other != player);
                    drawn.push(player);
                }
                drawn.into()
            }
        }
    }
}

impl fmt::Display for SeatOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SeatOrder {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        SeatOrder::ALL
            .into_iter()
            .find(|order| order.name() == text)
            .ok_or_else(|| NotText::new("fixed, reversed, rotate or random as an order", text))
    }
}
