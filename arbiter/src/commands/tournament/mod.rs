//! `arbiter tournament`: many games between many bots.

mod asked_shard;
mod begin;
mod extend;
mod look;
mod merge;
mod plan;
mod planned;
mod run_shard;
mod submissions;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rules::Machine;
use rules::text::system_error;

pub use asked_shard::AskedShard;
pub(super) use begin::seed_of;
pub use begin::{AskedTournament, BeginRequest, Source, begin, resume};
pub use extend::{ExtendRequest, extend};
pub use look::{StandingsFormat, standings, status};
pub use merge::{MergeRequest, merge};
pub use plan::{PlanRequest, plan};
pub use run_shard::{RunShardRequest, run_shard};

use crate::bot::Contender;
use crate::bot::grants::{AskedIsolation, sighted};
use crate::bot::insider::Insiders;
use crate::commands::setup;
use crate::commands::stop::Stop;
use crate::failure::Failure;
use crate::file::{self, LONGEST_TEXT};
use crate::output::tournament::{JsonLines, Lines, LiveTable, leave_for_good};
use crate::playing::driver::Ended;
use crate::playing::factory;
use crate::playing::watcher::{Unwatched, Watcher};
use crate::process::Supervisor;
use crate::series::committed_seed::CommittedSeed;
use crate::text::shell::word;
use crate::tournament::folder::{Folder, shown};
use crate::tournament::parts::Parts;
use crate::tournament::plan::{Entry, Plan};
use crate::tournament::run::{Failed, Run, TournamentState};

/// How a run of games is carried out, whatever they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOptions {
    /// How many games are played at once; by default as many as the machine has cores.
    pub workers: Option<NonZeroUsize>,
    /// What is shown.
    pub shown: Shown,
    /// How long games may go on after the first signal to stop; without it, as long as they take.
    pub grace: Option<Duration>,
}

impl RunOptions {
    /// How many games are played at once.
    pub(super) fn workers(&self) -> NonZeroUsize {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.workers.unwrap_or_else(cores)
    }
}

/// What is shown of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// A table on a terminal, a line now and then elsewhere, and the standings at the end.
    Progress,
    /// Lines for programs.
    Json,
    /// Nothing at all.
    Nothing,
}

/// A tournament whose bots were all found and can be started.
pub(super) struct Ready {
    pub(super) contenders: Vec<Contender>,
    pub(super) supervisor: Supervisor,
    pub(super) insiders: Insiders,
    /// What this machine is called in the log, where several play.
    machine: Option<Machine>,
}

impl Ready {
    /// Finds every bot, and starts it for a moment; none sees what is kept from all.
    pub(super) fn new(plan: &Plan, kept: &[PathBuf]) -> Result<Ready, Failure> {
        must_be_granted(plan)?;
        for entry in plan.entries() {
            setup::must_play(&entry.bot, plan.kind())?;
        }
        let search = setup::search_path()?;
        let contenders = plan
            .contenders(&search)
            .map_err(|(name, problem)| Failure::Start(format!("bot `{name}`: {problem}")))?;
        for entry in plan.entries() {
            setup::warn_of_newer_source(&entry.bot, &entry.name);
            setup::tell_of_unused_venv(&entry.bot, &entry.name);
        }
        let AskedIsolation { isolation, grants } = &plan.settings().isolation;
        let contenders = sighted(contenders, grants, kept);
        let supervisor = setup::supervisor(*isolation)?.pondering(plan.settings().ponder);
        let insiders = Insiders::new(&contenders, supervisor);
        setup::warn_of_exposed(&insiders);
        for contender in &contenders {
            factory::ready(contender, supervisor)?;
        }
        Ok(Ready { contenders, supervisor, insiders, machine: None })
    }

    /// The same on a machine of several.
    fn on(self, machine: Machine) -> Ready {
        Ready { machine: Some(machine), ..self }
    }

    fn play(
        &self,
        plan: &Plan,
        seed: &CommittedSeed,
        folder: &Folder,
        options: RunOptions,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let stop = Stop::on_signals(leave_for_good).map_err(|error| {
            Failure::Ours(format!("cannot wait for signals: {}", system_error(&error)))
        })?;
        if let Some(grace) = options.grace {
            stop.allow(grace);
        }
        let run = Run {
            plan,
            seed,
            contenders: &self.contenders,
            supervisor: self.supervisor,
            insiders: &self.insiders,
            workers: options.workers(),
            machine: self.machine.as_ref(),
            stop: stop.set(),
        };
        let path = folder.path();
        let mut watcher: Box<dyn Watcher<TournamentState> + '_> = match options.shown {
            Shown::Progress if LiveTable::can_be_seen() => Box::new(LiveTable::new(out, path)),
            Shown::Progress => Box::new(Lines::new(out, path)),
            Shown::Json => Box::new(JsonLines::new(out)),
            Shown::Nothing => Box::new(Unwatched),
        };
        match run.play(folder, watcher.as_mut()).map_err(failed)? {
            Ended::Over => Ok(()),
            Ended::Stopped { .. } => {
                let shard = plan.settings().schedule.shard.filter(|_| self.machine.is_some());
                let continues = match shard {
                    Some(shard) => {
                        format!("`arbiter tournament run-shard` continues shard {shard}")
                    }
                    None => {
                        let path = word(Parts::find(path).first());
                        format!("`arbiter tournament resume {path}` continues it")
                    }
                };
                Err(Failure::Interrupted {
                    problem: format!("stopped before the end, {continues}"),
                    code: stop.exit_code(),
                })
            }
        }
    }
}

/// Refuses a plan with a bot that asks for what the plan does not grant.
fn must_be_granted(plan: &Plan) -> Result<(), Failure> {
    for Entry { name, bot, .. } in plan.entries() {
        plan.settings().isolation.check(name, bot).map_err(|error| {
            let (asked, expected) = (error.asked(), error.in_plan());
            let problem = format!("{asked}, which is not granted, expected {expected} in the plan");
            Failure::Usage(problem)
        })?;
    }
    Ok(())
}

pub(super) fn failed(failed: Failed) -> Failure {
    match failed {
        Failed::NotContinued(_) => Failure::Usage(failed.to_string()),
        Failed::Playing(failed) => failed.into(),
        // All was done, and only the telling is missing.
        Failed::Untold(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            Failure::Output(error)
        }
        Failed::Untold(_) => Failure::Ours(failed.to_string()),
    }
}

/// A text from a file that the user names.
fn read(path: &Path) -> Result<String, Failure> {
    file::text(path, LONGEST_TEXT).map_err(|error| {
        Failure::Usage(format!("`{}` cannot be read: {}", shown(path), system_error(error)))
    })
}
