//! A plan as a file: TOML, read and written.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use ::text::printable;
use rules::{Dialect, Digest, GameKind, Seed};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::league::calendar::{BadCalendar, CalendarFile};
use crate::league::quotas::Quotas;
use crate::tournament::plan::{BadPlan, Entry, Plan, Settings};
use crate::tournament::planned_seed::PlannedSeed;
use crate::tournament::sharded::Sharding;
use conditions::bot::grants::AskedIsolation;
use conditions::bot::limits::AskedLimits;
use conditions::bot::manifest::Mode;
use conditions::bot::manifest::{NotBot, told};
use conditions::bot::{BadBot, BotSpec, is_name, is_player_name, spelt_as_names};
use conditions::series::committed_seed::CommittedSeed;
use conditions::series::given_seed::GivenSeed;
use conditions::series::progress::{FaultShare, SuspectFaults};
use conditions::series::schedule::{Block, Format, Orders, ScheduleLine, Shard};
use conditions::series::{Decided, LeagueRound};
use conditions::{Conditions, MOST_RETRIES, Treatment};
use sandbox::Supervisor;
use sandbox::isolation::Isolation;

mod league;
mod limits;
mod text;

pub use league::{LeagueOutline, RoundsFile, of_league, write_of_league};

use self::text::Text;
use limits::PlanLimits;

/// Number of deals by default.
pub const DEALS: u64 = 100;

