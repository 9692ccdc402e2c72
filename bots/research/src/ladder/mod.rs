//! Strength of players against each other: a table of all pairs, and a curve over a setting.
//!
//! Every pair plays the same deals, each in both orders of seats, in this process
//! ([`simulation`]). A tournament would start programs, which yardsticks do not have, and its
//! scores are over all opponents; a single simulation has one table only.

pub mod curve;
pub mod players;
pub mod table;

use std::num::NonZeroUsize;

use contest::playing::simulated::SimulationStatistics;
use rules::{GameKind, Seed};
use simulation::{SeatOrder, Simulation, SimulationError};
use standings::Mean;
use text::counted;

use crate::ladder::players::Contender;

/// Common parts of all games of a ladder.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    pub kind: GameKind,
    /// Its options, with two seats.
    pub options: String,
    pub deals: u64,
    /// Seed of every deal and of the players' randomness.
    pub seed: Seed,
}

/// Result of the games of a pair, for one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The share of its wins, from 0 to 1, with each deal as an observation; a game with several
    /// winners is divided among them.
    pub share: Mean,
    /// Number of its moves that a time limit cut short; if there are any, another run may differ.
    pub cuts: u64,
}

impl Course {
    pub fn games(&self) -> u64 {
        self.deals.saturating_mul(2)
    }

    /// Footer of a table: the games, and the meaning of the numbers. `each` is what plays the
    /// deals, a pair or a step.
    fn footer(&self, each: &str) -> String {
        let Course { kind, options, deals, seed } = self;
        let deals = counted(deals, "deal", "deals");
        format!(
            "\n{kind} {options}: each {each} plays {deals} in both orders of seats, seed {seed}\n\
             shares of wins in per cent, ± half of the 95% interval, each deal an observation\n"
        )
    }

    /// Plays all games of a pair, and tells of the end of each.
    pub fn play(
        &self,
        pair: [&Contender; 2],
        workers: NonZeroUsize,
        game_over: &mut dyn FnMut(),
    ) -> Result<[Outcome; 2], SimulationError> {
        let simulation = Simulation {
            kind: self.kind.clone(),
            options: self.options.clone(),
            players: pair.map(Contender::built_in).to_vec(),
            order: SeatOrder::Rotate,
            deals: self.deals,
            seed: self.seed.clone(),
        };
        let mut statistics = SimulationStatistics::new(&simulation);
        simulation.run(workers, &mut |game| {
            statistics.add(game);
            game_over();
        })?;
        let of = |place: usize| {
            let player = &statistics.players()[place];
            Outcome { share: player.win_share, cuts: player.cuts }
        };
        Ok([of(0), of(1)])
    }
}

/// A share in per cent, with half of its 95% interval where there is one.
fn per_cent(share: &Mean) -> String {
    match share.plus_minus() {
        Some(half) => format!("{:.1} ± {:.1}", 100.0 * share.mean(), 100.0 * half),
        None => format!("{:.1}", 100.0 * share.mean()),
    }
}

/// A line for a player whose moves time limits have cut short, and none for the others.
fn cut_moves(player: &Contender, cuts: u64) -> Option<String> {
    (cuts > 0).then(|| {
        let moves = counted(cuts, "move", "moves");
        format!("`{player}`: ran out of time in {moves}, so another run may differ")
    })
}
