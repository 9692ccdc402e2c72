//! The layout of a plan's file: its keys, read and written.

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU32, NonZeroUsize};

use bot::grants::Grants;
use bot::manifest::{Mode, toml_error};
use bot::{BotSpec, bad_name, is_name, is_player_name, spelt_as_names};
use rules::{Dialect, Digest, GameKind};
use sandbox::isolation::Isolation;
use sandbox::{LimitTexts, Limits, Ponder, text_or_number};
use serde::{Deserialize, Serialize};
use series::conditions::{FaultShare, SuspectFaults, share_as_text, usual_share};
use series::schedule::{Block, Format, Orders, ScheduleLine, Shard};
use series::{Conditions, Decided, KeptFiles, LeagueRound, SuspectGames, sprt_as_text};
use standings::Sprt;
use standings::pairing::tie_break::TieBreak;
use text::failure::Failure;
use text::printable;

use crate::tournament::plan::{Entry, PlannedSeed, Settings};

/// A plan in the layout of its file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PlanFile {
    pub(super) game: String,
    /// The digest of its rules, if they are not the first ones of its league.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rules: Option<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seats: Option<usize>,
    #[serde(default)]
    pub(super) options: String,
    pub(super) deals: Option<u64>,
    #[serde(default)]
    pub(super) format: Format,
    #[serde(default)]
    pub(super) orders: Orders,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tables: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) listed: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shard: Option<Shard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shards: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) block_deals: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) first_deal: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extends: Option<Digest>,
    #[serde(default, deserialize_with = "text_or_number", skip_serializing_if = "Option::is_none")]
    pub(super) seed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) commitment: Option<Digest>,
    #[serde(default)]
    pub(super) retries: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) replay_suspect: Option<bool>,
    #[serde(default, skip_serializing_if = "Ponder::is_never")]
    pub(super) ponder: Ponder,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) entropy: Vec<String>,
    #[serde(default = "usual_share", with = "share_as_text")]
    pub(super) disqualify_after: Option<FaultShare>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "sprt_as_text")]
    pub(super) sprt: Option<Sprt>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tie_breaks: Vec<TieBreak>,
    #[serde(default, skip_serializing_if = "KeptFiles::is_usual")]
    pub(super) keep_files: KeptFiles,
    #[serde(default, skip_serializing_if = "Isolation::is_usual")]
    pub(super) isolation: Isolation,
    #[serde(default, skip_serializing_if = "Grants::is_empty")]
    pub(super) allow: Grants,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) suspect_faults: Option<SuspectFaults>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) block: Option<Block>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decided: Option<Decided>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) league: Option<LeagueRound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rounds: Option<RoundsFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) build_time: Option<String>,
    /// Read by leagues themselves, as are their quotas and notifications.
    #[serde(skip_serializing)]
    pub(super) calendar: Option<toml::Value>,
    #[serde(skip_serializing)]
    pub(super) quotas: Option<toml::Value>,
    #[serde(skip_serializing)]
    pub(super) notify: Option<toml::Value>,
    #[serde(skip_serializing)]
    pub(super) pages: Option<toml::Value>,
    #[serde(skip_serializing)]
    pub(super) remote: Option<toml::Value>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) limits: LimitTexts,
    /// Limits for the bots of a name, of a kind or of a group.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) limits_of: BTreeMap<String, LimitTexts>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) groups: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(super) bots: Vec<BotFile>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A bot in the layout of a plan's file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct BotFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dialect: Option<Dialect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<Mode>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) limits: LimitTexts,
}

/// Size of the rounds of a league.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoundsFile {
    /// Number of deals of a table in a round, each in all rotations of seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<NonZeroU32>,
    /// Most tables of a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<NonZeroUsize>,
    /// Bound below which earlier versions of the program called a bot new. It is read so that their leagues go on,
    /// and has no effect.
    #[serde(skip_serializing)]
    pub new_below: Option<u64>,
}

impl PlanFile {
    pub(super) fn parse(text: &str) -> Result<PlanFile, Failure> {
        toml::from_str(text).map_err(|error| bad_toml(text, &error))
    }

