//! Extending a tournament with other bots, or for more deals than planned.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use text::system_error;

use crate::commands::tournament::begin::{LockedTournament, copy_bots, new_folder};
use crate::commands::tournament::run::{ReadyBots, TournamentOutput, TournamentRunArgs, seed_of};
use crate::options::isolation::AllowArgs;
use crate::options::isolation::LimitArgs;
use crate::options::remote::RemoteArgs;
use crate::options::{asked_seed, bots, number};
use bot::grants::{Grants, IsolationSpec};
use bot::limits::LimitSpecs;
use bot::{BotSpec, spelt_as_names};
use contest::setup;
use contest::tournament::copies;
use contest::tournament::extend::{self, Extension};
use contest::tournament::folder::{self, shown};
use contest::tournament::plan::{Plan, PlannedBot};
use contest::tournament::plan_file::ReadPurpose;
use contest::tournament::read::{self, PartLog, ReadError};
use contest::tournament::sharded::survey;
use sandbox::Limits;
use sandbox::file::LONGEST_TEXT;
use series::header::SeedText;
use text::failure::Failure;
use text::shell::word;

const HELP: &str =
    "Earlier games stay rated. The extension has its own plan and log in a folder inside DIR; \
`status`, `standings`, `verify`, `report` and `export` cover all parts. An unfinished tournament \
keeps its seed and continues with its next deal; a finished one gets a new seed, since the old one \
is public. Add a changed bot under a new name. Limits apply to new bots only.

Examples:
  arbiter tournament extend cup --deals 50
  arbiter tournament extend cup --without ann
  arbiter tournament extend cup --without ann \"ann-2=python3 ann.py\"";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ExtendArgs {
    /// Tournament folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of further deals [default: the remaining ones]
    #[arg(long, value_name = "N", visible_alias = "rounds", value_parser = number::<u64>("a number of deals", 1..=1_000_000_000))]
    deals: Option<u64>,
    /// Withdraw a bot; its games so far stay rated
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// Seed of the new deals of a finished tournament: 64 hex digits, or a number for practice only
    /// (guessable) [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<SeedText>,
    /// Read that seed from a file created by `arbiter seed`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Mix a participant's entropy into that seed; repeatable
    #[arg(long, value_name = "TEXT")]
    entropy: Vec<String>,
    #[command(flatten)]
    run: TournamentRunArgs,
    /// Bots to add
    #[arg(value_name = "BOT")]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    allow: AllowArgs,
    #[command(flatten)]
    remote: RemoteArgs,
}

