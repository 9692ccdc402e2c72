//! Beginning and resuming a tournament.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::tournament::options::{
    PlanSource, TournamentOptions, TournamentSetupArgs, read,
};
use crate::commands::tournament::run::{
    ReadyBots, RunOptions, TournamentOutput, TournamentRunArgs, must_be_granted, seed_of,
};
use crate::commands::tournament::submissions::{self, FolderSubmissions};
use crate::commands::usage_of;
use crate::options::remote::RemoteArgs;
use crate::output::series_lines::{tell_refused, write_estimate};
use crate::output::tournament::{estimate_sentence, leave_for_good};
use bot::build::{self, BuildError, Builder};
use bot::grants::IsolationSpec;
use bot::{BotSpec, Contender};
use contest::setup::{self, SeedSpec};
use contest::tournament::copies;
use contest::tournament::folder::TournamentFolders;
use contest::tournament::folder::{Entrants, RefusedBot, TournamentFolder, shown};
use contest::tournament::plan::{
    Estimate, GamePace, Plan, PlannedBot, PlannedSeed, Settings, estimate,
};
use contest::tournament::plan_file::{self, DraftPlan, ReadPurpose};
use contest::tournament::read;
use games::GameFiles;
use sandbox::{CancellationCheck, GuardLease};
use series::schedule::{Format, ScheduleLine};
use series::{Conditions, PlayerLine, Series};
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

#[derive(Debug, Args)]
pub(super) struct BeginArgs {
    /// Folder to create for the tournament [default: the plan's name]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Write a compressed log (games.jsonl.gz)
    #[arg(long)]
    compress: bool,
    #[command(flatten)]
    run: TournamentRunArgs,
    #[command(flatten)]
    asked: TournamentSetupArgs,
    #[command(flatten)]
    remote: RemoteArgs,
}

impl BeginArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let (options, compress) = (self.run.options(), self.compress);
        let submissions = self.asked.submissions.clone();
        let no_copies = self.asked.no_copies;
        let source = self.asked.source()?;
        begin(
            BeginRequest {
                source,
                folder: self.dir,
                submissions,
                no_copies,
                compress,
                options,
                remote: Some(self.remote),
            },
            out,
        )
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter tournament resume cup")]
pub(super) struct ResumeArgs {
    /// Tournament folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    #[command(flatten)]
    run: TournamentRunArgs,
    #[command(flatten)]
    remote: RemoteArgs,
}

impl ResumeArgs {
    /// Resumes the tournament in a folder.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let (path, options, remote) = (&*self.dir, self.run.options(), &self.remote);
        let usage = |problem: String| Failure::Usage(format!("`{}`: {problem}", shown(path)));
        let LockedTournament { parts, first, last } = LockedTournament::tournament(path)?;
        let plan = read::resumed_plan(parts.last()).map_err(|error| usage(error.to_string()))?;
        if plan.settings().sharding.is_some() {
            let folder = word(path);
            return Err(usage(format!(
                "this tournament is sharded: continue a shard with `arbiter tournament run-shard \
                 {folder} --shard I`"
            )));
        }
        let folder = last.as_ref().unwrap_or(&first);
        if copies::are_unfinished(folder.path()) {
            copy_bots(folder, plan.entries())?;
        }
        let _guard = setup::guard()?;
        let kept = [parts.first().to_path_buf()];
        let ready = ReadyBots::of_tournament(&plan, &kept, remote).map_err(|failure| match failure {
            Failure::Start(problem) => {
                let first = shown(parts.first());
                Failure::Start(format!(
                    "{problem}; bot paths are relative to where the tournament was started; continue \
                     without a bot: `arbiter tournament extend {first} --without NAME`"
                ))
            }
            other => other,
        })?;
        ready.play(&plan, seed_of(&plan)?, folder, options, out)
    }
}

#[derive(Debug)]
pub(super) struct BeginRequest {
    pub source: PlanSource,
    /// Its folder; by default named after the file of the plan.
    pub folder: Option<PathBuf>,
    /// A folder with a folder for each submitted bot.
    pub submissions: Option<PathBuf>,
    /// True to play every bot where it lies, and only there.
    pub no_copies: bool,
    /// True to write a compressed log.
    pub compress: bool,
    pub options: RunOptions,
    /// How remote bots are asked; none where shards play.
    pub remote: Option<RemoteArgs>,
}