/// Reason why a file is not a plan of a tournament; one line.
#[derive(Debug, Error)]
pub enum BadPlanFile {
    /// It is not TOML, or has other keys.
    #[error("{0}")]
    Toml(String),
    /// A value is not valid.
    #[error("`{key}`: {problem}")]
    Value {
        /// The key.
        key: &'static str,
        /// The problem with its value.
        problem: String,
    },
    /// A bot is not valid.
    #[error(transparent)]
    Bot(#[from] BadBot),
    /// The folder of a bot is not valid.
    #[error(transparent)]
    Folder(#[from] NotBot),
    /// The plan is not valid.
    #[error(transparent)]
    Plan(#[from] BadPlan),
    /// The calendar of a league is not valid.
    #[error(transparent)]
    Calendar(#[from] BadCalendar),
}

/// A plan in the layout of its file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PlanFile {
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seats: Option<usize>,
    #[serde(default)]
    options: String,
    deals: Option<u64>,
    #[serde(default)]
    format: Format,
    #[serde(default)]
    orders: Orders,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    listed: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<Shard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shards: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block_deals: Option<u64>,
    #[serde(default, skip_serializing_if = "is_first")]
    first_deal: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    extends: Option<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commitment: Option<Digest>,
    #[serde(flatten)]
    treatment: Treatment,
    #[serde(flatten)]
    conditions: Conditions,
    #[serde(flatten)]
    isolation: AskedIsolation,
    #[serde(skip_serializing_if = "Option::is_none")]
    suspect_faults: Option<SuspectFaults>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<Block>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<Decided>,
    #[serde(skip_serializing_if = "Option::is_none")]
    league: Option<LeagueRound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<RoundsFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    build_time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calendar: Option<CalendarFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quotas: Option<Quotas>,
    #[serde(default, skip_serializing_if = "PlanLimits::is_empty")]
    limits: PlanLimits,
    /// Limits for the bots of a name, of a kind or of a group.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    limits_of: BTreeMap<String, PlanLimits>,
    /// Groups of bots.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    groups: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    bots: Vec<BotFile>,
}

fn is_first(deal: &u64) -> bool {
    *deal == 0
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BotFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<Dialect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    #[serde(default, skip_serializing_if = "PlanLimits::is_empty")]
    limits: PlanLimits,
}

/// Purpose of reading a plan.
pub enum Reader {
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

/// Reads a plan.
///
/// # Errors
///
/// [`BadPlanFile`], with the wrong line or key.
pub fn read(text: &str, reader: Reader) -> Result<Plan, BadPlanFile> {
    let file = PlanFile::parse(text)?;
    file.is_of_tournament()?;
    let kind = kind_of(&file.game)?;
    let mut settings = file.settings(&kind, &reader)?;
    let mut bots = Vec::new();
    let mut own_limits = Vec::new();
    let mut names = Vec::new();
    for bot in &file.bots {
        let spec = bot.spec()?;
        bots.push(match reader {
            Reader::Looks => spec,
            Reader::Plays { .. } => spec.opened()?,
        });
        names.push(bot.name());
        own_limits.push(Some(&bot.limits));
    }
    // A limit may be for a bot that was handed in and refused, which was looked at before.
    let is_known = matches!(&reader, Reader::Plays { submitted, .. } if submitted.is_empty());
    if let Reader::Plays { submitted, .. } = reader {
        for bot in submitted {
            bots.push(bot);
            names.push(None);
            own_limits.push(None);
        }
    }
    let names = named(names, &bots)?;
    settings.schedule.listed = file.listed(&names)?;
    let asked = &settings.conditions.limits;
    if is_known {
        asked.check_names(&names).map_err(|error| bad_limits(&error))?;
    }
    let mut entries = Vec::new();
    for ((name, bot), own) in names.into_iter().zip(bots).zip(own_limits) {
        let given = asked.given(&name, &bot);
        let limits = own.unwrap_or(&PlanLimits::default()).after(given)?;
        entries.push(Entry { name, bot, limits });
    }
    Ok(Plan::new(kind, settings, entries)?)
}

/// Common settings of a tournament, before all of its bots are known.
#[derive(Debug)]
pub struct Outline {
    /// The game.
    pub kind: GameKind,
    /// Its options, in their one spelling.
    pub options: String,
    /// Conditions of play.
    pub conditions: Conditions,
    /// Names of the bots in the plan, without those that were handed in.
    pub names: Vec<String>,
}

/// The game of a plan: by its name, or a game of one's own by its folder, its module or its command.
fn kind_of(game: &str) -> Result<GameKind, BadPlanFile> {
    if let Ok(kind) = game.parse() {
        return Ok(kind);
    }
    let opened = Supervisor::from_env(Isolation::Auto)
        .map_err(|error| error.to_string())
        .and_then(|supervisor| games::open(game, supervisor).map_err(|error| error.to_string()));
    opened.map_err(|problem| {
        let of_a_copy = match rules::own::is_game_name(game) && !Path::new(game).exists() {
            true => {
                "; of a game of one's own, a tournament or a league has a copy in its folder `game`"
            }
            false => "",
        };
        BadPlanFile::Value { key: "game", problem: format!("{problem}{of_a_copy}") }
    })
}

/// Reads a plan without its bots.
///
/// # Errors
///
/// [`BadPlanFile`], as for the whole plan.
pub fn outline(text: &str) -> Result<Outline, BadPlanFile> {
    let file = PlanFile::parse(text)?;
    file.is_of_tournament()?;
    let kind = kind_of(&file.game)?;
    let seed = CommittedSeed(Seed([0; 32]));
    let settings = file.settings(&kind, &Reader::Plays { submitted: Vec::new(), seed })?;
    let given = file.bots.iter().map(BotFile::name).collect();
    let mut bots = Vec::new();
    for bot in &file.bots {
        bot.limits.after(Vec::new())?;
        bots.push(bot.spec()?.opened()?);
    }
    let names = named(given, &bots)?;
    let Settings { options, conditions, .. } = settings;
    Ok(Outline { kind, options, conditions, names })
}

/// Returns the given names of bots, and the bots' own names for the others.
fn named(given: Vec<Option<String>>, bots: &[BotSpec]) -> Result<Vec<String>, BadBot> {
    let own = conditions::bot::names(bots)?;
    Ok(given.into_iter().zip(own).map(|(given, own)| given.unwrap_or(own)).collect())
}

/// Returns true if the seed of a plan can be guessed; false if the text is not a plan.
pub fn has_short_seed(text: &str) -> bool {
    let file: Result<PlanFile, _> = toml::from_str(text);
    let seed = file.ok().and_then(|file| file.seed?.0.parse::<GivenSeed>().ok());
    seed.is_some_and(|seed| seed.can_be_guessed())
}

/// Finds the unknown key and its line: the error has only its name.
fn unknown_key<'a>(text: &'a str, error: &toml::de::Error) -> Option<(usize, &'a str)> {
    let key = error.message().strip_prefix("unknown field `")?.strip_suffix('`')?;
    let mut is_in_table = false;
    text.lines().enumerate().find_map(|(place, line)| {
        let is_heading = line.trim_start().starts_with('[');
        is_in_table |= is_heading;
        let found = line.split(['=', ']']).next()?.trim_matches(|it| " \t[\"'".contains(it));
        // A key inside a table is a different one, even under the same name.
        (found == key && is_in_table == is_heading).then_some((place + 1, found))
    })
}

impl PlanFile {
    fn parse(text: &str) -> Result<PlanFile, BadPlanFile> {
        let read: Result<PlanFile, _> = toml::from_str(text);
        read.map_err(|error| {
            // A flattened part of a plan loses its line there, but not when it is read by itself.
            let treatment = toml::from_str::<Treatment>(text).err();
            let isolation = || toml::from_str::<AskedIsolation>(text).err();
            let conditions = || toml::from_str::<Conditions>(text).err();
            let error = treatment.or_else(isolation).or_else(conditions).unwrap_or(error);
            BadPlanFile::Toml(match unknown_key(text, &error) {
                Some((line, key)) => format!("line {line}: unknown key `{}`", printable(key)),
                None => told(text, &error),
            })
        })
    }

    /// The limits that are not those of one bot in the plan.
    fn asked_limits(&self) -> Result<AskedLimits, BadPlanFile> {
        limits::asked(&self.limits, &self.limits_of, &self.groups)
    }

    /// Refuses keys that only leagues have.
    fn is_of_tournament(&self) -> Result<(), BadPlanFile> {
        let others = [
            ("rounds", self.rounds.is_some()),
            ("build-time", self.build_time.is_some()),
            ("calendar", self.calendar.is_some()),
            ("quotas", self.quotas.is_some()),
        ];
        match others.into_iter().find(|(_, is_there)| *is_there) {
            None => Ok(()),
            Some((key, _)) => {
                let problem = "is for leagues only: remove it from the plan".to_owned();
                Err(BadPlanFile::Value { key, problem })
            }
        }
    }

    fn settings(&self, kind: &GameKind, reader: &Reader) -> Result<Settings, BadPlanFile> {
        let bad = |key, problem: String| BadPlanFile::Value { key, problem };
        if self.seats.is_some() && self.options.contains("seats=") {
            return Err(bad("seats", "is given twice, as a key and in `options`".to_owned()));
        }
        let is_new = matches!(reader, Reader::Plays { .. });
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
            let problem =
                format!("is written by `arbiter {command}` only: remove it from the plan");
            return Err(bad(key, problem));
        }
        if self.block_deals.is_some() && self.shards.is_none() {
            return Err(bad("block-deals", "needs `shards`, too".to_owned()));
        }
        if !Orders::OF_TOURNAMENTS.contains(&self.orders) {
            let problem = format!("{}, expected rotations or all", self.orders.name());
            return Err(bad("orders", problem));
        }
        let Treatment { retries, .. } = self.treatment;
        if retries > MOST_RETRIES {
            let problem = format!("{retries}, expected at most {MOST_RETRIES}");
            return Err(bad("retries", problem));
        }
        if is_new {
            // Later, things that were granted at the beginning may be gone.
            self.isolation.grants.check().map_err(value("allow"))?;
        }
        let share = self.conditions.disqualify_after;
        let seats = self.seats.map(|seats| format!(" seats={seats}")).unwrap_or_default();
        Ok(Settings {
            options: kind
                .check_options(&format!("{}{seats}", self.options))
                .map_err(value("options"))?,
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
                    let given: GivenSeed = seed.0.parse().map_err(value("seed"))?;
                    PlannedSeed::Known(CommittedSeed(given.seed()))
                }
                (None, Some(commitment), _) => PlannedSeed::Apart(commitment),
                (None, None, Reader::Plays { seed, .. }) => PlannedSeed::Known(seed.clone()),
                // Only the organiser who began it knows the cards.
                (None, None, Reader::Looks) => {
                    return Err(bad(
                        "seed",
                        "missing, expected the seed of the tournament".to_owned(),
                    ));
                }
            },
            conditions: Conditions {
                disqualify_after: share.map(|share| share.with(self.suspect_faults(is_new))),
                treatment: self.treatment,
                isolation: self.isolation.clone(),
                limits: self.asked_limits()?,
                ..self.conditions.clone()
            },
        })
    }
}

