//! A plan as a file: TOML, read and written.

use std::fmt;

use bytesize::ByteSize;
use rules::{Dialect, GameKind, NotText, Seed};
use serde::{Deserialize, Deserializer, Serialize, de};
use thiserror::Error;

use crate::bot::{BadBot, BotSpec};
use crate::course::FaultShare;
use crate::limits::Limit;
use crate::log::SuspectGames;
use crate::manifest::{NotBot, told};
use crate::process::Limits;
use crate::schedule::{Format, Orders, ScheduleLine, Shard};
use crate::tournament::plan::{BadPlan, Entry, Plan, Settings};

/// How many deals there are if nothing is said.
pub const DEALS: u64 = 100;

/// Why a file is no plan of a tournament; one line.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    #[serde(default)]
    retries: u32,
    #[serde(default)]
    replay_suspect: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    disqualify_after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<String>,
    #[serde(default, skip_serializing_if = "LimitTexts::is_empty")]
    limits: LimitTexts,
    #[serde(default)]
    bots: Vec<BotFile>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BotFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<Dialect>,
    #[serde(default, skip_serializing_if = "LimitTexts::is_empty")]
    limits: LimitTexts,
}

/// Limits under the names that they have on the command line.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct LimitTexts {
    #[serde(skip_serializing_if = "Option::is_none")]
    time_limit: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_limit: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_space: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    processes: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_size: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_files: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer_size: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr_size: Option<Text>,
}

/// A value that may be written as a text or as a whole number.
#[derive(Debug, PartialEq, Serialize)]
#[serde(transparent)]
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl de::Visitor<'_> for Either {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a whole number")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl LimitTexts {
    fn is_empty(&self) -> bool {
        *self == LimitTexts::default()
    }

    /// These limits with their names on the command line.
    fn named(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [
            ("time-limit", &self.time_limit),
            ("cpu-limit", &self.cpu_limit),
            ("memory", &self.memory),
            ("address-space", &self.address_space),
            ("processes", &self.processes),
            ("file-size", &self.file_size),
            ("open-files", &self.open_files),
            ("answer-size", &self.answer_size),
            ("stderr-size", &self.stderr_size),
        ]
        .into_iter()
        .filter_map(|(name, text)| Some((name, text.as_ref()?.0.as_str())))
    }

    fn put_into(&self, limits: &mut Limits) -> Result<(), BadPlanFile> {
        for (key, text) in self.named() {
            let limit =
                Limit::read(key, text).map_err(|problem| BadPlanFile::Value { key, problem })?;
            limit.put_into(limits);
        }
        Ok(())
    }

    /// The limits that are not the usual ones.
    fn of(limits: &Limits) -> LimitTexts {
        let usual = Limits::DEFAULT;
        let time = |time| Text(humantime::format_duration(time).to_string());
        let bytes = |bytes: u64| Text(ByteSize::b(bytes).as_u64().to_string());
        LimitTexts {
            time_limit: (limits.time != usual.time).then(|| time(limits.time)),
            cpu_limit: limits.cpu.map(time),
            memory: (limits.memory != usual.memory).then(|| bytes(limits.memory)),
            address_space: limits.address_space.map(bytes),
            processes: (limits.processes != usual.processes)
                .then(|| Text(limits.processes.to_string())),
            file_size: (limits.file_bytes != usual.file_bytes).then(|| bytes(limits.file_bytes)),
            open_files: (limits.open_files != usual.open_files)
                .then(|| Text(limits.open_files.to_string())),
            answer_size: (limits.answer_bytes != usual.answer_bytes)
                .then(|| bytes(limits.answer_bytes as u64)),
            stderr_size: (limits.stderr_bytes != usual.stderr_bytes)
                .then(|| bytes(limits.stderr_bytes as u64)),
        }
    }
}