/// Begins a tournament and plays it. Nothing is written before everything was found to be in order.
fn begin(request: BeginRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let (options, no_copies, compress) = (request.options, request.no_copies, request.compress);
    let PreparedTournament { path, plan, ready, paces, refused, .. } = &prepared(request, out)?;
    if plan.settings().sharding.is_some() {
        return Err(Failure::usage("the plan has `shards`: use `arbiter tournament plan DIR`"));
    }
    let folder = new_folder(path, plan, &ready.contenders, refused.clone())?;
    if !no_copies {
        copy_bots(&folder, plan.entries())?;
    }
    if compress {
        folder.compress_log().map_err(Failure::usage)?;
    }
    let series = Series::new(plan.header(&ready.contenders));
    // A header that is refused is reported by the run.
    if let Some(estimate) = series.ok().and_then(|it| estimate(&it, paces, 1, options.workers())) {
        tell_estimate(out, &estimate, options.shown, &workers_told(options.workers()))?;
    }
    ready.play(plan, seed_of(plan)?, &folder, options, out)
}

/// Makes the folder of a planned tournament between these bots, some others having been refused.
pub(super) fn new_folder(
    path: &Path,
    plan: &Plan,
    contenders: &[Contender],
    refused: Vec<RefusedBot>,
) -> Result<TournamentFolder, Failure> {
    let text = plan_file::write(plan)
        .map_err(|error| Failure::Ours(format!("cannot write the plan: {error}")))?;
    let players: Vec<PlayerLine> = contenders.iter().map(PlayerLine::from).collect();
    let entrants = Entrants::new(&players, refused);
    let game = GameFiles::for_game(plan.kind());
    TournamentFolder::create(path, &text, &entrants, game.as_ref()).map_err(Failure::usage)
}

/// Copies bots into the folder of a new tournament, with a warning for each that has no copy.
pub(super) fn copy_bots(folder: &TournamentFolder, bots: &[PlannedBot]) -> Result<(), Failure> {
    let missing = copies::make(folder, bots)
        .map_err(|error| Failure::Ours(copies::unwritten(folder, &error)))?;
    for problem in missing {
        say(format!("warning: {problem}"));
    }
    Ok(())
}

/// Shows an estimate: as a line of JSON to `out`, or as a sentence on standard error, which says `how` it was made.
pub(super) fn tell_estimate(
    out: &mut dyn Write,
    estimate: &Estimate,
    shown: TournamentOutput,
    how: &str,
) -> Result<(), Failure> {
    match shown {
        TournamentOutput::Nothing => {}
        TournamentOutput::Json => write_estimate(out, estimate)?,
        TournamentOutput::Progress => say(estimate_sentence(estimate, how)),
    }
    Ok(())
}

/// The words for so many games at once.
fn workers_told(workers: NonZeroUsize) -> String {
    format!("with {}", counted(workers.get(), "worker", "workers"))
}

/// A tournament that is ready to begin, with nothing written yet.
pub(super) struct PreparedTournament {
    pub(super) path: PathBuf,
    pub(super) plan: Plan,
    pub(super) ready: ReadyBots,
    /// The paces of bots in their checks, by name.
    pub(super) paces: Vec<(String, GamePace)>,
    /// Submitted bots that do not play.
    pub(super) refused: Vec<RefusedBot>,
    /// Ends processes if this one is killed.
    _guard: GuardLease,
}