impl PlanFile {
    /// Tells whether suspect faults count: a plan from before this setting counts them.
    fn suspect_faults(&self, is_new: bool) -> SuspectFaults {
        let by_default = match is_new {
            true => FaultShare::DEFAULT.suspect(),
            false => SuspectFaults::default(),
        };
        self.suspect_faults.unwrap_or(by_default)
    }

    /// Converts the listed tables from names to the places of the bots.
    fn listed(&self, names: &[String]) -> Result<Vec<Vec<usize>>, BadPlanFile> {
        let place = |name: &String| {
            let name = spelt_as_names(name);
            names.iter().position(|known| *known == name).ok_or_else(|| BadPlanFile::Value {
                key: "listed",
                problem: format!(
                    "no bot `{}`, expected one of {}",
                    printable(&name),
                    names.join(", ")
                ),
            })
        };
        self.listed.iter().map(|table| table.iter().map(place).collect()).collect()
    }
}

/// Returns a plan as TOML, including the seed.
///
/// # Errors
///
/// Never, as long as every plan can be written as TOML.
pub fn write(plan: &Plan) -> Result<String, toml::ser::Error> {
    let name = |place: &usize| plan.entries().get(*place).map(|entry| entry.name.clone());
    let listed = plan.settings().schedule.listed.iter();
    let file = PlanFile {
        listed: listed.map(|table| table.iter().filter_map(name).collect()).collect(),
        bots: plan.entries().iter().map(BotFile::new).collect(),
        ..PlanFile::new(plan.kind(), plan.settings())
    };
    toml::to_string(&file)
}

