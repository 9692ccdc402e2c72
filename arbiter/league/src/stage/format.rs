//! Formats of stages.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};
use standings::pairing::knockout::Third;

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
    Groups(Groups),
}

/// The format of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Groups {
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
