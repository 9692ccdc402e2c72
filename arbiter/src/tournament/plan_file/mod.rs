//! A plan as a file: TOML, read and written.

use std::fmt;

use rules::text::printable;
use rules::{Dialect, Digest, GameKind, NotText, Seed};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bot::grants::{AskedIsolation, Grant, Grants};
use crate::bot::limits::AskedLimits;
use crate::bot::manifest::{NotBot, told};
use crate::bot::mode::Mode;
use crate::bot::{BadBot, BotSpec, is_name, is_player_name, spelt_as_names};
use crate::process::isolation::Isolation;
use crate::process::{Limits, Ponder};
use crate::series::committed_seed::CommittedSeed;
use crate::series::given_seed::GivenSeed;
use crate::series::progress::FaultShare;
use crate::series::schedule::{Block, Format, Orders, ScheduleLine, Shard};
use crate::series::{Decided, LeagueRound, SuspectGames};
use crate::tournament::plan::{BadPlan, Entry, Plan, Settings};
use crate::tournament::planned_seed::PlannedSeed;
use crate::tournament::sharded::Sharding;

mod league;
mod limits;
mod text;

pub use league::{LeagueOutline, RoundsFile, of_league, write_of_league};

use limits::PlanLimits;
use text::Text;

/// How many more chances a bot can have at a move.
const MOST_RETRIES: u32 = 100;

/// How many deals there are if nothing is said.
pub const DEALS: u64 = 100;

