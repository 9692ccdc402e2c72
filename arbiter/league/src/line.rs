//! The lines of a league's log.

use std::ops::Range;

use bot::FileDigest;
use bot::manifest::ProgramMode;
use record::LineContent;
use rules::{Dialect, Digest, RulesLine};
use serde::{Deserialize, Serialize};
use series::header::CommittedSeed;
use series::schedule::{Format, Orders, ScheduleLine};

use crate::stage::line::{Decider, StageLine, StageMatch, TableResult};
use crate::version::BotVersion;

/// The version of the format of a league's log that this program writes and reads.
pub const FORMAT: u32 = 1;

/// A line of a league's log, without its place in the chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LeagueLine {
    /// The first line.
    League(LeagueHeader),
    /// A bot enters, or a new version of one.
    Enter(Box<EnterLine>),
    Retire(RetireLine),
    /// An earlier version of a bot plays again, in the place of the one that plays.
    Choose(ChooseLine),
    /// A later deadline of a participant, or a late submission that was accepted.
    Exception(ExceptionLine),
    /// A bot leaves the open stage, and stays in the league.
    Withdraw(WithdrawLine),
    /// Games that no longer count.
    Void(VoidLine),
    /// Void games that count again.
    Reinstate(ReinstateLine),
    /// Void games that are played again.
    Replay(ReplayLine),
    Stage(Box<StageLine>),
    /// A stage is ended before its last round.
    #[serde(rename = "stage-ended")]
    StageEnded(StageEndedLine),
    Round(Box<RoundLine>),
    Over(Box<RoundEndLine>),
    /// Other rules of the game, for the rounds that begin after this line.
    Rules(RulesChange),
    /// The time at which the next lines were written, in seconds since 1970, in a league whose pages freeze at some
    /// time. Nothing but frozen pages depends on it.
    Time(i64),
}

impl LineContent for LeagueLine {
    const FORMAT: u32 = FORMAT;
    const FIRST: &'static str = "league";

    fn is_game(&self) -> bool {
        false
    }

    fn is_last(&self) -> bool {
        false
    }
}

/// Properties of a league that never change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueHeader {
    pub format: u32,
    /// The version of the program that wrote the line.
    pub version: String,
    pub game: String,
    /// Its rules, if they are not compiled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesLine>,
    pub seats: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesChange {
    pub rules: RulesLine,
    /// Reason of the organiser, in one line.
    pub reason: String,
}

/// Most characters of the reason for a line.
pub const LONGEST_REASON: usize = 500;

/// A bot that leaves: its name and version alone, or with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum RetireLine {
    /// Without a reason.
    Bot(BotVersion),
    Reason {
        bot: BotVersion,
        /// Reason of the organiser, in one line.
        reason: String,
        /// True if no later version of it may enter.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        disqualified: bool,
    },
}

impl RetireLine {
    pub fn bot(&self) -> &BotVersion {
        match self {
            RetireLine::Bot(bot) | RetireLine::Reason { bot, .. } => bot,
        }
    }
}

/// A bot that leaves the open stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WithdrawLine {
    pub stage: u64,
    /// The bot, in the version that plays the stage.
    pub bot: BotVersion,
    /// Reason in one line.
    pub reason: String,
}

/// A stage that is ended before its last round: its number alone, or with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum StageEndedLine {
    /// Without a reason.
    Stage(u64),
    Reason {
        stage: u64,
        /// Reason of the organiser, in one line.
        reason: String,
    },
}

/// A version of a bot that plays again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChooseLine {
    pub bot: BotVersion,
    /// Reason of the organiser, in one line; none if its author chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExceptionLine {
    pub participant: String,
    /// Own deadline of the participant, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    /// Number of a late submission that was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<u64>,
    /// Reason of the organiser, in one line.
    pub reason: String,
}

/// Games of finished rounds that no longer count: those of a round, of a bot, or of a bot in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoidLine {
    /// The number of the round; all rounds so far if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u64>,
    /// The games of the round, by their numbers; all of them if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<u64>,
    /// The bot that must play in them; any bot if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<BotVersion>,
    /// Reason of the organiser, in one line.
    pub reason: String,
}

/// Void games that count again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReinstateLine {
    pub void: Digest,
    /// Reason of the organiser, in one line.
    pub reason: String,
}

/// Void games of a finished round that are played again. Deals are replayed as a whole, in every rotation of the seats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayLine {
    pub round: u64,
    /// The games of the round, by their numbers; all void ones if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<u64>,
    /// Reason of the organiser, in one line.
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnterLine {
    pub bot: BotVersion,
    /// Its command; paths start at the folder of the league.
    pub command: String,
    pub files: Vec<FileDigest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handed_in: Option<SubmittedFolder>,
    #[serde(default, skip_serializing_if = "is_native")]
    pub dialect: Dialect,
    #[serde(default, skip_serializing_if = "ProgramMode::is_usual")]
    pub mode: ProgramMode,
}

