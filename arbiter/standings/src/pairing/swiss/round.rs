//! Stages, and rounds that were played.

use crate::Entrant;
use crate::game::{StandingsError, refused};
use crate::pairing::Outcome;

/// How many bots play how many rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    players: usize,
    rounds: usize,
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
    /// [`StandingsError`], where there are too few or too many of either.
    pub fn new(players: usize, rounds: usize) -> Result<Stage, StandingsError> {
        if !(2..=Stage::MOST_PLAYERS).contains(&players) {
            let most = Stage::MOST_PLAYERS;
            return Err(refused(format_args!(
                "a Swiss stage needs 2 to {most} bots, not {players}"
            )));
        }
        let most = players - 1 + players % 2;
        if !(1..=most).contains(&rounds) {
            let text = format_args!("{rounds} Swiss rounds for {players} bots: at most {most}");
            return Err(refused(text));
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
