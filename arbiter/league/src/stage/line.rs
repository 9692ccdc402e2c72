//! The line that announces a stage, and the matches and results of its tables.

use std::num::NonZeroUsize;
use std::ops::Add;

use rules::Score;
use serde::{Deserialize, Serialize};
use standings::pairing::Outcome;
use standings::pairing::knockout::ThirdPlace;
use standings::pairing::tie_break::TieBreak;

use crate::version::BotVersion;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageLine {
    /// Its number, from 0.
    pub stage: u64,
    /// Its name, for people.
    pub name: String,
    pub format: StageFormat,
    /// The bots in the order of their seeds, the best first.
    pub bots: Vec<BotVersion>,
    /// Number of deals of each table.
    pub deals: u64,
    /// The order of bots with equal scores.
    pub tie_breaks: Vec<TieBreak>,
    /// Most pairs of games on extra deals that decide a tied match of a knockout.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub deciders: u64,
    /// The way in which forfeits count.
    #[serde(default, skip_serializing_if = "ForfeitRule::is_unlisted")]
    pub forfeits: ForfeitRule,
}

/// The usual number of pairs of games on extra deals.
pub const DECIDERS: u64 = 5;
/// Most pairs of games on extra deals that a stage may have.
pub const MOST_DECIDERS: u64 = 1000;

/// The way in which forfeits count in a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ForfeitRule {
    /// Results do not list forfeited games. Only stages of earlier versions of the program have it.
    #[default]
    Unlisted,
    /// Results list the forfeited games of each bot.
    Listed,
}

impl ForfeitRule {
    fn is_unlisted(&self) -> bool {
        *self == ForfeitRule::Unlisted
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The tie-breaks of a stage that names none.
pub const TIE_BREAKS: [TieBreak; 4] =
    [TieBreak::DirectEncounter, TieBreak::BuchholzCut1, TieBreak::Buchholz, TieBreak::Margin];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum StageFormat {
    /// All bots play all rounds; bots of equal score meet.
    Swiss { rounds: usize },
    /// The winner of each match goes on.
    Knockout {
        /// Result for the losers of the semifinals.
        third: ThirdPlace,
    },
    /// A bot is out once it has lost two matches.
    #[serde(rename = "double-elimination")]
    DoubleElimination,
    /// Groups in which every two bots meet, and a knockout of the first of each.
    Groups(GroupFormat),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupFormat {
    pub groups: NonZeroUsize,
    /// Number of bots of each group that go on.
    pub first: NonZeroUsize,
    /// Result for the losers of the semifinals.
    pub third: ThirdPlace,
}

/// The usual number of rounds of a Swiss stage: as many as a knockout of these bots has.
pub fn usual_rounds(bots: usize) -> usize {
    bots.max(2).next_power_of_two().ilog2() as usize
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StageMatch {
    /// One of a Swiss round, by its number from 1.
    Swiss(usize),
    /// One of a group, by its number from 1.
    Group(usize),
    /// One of a knockout: the number of bots that its round has room for, 2 in the final.
    Knockout(usize),
    Third,
    /// One of the winners' bracket of a double elimination: the number of bots that its round has room for, 2 in its
    /// final.
    Winners(usize),
    Losers {
        /// The number of its round, from 1.
        round: usize,
        /// Number of these rounds.
        of: usize,
    },
    /// The grand final, between the winners of both brackets.
    Final,
    /// The second final, if the winner of the losers' bracket has won the first.
    #[serde(rename = "second-final")]
    SecondFinal,
}

impl StageMatch {
    /// Returns true if it must have a winner.
    pub fn is_of_knockout(self) -> bool {
        !matches!(self, StageMatch::Swiss(_) | StageMatch::Group(_))
    }
}

/// A pair of games on an extra deal, after a match of a knockout was tied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decider {
    pub r#match: StageMatch,
    /// The number of the pair, from 1.
    pub pair: u64,
}

/// The result of a table of two bots over all of its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableResult {
    pub won: [u64; 2],
    pub drawn: u64,
    pub points: [Score; 2],
    /// Number of games that each has forfeited, if the stage lists them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeited: Option<[u64; 2]>,
}

impl TableResult {
    /// Returns the bot with more games won; a tie is a draw.
    pub fn outcome(self) -> Outcome {
        match self.won[0].cmp(&self.won[1]) {
            std::cmp::Ordering::Greater => Outcome::One,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Other,
        }
    }

    /// Returns the result as a stage with this rule writes it.
    pub fn with_rule(self, rule: ForfeitRule) -> TableResult {
        let forfeited = match rule {
            ForfeitRule::Unlisted => None,
            ForfeitRule::Listed => Some(self.forfeited.unwrap_or_default()),
        };
        TableResult { forfeited, ..self }
    }
}

impl Add for TableResult {
    type Output = TableResult;

    fn add(self, other: TableResult) -> TableResult {
        let sum = |of: fn(&TableResult) -> [u64; 2]| {
            let [one, two] = [of(&self), of(&other)];
            [one[0].saturating_add(two[0]), one[1].saturating_add(two[1])]
        };
        let is_listed = self.forfeited.is_some() || other.forfeited.is_some();
        TableResult {
            won: sum(|it| it.won),
            drawn: self.drawn.saturating_add(other.drawn),
            points: [self.points[0] + other.points[0], self.points[1] + other.points[1]],
            forfeited: is_listed.then(|| sum(|it| it.forfeited.unwrap_or_default())),
        }
    }
}

/// Two bots that meet, by their seeds from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageTable {
    pub bots: [usize; 2],
    pub of: StageMatch,
    /// The number of the pair of games on an extra deal, from 1; none for the match itself.
    pub decider: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StageRound {
    /// Its number among the rounds of the league.
    pub round: u64,
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextRound {
    Round {
        tables: Vec<StageTable>,
        deals: u64,
        /// The bot without an opponent in a Swiss round.
        bye: Option<usize>,
    },
    Over,
}
