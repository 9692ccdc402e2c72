//! Stages of a league: rounds whose tables follow from the results of the rounds before, by a written rule.
//!
//! # Theory of operation
//!
//! **A stage is announced by a line in the log** of the league, with its format and its bots in the order of their
//! seeds. The versions are frozen: a bot that enters again meanwhile plays the stage with the version that is listed.
//!
//! **Its rounds are rounds of the league.** While a stage is open there are no others. The line at the end of each has
//! the result of every table, so [`Stage::next`] is a pure function of the log of the league: every reader of the log
//! checks that the tables of each round are those of the rule. A Swiss pairing of many bots takes seconds, so a reader
//! only checks that all bots are in it, each once, and that nobody meets again; `arbiter verify` pairs each round anew.
//! It also computes the results from the games.
//!
//! **A bot may leave a stage**: withdrawn or disqualified by the organiser, or because its files are gone. Its matches
//! that are not over are decided without it, by a rule for each format ([`Leavers`]).
//!
//! **A table is a match of two bots** over some deals, each in both orders of the seats. It goes to the bot with more
//! games won; a drawn game is half of one for each. In a knockout of any kind, a tie goes on with pairs of games on extra deals, a
//! round of the league each, until one bot leads; after the last pair, points decide, then the better seed.

mod knockout;
pub(crate) mod line;
pub mod output;
mod places;
mod state;

pub use knockout::{DecidedBy, Decision, Decisions, Leaver, Leavers, LeavingMode};
pub use line::{
    DECIDERS, Decider, ForfeitRule, GroupFormat, MOST_DECIDERS, NextRound, StageFormat, StageLine,
    StageMatch, StageRound, StageTable, TIE_BREAKS, TableResult, usual_rounds,
};
pub use places::{SeparatedBy, StagePlace, results};
pub use state::{AbortedStage, MOST_BOTS, Stage};
