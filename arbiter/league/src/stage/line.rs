//! The line that announces a stage, and the matches and results of its tables.

use std::num::NonZeroUsize;

use rules::Score;
use serde::{Deserialize, Serialize};
use standings::pairing::Outcome;
use standings::pairing::knockout::Third;
use standings::pairing::tie_break::TieBreak;

use crate::version::BotVersion;

/// The line that announces a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageLine {
    /// Its number, from 0.
    pub stage: u64,
    /// Its name, for people.
    pub name: String,
    /// Its format.
    pub format: StageFormat,
    /// The bots in the order of their seeds, the best first.
    pub bots: Vec<BotVersion>,
    /// Number of deals of each table.
    pub deals: u64,
    /// The order of bots with equal scores.
    pub tie_breaks: Vec<TieBreak>,
}

/// The tie-breaks of a stage that names none.
pub const TIE_BREAKS: [TieBreak; 4] =
    [TieBreak::DirectEncounter, TieBreak::BuchholzCut1, TieBreak::Buchholz, TieBreak::Margin];

/// Which bots of a stage meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum StageFormat {
    /// All bots play all rounds; bots of equal score meet.
    Swiss {
        /// Number of rounds.
        rounds: usize,
    },
    /// The winner of each match goes on.
    Knockout {
        /// Result for the losers of the semifinals.
        third: Third,
    },
    /// Groups in which every two bots meet, and a knockout of the first of each.
    Groups(GroupFormat),
}

/// The format of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupFormat {
    /// Number of groups.
    pub groups: NonZeroUsize,
    /// Number of bots of each group that go on.
    pub first: NonZeroUsize,
    /// Result for the losers of the semifinals.
    pub third: Third,
}

/// The usual number of rounds of a Swiss stage: as many as a knockout of these bots has.
pub fn usual_rounds(bots: usize) -> usize {
    bots.max(2).next_power_of_two().ilog2() as usize
}

/// The match of a table in its stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StageMatch {
    /// One of a Swiss round, by its number from 1.
    Swiss(usize),
    /// One of a group, by its number from 1.
    Group(usize),
    /// One of a knockout: the number of bots that its round has room for, 2 in the final.
    Knockout(usize),
    /// The match for the third place.
    Third,
}

/// The result of a table of two bots over all of its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableResult {
    /// Number of games that each has won.
    pub won: [u64; 2],
    /// Number of drawn games.
    pub drawn: u64,
    /// The sum of the points of each.
    pub points: [Score; 2],
}

impl TableResult {
    /// The bot with more games won; a tie is a draw.
    pub fn outcome(self) -> Outcome {
        match self.won[0].cmp(&self.won[1]) {
            std::cmp::Ordering::Greater => Outcome::One,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Other,
        }
    }

    /// The winner of a match that must have one: more games won, then more points, then the better seed.
    pub fn winner(self, first_has_better_seed: bool) -> Outcome {
        let by_points = self.points[0].cmp(&self.points[1]);
        match self.won[0].cmp(&self.won[1]).then(by_points) {
            std::cmp::Ordering::Greater => Outcome::One,
            std::cmp::Ordering::Less => Outcome::Other,
            std::cmp::Ordering::Equal if first_has_better_seed => Outcome::One,
            std::cmp::Ordering::Equal => Outcome::Other,
        }
    }
}
