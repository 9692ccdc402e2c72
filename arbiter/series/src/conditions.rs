//! Under what games are played, as the command line, plans and leagues say it.

use std::fmt;
use std::str::FromStr;

use bot::grants::IsolationSpec;
use bot::limits::LimitSpecs;
use rules::NotText;
use sandbox::PonderPermission;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
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
    pub treatment: BotTreatment,
    /// The share of faults that puts a bot out, if any does.
    pub disqualify_after: Option<FaultLimit>,
    /// The test of two bots that ends the series early, if there is one.
    pub sprt: Option<Sprt>,
    /// Tie-breaks of bots with equal ratings and scores, the first one first.
    pub tie_breaks: Vec<TieBreak>,
    /// The time for which programs of the classic dialect keep their files in a tournament.
    pub keep_files: FileRetention,
    /// Isolation of bots, and exceptions for some of them.
    pub isolation: IsolationSpec,
    /// Limits of an answer. A plan has the limits of each bot beside it.
    pub limits: LimitSpecs,
}

impl Default for Conditions {
    fn default() -> Conditions {
        Conditions {
            entropy: Vec::new(),
            treatment: BotTreatment::default(),
            disqualify_after: usual_share(),
            sprt: None,
            tie_breaks: Vec::new(),
            keep_files: FileRetention::default(),
            isolation: IsolationSpec::default(),
            limits: LimitSpecs::default(),
        }
    }
}

/// How bots are treated in every game. Each field is an option of commands, a key of plans, and a field of
/// the header.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct BotTreatment {
    /// Retries after an illegal or malformed answer
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 0, value_parser = chances))]
    pub retries: u32,
    /// Replay a game, up to 3 times, after a timeout while starved of CPU time [default: yes, but no
    /// in matches]
    #[cfg_attr(feature = "clap", arg(long = "replay-suspect", value_name = "yes|no", num_args = 0..=1, require_equals = true, default_missing_value = "yes", value_parser = yes_or_no))]
    pub suspect_games: Option<SuspectGames>,
    /// Allow resident bots to ponder during other seats' turns
    #[cfg_attr(feature = "clap", arg(long, action = clap::ArgAction::SetTrue, value_parser = flag::<PonderPermission>()))]
    pub ponder: PonderPermission,
}

impl BotTreatment {
    /// Returns the treatment in a tournament or a league, where suspect games are played again unless something else is
    /// asked for.
    pub fn of_tournament(self) -> BotTreatment {
        let suspect_games = self.suspect_games.or(Some(SuspectGames::PlayAgain));
        BotTreatment { suspect_games, ..self }
    }
}

/// Reads whether suspect games are played again.
#[cfg(feature = "clap")]
fn yes_or_no(text: &str) -> Result<SuspectGames, String> {
    match text {
        "yes" => Ok(SuspectGames::PlayAgain),
        "no" => Ok(SuspectGames::Count),
        _ => Err("must be yes or no".to_owned()),
    }
}

/// The most chances that a bot can have at a move after its first.
pub const MOST_RETRIES: u32 = 100;

/// Treatment of games that an overloaded machine may have decided.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuspectGames {
    /// They count, and are marked.
    #[default]
    Count,
    /// They are played again, a few times at most.
    PlayAgain,
}

impl From<bool> for SuspectGames {
    fn from(again: bool) -> SuspectGames {
        if again { SuspectGames::PlayAgain } else { SuspectGames::Count }
    }
}

/// The time for which programs of the classic dialect keep the files in their working folders, in a tournament.
///
/// In a file it is `true` or `false`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum FileRetention {
    /// For one game.
    #[default]
    OfGame,
    /// For all games of a run.
    OfRun,
}

impl FileRetention {
    /// Returns true if they are kept for one game.
    pub fn is_usual(&self) -> bool {
        *self == FileRetention::OfGame
    }
}

impl From<bool> for FileRetention {
    fn from(of_run: bool) -> FileRetention {
        if of_run { FileRetention::OfRun } else { FileRetention::OfGame }
    }
}

