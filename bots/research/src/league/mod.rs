//! Number of games that a league needs until its order is right, against a round robin.
//!
//! [`Pool`](pool::Pool) has real games: every pair of some built-in players on some deals, each in both
//! seats. The order of a fit to all of them is the true one. [`replay`](replay::replay) plays a league
//! over and over, with deals that are drawn from the pool with replacement, and fits ratings after
//! each round. Games of a round robin in rounds of the same size are drawn the same way.
//!
//! [`simulate`](simulation::simulate) plays leagues whose true ratings are known, and counts how often
//! intervals, probabilities and orders are right, under each [`Rule`](chooser::Rule).
//!
//! `docs/statistics.md` has what `league --scenario all` finds.

pub mod chooser;
mod earlier;
pub mod players;
pub mod pool;
pub mod replay;
pub mod scenario;
pub mod simulation;
pub mod table;

use ::simulation::StuckGame;
use bots::options::BadOption;
use standings::StandingsError;
use workers::NoThread;

/// Reason why a league is not played; one line.
#[derive(Debug, thiserror::Error)]
pub enum LeagueError {
    #[error("player `{player}`: {problem}")]
    Player { player: String, problem: BadOption },
    #[error("the pool has other games than its players and deals say: remove the file")]
    Damaged,
    #[error("{0}")]
    StuckGame(#[from] StuckGame),
    #[error("{0}")]
    Standings(#[from] StandingsError),
    #[error("{0}")]
    NoThread(#[from] NoThread),
}
