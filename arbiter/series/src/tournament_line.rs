//! What a header says of a tournament.

use rules::Digest;
use serde::{Deserialize, Serialize};

use crate::conditions::KeptFiles;
use crate::fault_share::FaultShare;
use crate::schedule::ScheduleLine;
use standings::Sprt;
use standings::pairing::tie_break::TieBreak;

/// The parts of a header that make a series of games a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentLine {
    pub schedule: ScheduleLine,
    /// The share of faults that puts a bot out of the tournament; by default none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disqualify_after: Option<FaultShare>,
    /// The test of two bots that ends it once it is decided, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "sprt_as_text")]
    pub sprt: Option<Sprt>,
    /// Tie-breaks of bots with equal ratings and scores, the first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tie_breaks: Vec<TieBreak>,
    /// The time for which programs of the classic dialect keep their files.
    #[serde(default, skip_serializing_if = "KeptFiles::is_usual")]
    pub keep_files: KeptFiles,
    /// The head of the log that this one continues from, where it extends an older tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extends: Option<Digest>,
    /// Results of the blocks before the block of a shard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<LeagueRound>,
}

impl TournamentLine {
    /// The line of a tournament of its own, with this schedule and nothing that ends it early.
    pub fn of(schedule: ScheduleLine) -> TournamentLine {
        TournamentLine {
            schedule,
            disqualify_after: None,
            sprt: None,
            tie_breaks: Vec::new(),
            keep_files: KeptFiles::default(),
            extends: None,
            decided: None,
            league: None,
        }
    }
}

/// A round of a league, as the log of its games names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueRound {
    pub round: u64,
    /// The head of the league's log before the line that announces the round.
    pub after: Digest,
}

/// Decisions of the games before a block of deals: an input for the shards of the block, which do
/// not know these games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// The head of the merged log, up to the end of the block before.
    pub after: Digest,
    /// The names of the bots that are out of the tournament, in the order of the list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out: Vec<String>,
}

/// A test in its one spelling.
pub mod sprt_as_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use standings::Sprt;

    /// Writes it as a text.
    pub fn serialize<S: Serializer>(sprt: &Option<Sprt>, serializer: S) -> Result<S::Ok, S::Error> {
        sprt.as_ref().map(ToString::to_string).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Sprt>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(de::Error::custom)).transpose()
    }
}
