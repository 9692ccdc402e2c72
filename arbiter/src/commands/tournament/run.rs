//! A run of the games of a tournament: its options, its bots, and what stops it.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use rules::Host;

use crate::commands::matches::supervisor;
use crate::options::at_once;
use crate::options::remote::{RemoteArgs, RemoteBots};
use crate::output::series_lines::JsonTournamentWatcher;
use crate::output::tournament::{LiveProgress, leave_for_good};
use bot::launch_target::RemoteEndpoint;
use bot::manifest::ProgramMode;
use bot::sandboxed::SandboxedBots;
use bot::{Contender, sighted};
use contest::playing::bot::Bot;
use contest::playing::series_runner::{NoWatcher, SeriesEnd, SeriesError, Watcher};
use contest::setup;
use contest::tournament::copies::copy_of;
use contest::tournament::folder::TournamentFolder;
use contest::tournament::folder::TournamentFolders;
use contest::tournament::journal::ResumeError;
use contest::tournament::plan::{Plan, PlannedBot, Settings};
use contest::tournament::run::{RunError, TournamentRun};
use contest::tournament::sharded::whole_of;
use sandbox::Supervisor;
use series::header::CommittedSeed;
use series::schedule::Format;
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

#[derive(Debug, Args)]
pub(crate) struct TournamentRunArgs {
    /// Concurrent games; does not affect results [default: one per core]
    #[arg(long, value_name = "N", value_parser = at_once("a number of games at once"))]
    workers: Option<NonZeroUsize>,
    /// Suppress output
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Print JSON, one line per event
    #[arg(long)]
    json: bool,
}

