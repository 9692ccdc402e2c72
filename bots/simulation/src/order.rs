//! Seatings of the games of a deal.

use std::fmt;
use std::str::FromStr;

use rules::{Nature, NotText, PerSeat, Seat};

/// Seatings of the games of a deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
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

impl Order {
    /// Every order.
    pub const ALL: [Order; 4] = [Order::Fixed, Order::Reversed, Order::Rotate, Order::Random];

    /// Its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Order::Fixed => "fixed",
            Order::Reversed => "reversed",
            Order::Rotate => "rotate",
            Order::Random => "random",
        }
    }

    /// Number of games of each deal between a number of players, at least 1.
    pub fn games_per_deal(self, players: usize) -> u64 {
        match self {
            Order::Rotate => players.max(1) as u64,
            Order::Fixed | Order::Reversed | Order::Random => 1,
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
            Order::Fixed => PerSeat::new(players, Seat::index),
            Order::Reversed => PerSeat::new(players, |seat| players - 1 - seat.index()),
            Order::Rotate => PerSeat::new(players, |seat| (seat.index() + turn) % players),
            Order::Random => {
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

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Order {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        Order::ALL
            .into_iter()
            .find(|order| order.name() == text)
            .ok_or_else(|| NotText::new("fixed, reversed, rotate or random as an order", text))
    }
}
