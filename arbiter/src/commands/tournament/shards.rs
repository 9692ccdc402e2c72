//! Planning a tournament that is played in shards, and merging them.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf, absolute};
use std::{env, fs};

use clap::Args;
use text::{counted, system_error};

use crate::commands::tournament::begin::{
    BeginRequest, copy_bots, new_folder, prepared, tell_estimate,
};
use crate::commands::tournament::options::TournamentSetupArgs;
use crate::commands::tournament::run::{RunOptions, TournamentOutput};
use crate::commands::{cores, usage_of};
use crate::options::number;
use crate::output::tournament::tell_result;
use bot::sandboxed::SandboxedBots;
use contest::setup::SeedSpec;
use contest::tournament::folder::{TournamentFolder, TournamentFolderError, shown};
use contest::tournament::plan::{Plan, PlannedSeed, Settings, estimate};
use contest::tournament::plan_file::ReadPurpose;
use contest::tournament::read;
use contest::tournament::sharded::merging::{MergeError, MergeResult, Merger};
use contest::tournament::sharded::survey::PieceStatus;
use contest::tournament::sharded::{Sharding, run_command};
use record::verify::VerifyOptions;
use series::Series;
use series::header::CommittedSeed;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

const PLAN_HELP: &str = "DIR holds the plan and the digests of the bots. `run-shard` \
plays a shard on any machine that can read DIR; `merge` joins them into one tournament. Bot paths \
are relative to the parent of DIR. The seed is stored in DIR, unless --seed-file is given: then \
`run-shard` and `merge` need that file. For the options, see `arbiter tournament --help`.

Examples:
  arbiter tournament plan cup --game tablic --deals 200 --shards 50 random greedy ./my-bot
  arbiter tournament plan cup --shards 50 contest.toml
  arbiter tournament plan test --game coup --shards 8 --block-deals 25 --sprt elo1=10 ./new ./old";

#[derive(Debug, Args)]
#[command(after_help = PLAN_HELP)]
pub(super) struct PlanArgs {
    /// Folder to create
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of shards
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of shards", 1..))]
    shards: Option<u64>,
    /// Apply disqualification and the sequential test after every N deals [default: only after
    /// merging]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of deals", 1..))]
    block_deals: Option<u64>,
    /// Suppress output
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    asked: TournamentSetupArgs,
}

impl PlanArgs {
    /// Writes the folder of a tournament to be played in shards. Nothing is written before everything was
    /// found to be in order.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let (mut folder, typed_folder) = (self.dir.clone(), self.dir);
        let (mut submissions, no_copies) = (self.asked.submissions.clone(), self.asked.no_copies);
        let mut source = self.asked.source()?;
        stand_beside(&mut folder, source.files().chain(submissions.as_mut()))?;
        // A seed in a file stays there.
        let seed_apart = source.seed().file().is_some();
        let shown = TournamentOutput::from_flags(false, self.quiet);
        let begin = BeginRequest {
            source,
            folder: Some(folder.clone()),
            submissions,
            no_copies,
            compress: false,
            options: RunOptions { workers: None, shown, grace: None },
            remote: None,
        };
        let prepared = prepared(begin, out)?;
        let settings = prepared.plan.settings();
        let shards = self.shards.or(settings.sharding.map(|sharding| sharding.shards));
        let Some(shards) = shards else {
            return Err(Failure::usage(
                "no number of shards: pass --shards N, or set `shards` in the plan",
            ));
        };
        let block_deals = self.block_deals.or(settings.sharding.and_then(|it| it.block_deals));
        let seed = match seed_apart {
            true => PlannedSeed::Apart(settings.seed.commitment()),
            false => settings.seed.clone(),
        };
        let sharding = Some(Sharding { shards, block_deals });
        let settings = Settings { sharding, seed, ..settings.clone() };
        let plan =
            Plan::new(prepared.plan.kind().clone(), settings, prepared.plan.entries().to_vec())
                .map_err(Failure::usage)?;
        let contenders = &prepared.ready.contenders;
        // The header is checked now, not by the first shard.
        let series = Series::new(plan.header(contenders))
            .map_err(|problem| Failure::Usage(format!("the plan {problem}")))?;
        let folder = new_folder(&folder, &plan, contenders, prepared.refused)?;
        if !no_copies {
            copy_bots(&folder, plan.entries())?;
        }
        if shown == TournamentOutput::Nothing {
            return Ok(());
        }
        let header = series.header();
        let games = counted(header.games, "game", "games");
        let bots = counted(contenders.len(), "bot", "bots");
        let shards_told = counted(shards, "shard", "shards");
        writeln!(out, "seed commitment: {}", header.commitment)?;
        writeln!(out, "{} {}: {bots}, {games} in {shards_told}", header.game, header.options)?;
        let one = NonZeroUsize::MIN;
        if let Some(estimate) = estimate(&series, &prepared.paces, shards, one) {
            tell_estimate(out, &estimate, shown, "for each shard with 1 worker")?;
        }
        writeln!(out, "run a shard: {}", run_command(&typed_folder, &plan, 0))?;
        let seed = if seed_apart { " --seed-file FILE" } else { "" };
        Ok(writeln!(out, "then merge: arbiter tournament merge {}{seed}", word(&typed_folder))?)
    }
}

const MERGE_HELP: &str = "Turns DIR into a complete tournament, as if played on one \
machine. Lists each missing, unfinished or foreign shard with the command that fixes it. Exits \
with 75 if some shards are merely unfinished.

Examples:
  arbiter tournament merge cup
  arbiter tournament merge cup --verify";

