//! Statistics of a simulation: how strong its players are.
//!
//! The unit is the deal. Games of one deal share their cards, so they are not independent
//! observations, and their mean counts as one. With duplicate deals the luck of the cards cancels
//! out in that mean, which makes intervals narrower for the same number of games.

use rules::{PerSeat, Score, Seat};
use simulation::{Played, Simulation};

use standings::Mean;

/// Statistics of a simulation, updated game by game.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    games_per_deal: u64,
    /// Number of games of the current deal so far.
    in_deal: u64,
    players: Vec<PlayerStatistics>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PlayerStatistics {
    /// Its points in the last game.
    pub last: Score,
    /// Its points over all games.
    pub points: Score,
    /// Number of games that it won alone.
    pub won: u64,
    /// Number of games that it won together with others.
    pub drawn: u64,
    /// Number of games that others won.
    pub lost: u64,
    pub mean_points: Mean,
    /// Games won as a share of all, from 0 to 1; one with several winners is shared evenly among
    /// them, so that all players together have 1.
    pub win_share: Mean,
    /// Totals of [`COUNTS`](rules::Game::COUNTS).
    pub counts: Vec<u64>,
    /// Number of its moves that a time limit cut short.
    pub cuts: u64,
    deal: OfDeal,
}

/// Totals of a player over the games of one deal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct OfDeal {
    points: Score,
    wins: f64,
}

impl Statistics {
    /// Returns the statistics before the first game of a simulation.
    pub fn new(simulation: &Simulation) -> Statistics {
        let player = PlayerStatistics {
            last: Score::ZERO,
            points: Score::ZERO,
            won: 0,
            drawn: 0,
            lost: 0,
            mean_points: Mean::default(),
            win_share: Mean::default(),
            counts: vec![0; simulation.kind.about().counts.len()],
            cuts: 0,
            deal: OfDeal::default(),
        };
        Statistics {
            games_per_deal: simulation.games_per_deal(),
            in_deal: 0,
            players: vec![player; simulation.players.len()],
        }
    }

    /// Adds a game. Games come in the order of their numbers, so the games of a deal come together.
    pub fn add(&mut self, game: &Played) {
        for (seat, place) in game.seating.iter() {
            if let Some(player) = self.players.get_mut(*place) {
                player.add(seat, game);
            }
        }
        self.in_deal += 1;
        if self.in_deal == self.games_per_deal {
            self.in_deal = 0;
            self.players.iter_mut().for_each(|player| player.end_deal(self.games_per_deal));
        }
    }

    /// Returns the players, in the order of the simulation.
    pub fn players(&self) -> &[PlayerStatistics] {
        &self.players
    }
}

impl PlayerStatistics {
    fn add(&mut self, seat: Seat, game: &Played) {
        match winners(&game.scores) {
            (best, winners) if game.scores[seat] == best => {
                *(if winners == 1 { &mut self.won } else { &mut self.drawn }) += 1;
                self.deal.wins += 1.0 / winners as f64;
            }
            _ => self.lost += 1,
        }
        self.cuts += u64::from(game.cuts[seat]);
        self.last = game.scores[seat];
        self.points += self.last;
        self.deal.points += self.last;
        for (sum, count) in self.counts.iter_mut().zip(&game.counts[seat]) {
            *sum += u64::from(*count);
        }
    }

    fn end_deal(&mut self, games: u64) {
        let OfDeal { points, wins } = std::mem::take(&mut self.deal);
        self.mean_points.add(points.as_f64() / games as f64);
        self.win_share.add(wins / games as f64);
    }
}

/// Returns the highest score, and the number of seats that have it.
fn winners(scores: &PerSeat<Score>) -> (Score, usize) {
    let scores = scores.values();
    let best = scores.iter().copied().max().unwrap_or(Score::ZERO);
    (best, scores.iter().filter(|score| **score == best).count())
}