impl TournamentRunArgs {
    pub(crate) fn options(&self) -> RunOptions {
        RunOptions {
            workers: self.workers,
            grace: None,
            shown: TournamentOutput::from_flags(self.json, self.quiet),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RunOptions {
    /// The number of games played at once; by default the number of cores.
    pub workers: Option<NonZeroUsize>,
    pub shown: TournamentOutput,
    /// The time that games may take after the first signal to stop; by default it is unlimited.
    pub grace: Option<Duration>,
}

impl RunOptions {
    /// The number of games played at once.
    pub(crate) fn workers(&self) -> NonZeroUsize {
        self.workers.unwrap_or_else(crate::commands::cores)
    }

    /// Warns if more games are played at once than there are processors.
    pub(crate) fn warn_of_many_workers(&self) {
        let Ok(processors) = std::thread::available_parallelism() else { return };
        if let Some(workers) = self.workers.filter(|workers| *workers > processors) {
            say(format!(
                "warning: {workers} workers on {}: bots will compete for CPU time and may time out",
                counted(processors.get() as u64, "processor", "processors")
            ));
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TournamentOutput {
    /// A table on a terminal, a line now and then elsewhere, and the standings at the end.
    Progress,
    /// Lines for programs.
    Json,
    Nothing,
}

impl TournamentOutput {
    pub(crate) fn from_flags(json: bool, quiet: bool) -> TournamentOutput {
        match (json, quiet) {
            (true, _) => TournamentOutput::Json,
            (_, true) => TournamentOutput::Nothing,
            _ => TournamentOutput::Progress,
        }
    }
}

/// A tournament with all bots ready to start.
pub(crate) struct ReadyBots {
    pub(crate) contenders: Vec<Contender>,
    pub(crate) supervisor: Supervisor,
    pub(crate) sandboxed: SandboxedBots,
    /// The name of this machine in the log, if several play.
    machine: Option<Host>,
    /// The server that remote bots of a tournament ask.
    remote: Option<RemoteBots>,
}

impl ReadyBots {
    /// Finds every bot, and starts it for a moment. No bot can see the paths in `kept`.
    pub(crate) fn new(
        plan: &Plan,
        kept: &[PathBuf],
        remote: Option<&RemoteEndpoint>,
    ) -> Result<ReadyBots, Failure> {
        must_be_granted(plan)?;
        for entry in plan.entries() {
            setup::must_play(&entry.bot, plan.kind(), &plan.settings().options)?;
        }
        let search = setup::search_path()?;
        let contenders = plan
            .contenders(&search, remote)
            .map_err(|(name, problem)| Failure::Start(format!("bot `{name}`: {problem}")))?;
        for entry in plan.entries().iter().filter(|entry| entry.bot.mode() != ProgramMode::Remote) {
            crate::commands::remark_on(&entry.bot, &entry.name, &search);
        }
        let conditions = &plan.settings().conditions;
        let secret = remote.map(|access| access.folder().to_path_buf());
        let kept: Vec<PathBuf> = kept.iter().cloned().chain(secret).collect();
        let contenders = sighted(contenders, &conditions.isolation.grants, &kept);
        let supervisor = supervisor(conditions)?;
        let sandboxed = SandboxedBots::new(&contenders, supervisor);
        setup::warn_of_exposed(&sandboxed);
        Bot::try_all(&contenders, supervisor)?;
        Ok(ReadyBots { contenders, supervisor, sandboxed, machine: None, remote: None })
    }

    /// The same for a tournament, with a server for its remote bots. Their tokens follow from the seed, so they hold
    /// when it is resumed.
    pub(super) fn of_tournament(
        plan: &Plan,
        kept: &[PathBuf],
        remote: &RemoteArgs,
    ) -> Result<ReadyBots, Failure> {
        let entries = plan.entries().iter();
        let entries = entries.map(|it| (&it.bot, it.name.as_str(), it.limits));
        let is_remote = |entry: &PlannedBot| entry.bot.mode() == ProgramMode::Remote;
        let server = match plan.entries().iter().any(is_remote) {
            true => remote.server(entries, plan.kind(), &seed_of(plan)?.0)?,
            false => None,
        };
        let access = server.as_ref().map(RemoteBots::access);
        Ok(ReadyBots { remote: server, ..ReadyBots::new(plan, kept, access.as_ref())? })
    }

    /// Sets the name of this machine, if several play.
    pub(super) fn with_machine(self, machine: Host) -> ReadyBots {
        ReadyBots { machine: Some(machine), ..self }
    }

    pub(super) fn play(
        &self,
        plan: &Plan,
        seed: &CommittedSeed,
        folder: &TournamentFolder,
        options: RunOptions,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        options.warn_of_many_workers();
        let stop = crate::commands::stop_on_signals(leave_for_good)?;
        if let Some(grace) = options.grace {
            stop.allow(grace);
        }
        let run = TournamentRun {
            plan,
            seed,
            contenders: &self.contenders,
            supervisor: self.supervisor,
            workers: options.workers(),
            machine: self.machine.as_ref(),
            stop: stop.set(),
            after_deals: None,
        };
        if let Some(remote) = &self.remote {
            remote.gather(stop.set());
        }
        let path = folder.path();
        let mut watcher: Box<dyn Watcher + '_> = match options.shown {
            TournamentOutput::Progress => {
                Box::new(LiveProgress::new(out, path, self.sandboxed.clone()))
            }
            TournamentOutput::Json => Box::new(JsonTournamentWatcher(out)),
            TournamentOutput::Nothing => Box::new(NoWatcher),
        };
        let played = run.play(folder, watcher.as_mut());
        match played.map_err(|it| with_remedy(it, plan, path))? {
            SeriesEnd::Over => Ok(()),
            SeriesEnd::Stopped { .. } => {
                self.remote.iter().for_each(RemoteBots::pause);
                let shard = plan.settings().schedule.shard.filter(|_| self.machine.is_some());
                let continues = match shard {
                    Some(shard) => {
                        format!("continue shard {shard} with `arbiter tournament run-shard`")
                    }
                    None => {
                        let path = word(TournamentFolders::find(path).first());
                        format!("continue with `arbiter tournament resume {path}`")
                    }
                };
                Err(Failure::Interrupted {
                    problem: format!("stopped early; {continues}"),
                    code: stop.exit_code(),
                })
            }
        }
    }
}

/// The seed of a plan; fails if the plan keeps it elsewhere.
pub(crate) fn seed_of(plan: &Plan) -> Result<&CommittedSeed, Failure> {
    let seed = plan.settings().seed.known_seed();
    seed.ok_or_else(|| plan.settings().seed.missing())
}

/// Refuses a plan with a bot that asks for a right that the plan does not grant.
pub(super) fn must_be_granted(plan: &Plan) -> Result<(), Failure> {
    for PlannedBot { name, bot, .. } in plan.entries() {
        plan.settings().conditions.isolation.check(name, bot).map_err(|error| {
            let (asked, expected) = (error.request_text(), error.in_plan());
            let problem = format!("{asked}: add {expected} to the plan to permit it");
            Failure::Usage(problem)
        })?;
    }
    Ok(())
}

/// The failure of a run, with advice if a bot was changed or the rules failed.
fn with_remedy(why: RunError, plan: &Plan, path: &Path) -> Failure {
    let has_broken_rules = matches!(
        &why,
        RunError::Playing(SeriesError::Rules { .. })
            | RunError::NotContinued(ResumeError::Rules(_))
    );
    if has_broken_rules && whole_of(path).is_none() {
        let advice = after_broken_rules(plan, path);
        return match failed(why) {
            Failure::Rules(problem) => Failure::Rules(format!("{problem}: {advice}")),
            Failure::Usage(problem) => Failure::Usage(format!("{problem}: {advice}")),
            other => other,
        };
    }
    let RunError::Playing(SeriesError::Changed { bot, .. }) = &why else { return failed(why) };
    let has_copy = copy_of(path, bot).is_some();
    let again = match whole_of(path) {
        Some(_) => "`arbiter tournament run-shard`".to_owned(),
        None => {
            let folder = word(TournamentFolders::find(path).first());
            format!("`arbiter tournament resume {folder}`")
        }
    };
    match failed(why) {
        Failure::Usage(problem) if has_copy => {
            Failure::Usage(format!("{problem}: to continue with its copy, run {again}"))
        }
        Failure::Usage(problem) => {
            Failure::Usage(format!("{problem}: restore the old file, then {again}"))
        }
        other => other,
    }
}

/// The command that goes on with a tournament whose rules have failed.
fn after_broken_rules(plan: &Plan, path: &Path) -> String {
    let Settings { schedule, conditions, .. } = plan.settings();
    if conditions.sprt.is_some() || schedule.format == Format::Listed {
        return "it cannot be extended: start a new tournament".to_owned();
    }
    let end = schedule.first_deal.saturating_add(schedule.deals);
    let log = contest::tournament::read::read_log(path, &mut |_, _| Ok(()));
    let is_last = log.is_ok_and(|log| log.next_deal >= end);
    let (whole, more) =
        (word(TournamentFolders::find(path).first()), if is_last { " --deals 10" } else { "" });
    format!(
        "continue with the next deal: `arbiter tournament extend {whole}{more}`; other rules \
         need a new tournament"
    )
}

pub(crate) fn failed(failed: RunError) -> Failure {
    match failed {
        RunError::NotContinued(_) => Failure::Usage(failed.to_string()),
        RunError::Playing(failed) => failed.into(),
        // All games were played, and only the output is missing.
        RunError::Untold(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            Failure::Output(error)
        }
        RunError::Untold(_) => Failure::Ours(failed.to_string()),
    }
}