#[derive(Debug, Args)]
#[command(after_help = MERGE_HELP)]
pub(super) struct MergeArgs {
    /// Folder of the planned tournament
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Also verify every game
    #[arg(long)]
    verify: bool,
    /// Seed file, if the plan holds only the commitment
    #[arg(long, value_name = "FILE")]
    seed_file: Option<PathBuf>,
}

impl MergeArgs {
    /// Merges the shards of a tournament, and shows the standings, or each obstacle on a line of its own.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let work = self.verify.then_some(VerifyOptions { jobs: cores(), read: &|_| {} });
        let path = &*self.dir;
        let planned = PlannedShards::open(path, ReadPurpose::Looks)?;
        let seed = planned.seed(self.seed_file.as_deref())?;
        let (state, standings) = match merged(path, &planned.plan, planned.sharding, &seed, work)? {
            MergeResult::Over(state, standings) => (state, standings),
            MergeResult::Obstacles(pieces) => return Err(obstructed(&pieces)),
        };
        Ok(tell_result(out, &state, &standings, path, &SandboxedBots::default())?)
    }
}

/// Merges the shards in the folder of a plan, as far as nothing is in the way.
pub(in crate::commands) fn merged(
    path: &Path,
    plan: &Plan,
    sharding: Sharding,
    seed: &CommittedSeed,
    work: Option<VerifyOptions<'_>>,
) -> Result<MergeResult, Failure> {
    let folder = opened(path)?;
    let merging = Merger { folder: &folder, plan, sharding, seed, work };
    merging.merge().map_err(|error| not_merged(path, error))
}

/// Merges the games before the first shard that is not finished; returns the number of shards before it.
pub(in crate::commands) fn merged_so_far(
    path: &Path,
    plan: &Plan,
    sharding: Sharding,
    seed: &CommittedSeed,
    work: Option<VerifyOptions<'_>>,
) -> Result<usize, Failure> {
    let folder = opened(path)?;
    let merging = Merger { folder: &folder, plan, sharding, seed, work };
    merging.merge_so_far().map_err(|error| not_merged(path, error))
}

fn opened(path: &Path) -> Result<TournamentFolder, Failure> {
    TournamentFolder::open(path).map_err(|error| match error {
        TournamentFolderError::Locked(_) => Failure::Later(format!("{error}: try again later")),
        error => Failure::Usage(error.to_string()),
    })
}

fn not_merged(path: &Path, error: MergeError) -> Failure {
    let problem = format!("`{}`: {error}", shown(path));
    match error {
        MergeError::Machine(_) => Failure::Ours(problem),
        MergeError::Unreadable(_) => Failure::Usage(problem),
        MergeError::Shard { .. } | MergeError::Log(_) | MergeError::NotOver(_) => {
            Failure::Verification(problem)
        }
    }
}

/// Says which shards are in the way of merging: each on a line of its own, and the failure with the last one or
/// their number.
pub(in crate::commands) fn obstructed(pieces: &[PieceStatus]) -> Failure {
    let in_the_way = || pieces.iter().filter(|piece| piece.obstacle().is_some());
    let is_later = in_the_way().all(PieceStatus::is_unfinished);
    let obstacles = in_the_way().filter_map(PieceStatus::obstacle).collect();
    let problem = join_obstacles(obstacles);
    if is_later { Failure::Later(problem) } else { Failure::Usage(problem) }
}

/// Shows all obstacles but the last one, which is returned with their number.
fn join_obstacles(mut obstacles: Vec<String>) -> String {
    let number = obstacles.len();
    let last = obstacles.pop().unwrap_or_default();
    if number < 2 {
        return last;
    }
    for obstacle in obstacles.iter().chain([&last]) {
        say(obstacle);
    }
    format!("cannot merge because of {}", counted(number, "shard", "shards"))
}

pub(super) struct PlannedShards {
    /// The plan of the whole tournament.
    pub(super) plan: Plan,
    pub(super) sharding: Sharding,
}

impl PlannedShards {
    pub(super) fn open(path: &Path, reader: ReadPurpose) -> Result<PlannedShards, Failure> {
        let plan = read::plan(path, reader).map_err(|error| match error {
            read::ReadError::Folder(error) => Failure::Usage(error.to_string()),
            error => usage_of(path, error),
        })?;
        match plan.settings().sharding {
            Some(sharding) => Ok(PlannedShards { plan, sharding }),
            None => Err(Failure::Usage(format!(
                "`{}` is not sharded: use a folder made by `arbiter tournament plan`",
                shown(path)
            ))),
        }
    }

    /// Its seed, from the plan or this file.
    pub(super) fn seed(&self, file: Option<&Path>) -> Result<CommittedSeed, Failure> {
        let given = file.map(|file| SeedSpec::InFile(file.to_owned()).committed()).transpose()?;
        self.plan.settings().seed.or_given(given)
    }
}

/// Changes the current folder to the parent of `folder`, where paths of bots start. The folder and the other
/// paths of the command line become absolute if needed.
pub(super) fn stand_beside<'a>(
    folder: &mut PathBuf,
    others: impl IntoIterator<Item = &'a mut PathBuf>,
) -> Result<(), Failure> {
    let bad = |error| Failure::Usage(format!("`{}`: {}", shown(folder), system_error(error)));
    let whole = absolute(&*folder).map_err(bad)?;
    let Some(beside) = whole.parent() else {
        return Err(Failure::Usage(format!("`{}` has no parent folder", shown(folder))));
    };
    let is_here = |beside: &Path| {
        let here = env::current_dir().and_then(fs::canonicalize).ok();
        here.is_some() && here == fs::canonicalize(beside).ok()
    };
    if is_here(beside) {
        return Ok(());
    }
    for other in others {
        *other = absolute(&*other).map_err(bad)?;
    }
    env::set_current_dir(beside).map_err(bad)?;
    *folder = whole;
    Ok(())
}
