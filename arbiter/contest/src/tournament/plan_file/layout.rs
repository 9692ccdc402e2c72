//! The layout of a plan's file: its keys, read and written.

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU32, NonZeroUsize};

use bot::grants::{Grants, IsolationSpec};
use bot::limits::{LimitSpec, LimitSpecs};
use bot::manifest::{ProgramMode, toml_error};
use bot::{BotSpec, bad_name, is_name, is_player_name, spelt_as_names};
use rules::{Dialect, Digest, GameKind};
use sandbox::isolation::Isolation;
use sandbox::{LimitTexts, Limits, PonderPermission, text_or_number};
use serde::{Deserialize, Serialize};
use series::conditions::{FaultLimit, SuspectFaults, share_as_text, usual_share};
use series::header::{CommittedSeed, SeedText};
use series::schedule::{Block, Format, Orders, ScheduleLine, Shard};
use series::{
    BotTreatment, Conditions, FileRetention, LeagueRound, MOST_RETRIES, PriorDecisions,
    SuspectGames, sprt_as_text,
};
use standings::Sprt;
use standings::pairing::tie_break::TieBreak;
use text::failure::Failure;
use text::printable;

use crate::tournament::plan::{PlannedBot, PlannedSeed, Settings, Sharding};

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
    #[serde(default, skip_serializing_if = "PonderPermission::is_never")]
    pub(super) ponder: PonderPermission,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) entropy: Vec<String>,
    #[serde(default = "usual_share", with = "share_as_text")]
    pub(super) disqualify_after: Option<FaultLimit>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "sprt_as_text")]
    pub(super) sprt: Option<Sprt>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tie_breaks: Vec<TieBreak>,
    #[serde(default, skip_serializing_if = "FileRetention::is_usual")]
    pub(super) keep_files: FileRetention,
    #[serde(default, skip_serializing_if = "Isolation::is_usual")]
    pub(super) isolation: Isolation,
    #[serde(default, skip_serializing_if = "Grants::is_empty")]
    pub(super) allow: Grants,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) suspect_faults: Option<SuspectFaults>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) block: Option<Block>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decided: Option<PriorDecisions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) league: Option<LeagueRound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rounds: Option<RoundsSection>,
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
    pub(super) bots: Vec<BotSection>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct BotSection {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dialect: Option<Dialect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<ProgramMode>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) limits: LimitTexts,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoundsSection {
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
            seed: settings.seed.known_seed().map(ToString::to_string),
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
            suspect_faults: settings.conditions.disqualify_after.map(FaultLimit::suspect),
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

impl BotSection {
    pub(super) fn new(entry: &PlannedBot) -> BotSection {
        let dialect = entry.bot.dialect();
        BotSection {
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

/// Number of deals by default.
pub const DEALS: u64 = 100;

pub enum ReadPurpose {
    /// To play it: bots that are folders are opened, bots that were handed in are added, and a seed is drawn if none
    /// is named.
    Plays {
        /// The bots that were handed in.
        submitted: Vec<BotSpec>,
        /// The seed of a plan that names none.
        seed: CommittedSeed,
    },
    /// To look at its games, or to go on: the bots may be gone, and are not opened.
    Looks,
}

impl PlanFile {
    pub(super) fn settings(
        &self,
        kind: &GameKind,
        reader: &ReadPurpose,
    ) -> Result<Settings, Failure> {
        if self.seats.is_some() && self.options.contains("seats=") {
            return Err(wrong_value("seats", "is set twice: as a key and in `options`".to_owned()));
        }
        let is_new = matches!(reader, ReadPurpose::Plays { .. });
        let written = [
            ("extends", self.extends.is_some(), "tournament extend"),
            ("first-deal", self.first_deal > 0, "tournament extend"),
            ("shard", self.shard.is_some(), "tournament run-shard"),
            ("block", self.block.is_some(), "tournament run-shard"),
            ("decided", self.decided.is_some(), "tournament run-shard"),
            ("commitment", self.commitment.is_some(), "tournament plan"),
            ("league", self.league.is_some(), "league run"),
        ];
        if let Some((key, _, command)) = written.into_iter().find(|(_, it, _)| is_new && *it) {
            let problem = format!("is set by `arbiter {command}` itself: remove it from the plan");
            return Err(wrong_value(key, problem));
        }
        if self.block_deals.is_some() && self.shards.is_none() {
            return Err(wrong_value("block-deals", "requires `shards`".to_owned()));
        }
        if !Orders::OF_TOURNAMENTS.contains(&self.orders) {
            let problem = format!("invalid value {}: use rotations or all", self.orders.name());
            return Err(wrong_value("orders", problem));
        }
        let retries = self.retries;
        if retries > MOST_RETRIES {
            let problem = format!("{retries} is too many: at most {MOST_RETRIES}");
            return Err(wrong_value("retries", problem));
        }
        if is_new {
            // Later, things that were granted at the beginning may be gone.
            self.allow.check().map_err(|error| wrong_value("allow", error))?;
        }
        let seats = self.seats.map(|seats| format!(" seats={seats}")).unwrap_or_default();
        Ok(Settings {
            options: kind
                .check_options(&format!("{}{seats}", self.options))
                .map_err(|error| wrong_value("options", error))?,
            schedule: ScheduleLine {
                format: self.format,
                orders: self.orders,
                deals: self.deals.unwrap_or(DEALS),
                tables: self.tables,
                listed: Vec::new(),
                shard: self.shard,
                block: self.block,
                first_deal: self.first_deal,
            },
            sharding: self.shards.map(|shards| Sharding { shards, block_deals: self.block_deals }),
            decided: self.decided.clone(),
            league: self.league,
            extends: self.extends,
            seed: match (&self.seed, self.commitment, reader) {
                (Some(seed), ..) => {
                    let given: SeedText =
                        seed.parse().map_err(|error| wrong_value("seed", error))?;
                    PlannedSeed::Known(CommittedSeed(given.seed()))
                }
                (None, Some(commitment), _) => PlannedSeed::Apart(commitment),
                (None, None, ReadPurpose::Plays { seed, .. }) => PlannedSeed::Known(seed.clone()),
                // Only the organiser who began it knows the cards.
                (None, None, ReadPurpose::Looks) => {
                    return Err(wrong_value("seed", "missing".to_owned()));
                }
            },
            conditions: Conditions {
                entropy: self.entropy.clone(),
                treatment: BotTreatment {
                    retries,
                    suspect_games: self.suspect_games(is_new),
                    ponder: self.ponder,
                },
                disqualify_after: self
                    .disqualify_after
                    .map(|share| share.with(self.suspect_faults(is_new))),
                sprt: self.sprt,
                tie_breaks: self.tie_breaks.clone(),
                keep_files: self.keep_files,
                isolation: IsolationSpec { isolation: self.isolation, grants: self.allow.clone() },
                limits: self.asked_limits()?,
            },
        })
    }

    /// Limits in the plan that apply to several bots: to all, or to a named group.
    fn asked_limits(&self) -> Result<LimitSpecs, Failure> {
        let mut asked = read_limits(None, &self.limits)?;
        for (name, limits) in &self.limits_of {
            asked.extend(read_limits(Some(name), limits)?);
        }
        let asked: LimitSpecs = asked.into_iter().collect();
        asked.with_groups(&self.groups).map_err(|problem| wrong_value("groups", problem))
    }

    /// Refuses keys that only leagues have.
    pub(super) fn is_of_tournament(&self) -> Result<(), Failure> {
        let others = [
            ("rounds", self.rounds.is_some()),
            ("build-time", self.build_time.is_some()),
            ("calendar", self.calendar.is_some()),
            ("quotas", self.quotas.is_some()),
            ("notify", self.notify.is_some()),
            ("pages", self.pages.is_some()),
            ("remote", self.remote.is_some()),
        ];
        match others.into_iter().find(|(_, is_there)| *is_there) {
            None => Ok(()),
            Some((key, _)) => {
                let problem = "applies only to leagues: remove it".to_owned();
                Err(wrong_value(key, problem))
            }
        }
    }

    /// The treatment of suspect games: a plan that was written without it counts them, a new one has them played again.
    fn suspect_games(&self, is_new: bool) -> Option<SuspectGames> {
        let by_default = is_new.then_some(SuspectGames::PlayAgain);
        self.replay_suspect.map(SuspectGames::from).or(by_default)
    }

    /// Tells whether suspect faults count: a plan from before this setting counts them.
    fn suspect_faults(&self, is_new: bool) -> SuspectFaults {
        let by_default = match is_new {
            true => FaultLimit::DEFAULT.suspect(),
            false => SuspectFaults::default(),
        };
        self.suspect_faults.unwrap_or(by_default)
    }

    /// Converts the listed tables from names to the places of the bots.
    pub(super) fn listed(&self, names: &[String]) -> Result<Vec<Vec<usize>>, Failure> {
        let place = |name: &String| {
            let name = spelt_as_names(name);
            names.iter().position(|known| *known == name).ok_or_else(|| {
                let (name, names) = (printable(&name), names.join(", "));
                wrong_value("listed", format_args!("unknown bot `{name}`: use one of {names}"))
            })
        };
        self.listed.iter().map(|table| table.iter().map(place).collect()).collect()
    }
}

/// Reads limits for all bots, or for those of a name.
pub(super) fn read_limits(to: Option<&str>, texts: &LimitTexts) -> Result<Vec<LimitSpec>, Failure> {
    LimitSpec::read_all(to, texts).map_err(|(key, problem)| wrong_value(key, problem))
}
