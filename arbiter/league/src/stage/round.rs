//! Rounds of a stage and their tables.

use thiserror::Error;

use crate::stage::line::{StageMatch, TableResult};

/// Two bots that meet, by their seeds from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageTable {
    /// The bots.
    pub bots: [usize; 2],
    /// Their match.
    pub of: StageMatch,
    /// The number of the pair of games on an extra deal, from 1; none for the match itself.
    pub decider: Option<u64>,
}

/// A round of a stage.
#[derive(Debug, Clone, PartialEq)]
pub struct StageRound {
    /// Its number among the rounds of the league.
    pub round: u64,
    /// Its tables, by the rule of the stage.
    pub tables: Vec<StageTable>,
    /// The bot without an opponent in a Swiss round, by its seed from 0.
    pub bye: Option<usize>,
    /// The results of the tables; none while it is played.
    pub results: Option<Vec<TableResult>>,
}

impl StageRound {
    /// Returns the tables with their results; none while it is played.
    pub fn played(&self) -> impl Iterator<Item = (StageTable, TableResult)> + '_ {
        self.tables.iter().copied().zip(self.results.iter().flatten().copied())
    }
}

/// A next round, or the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextRound {
    /// These tables are played.
    Round {
        /// The tables.
        tables: Vec<StageTable>,
        /// Number of deals of each.
        deals: u64,
        /// The bot without an opponent in a Swiss round.
        bye: Option<usize>,
    },
    /// The stage is over.
    Over,
}

/// Reason why a stage cannot begin or go on; one line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct StageError(pub String);

pub(super) fn stage_error(why: impl ToString) -> StageError {
    StageError(why.to_string())
}
