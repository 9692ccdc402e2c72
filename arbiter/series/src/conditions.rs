//! The value in which the command line, plans and leagues say under what games are played.

use serde::{Deserialize, Serialize};

use crate::fault_share::{FaultShare, share_as_text};
use crate::tournament_line::sprt_as_text;
use crate::treatment::{KeptFiles, Treatment};
use bot::grants::AskedIsolation;
use bot::limits::AskedLimits;
use standings::Sprt;
use standings::pairing::tie_break::TieBreak;

/// Under what the games of a series are played, whichever games they are and whoever plays them.
///
/// Its serde form is that of plans and of `league.toml`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Conditions {
    /// Words that are mixed into the seed, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entropy: Vec<String>,
    /// Treatment of bots. A plan flattens it beside these, since what is flattened twice refuses no
    /// key.
    #[serde(skip)]
    pub treatment: Treatment,
    /// The share of faults that puts a bot out, if any does.
    #[serde(default = "usual_share", with = "share_as_text")]
    pub disqualify_after: Option<FaultShare>,
    /// The test of two bots that ends the series early, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "sprt_as_text")]
    pub sprt: Option<Sprt>,
    /// Tie-breaks of bots with equal ratings and scores, the first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tie_breaks: Vec<TieBreak>,
    /// The time for which programs of the classic dialect keep their files in a tournament.
    #[serde(default, skip_serializing_if = "KeptFiles::is_usual")]
    pub keep_files: KeptFiles,
    /// Isolation of bots, and exceptions for some of them.
    #[serde(skip)]
    pub isolation: AskedIsolation,
    /// Limits of an answer. A plan has the limits of each bot beside it.
    #[serde(skip)]
    pub limits: AskedLimits,
}

impl Default for Conditions {
    /// The usual ones.
    fn default() -> Conditions {
        Conditions {
            entropy: Vec::new(),
            treatment: Treatment::default(),
            disqualify_after: usual_share(),
            sprt: None,
            tie_breaks: Vec::new(),
            keep_files: KeptFiles::default(),
            isolation: AskedIsolation::default(),
            limits: AskedLimits::default(),
        }
    }
}

fn usual_share() -> Option<FaultShare> {
    Some(FaultShare::DEFAULT)
}