/// Builds and checks everything for a tournament, without writing it.
pub(super) fn prepared(
    request: BeginRequest,
    out: &mut dyn Write,
) -> Result<PreparedTournament, Failure> {
    let folder = match (&request.folder, &request.source) {
        (Some(folder), _) => folder.clone(),
        (None, PlanSource::Plan(file, _)) => PathBuf::from(file.file_stem().unwrap_or_default()),
        (None, PlanSource::Asked(_)) => {
            return Err(Failure::usage("no folder: pass --dir DIR"));
        }
    };
    TournamentFolder::check_new(&folder).map_err(Failure::usage)?;
    let kept = hidden_paths(&request, &folder);
    let mut submitted = FolderSubmissions::default();
    let mut guard = None;
    if let Some(path) = &request.submissions {
        let outline = outline(&request.source)?;
        guard = Some(setup::guard()?);
        let RunOptions { shown, .. } = request.options;
        let stop = crate::commands::stop_on_signals(leave_for_good)?;
        let how = (request.options.workers(), shown);
        submitted = submissions::enter(path, &outline, &kept, how, stop, out)?;
        if shown == TournamentOutput::Json {
            tell_refused(out, &submitted.refused)?;
        }
    }
    if request.source.has_short_seed()? && request.options.shown != TournamentOutput::Nothing {
        setup::tell_of_short_seed();
    }
    let plan = match request.source {
        PlanSource::Plan(file, seed) => plan_of_file(&file, &seed, &submitted)?,
        PlanSource::Asked(asked) => plan_of_words(*asked, &submitted)?,
    };
    let names = plan.entries().iter().map(|entry| entry.name.clone());
    let names: Vec<String> = names.chain(submitted.names_of_refused.iter().cloned()).collect();
    plan.settings().conditions.isolation.grants.check_names(&names)?;
    must_be_granted(&plan)?;
    let guard = guard.map_or_else(setup::guard, Ok)?;
    build_all(&plan, &kept)?;
    let ready = match &request.remote {
        Some(remote) => ReadyBots::of_tournament(&plan, &kept, remote)?,
        None => ReadyBots::new(&plan, &kept, None)?,
    };
    let (refused, paces) = (submitted.refused, submitted.paces);
    Ok(PreparedTournament { path: folder, plan, ready, paces, refused, _guard: guard })
}

/// Paths that no bot of a new tournament may see.
fn hidden_paths(request: &BeginRequest, folder: &Path) -> Vec<PathBuf> {
    let of_source = match &request.source {
        PlanSource::Plan(file, seed) => [Some(file.clone()), seed.file()],
        PlanSource::Asked(asked) => [None, asked.seed.file()],
    };
    let kept = of_source.into_iter().flatten().chain(request.submissions.clone());
    kept.chain([folder.to_path_buf()]).collect()
}

/// Builds the bots that are folders with a build command; submitted bots are built already.
fn build_all(plan: &Plan, kept: &[PathBuf]) -> Result<(), Failure> {
    let IsolationSpec { isolation, grants } = &plan.settings().conditions.isolation;
    let (supervisor, search) = (setup::complete(*isolation)?, setup::search_path()?);
    let folders = plan.entries().iter().filter_map(|entry| entry.bot.folder());
    let folders: Vec<PathBuf> = folders.map(|folder| folder.path.clone()).collect();
    let (search, folders, time) = (&search, &folders, build::TIME);
    let wanted = CancellationCheck::ALWAYS;
    let builder = Builder { supervisor, search, grants, folders, kept, time, wanted };
    for entry in plan.entries() {
        let Some(folder) = entry.bot.folder() else { continue };
        match builder.build(folder, &entry.name) {
            Ok(_) => {}
            Err(error @ BuildError::Machine(_)) => {
                return Err(Failure::Ours(format!("bot `{}`: {error}", entry.name)));
            }
            Err(error) => {
                let problem = format!("cannot build bot `{}`: {error}", entry.name);
                return Err(Failure::Start(problem));
            }
        }
    }
    Ok(())
}

/// A tournament, locked against other runs.
pub(super) struct LockedTournament {
    pub(super) parts: TournamentFolders,
    /// The folder of the first part, which every run of any part locks.
    pub(super) first: TournamentFolder,
    /// The folder of the last part, if it is another one.
    pub(super) last: Option<TournamentFolder>,
}

impl LockedTournament {
    /// Locks the tournament to which the part in this folder belongs.
    pub(super) fn tournament(path: &Path) -> Result<LockedTournament, Failure> {
        let open = |path: &Path| TournamentFolder::open(path).map_err(Failure::usage);
        let first = open(TournamentFolders::find_all(path).first())?;
        // Another part may have come during the wait for the folder.
        let parts = TournamentFolders::find_all(path);
        let last = (parts.first() != parts.last()).then(|| open(parts.last())).transpose()?;
        Ok(LockedTournament { parts, first, last })
    }
}

