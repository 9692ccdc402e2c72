//! Tournaments that never took place, drawn from known strengths.

#![allow(dead_code, unreachable_pub, reason = "each test uses some of it")]

pub mod swiss;
pub mod world;

use std::num::NonZeroU32;

use rules::{Nature, Score, Seed};
use standings::{Entrant, Game, ReplicateCount, StandingsSetup, Tally};

/// Seeded chance.
pub struct Chance(Nature);

impl Chance {
    pub fn new(number: u64) -> Chance {
        let mut seed = [0x5e; 32];
        seed[..8].copy_from_slice(&number.to_le_bytes());
        Chance(Seed(seed).nature(0))
    }

    /// A number from 0 to below 1.
    pub fn uniform(&mut self) -> f64 {
        f64::from(self.0.below(NonZeroU32::MAX)) / f64::from(u32::MAX)
    }

    /// A number from above 0 to below 1.
    pub fn positive(&mut self) -> f64 {
        self.uniform().max(0.5 / f64::from(u32::MAX)).min(1.0 - 0.5 / f64::from(u32::MAX))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(u32::try_from(bound).ok().and_then(NonZeroU32::new).unwrap()) as usize
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        (1..items.len()).for_each(|place| items.swap(place, self.below(place + 1)));
    }

    /// One of the shares, each as likely as it is great; they add up to 1.
    pub fn one_of(&mut self, shares: &[f64]) -> usize {
        let drawn = self.uniform();
        let mut sum = 0.0;
        let reached = |share: &f64| {
            sum += share;
            drawn < sum
        };
        shares.iter().position(reached).unwrap_or(shares.len() - 1)
    }
}

/// A game of the bots with these numbers, in the order of seats, in which they had these points.
pub fn game(deal: u64, seats: &[usize], points: &[i32]) -> Game {
    let seats: Vec<Entrant> = seats.iter().copied().map(Entrant).collect();
    let scores: Vec<Score> = points.iter().copied().map(Score::points).collect();
    Game::new(deal, seats.into(), scores.into(), &[]).unwrap()
}

/// Bots named `a`, `b` and so on, at so many seats.
pub fn setup(bots: usize, seats: usize) -> StandingsSetup {
    StandingsSetup::new(
        (b'a'..).take(bots).map(|letter| char::from(letter).to_string()).collect(),
        seats,
    )
}

pub fn tally<'a>(setup: StandingsSetup, games: impl IntoIterator<Item = &'a Game>) -> Tally {
    let mut tally = Tally::new(setup);
    games.into_iter().for_each(|game| tally.add(game).unwrap());
    tally
}

/// Bots that play games of two seats, the results of which follow Davidson's model, but for the luck
/// of the cards.
pub struct Duels {
    /// The logarithms of the strengths.
    pub strengths: Vec<f64>,
    /// The logarithm of the advantage of the first seat.
    pub seat: f64,
    /// Davidson's ν.
    pub draws: f64,
    /// Advantage that the cards of a deal give to the first seat or, as likely, to the second.
    pub luck: f64,
}

/// Bots that play games of as many seats as there are of them, the rankings of which follow the model
/// of Plackett and Luce.
pub struct Tables {
    /// The logarithms of the strengths.
    pub strengths: Vec<f64>,
}

impl Tables {
    /// So many deals, each played in every rotation of the seats. How a game ends is mostly a
    /// matter of the cards: two of three are like the first of their deal.
    pub fn tournament(&self, deals: u64, chance: &mut Chance) -> Vec<Game> {
        let mut games = Vec::new();
        let mut order: Vec<usize> = (0..self.strengths.len()).collect();
        for deal in 0..deals {
            let first = self.ranking(chance);
            for _ in &self.strengths {
                order.rotate_left(1);
                let of_its_own = chance.uniform() < 1.0 / 3.0;
                let ranking = if of_its_own { self.ranking(chance) } else { first.clone() };
                let points =
                    |bot: &usize| -(ranking.iter().position(|it| it == bot).unwrap() as i32);
                let points: Vec<i32> = order.iter().map(points).collect();
                games.push(game(deal, &order, &points));
            }
        }
        games
    }

    fn ranking(&self, chance: &mut Chance) -> Vec<usize> {
        let mut left: Vec<usize> = (0..self.strengths.len()).collect();
        let mut ranking = Vec::new();
        while !left.is_empty() {
            let odds: Vec<f64> = left.iter().map(|bot| self.strengths[*bot].exp()).collect();
            let shares: Vec<f64> = odds.iter().map(|it| it / odds.iter().sum::<f64>()).collect();
            ranking.push(left.remove(chance.one_of(&shares)));
        }
        ranking
    }

