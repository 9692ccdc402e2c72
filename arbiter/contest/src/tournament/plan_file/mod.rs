//! A plan as a file: TOML, read and written.

mod layout;

pub use layout::{DEALS, ReadPurpose, RoundsSection, bad_toml, wrong_value};

use std::path::Path;
use std::time::Duration;

use bot::BotSpec;
use rules::{Digest, GameKind, Seed};
use sandbox::isolation::Isolation;
use sandbox::{Limits, Supervisor, duration};
use series::Conditions;
use series::header::{CommittedSeed, SeedText};
use series::schedule::Format;
use text::failure::Failure;
use text::printable;

use crate::tournament::plan::{Plan, PlannedBot, Settings};
use layout::{BotSection, PlanFile, limit_texts, read_limits};

/// Reads a plan.
///
/// # Errors
///
/// Says the wrong line or key.
pub fn read(text: &str, reader: ReadPurpose) -> Result<Plan, Failure> {
    read_beside(text, reader, &|_, _| None)
}

/// Reads the plan of a tournament that lies in a folder, where its game may lie, too: `find` finds the game of a name, with
/// these rules if a plan names them.
pub(super) fn read_beside(
    text: &str,
    reader: ReadPurpose,
    find: &dyn Fn(&str, Option<Digest>) -> Option<GameKind>,
) -> Result<Plan, Failure> {
    let file = PlanFile::parse(text)?;
    file.is_of_tournament()?;
    let kind = match (find(&file.game, file.rules), file.rules) {
        (Some(kind), _) => kind,
        (None, None) => kind_of(&file.game)?,
        (None, Some(rules)) => {
            let game = printable(&file.game);
            let problem = format!("the rules of {game} with digest {rules} are missing");
            return Err(wrong_value("rules", problem));
        }
    };
    let mut settings = file.settings(&kind, &reader)?;
    let mut bots = Vec::new();
    let mut own_limits = Vec::new();
    let mut names = Vec::new();
    for bot in &file.bots {
        let spec = bot.spec()?;
        bots.push(match reader {
            ReadPurpose::Looks => spec,
            ReadPurpose::Plays { .. } => spec.opened()?,
        });
        names.push(bot.name());
        own_limits.push(read_limits(None, &bot.limits)?);
    }
    // A limit may be for a bot that was handed in and refused, which was looked at before.
    let is_known = matches!(&reader, ReadPurpose::Plays { submitted, .. } if submitted.is_empty());
    if let ReadPurpose::Plays { submitted, .. } = reader {
        for bot in submitted {
            bots.push(bot);
            names.push(None);
            own_limits.push(Vec::new());
        }
    }
    let names = named(names, &bots)?;
    settings.schedule.listed = file.listed(&names)?;
    let asked = &settings.conditions.limits;
    if is_known {
        asked.check_names(&names).map_err(|error| wrong_value("limits-of", error))?;
    }
    let mut entries = Vec::new();
    for ((name, bot), own) in names.into_iter().zip(bots).zip(own_limits) {
        let limits = asked.apply(Limits::DEFAULT, &name, &bot, &own);
        entries.push(PlannedBot { name, bot, limits });
    }
    Plan::new(kind, settings, entries)
}

/// Common settings of a tournament, before all of its bots are known.
#[derive(Debug)]
pub struct DraftPlan {
    pub kind: GameKind,
    /// Its options, in their one spelling.
    pub options: String,
    pub conditions: Conditions,
    /// Names of the bots in the plan, without those that were handed in.
    pub names: Vec<String>,
}

/// The game of a plan: by its name, or a custom game by its folder, its module or its command.
fn kind_of(game: &str) -> Result<GameKind, Failure> {
    if let Ok(kind) = game.parse() {
        return Ok(kind);
    }
    let opened = Supervisor::from_env(Isolation::Auto)
        .and_then(|supervisor| games::open(game, supervisor).map_err(|error| error.to_string()));
    opened.map_err(|problem| {
        let of_a_copy = match rules::custom::is_game_name(game) && !Path::new(game).exists() {
            true => "; tournaments and leagues keep a copy of a custom game in their folder `game`",
            false => "",
        };
        wrong_value("game", format!("{problem}{of_a_copy}"))
    })
}

/// Reads a plan without its bots.
pub fn outline(text: &str) -> Result<DraftPlan, Failure> {
    let file = PlanFile::parse(text)?;
    file.is_of_tournament()?;
    let kind = kind_of(&file.game)?;
    let seed = CommittedSeed(Seed([0; 32]));
    let settings = file.settings(&kind, &ReadPurpose::Plays { submitted: Vec::new(), seed })?;
    let given = file.bots.iter().map(BotSection::name).collect();
    let mut bots = Vec::new();
    for bot in &file.bots {
        read_limits(None, &bot.limits)?;
        bots.push(bot.spec()?.opened()?);
    }
    let names = named(given, &bots)?;
    let Settings { options, conditions, .. } = settings;
    Ok(DraftPlan { kind, options, conditions, names })
}