fn is_native(dialect: &Dialect) -> bool {
    *dialect == Dialect::Native
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmittedFolder {
    /// Its name, without its path.
    pub folder: String,
    pub contents: Digest,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundLine {
    /// Its number, from 0.
    pub round: u64,
    pub bots: Vec<BotVersion>,
    pub tables: Vec<TableLine>,
    /// Number of deals of each table.
    pub deals: u64,
    /// The number of the first deal; they are counted over all rounds.
    pub first_deal: u64,
    /// The digest of the seed of its cards.
    pub commitment: Digest,
    /// The stage that it belongs to, if one is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<u64>,
}

impl RoundLine {
    /// Returns the games of a deal of a table, both by their places in the round: deal after deal, each table plays it in
    /// every rotation of this number of seats.
    pub fn games_of(&self, deal: u64, table: usize, seats: usize) -> Range<u64> {
        let tables = self.tables.len() as u64;
        let first = deal.saturating_mul(tables).saturating_add(table as u64);
        let first = first.saturating_mul(seats as u64);
        first..first.saturating_add(seats as u64)
    }

    /// Returns the deal and the table of a game, likewise.
    pub fn place_of(&self, game: u64, seats: usize) -> (u64, usize) {
        let (seats, tables) = (seats.max(1) as u64, self.tables.len().max(1) as u64);
        (game / (seats * tables), (game / seats % tables) as usize)
    }

    /// Number of its games, if none is skipped.
    pub fn games(&self, seats: usize) -> u64 {
        (self.tables.len() as u64).saturating_mul(self.deals).saturating_mul(seats as u64)
    }

    pub fn bots_of(&self, table: usize) -> Vec<&BotVersion> {
        let places = self.tables.get(table).map_or(&[][..], |table| &table.bots);
        places.iter().filter_map(|place| self.bots.get(*place)).collect()
    }

    /// Checks that these are games of it, in order.
    pub(crate) fn check_games(&self, games: &[u64], seats: usize) -> Result<(), String> {
        let is_last_there = games.last().is_none_or(|last| *last < self.games(seats));
        match games.is_sorted_by(|one, other| one < other) && is_last_there {
            true => Ok(()),
            false => Err(format!("its games are not the games of round {}, in order", self.round)),
        }
    }

    /// Returns true if it plays void games of earlier rounds again.
    pub fn is_replay(&self) -> bool {
        self.tables.iter().any(|table| matches!(table.why, PairingReason::Replay { .. }))
    }

    pub fn schedule(&self) -> ScheduleLine {
        ScheduleLine {
            format: Format::Listed,
            orders: Orders::Rotations,
            deals: self.deals,
            tables: None,
            listed: self.tables.iter().map(|table| table.bots.clone()).collect(),
            shard: None,
            block: None,
            first_deal: self.first_deal,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableLine {
    /// The bots, by their places in the list of the round.
    pub bots: Vec<usize>,
    pub why: PairingReason,
}

/// Reason why the bots of a table meet; bots are named by their places in the list of the round.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum PairingReason {
    /// This one had played few deals. Only rounds of earlier versions of the program have it.
    New(usize),
    /// This one had fewer than half the deals of another one that was no less certain. Only rounds of
    /// earlier versions of the program have it.
    Behind(usize),
    /// The order of these two is open.
    Uncertain {
        pair: [usize; 2],
        /// The probability that their order by rating is the wrong one, to six decimals.
        probability: f64,
    },
    #[serde(rename = "least-met")]
    LeastMet {
        pair: [usize; 2],
        /// Number of deals, including earlier tables of the same round.
        deals: u64,
    },
    /// The rule of the open stage has them meet.
    Stage(StageMatch),
    /// They play void games of an earlier round again: the deals of their table there that wait, from the one with this
    /// game on.
    Replay {
        round: u64,
        /// The first game of the first of these deals.
        game: u64,
    },
    /// Their match in the open stage was tied.
    Decider(Decider),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundEndLine {
    /// Its number, from 0.
    pub round: u64,
    /// Number of games that count.
    pub games: u64,
    /// Digest of the last line of its log, which stands for the whole of it; none if nothing was played of a
    /// round that was broken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<Digest>,
    /// Reason why it has fewer games than announced, if it was broken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<RoundAbort>,
    /// The result of each table, of a round of a stage; none of one that was broken off, which is played again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<TableResult>,
}

/// Reason why a round was broken off. Its log has no end, so the seed stands here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundAbort {
    /// The problem, in one line.
    pub why: String,
    /// The seed of its cards.
    pub seed: CommittedSeed,
}