impl PlanFile {
    /// Makes the file of a plan with these settings, without its bots and listed tables.
    fn new(kind: &GameKind, settings: &Settings) -> PlanFile {
        let ScheduleLine { format, orders, deals, tables, shard, block, first_deal, .. } =
            settings.schedule;
        PlanFile {
            game: kind.name().to_owned(),
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
            seed: settings.seed.known().map(|seed| Text(seed.to_string())),
            commitment: match settings.seed {
                PlannedSeed::Known(_) => None,
                PlannedSeed::Apart(commitment) => Some(commitment),
            },
            treatment: settings.conditions.treatment,
            conditions: settings.conditions.clone(),
            isolation: settings.conditions.isolation.clone(),
            suspect_faults: settings.conditions.disqualify_after.map(FaultShare::suspect),
            rounds: None,
            build_time: None,
            calendar: None,
            quotas: None,
            limits: PlanLimits::default(),
            limits_of: BTreeMap::new(),
            groups: BTreeMap::new(),
            bots: Vec::new(),
        }
    }
}

impl BotFile {
    fn new(entry: &Entry) -> BotFile {
        let dialect = entry.bot.dialect();
        BotFile {
            name: Some(entry.name.clone()),
            command: entry.bot.command().to_owned(),
            dialect: (dialect != Dialect::Native).then_some(dialect),
            mode: entry.bot.stated_mode(),
            limits: PlanLimits::new(&entry.limits),
        }
    }

    /// Returns its name in the spelling of all names, even if it is not a valid one.
    fn name(&self) -> Option<String> {
        self.name.as_deref().map(spelt_as_names)
    }

    /// Makes the bot, as the command line would.
    fn spec(&self) -> Result<BotSpec, BadPlanFile> {
        let name = self.name();
        if let Some(name) = name.as_ref().filter(|name| !is_player_name(name)) {
            return Err(BadBot::BadName(printable(name)).into());
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

fn bad_limits(error: &dyn fmt::Display) -> BadPlanFile {
    BadPlanFile::Value { key: "limits-of", problem: error.to_string() }
}

fn value<E: fmt::Display>(key: &'static str) -> impl FnOnce(E) -> BadPlanFile {
    move |error| BadPlanFile::Value { key, problem: error.to_string() }
}