/// Reads a plan, to which bots that were handed in are added; `drawn` is the seed of one that names
/// none.
///
/// # Errors
///
/// [`BadPlanFile`], with the line or the key that is to blame.
pub fn read(
    text: &str,
    submitted: Vec<BotSpec>,
    drawn: impl FnOnce() -> Seed,
) -> Result<Plan, BadPlanFile> {
    let file: PlanFile =
        toml::from_str(text).map_err(|error| BadPlanFile::Toml(told(text, &error)))?;
    let kind: GameKind = file.game.parse().map_err(value("game"))?;
    let seats = file.seats.map(|seats| format!(" seats={seats}")).unwrap_or_default();
    let shard: Option<Shard> =
        file.shard.as_deref().map(str::parse).transpose().map_err(value("shard"))?;
    let settings = Settings {
        options: kind
            .check_options(&format!("{}{seats}", file.options))
            .map_err(value("options"))?,
        schedule: ScheduleLine {
            format: file.format,
            orders: file.orders,
            deals: file.deals.unwrap_or(DEALS),
            tables: file.tables,
            shard,
        },
        seed: match &file.seed {
            Some(seed) => seed.parse().map_err(value("seed"))?,
            None if shard.is_some() => {
                let problem = "none, expected the one that all shards share".to_owned();
                return Err(BadPlanFile::Value { key: "seed", problem });
            }
            None => drawn(),
        },
        retries: file.retries,
        suspect_games: match file.replay_suspect {
            true => SuspectGames::PlayAgain,
            false => SuspectGames::Count,
        },
        disqualify_after: disqualify_after(file.disqualify_after.as_deref())
            .map_err(value("disqualify-after"))?,
        sprt: file.sprt.as_deref().map(str::parse).transpose().map_err(value("sprt"))?,
    };
    let mut bots = Vec::new();
    let mut limits = Vec::new();
    for bot in &file.bots {
        bots.push(bot.spec()?.opened()?);
        let mut of_bot = Limits::DEFAULT;
        file.limits.put_into(&mut of_bot)?;
        bot.limits.put_into(&mut of_bot)?;
        limits.push(of_bot);
    }
    for bot in submitted {
        bots.push(bot);
        let mut of_bot = Limits::DEFAULT;
        file.limits.put_into(&mut of_bot)?;
        limits.push(of_bot);
    }
    let names = crate::bot::names(&bots)?;
    let limits_of = |name: &str| {
        let place = names.iter().position(|known| known == name);
        place.and_then(|place| limits.get(place).copied()).unwrap_or(Limits::DEFAULT)
    };
    Ok(Plan::new(kind, settings, bots, limits_of)?)
}

/// The game of a plan, whoever plays it.
///
/// # Errors
///
/// [`BadPlanFile`], as for the whole.
pub fn game(text: &str) -> Result<GameKind, BadPlanFile> {
    let file: PlanFile =
        toml::from_str(text).map_err(|error| BadPlanFile::Toml(told(text, &error)))?;
    file.game.parse().map_err(value("game"))
}

/// The share of faults that is asked for: a quarter where nothing is said, none for `never`.
///
/// # Errors
///
/// Fails where it is no share.
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
    let settings = plan.settings();
    let ScheduleLine { format, orders, deals, tables, shard } = settings.schedule;
    let file = PlanFile {
        game: plan.kind().name().to_owned(),
        seats: None,
        options: settings.options.clone(),
        deals: Some(deals),
        format,
        orders,
        tables,
        shard: shard.map(|shard| shard.to_string()),
        seed: Some(settings.seed.to_string()),
        retries: settings.retries,
        replay_suspect: settings.suspect_games == SuspectGames::PlayAgain,
        disqualify_after: Some(
            settings.disqualify_after.map_or("never".to_owned(), |share| share.to_string()),
        ),
        sprt: settings.sprt.as_ref().map(ToString::to_string),
        limits: LimitTexts::default(),
        bots: plan.entries().iter().map(BotFile::of).collect(),
    };
    toml::to_string(&file)
}

impl BotFile {
    fn of(entry: &Entry) -> BotFile {
        let dialect = entry.bot.dialect();
        BotFile {
            // One that nobody gave is found again as it was.
            name: entry.bot.given_name().map(str::to_owned),
            command: entry.bot.command().to_owned(),
            // That of a folder stands in its manifest.
            dialect: (dialect != Dialect::Native && entry.bot.folder().is_none())
                .then_some(dialect),
            limits: LimitTexts::of(&entry.limits),
        }
    }

    /// The bot as it would be typed.
    fn spec(&self) -> Result<BotSpec, BadBot> {
        let dialect = self.dialect.map(|dialect| format!("dialect={dialect} "));
        let name = self.name.as_ref().map(|name| format!("{name}="));
        let parts = [dialect.as_deref(), name.as_deref(), Some(&self.command)];
        parts.into_iter().flatten().collect::<String>().parse()
    }
}

fn value<E: fmt::Display>(key: &'static str) -> impl FnOnce(E) -> BadPlanFile {
    move |error| BadPlanFile::Value { key, problem: error.to_string() }
}