impl ExtendArgs {
    /// Extends a tournament and plays the new games. Nothing is written before everything was found to be in
    /// order.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let without: Vec<String> = self.without.iter().map(|name| spelt_as_names(name)).collect();
        let (bots, limits, grants) =
            (bots(&self.bots)?, self.limits.into_specs(), self.allow.granted()?);
        let (seed, entropy) = (asked_seed(self.seed, self.seed_file), self.entropy);
        let (deals, options) = (self.deals, self.run.options());
        let whole = shown(&self.dir);
        let usage = |problem: String| Failure::Usage(format!("`{whole}`: {problem}"));
        let locked = LockedTournament::tournament(&self.dir)?;
        let parts = &locked.parts;
        let in_shards = read::in_shards(parts.first()).map_err(|error| usage(error.to_string()))?;
        if in_shards.is_some() {
            let folder = word(&self.dir);
            let problem = "not all of its shards are merged: run `arbiter tournament merge";
            return Err(usage(format!("{problem} {folder}` first")));
        }
        let last = read::plan(parts.last(), ReadPurpose::Looks)
            .map_err(|error| usage(error.to_string()))?;
        let logs: Result<Vec<PartLog>, ReadError> =
            parts.all().iter().map(|part| read::read_log(part, &mut |_, _| Ok(()))).collect();
        let logs = logs.map_err(|error| match error {
            ReadError::Log { .. } => Failure::Verification(format!("`{whole}`: {error}")),
            ReadError::NotBegun => {
                let folder = word(&self.dir);
                usage(format!("{error}: run `arbiter tournament resume {folder}` first"))
            }
            other => usage(other.to_string()),
        })?;
        if bots.is_empty() && !grants.is_empty() {
            let problem = "--allow needs a new bot: add NAME=COMMAND";
            return Err(usage(problem.to_owned()));
        }
        if bots.is_empty() && !limits.is_empty() {
            let problem = "limits need a new bot: add NAME=COMMAND";
            return Err(usage(problem.to_owned()));
        }
        write_standings(&locked).map_err(usage)?;
        let change = Extension {
            without: &without,
            new: new_entries(&bots, &limits, &grants, &last)?,
            grants,
            deals,
            asks_for_seed: !seed.is_drawn() || !entropy.is_empty(),
            draw_seed: &|| seed.committed().map_err(|failure| failure.to_string()),
            entropy,
        };
        let plan = extend::plan(&last, &logs, change).map_err(|error| usage(error.to_string()))?;
        let plan = copies::opened(plan, parts.first()).map_err(Failure::usage)?;
        if seed.can_be_guessed() && options.shown != TournamentOutput::Nothing {
            setup::tell_of_short_seed();
        }
        let _guard = setup::guard()?;
        let kept: Vec<PathBuf> =
            seed.file().into_iter().chain([parts.first().to_path_buf()]).collect();
        let ready = ReadyBots::of_tournament(&plan, &kept, &self.remote)?;
        let header = plan.header(&ready.contenders);
        for log in &logs {
            extend::check_players(log.games.series.header(), &header)
                .map_err(|error| usage(error.to_string()))?;
        }
        let folder = new_folder(&parts.next(), &plan, &ready.contenders, Vec::new())?;
        if copies::are_made(parts.first()) {
            let is_new = |entry: &&PlannedBot| copies::copy_of(parts.last(), &entry.name).is_none();
            let new: Vec<PlannedBot> = plan.entries().iter().filter(is_new).cloned().collect();
            copy_bots(&folder, &new)?;
        }
        let played = ready.play(&plan, seed_of(&plan)?, &folder, options, out);
        // Until here no other run may use the parts before it.
        drop(locked);
        played
    }
}

/// Writes the standings of a part that is over, if a crash has prevented it.
fn write_standings(locked: &LockedTournament) -> Result<(), String> {
    let path = locked.parts.last();
    let standings =
        folder::read_standings(path, LONGEST_TEXT).map_err(|error| error.to_string())?;
    let state = survey::tournament_state(path).map_err(|error| error.to_string())?;
    if !state.games.progress.is_over() || standings.is_some() {
        return Ok(());
    }
    let folder = locked.last.as_ref().unwrap_or(&locked.first);
    let written = folder.write_standings(&state.standings());
    written.map_err(|error| format!("cannot write its standings: {}", system_error(&error)))
}

/// The new bots, with their names and limits. By default these are the limits of the other bots, if they
/// all have the same.
fn new_entries(
    bots: &[BotSpec],
    limits: &LimitSpecs,
    grants: &Grants,
    last: &Plan,
) -> Result<Vec<PlannedBot>, Failure> {
    let bots = setup::opened(bots, last.kind(), &last.settings().options)?;
    let names = bot::names(&bots)?;
    limits.check_names(&names)?;
    let isolation = last.settings().conditions.isolation.isolation;
    let asked = IsolationSpec { isolation, grants: grants.clone() };
    setup::must_be_granted(&names, &bots, &asked)?;
    let mut usual = last.entries().iter().map(|entry| entry.limits);
    let usual = usual.next().filter(|first| usual.all(|limits| limits == *first));
    let entry = |(name, bot): (String, BotSpec)| {
        let limits = limits.apply(usual.unwrap_or(Limits::DEFAULT), &name, &bot, &[]);
        PlannedBot { name, bot, limits }
    };
    Ok(names.into_iter().zip(bots).map(entry).collect())
}
