//! The settings of a league, which have the keys of a plan except those for bots and schedules.

use std::time::Duration;

use rules::{GameKind, Seed};
use text::failure::Failure;

use super::layout::{PlanFile, RoundsFile, limit_texts, wrong_value};
use super::{Reader, kind_of};
use crate::tournament::plan::Settings;
use sandbox::duration;
use series::committed_seed::CommittedSeed;
use series::schedule::Format;

/// Contents of a league's settings.
#[derive(Debug)]
pub struct LeagueOutline {
    pub kind: GameKind,
    /// Settings of the games; without the schedule and the seed of a round.
    pub settings: Settings,
    /// Size of the rounds.
    pub rounds: RoundsFile,
    /// Time limit of the build of a bot, if given.
    pub build_time: Option<Duration>,
}

/// Reads the settings of a league but its calendar and its quotas, with its game if that is known: settings name it by
/// its name alone, and this process may know others of the same name.
///
/// # Errors
///
/// Says the wrong line or key.
pub fn of_league(text: &str, game: Option<&GameKind>) -> Result<LeagueOutline, Failure> {
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
    let settings = file.settings(&kind, &Reader::Plays { submitted: Vec::new(), seed })?;
    let build_time = file.build_time.as_deref().map(duration).transpose();
    let build_time = build_time.map_err(|error| wrong_value("build-time", error))?;
    let rounds = file.rounds.unwrap_or_default();
    Ok(LeagueOutline { kind, settings, rounds, build_time })
}

pub fn write_of_league(
    kind: &GameKind,
    settings: &Settings,
    rounds: RoundsFile,
) -> Result<String, toml::ser::Error> {
    let file = PlanFile {
        deals: None,
        seed: None,
        commitment: None,
        rounds: Some(rounds).filter(|rounds| *rounds != RoundsFile::default()),
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
