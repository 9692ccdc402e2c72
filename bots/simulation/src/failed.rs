//! Why a simulation does not go on.

use bots::BadOption;
use bots::programs::NoPlayers;
use rules::NotText;
use workers::NoThread;

use crate::game::Stuck;

/// Reason why a simulation does not go on; one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failed {
    /// The options of the game are not as they must be.
    #[error(transparent)]
    Options(#[from] NotText),
    /// The game has no built-in players.
    #[error(transparent)]
    NoPlayers(#[from] NoPlayers),
    /// There are more players than seats, or fewer.
    #[error("{seats} seats and {players} players, expected one player for each seat")]
    Players {
        /// Number of seats.
        seats: usize,
        /// Number of players.
        players: usize,
    },
    /// There is no such player, or its options are not as they must be.
    #[error("bot `{name}`: {problem}")]
    Player {
        /// Its name here.
        name: String,
        /// The problem.
        problem: BadOption,
    },
    /// A player does not play with these options.
    #[error("bot `{name}`: {refusal}")]
    Refused {
        /// Its name here.
        name: String,
        /// Why it does not.
        refusal: String,
    },
    /// The rules of a custom game fail.
    #[error("game {game} of the simulation: {reason}")]
    Rules {
        /// The number of the game, from 0.
        game: u64,
        /// Reason why there is no result.
        reason: String,
    },
    /// A game cannot go on, which no built-in player should let happen.
    #[error("game {game} of the simulation: {problem}")]
    Stuck {
        /// The number of the game, from 0.
        game: u64,
        /// Reason why it cannot.
        problem: Stuck,
    },
    /// The system does not let a thread be started.
    #[error("{0}")]
    NoThread(String),
}

impl From<NoThread> for Failed {
    fn from(none: NoThread) -> Failed {
        Failed::NoThread(none.to_string())
    }
}
