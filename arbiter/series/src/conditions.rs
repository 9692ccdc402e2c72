//! The value in which the command line, plans and leagues say under what games are played.

use crate::fault_share::{FaultShare, usual_share};
use crate::treatment::{KeptFiles, Treatment};
use bot::grants::AskedIsolation;
use bot::limits::AskedLimits;
use standings::Sprt;
use standings::pairing::tie_break::TieBreak;

/// Under what the games of a series are played, whichever games they are and whoever plays them.
///
/// The keys of plans and of `league.toml` that say it are those of `contest::tournament::plan_file`.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// Words that are mixed into the seed, in order.
    pub entropy: Vec<String>,
    /// Treatment of bots.
    pub treatment: Treatment,
    /// The share of faults that puts a bot out, if any does.
    pub disqualify_after: Option<FaultShare>,
    /// The test of two bots that ends the series early, if there is one.
    pub sprt: Option<Sprt>,
    /// Tie-breaks of bots with equal ratings and scores, the first one first.
    pub tie_breaks: Vec<TieBreak>,
    /// The time for which programs of the classic dialect keep their files in a tournament.
    pub keep_files: KeptFiles,
    /// Isolation of bots, and exceptions for some of them.
    pub isolation: AskedIsolation,
    /// Limits of an answer. A plan has the limits of each bot beside it.
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
