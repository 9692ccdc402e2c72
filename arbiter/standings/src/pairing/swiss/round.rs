//! Stages, and rounds that were played.

use thiserror::Error;

use crate::Entrant;
use crate::pairing::Outcome;

/// How many bots play how many rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    players: usize,
    rounds: usize,
}

/// Why numbers of bots and rounds make no stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotAStage {
    /// Too few or too many bots.
    #[error("a Swiss stage needs 2 to {most} bots, not {0}", most = Stage::MOST_PLAYERS)]
    Players(usize),
    /// No round, or more rounds than new opponents.
    #[error("{rounds} Swiss rounds for {players} bots: at most {most}")]
    Rounds {
        /// Number of rounds.
        rounds: usize,
        /// Number of bots.
        players: usize,
        /// The greatest number of rounds without a second meeting.
        most: usize,
    },
}

impl Stage {
    /// The greatest number of bots, as in a knockout.
    pub const MOST_PLAYERS: usize = 1024;

    /// A stage of this many bots and rounds.
    ///
    /// Choose far fewer rounds than bots: a knockout's number of rounds, or two or three more. In up to
    /// half as many rounds as bots, no bots have to meet again.
    ///
    /// # Errors
    ///
    /// [`NotAStage`], where there are too few or too many of either.
    pub fn new(players: usize, rounds: usize) -> Result<Stage, NotAStage> {
        if !(2..=Stage::MOST_PLAYERS).contains(&players) {
            return Err(NotAStage::Players(players));
        }
        let most = players - 1 + players % 2;
        if !(1..=most).contains(&rounds) {
            return Err(NotAStage::Rounds { rounds, players, most });
        }
        Ok(Stage { players, rounds })
    }

    /// Number of bots.
    pub fn players(self) -> usize {
        self.players
    }

    /// Number of rounds.
    pub fn rounds(self) -> usize {
        self.rounds
    }
}

/// A round that was played: every bot of the stage is at one table, has the bye or a walkover, or is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlayedRound {
    /// The tables in any order.
    pub tables: Vec<PlayedTable>,
    /// The bot without an opponent.
    pub bye: Option<Entrant>,
    /// Bots whose opponent dropped out of this round, and which get as many points as for a win.
    pub walkovers: Vec<Entrant>,
    /// Bots that have dropped out of the stage.
    pub absent: Vec<Entrant>,
}

/// Two bots that met, and which of them did better over all games of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedTable {
    /// The bot in seat 0.
    pub one: Entrant,
    /// The bot in seat 1.
    pub other: Entrant,
    /// Which of them won.
    pub outcome: Outcome,
}

/// What a pairing does with two bots that must both have the same seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// They do not meet, as rule C3 wants.
    Kept,
    /// They may meet, because the round cannot be paired otherwise.
    Waived,
}

/// Why there is no pairing of the next round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoPairing {
    /// All rounds of the stage are there.
    #[error("round {round} of a stage of {rounds} rounds, expected one that is in it")]
    Over {
        /// Number of the round, from 1.
        round: usize,
        /// Number of rounds of the stage.
        rounds: usize,
    },
    /// A round has a bot too often, or not at all, or one that is not in the stage.
    #[error("bot {} is in round {round} {times} times, expected each of {players} bots once", bot.0)]
    NotOnce {
        /// Number of the round, from 1.
        round: usize,
        /// The bot.
        bot: Entrant,
        /// How often it is in the round.
        times: usize,
        /// Number of bots of the stage.
        players: usize,
    },
    /// Bots would have to meet again, or to have a second bye.
    #[error("round {round} of {players} bots cannot be paired without a rematch: use fewer rounds")]
    Exhausted {
        /// Number of the round, from 1.
        round: usize,
        /// Number of bots of the stage.
        players: usize,
    },
}