/// A tournament without its submitted bots, with everything checked that does not depend on them.
fn outline(source: &PlanSource) -> Result<DraftPlan, Failure> {
    match source {
        PlanSource::Asked(asked) => {
            let (kind, options) = (asked.game.kind.clone(), asked.game.options()?);
            let bots = setup::opened(&asked.bots, &kind, &options)?;
            let names = bot::names(&bots)?;
            let conditions = asked.conditions.clone();
            for (name, bot) in names.iter().zip(&bots) {
                let granted = conditions.isolation.check(name, bot);
                granted.map_err(Failure::usage)?;
            }
            Ok(DraftPlan { kind, options, conditions, names })
        }
        PlanSource::Plan(file, _) => {
            plan_file::outline(&read(file)?).map_err(|error| usage_of(file, error))
        }
    }
}

fn plan_of_file(
    file: &Path,
    seed: &SeedSpec,
    submitted: &FolderSubmissions,
) -> Result<Plan, Failure> {
    let usage = |error: Failure| {
        Failure::Usage(submitted.explaining(format!("`{}`: {error}", shown(file))))
    };
    // An error in the seed file is not reported as one in the plan.
    let committed = seed.committed()?;
    let reader =
        ReadPurpose::Plays { submitted: submitted.entered.clone(), seed: committed.clone() };
    let plan = plan_file::read(&read(file)?, reader).map_err(usage)?;
    if seed.is_drawn() {
        return Ok(plan);
    }
    let settings = plan.settings().clone();
    let seed = settings.seed.or_given(Some(committed)).map_err(|error| {
        Failure::Usage(format!("the plan `{}` names a seed: {error}", shown(file)))
    })?;
    let settings = Settings { seed: PlannedSeed::Known(seed), ..settings };
    Plan::new(plan.kind().clone(), settings, plan.entries().to_vec())
}

/// The schedule in which each of the first bots meets all that are not among them. Its tables are listed, so its log is
/// as any with listed tables.
fn gauntlets(
    schedule: ScheduleLine,
    first: usize,
    bots: usize,
    seats: usize,
) -> Result<ScheduleLine, Failure> {
    let wrong = |problem: String| Err(Failure::Usage(problem));
    if schedule.format != Format::Gauntlet {
        return wrong("`--gauntlets` needs `--format gauntlet`".to_owned());
    }
    if seats != 2 {
        return wrong(format!("`--gauntlets` needs 2 seats, not {seats}"));
    }
    if schedule.tables.is_some() {
        return wrong("`--gauntlets` and `--tables` cannot be combined".to_owned());
    }
    if bots <= first {
        let bots = counted(bots, "bot", "bots");
        return wrong(format!("`--gauntlets {first}` leaves no opponents among {bots}"));
    }
    let meet = |one: usize| (first..bots).map(move |other| vec![one, other]);
    let listed = (0..first).flat_map(meet).collect();
    Ok(ScheduleLine { format: Format::Listed, listed, ..schedule })
}

fn plan_of_words(asked: TournamentOptions, submitted: &FolderSubmissions) -> Result<Plan, Failure> {
    let usage = |error: Failure| Failure::Usage(submitted.explaining(error.to_string()));
    let options = asked.game.options()?;
    let mut bots = setup::opened(&asked.bots, &asked.game.kind, &options)?;
    bots.extend(submitted.entered.clone());
    let names = bot::names(&bots)?;
    let Conditions { limits, isolation, .. } = &asked.conditions;
    limits.check_names(&[&names[..], &submitted.names_of_refused].concat())?;
    for (name, bot) in names.iter().zip(&bots) {
        isolation.check(name, bot).map_err(Failure::usage)?;
    }
    let schedule = match asked.gauntlets {
        None => asked.schedule,
        Some(first) => {
            let seats = asked.game.kind.seats(&options).map_err(Failure::usage)?;
            gauntlets(asked.schedule, first, names.len(), seats)?
        }
    };
    let settings = Settings {
        options,
        schedule,
        extends: None,
        seed: PlannedSeed::Known(asked.seed.committed()?),
        sharding: None,
        decided: None,
        league: None,
        conditions: asked.conditions.clone(),
    };
    let entry = |(name, bot): (String, BotSpec)| {
        let limits = limits.for_bot(&name, &bot);
        PlannedBot { name, bot, limits }
    };
    let entries = names.into_iter().zip(bots).map(entry).collect();
    Plan::new(asked.game.kind, settings, entries).map_err(usage)
}