    /// Makes the file of a plan with these settings, without its bots and listed tables.
    pub(super) fn new(kind: &GameKind, settings: &Settings) -> PlanFile {
        let Conditions { treatment, isolation, .. } = &settings.conditions;
        let ScheduleLine { format, orders, deals, tables, shard, block, first_deal, .. } =
            settings.schedule;
        PlanFile {
            game: kind.name().to_owned(),
            rules: None,
            seats: None,
            options: settings.options.clone(),
            deals: Some(deals),
            format,
            orders,
            tables,
            listed: Vec::new(),
            shard,
            shards: settings.sharding.map(|sharding| sharding.shards),
            block_deals: settings.sharding.and_then(|sharding| sharding.block_deals),
            block,
            decided: settings.decided.clone(),
            league: settings.league,
            first_deal,
            extends: settings.extends,
            seed: settings.seed.known().map(ToString::to_string),
            commitment: match settings.seed {
                PlannedSeed::Known(_) => None,
                PlannedSeed::Apart(commitment) => Some(commitment),
            },
            retries: treatment.retries,
            replay_suspect: treatment.suspect_games.map(|it| it == SuspectGames::PlayAgain),
            ponder: treatment.ponder,
            entropy: settings.conditions.entropy.clone(),
            disqualify_after: settings.conditions.disqualify_after,
            sprt: settings.conditions.sprt,
            tie_breaks: settings.conditions.tie_breaks.clone(),
            keep_files: settings.conditions.keep_files,
            isolation: isolation.isolation,
            allow: isolation.grants.clone(),
            suspect_faults: settings.conditions.disqualify_after.map(FaultShare::suspect),
            rounds: None,
            build_time: None,
            calendar: None,
            quotas: None,
            notify: None,
            pages: None,
            remote: None,
            limits: LimitTexts::default(),
            limits_of: BTreeMap::new(),
            groups: BTreeMap::new(),
            bots: Vec::new(),
        }
    }
}

impl BotFile {
    pub(super) fn new(entry: &Entry) -> BotFile {
        let dialect = entry.bot.dialect();
        BotFile {
            name: Some(entry.name.clone()),
            command: entry.bot.command().to_owned(),
            dialect: (dialect != Dialect::Native).then_some(dialect),
            mode: entry.bot.stated_mode(),
            limits: limit_texts(&entry.limits),
        }
    }

    /// Returns its name in the spelling of all names, even if it is not a valid one.
    pub(super) fn name(&self) -> Option<String> {
        self.name.as_deref().map(spelt_as_names)
    }

    /// Makes the bot, as the command line would.
    pub(super) fn spec(&self) -> Result<BotSpec, Failure> {
        let name = self.name();
        if let Some(name) = name.as_ref().filter(|name| !is_player_name(name)) {
            return Err(bad_name(&printable(name)));
        }
        let dialect = self.dialect.map(|dialect| format!("dialect={dialect} "));
        // A generated name has a number, and is not a name of the command line.
        let name = name.map(|name| match name.split_once('@') {
            Some((bot, _version)) => bot.to_owned(),
            None => name,
        });
        let name = name.filter(|name| is_name(name));
        let name = name.map(|name| format!("{name}="));
        let parts = [dialect.as_deref(), name.as_deref(), Some(&self.command)];
        let bot: BotSpec = parts.into_iter().flatten().collect::<String>().parse()?;
        Ok(match self.mode {
            Some(mode) => bot.living(mode)?,
            None => bot,
        })
    }
}

/// The limits that differ from the defaults.
pub(super) fn limit_texts(limits: &Limits) -> LimitTexts {
    LimitTexts::new(|kind| {
        let amount = kind.amount(limits);
        let usual = kind.amount(&Limits::DEFAULT);
        // A time for a game changes what a missing limit of an answer means.
        let is_said = amount != usual || limits.game_time.is_some() && kind.name == "time-limit";
        amount.filter(|_| is_said).map(|amount| amount.to_string())
    })
}

/// The message about the value of a key.
pub fn wrong_value(key: &str, problem: impl fmt::Display) -> Failure {
    Failure::usage(format_args!("`{key}`: {problem}"))
}

/// The message about the mistake that TOML, or the layout of a part of it, has found in a text.
pub fn bad_toml(text: &str, error: &toml::de::Error) -> Failure {
    Failure::Usage(match unknown_key(text, error) {
        Some((line, key)) => format!("line {line}: unknown key `{}`", printable(key)),
        None => toml_error(text, error),
    })
}

/// Finds the unknown key at the top of a plan, and its line.
fn unknown_key<'a>(text: &'a str, error: &toml::de::Error) -> Option<(usize, &'a str)> {
    let key = error.message().strip_prefix("unknown field `")?.split('`').next()?;
    let at = text.get(..error.span()?.start)?.matches('\n').count();
    let mut is_in_table = false;
    text.lines().enumerate().find_map(|(place, line)| {
        let is_heading = line.trim_start().starts_with('[');
        is_in_table |= is_heading;
        let found = line.split(['=', ']']).next()?.trim_matches(|it| " \t[\"'".contains(it));
        // A key inside a table is a different one, even under the same name.
        let is_top = is_in_table == is_heading;
        (place == at && is_top && found == key).then_some((place + 1, found))
    })
}