/// Why a file is not a plan of a tournament; one line.
#[derive(Debug, Error)]
pub enum BadPlanFile {
    /// It is not TOML, or not with these keys.
    #[error("{0}")]
    Toml(String),
    /// A value is not as it must be.
    #[error("`{key}`: {problem}")]
    Value {
        /// The key.
        key: &'static str,
        /// What is wrong with its value.
        problem: String,
    },
    /// A bot is not as it must be.
    #[error(transparent)]
    Bot(#[from] BadBot),
    /// The folder of a bot is not as it must be.
    #[error(transparent)]
    Folder(#[from] NotBot),
    /// It makes no tournament.
    #[error(transparent)]
    Plan(#[from] BadPlan),
}

/// A plan as it stands in a file.
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
    shard: Option<String>,
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    entropy: Vec<String>,
    #[serde(default)]
    retries: u32,
    #[serde(default)]
    replay_suspect: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    disqualify_after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    isolation: Option<String>,
    #[serde(default, skip_serializing_if = "Ponder::is_never")]
    ponder: Ponder,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    allow: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<Block>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<Decided>,
    #[serde(skip_serializing_if = "Option::is_none")]
    league: Option<LeagueRound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<RoundsFile>,
    #[serde(default, skip_serializing_if = "PlanLimits::is_empty")]
    limits: PlanLimits,
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

/// Who reads a plan, and what for.
pub enum Reader<'a> {
    /// Someone who will play it: bots that are folders are opened, those that were handed in are
    /// added, and a seed is drawn where none is named.
    Plays {
        /// The bots that were handed in.
        submitted: Vec<BotSpec>,
        /// Gives a seed for a plan without one, or for this shard of it; or says why there is none.
        draw: &'a dyn Fn(Option<Shard>) -> Result<CommittedSeed, String>,
    },
    /// Someone who resumes it.
    Resumes,
    /// Someone who looks at what was played: the bots may be gone.
    Looks,
}

/// Reads a plan.
///
/// # Errors
///
/// [`BadPlanFile`], with the line or the key that is to blame.
pub fn read(text: &str, reader: Reader<'_>) -> Result<Plan, BadPlanFile> {
    let file = PlanFile::parse(text)?;
    file.is_of_tournament()?;
    let kind: GameKind = file.game.parse().map_err(value("game"))?;
    let mut settings = file.settings(kind, &reader)?;
    let mut bots = Vec::new();
    let mut limits = Vec::new();
    let mut names = Vec::new();
    for bot in &file.bots {
        let spec = bot.spec()?;
        bots.push(match reader {
            Reader::Looks => spec,
            Reader::Resumes | Reader::Plays { .. } => spec.opened()?,
        });
        names.push(bot.name());
        limits.push(bot.limits(&file.limits)?);
    }
    if let Reader::Plays { submitted, .. } = reader {
        for bot in submitted {
            bots.push(bot);
            names.push(None);
            limits.push(file.limits.over(Limits::DEFAULT)?);
        }
    }
    let names = named(names, &bots)?;
    settings.schedule.listed = file.listed(&names)?;
    let entries = names.into_iter().zip(bots).zip(limits);
    let entries = entries.map(|((name, bot), limits)| Entry { name, bot, limits }).collect();
    Ok(Plan::new(kind, settings, entries)?)
}

/// What a plan says of bots that were handed in, before they are known.
#[derive(Debug)]
pub struct Outline {
    /// The game.
    pub kind: GameKind,
    /// How it is played; the seed is another one, where the plan names none.
    pub settings: Settings,
    /// What an answer of theirs may take.
    pub limits: AskedLimits,
    /// The names of the bots in the plan.
    pub names: Vec<String>,
}

/// Reads what a plan says beside its bots.
///
/// # Errors
///
/// [`BadPlanFile`], as for the whole.
pub fn outline(text: &str) -> Result<Outline, BadPlanFile> {
    let file = PlanFile::parse(text)?;
    file.is_of_tournament()?;
    let kind = file.game.parse().map_err(value("game"))?;
    let draw = |_| Ok(CommittedSeed(Seed([0; 32])));
    let settings = file.settings(kind, &Reader::Plays { submitted: Vec::new(), draw: &draw })?;
    let given = file.bots.iter().map(BotFile::name).collect();
    let mut bots = Vec::new();
    for bot in &file.bots {
        bot.limits(&file.limits)?;
        bots.push(bot.spec()?.opened()?);
    }
    let names = named(given, &bots)?;
    Ok(Outline { kind, settings, limits: file.limits.asked()?, names })
}

/// The names of bots: those that were given, and those of their own for the others.
fn named(given: Vec<Option<String>>, bots: &[BotSpec]) -> Result<Vec<String>, BadBot> {
    let own = crate::bot::names(bots)?;
    Ok(given.into_iter().zip(own).map(|(given, own)| given.unwrap_or(own)).collect())
}

/// Whether the seed of a plan is one that can be guessed; none where it is not a plan.
pub fn has_short_seed(text: &str) -> bool {
    let file: Result<PlanFile, _> = toml::from_str(text);
    let seed = file.ok().and_then(|file| file.seed?.0.parse::<GivenSeed>().ok());
    seed.is_some_and(|seed| seed.can_be_guessed())
}

impl PlanFile {
    fn parse(text: &str) -> Result<PlanFile, BadPlanFile> {
        toml::from_str(text).map_err(|error| BadPlanFile::Toml(told(text, &error)))
    }

    /// Refuses what only leagues have.
    fn is_of_tournament(&self) -> Result<(), BadPlanFile> {
        match self.rounds {
            None => Ok(()),
            Some(_) => Err(BadPlanFile::Value {
                key: "rounds",
                problem: "is for leagues, expected a plan without it".to_owned(),
            }),
        }
    }

    fn settings(&self, kind: GameKind, reader: &Reader<'_>) -> Result<Settings, BadPlanFile> {
        let shard: Option<Shard> =
            self.shard.as_deref().map(str::parse).transpose().map_err(value("shard"))?;
        let bad = |key, problem: String| BadPlanFile::Value { key, problem };
        if self.seats.is_some() && self.options.contains("seats=") {
            return Err(bad("seats", "is among the options too, expected one of both".to_owned()));
        }
        let is_new = matches!(reader, Reader::Plays { .. });
        let written = [
            ("extends", self.extends.is_some(), "tournament extend"),
            ("first-deal", self.first_deal > 0, "tournament extend"),
            ("block", self.block.is_some(), "tournament run-shard"),
            ("decided", self.decided.is_some(), "tournament run-shard"),
            ("commitment", self.commitment.is_some(), "tournament plan"),
            ("league", self.league.is_some(), "league run"),
        ];
        if let Some((key, _, command)) = written.into_iter().find(|(_, it, _)| is_new && *it) {
            let problem =
                format!("is for what `arbiter {command}` writes, expected a plan without it");
            return Err(bad(key, problem));
        }
        if self.block_deals.is_some() && self.shards.is_none() {
            return Err(bad("block-deals", "without `shards`, expected both".to_owned()));
        }
        if self.shards.is_some() && shard.is_some() {
            return Err(bad("shards", "beside `shard`, expected one of both".to_owned()));
        }
        if !Orders::OF_TOURNAMENTS.contains(&self.orders) {
            let problem = format!("{}, expected rotations or all", self.orders.name());
            return Err(bad("orders", problem));
        }
        if self.retries > MOST_RETRIES {
            let problem = format!("{}, expected at most {MOST_RETRIES}", self.retries);
            return Err(bad("retries", problem));
        }
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
                shard,
                block: self.block,
                first_deal: self.first_deal,
            },
            sharding: self.shards.map(|shards| Sharding { shards, block_deals: self.block_deals }),
            decided: self.decided.clone(),
            league: self.league,
            extends: self.extends,
            entropy: self.entropy.clone(),
            seed: match (&self.seed, self.commitment, reader) {
                (Some(seed), ..) => {
                    let given: GivenSeed = seed.0.parse().map_err(value("seed"))?;
                    PlannedSeed::Known(CommittedSeed(given.seed()))
                }
                (None, Some(commitment), _) => PlannedSeed::Apart(commitment),
                (None, None, Reader::Plays { draw, .. }) => {
                    PlannedSeed::Known(draw(shard).map_err(|problem| bad("seed", problem))?)
                }
                // Only the organiser who began it knows what was dealt.
                (None, None, Reader::Resumes | Reader::Looks) => {
                    return Err(bad("seed", "none, expected that of the tournament".to_owned()));
                }
            },
            retries: self.retries,
            suspect_games: match self.replay_suspect {
                true => SuspectGames::PlayAgain,
                false => SuspectGames::Count,
            },
            disqualify_after: disqualify_after(self.disqualify_after.as_deref())
                .map_err(value("disqualify-after"))?,
            sprt: self.sprt.as_deref().map(str::parse).transpose().map_err(value("sprt"))?,
            isolation: self.isolation(is_new)?,
            ponder: self.ponder,
        })
    }
}

