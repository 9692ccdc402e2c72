//! The value in which the command line, plans and leagues say under what games are played.

use rules::NotText;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::bot::grants::AskedIsolation;
use crate::bot::limits::AskedLimits;
use crate::series::progress::FaultShare;
use crate::series::sprt_as_text;
use crate::series::{KeptFiles, SuspectGames};
use sandbox::Ponder;
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

/// How bots are treated in every game. Each field is an option of commands, a key of plans, and a field of
/// the header.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Treatment {
    /// How many more times to ask for a move after an illegal or malformed answer
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 0, value_parser = chances))]
    #[serde(default)]
    pub retries: u32,
    /// Replay a game, up to 3 times, if a bot timed out while it was starved of CPU
    #[cfg_attr(feature = "clap", arg(long = "replay-suspect", action = clap::ArgAction::SetTrue, value_parser = flag::<SuspectGames>()))]
    #[serde(rename = "replay-suspect", default, with = "suspect_as_flag")]
    pub suspect_games: SuspectGames,
    /// Let resident bots keep thinking during other seats' turns
    #[cfg_attr(feature = "clap", arg(long, action = clap::ArgAction::SetTrue, value_parser = flag::<Ponder>()))]
    #[serde(default, skip_serializing_if = "Ponder::is_never")]
    pub ponder: Ponder,
}

/// The most chances that a bot can have at a move after its first.
pub const MOST_RETRIES: u32 = 100;

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

/// Reads when a bot is out: a share of faults, or `never`.
pub fn disqualify_after(text: &str) -> Result<Option<FaultShare>, NotText> {
    match text {
        "never" => Ok(None),
        text => text.parse().map(Some),
    }
}

/// Reads a number of further chances.
pub fn chances(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST_RETRIES);
    number.ok_or_else(|| format!("expected a number of retries from 0 to {MOST_RETRIES}"))
}

/// An option without a value, which stands for one of two values.
#[cfg(feature = "clap")]
fn flag<T: From<bool> + Clone + Send + Sync + 'static>() -> impl clap::builder::TypedValueParser {
    use clap::builder::{BoolValueParser, TypedValueParser};
    BoolValueParser::new().map(T::from)
}

fn usual_share() -> Option<FaultShare> {
    Some(FaultShare::DEFAULT)
}

/// When a bot is out, as a text.
mod share_as_text {
    use super::{
        Deserialize, Deserializer, FaultShare, Serialize, Serializer, de, disqualify_after,
    };

    pub(super) fn serialize<S: Serializer>(
        share: &Option<FaultShare>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text = share.as_ref().map(ToString::to_string);
        text.as_deref().unwrap_or("never").serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<FaultShare>, D::Error> {
        disqualify_after(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// Treatment of suspect games, as a flag: true if they are played again.
mod suspect_as_flag {
    use super::{Deserialize, Deserializer, Serialize, Serializer, SuspectGames};

    pub(super) fn serialize<S: Serializer>(
        games: &SuspectGames,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        (*games == SuspectGames::PlayAgain).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<SuspectGames, D::Error> {
        bool::deserialize(deserializer).map(SuspectGames::from)
    }
}