    /// The scores that the bots would have in the long run.
    pub fn scores(&self) -> Vec<f64> {
        let ahead = |one: &f64, other: &f64| 1.0 / (1.0 + (other - one).exp());
        let score = |one| {
            let all: f64 = self.strengths.iter().map(|other| ahead(one, other)).sum();
            // Half a game of it is against itself.
            (all - 0.5) / (self.strengths.len() - 1) as f64
        };
        self.strengths.iter().map(score).collect()
    }

    /// The points by which they would be ahead of others in the long run: a place is a point.
    pub fn margins(&self) -> Vec<f64> {
        self.scores().iter().map(|score| self.strengths.len() as f64 * (score - 0.5)).collect()
    }

    /// The ratings that they would have in the long run, where their strengths have mean 0.
    pub fn ratings(&self) -> Vec<f64> {
        self.strengths.iter().map(|strength| strength * 400.0 / std::f64::consts::LN_10).collect()
    }
}

/// The points of the first seat and of the second after a win, a draw and a loss of the first.
const POINTS: [[i32; 2]; 3] = [[3, 1], [2, 2], [0, 4]];

impl Duels {
    /// The probabilities that the first seat wins, draws and loses.
    fn shares(&self, first: usize, second: usize, luck: f64) -> [f64; 3] {
        let ahead = self.strengths[first] - self.strengths[second] + self.seat + luck;
        let [win, draw, loss] = [(ahead / 2.0).exp(), self.draws, (-ahead / 2.0).exp()];
        [win, draw, loss].map(|result| result / (win + draw + loss))
    }

    /// Every two bots once in either order.
    fn seatings(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let bots = self.strengths.len();
        (0..bots)
            .flat_map(move |first| (0..bots).map(move |second| [first, second]))
            .filter(|[first, second]| first != second)
    }

    /// So many deals, each played by every two bots in either order.
    pub fn tournament(&self, deals: u64, chance: &mut Chance) -> Vec<Game> {
        let mut games = Vec::new();
        for deal in 0..deals {
            let luck = if chance.uniform() < 0.5 { self.luck } else { -self.luck };
            for [first, second] in self.seatings() {
                let result = chance.one_of(&self.shares(first, second, luck));
                games.push(game(deal, &[first, second], &POINTS[result]));
            }
        }
        games
    }

    fn expected(&self, [first, second]: [usize; 2]) -> [f64; 3] {
        let lucky = self.shares(first, second, self.luck);
        let unlucky = self.shares(first, second, -self.luck);
        [0, 1, 2].map(|result| (lucky[result] + unlucky[result]) / 2.0)
    }

    /// The scores that the bots would have in the long run.
    pub fn scores(&self) -> Vec<f64> {
        self.means([1.0, 0.5, 0.0], [0.0, 0.5, 1.0])
    }

    /// The points by which the bots would be ahead of others in the long run.
    pub fn margins(&self) -> Vec<f64> {
        let margins = POINTS.map(|[first, second]| f64::from(first - second));
        self.means(margins, margins.map(|margin| -margin))
    }

    /// Mean of each bot in a game, given the worth of results in either seat.
    fn means(&self, in_first: [f64; 3], in_second: [f64; 3]) -> Vec<f64> {
        let mut sums = vec![0.0; self.strengths.len()];
        for seats in self.seatings() {
            for (result, share) in self.expected(seats).iter().enumerate() {
                sums[seats[0]] += share * in_first[result];
                sums[seats[1]] += share * in_second[result];
            }
        }
        sums.iter().map(|sum| sum / (2 * self.strengths.len() - 2) as f64).collect()
    }

    /// The ratings that they would have in the long run: those from so many games that chance has
    /// no part in them.
    pub fn ratings(&self) -> Vec<f64> {
        const GAMES: f64 = 20_000.0;
        let mut games = Vec::new();
        for seats in self.seatings() {
            for (result, share) in self.expected(seats).iter().enumerate() {
                let played = game(0, &seats, &POINTS[result]);
                games.extend(vec![played; (share * GAMES).round() as usize]);
            }
        }
        let setup =
            StandingsSetup { replicates: ReplicateCount::LEAST, ..setup(self.strengths.len(), 2) };
        let rows = tally(setup, &games).standings().all.rows;
        let mut rated: Vec<_> =
            rows.into_iter().map(|row| (row.name, row.rating.unwrap().value)).collect();
        rated.sort_by(|one, other| one.0.cmp(&other.0));
        rated.into_iter().map(|(_, rating)| rating).collect()
    }
}