/// Returns the given names of bots, and the bots' own names for the others.
fn named(given: Vec<Option<String>>, bots: &[BotSpec]) -> Result<Vec<String>, Failure> {
    let own = bot::names(bots)?;
    Ok(given.into_iter().zip(own).map(|(given, own)| given.unwrap_or(own)).collect())
}

/// Returns true if the seed of a plan can be guessed; false if the text is not a plan.
pub fn has_short_seed(text: &str) -> bool {
    let file: Result<PlanFile, _> = toml::from_str(text);
    let seed = file.ok().and_then(|file| file.seed?.parse::<SeedText>().ok());
    seed.is_some_and(|seed| seed.can_be_guessed())
}

/// Returns a plan as TOML, including the seed.
pub fn write(plan: &Plan) -> Result<String, toml::ser::Error> {
    write_with_rules(plan, None)
}

/// Returns the plan of a round of a league as TOML, with the digest of its rules if they are not the first ones.
pub fn write_with_rules(plan: &Plan, rules: Option<Digest>) -> Result<String, toml::ser::Error> {
    let name = |place: &usize| plan.entries().get(*place).map(|entry| entry.name.clone());
    let listed = plan.settings().schedule.listed.iter();
    let file = PlanFile {
        listed: listed.map(|table| table.iter().filter_map(name).collect()).collect(),
        bots: plan.entries().iter().map(BotSection::new).collect(),
        rules,
        ..PlanFile::new(plan.kind(), plan.settings())
    };
    toml::to_string(&file)
}

#[derive(Debug)]
pub struct LeaguePlan {
    pub kind: GameKind,
    /// Settings of the games; without the schedule and the seed of a round.
    pub settings: Settings,
    pub rounds: RoundsSection,
    /// Time limit of the build of a bot, if given.
    pub build_time: Option<Duration>,
}

/// Reads the settings of a league but its calendar and its quotas, with its game if that is known: settings name it by
/// its name alone, and this process may know others of the same name.
///
/// # Errors
///
/// Says the wrong line or key.
pub fn of_league(text: &str, game: Option<&GameKind>) -> Result<LeaguePlan, Failure> {
    let file = PlanFile::parse(text)?;
    let others = [
        ("rules", file.rules.is_some()),
        ("deals", file.deals.is_some()),
        ("format", file.format != Format::default()),
        ("tables", file.tables.is_some()),
        ("listed", !file.listed.is_empty()),
        ("shard", file.shard.is_some()),
        ("shards", file.shards.is_some()),
        ("seed", file.seed.is_some()),
        ("entropy", !file.entropy.is_empty()),
        ("sprt", file.sprt.is_some()),
        ("tie-breaks", !file.tie_breaks.is_empty()),
        ("keep-files", !file.keep_files.is_usual()),
        ("bots", !file.bots.is_empty()),
    ];
    if let Some((key, _)) = others.into_iter().find(|(_, is_there)| *is_there) {
        let problem = "applies only to tournaments: remove it".to_owned();
        return Err(wrong_value(key, problem));
    }
    let known = game.filter(|game| game.name() == file.game && !game.is_absent());
    let kind = known.map_or_else(|| kind_of(&file.game), |known| Ok(known.clone()))?;
    let seed = CommittedSeed(Seed([0; 32]));
    let settings = file.settings(&kind, &ReadPurpose::Plays { submitted: Vec::new(), seed })?;
    let build_time = file.build_time.as_deref().map(duration).transpose();
    let build_time = build_time.map_err(|error| wrong_value("build-time", error))?;
    let rounds = file.rounds.unwrap_or_default();
    Ok(LeaguePlan { kind, settings, rounds, build_time })
}

pub fn write_of_league(
    kind: &GameKind,
    settings: &Settings,
    rounds: RoundsSection,
) -> Result<String, toml::ser::Error> {
    let file = PlanFile {
        deals: None,
        seed: None,
        commitment: None,
        rounds: Some(rounds).filter(|rounds| *rounds != RoundsSection::default()),
        limits: limit_texts(&settings.conditions.limits.for_all()),
        limits_of: settings.conditions.limits.named(),
        ..PlanFile::new(kind, settings)
    };
    let mut table = toml::Table::try_from(file)?;
    // Keys that are the same for every league are no settings.
    for key in ["format", "orders", "bots", "first-deal"] {
        table.remove(key);
    }
    toml::to_string(&table)
}