impl From<FileRetention> for bool {
    fn from(kept: FileRetention) -> bool {
        kept == FileRetention::OfRun
    }
}

pub fn chances(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST_RETRIES);
    number.ok_or_else(|| format!("must be a number of retries from 0 to {MOST_RETRIES}"))
}

/// An option without a value, which stands for one of two values.
#[cfg(feature = "clap")]
fn flag<T: From<bool> + Clone + Send + Sync + 'static>() -> impl clap::builder::TypedValueParser {
    use clap::builder::{BoolValueParser, TypedValueParser};
    BoolValueParser::new().map(T::from)
}

/// The share of its games in which a bot may fault before it is out of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawFaultLimit")]
pub struct FaultLimit {
    percent: u8,
    /// The fewest games after which a bot can be out.
    games: u64,
    #[serde(default, skip_serializing_if = "SuspectFaults::are_counted")]
    suspect: SuspectFaults,
}

/// Treatment of a fault that an overloaded machine may have caused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuspectFaults {
    /// As much as any other, as in tournaments that say nothing of it.
    #[default]
    Counted,
    /// Nothing: the game says nothing of the bot that was late.
    Ignored,
}

impl SuspectFaults {
    fn are_counted(&self) -> bool {
        *self == SuspectFaults::Counted
    }
}

/// A share as it may stand in a log.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFaultLimit {
    percent: u8,
    games: u64,
    #[serde(default)]
    suspect: SuspectFaults,
}

impl TryFrom<RawFaultLimit> for FaultLimit {
    type Error = NotText;

    fn try_from(unchecked: RawFaultLimit) -> Result<Self, NotText> {
        let RawFaultLimit { percent, games, suspect } = unchecked;
        match percent <= 100 && games > 0 {
            true => Ok(FaultLimit { percent, games, suspect }),
            false => Err(NotText::new("a share of games from 0% to 100%", &format!("{percent}%"))),
        }
    }
}

impl FaultLimit {
    /// The number of games a bot has played at least before it can be out.
    pub const LEAST_GAMES: u64 = 8;

    /// A quarter of its games, suspect faults aside.
    pub const DEFAULT: FaultLimit =
        FaultLimit { percent: 25, games: FaultLimit::LEAST_GAMES, suspect: SuspectFaults::Ignored };

    pub fn suspect(self) -> SuspectFaults {
        self.suspect
    }

    /// Sets the treatment of faults in suspect games.
    pub fn with(self, suspect: SuspectFaults) -> FaultLimit {
        FaultLimit { suspect, ..self }
    }

    /// Returns true if this number of games with a fault is too high.
    pub(crate) fn is_exceeded(self, games: u64, faults: u64) -> bool {
        games >= self.games
            && u128::from(faults) * 100 > u128::from(games) * u128::from(self.percent)
    }
}

impl fmt::Display for FaultLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent)
    }
}

impl FromStr for FaultLimit {
    type Err = NotText;

    /// Reads a share as it is written, `25%`.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let percent = text.strip_suffix('%').and_then(|number| number.parse().ok());
        match percent.filter(|percent| *percent <= 100) {
            Some(percent) => Ok(FaultLimit { percent, ..FaultLimit::DEFAULT }),
            None => Err(NotText::new("a share of games from 0% to 100%", text)),
        }
    }
}

/// The share of faults that puts a bot out by default.
pub fn usual_share() -> Option<FaultLimit> {
    Some(FaultLimit::DEFAULT)
}

/// Reads when a bot is out: a share of faults, or `never`.
pub fn disqualify_after(text: &str) -> Result<Option<FaultLimit>, NotText> {
    match text {
        "never" => Ok(None),
        text => text.parse().map(Some),
    }
}

/// When a bot is out, as a text.
pub mod share_as_text {
    use super::{
        Deserialize, Deserializer, FaultLimit, Serialize, Serializer, de, disqualify_after,
    };

    pub fn serialize<S: Serializer>(
        share: &Option<FaultLimit>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text = share.as_ref().map(ToString::to_string);
        text.as_deref().unwrap_or("never").serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<FaultLimit>, D::Error> {
        disqualify_after(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