impl PlanFile {
    /// The listed tables, by the places of the bots that have these names.
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

    fn isolation(&self, is_new: bool) -> Result<AskedIsolation, BadPlanFile> {
        let isolation = self.isolation.as_deref().map(str::parse).transpose();
        // What was granted at the beginning may be gone.
        let read = |text: &String| if is_new { text.parse() } else { Grant::read(text) };
        let grants: Result<Grants, _> = self.allow.iter().map(read).collect();
        Ok(AskedIsolation {
            isolation: isolation.map_err(value("isolation"))?.unwrap_or_default(),
            grants: grants.map_err(value("allow"))?,
        })
    }
}

/// The share of faults that is asked for: a quarter where nothing is said, none for `never`.
///
/// # Errors
///
/// Fails if it is not a share.
pub fn disqualify_after(text: Option<&str>) -> Result<Option<FaultShare>, NotText> {
    match text {
        None => Ok(Some(FaultShare::DEFAULT)),
        Some("never") => Ok(None),
        Some(text) => text.parse().map(Some),
    }
}

/// A plan as it is read again, the seed included.
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
    /// That of a plan with these settings, without its bots and listed tables.
    fn new(kind: GameKind, settings: &Settings) -> PlanFile {
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
            shard: shard.map(|shard| shard.to_string()),
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
            entropy: settings.entropy.clone(),
            retries: settings.retries,
            replay_suspect: settings.suspect_games == SuspectGames::PlayAgain,
            disqualify_after: Some(
                settings.disqualify_after.map_or("never".to_owned(), |share| share.to_string()),
            ),
            sprt: settings.sprt.as_ref().map(ToString::to_string),
            isolation: Some(settings.isolation.isolation)
                .filter(|isolation| *isolation != Isolation::default())
                .map(|isolation| isolation.to_string()),
            ponder: settings.ponder,
            allow: settings.isolation.grants.texts(),
            rounds: None,
            limits: PlanLimits::default(),
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

    /// Its name in the spelling of all names, whether it is one or not.
    fn name(&self) -> Option<String> {
        self.name.as_deref().map(spelt_as_names)
    }

    /// The bot as it would be typed.
    fn spec(&self) -> Result<BotSpec, BadPlanFile> {
        let name = self.name();
        if let Some(name) = name.as_ref().filter(|name| !is_player_name(name)) {
            return Err(BadBot::BadName(printable(name)).into());
        }
        let dialect = self.dialect.map(|dialect| format!("dialect={dialect} "));
        // One that no one gave has a number, and is not a name of the command line.
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

    /// Its own limits, and those of all where it has none.
    fn limits(&self, of_all: &PlanLimits) -> Result<Limits, BadPlanFile> {
        self.limits.over(of_all.over(Limits::DEFAULT)?)
    }
}

fn value<E: fmt::Display>(key: &'static str) -> impl FnOnce(E) -> BadPlanFile {
    move |error| BadPlanFile::Value { key, problem: error.to_string() }
}
