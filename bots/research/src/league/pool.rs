//! Games between all pairs of players, to draw from.

use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::ControlFlow;

use bots::player::AnyPlayer;
use rules::tablic::Tablic;
use rules::{GameTerms, Score, Seed};
use serde::{Deserialize, Serialize};
use simulation::play;
use standings::{Entrant, Game, StandingsSetup, Tally};

use super::LeagueError;
use super::players::Mixture;

/// Games of Tablić between all pairs of players.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pool {
    pub players: Vec<String>,
    pub deals: NonZeroU32,
    pub seed: String,
    /// By pair, the points of the first and the second player in both games of each deal: at first
    /// the first player has the first seat.
    games: Vec<Vec<[[i32; 2]; 2]>>,
}

/// All pairs of this number of players, in the order of the pool.
pub fn pairs(players: usize) -> Vec<[usize; 2]> {
    (0..players).flat_map(|one| (one + 1..players).map(move |other| [one, other])).collect()
}

impl Pool {
    /// Plays all games.
    pub fn play(
        players: &[Mixture],
        deals: NonZeroU32,
        seed: &Seed,
        workers: NonZeroUsize,
    ) -> Result<Pool, LeagueError> {
        let pairs = pairs(players.len());
        let each = u64::from(deals.get());
        let mut games = vec![Vec::new(); pairs.len()];
        let start = || {
            |job: u64| {
                let pair = pairs[(job / each) as usize];
                played([&players[pair[0]], &players[pair[1]]], seed, job)
            }
        };
        let mut job = 0;
        workers::in_order(pairs.len() as u64 * each, workers, start, |both| {
            games[(job / each) as usize].push(both);
            job += 1;
            ControlFlow::Continue(())
        })?;
        let players = players.iter().map(Mixture::to_string).collect();
        Ok(Pool { players, deals, seed: seed.to_string(), games })
    }

    /// Returns true if it was played by these players, on these deals and with this seed.
    pub fn is_of(&self, players: &[Mixture], deals: NonZeroU32, seed: &Seed) -> bool {
        let same = |(text, player): (&String, &Mixture)| *text == player.to_string();
        self.players.len() == players.len()
            && self.players.iter().zip(players).all(same)
            && self.deals == deals
            && self.seed == seed.to_string()
            && self.games.len() == pairs(players.len()).len()
            && self.games.iter().all(|games| games.len() == deals.get() as usize)
    }

    pub fn tally(&self) -> Tally {
        let names = (0..self.players.len()).map(|place| place.to_string()).collect();
        let replicates = standings::ReplicateCount::LEAST;
        Tally::new(StandingsSetup { replicates, ..StandingsSetup::new(names, 2) })
    }

    /// Adds both games of a deal of a pair to a tally, under another number of the deal.
    pub fn add(
        &self,
        tally: &mut Tally,
        pair: [usize; 2],
        deal: usize,
        number: u64,
    ) -> Result<(), LeagueError> {
        let [one, other] = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        let place = pairs(self.players.len()).iter().position(|it| *it == [one, other]);
        let games = place.and_then(|place| self.games.get(place)?.get(deal));
        for (turn, [its, theirs]) in games.ok_or(LeagueError::Damaged)?.iter().enumerate() {
            let (seats, points) = match turn {
                0 => ([one, other], [*its, *theirs]),
                _ => ([other, one], [*theirs, *its]),
            };
            let seats = seats.map(Entrant).to_vec();
            let scores = points.map(Score::points).to_vec();
            let game = Game::new(number, seats.into(), scores.into(), &[]);
            let game = game.map_err(|_| LeagueError::Damaged)?;
            tally.add(&game).map_err(|_| LeagueError::Damaged)?;
        }
        Ok(())
    }

    /// The players from the best to the worst with their ratings, from all games.
    pub fn order(&self) -> Result<Vec<(usize, f64)>, LeagueError> {
        let mut tally = self.tally();
        let mut number = 0;
        for pair in pairs(self.players.len()) {
            for deal in 0..self.deals.get() as usize {
                self.add(&mut tally, pair, deal, number)?;
                number += 1;
            }
        }
        Ok(order(&tally))
    }
}

/// The players from the best to the worst with their ratings, 0 where there is none.
pub fn order(tally: &Tally) -> Vec<(usize, f64)> {
    let rows = tally.standings().all.rows;
    let place = |name: &str| name.parse().unwrap_or_default();
    rows.iter().map(|row| (place(&row.name), row.rating.map_or(0.0, |it| it.value))).collect()
}

/// Both games of a deal.
fn played(pair: [&Mixture; 2], seed: &Seed, deal: u64) -> Result<[[i32; 2]; 2], LeagueError> {
    let game = |turn: u64| -> Result<[i32; 2], LeagueError> {
        let sitting = if turn == 0 { pair } else { [pair[1], pair[0]] };
        let player = |mixture: &Mixture| -> Result<AnyPlayer<Tablic>, LeagueError> {
            let problem = |problem| LeagueError::Player { player: mixture.to_string(), problem };
            mixture.player().map_err(problem)
        };
        let players = sitting.into_iter().map(player).collect::<Result<Vec<_>, _>>()?;
        let terms = GameTerms::even(seed.name(2 * deal + turn), 2, 5000, seed.bots(deal));
        let options = rules::tablic::Options::default();
        let finished = play::<Tablic>(&options, &terms, &mut seed.nature(deal), players)?;
        let points = |seat: usize| {
            let score = finished.scores.values().get(seat);
            score.map_or(0, |score| (score.sixtieths() / 60) as i32)
        };
        Ok(if turn == 0 { [points(0), points(1)] } else { [points(1), points(0)] })
    };
    Ok([game(0)?, game(1)?])
}
