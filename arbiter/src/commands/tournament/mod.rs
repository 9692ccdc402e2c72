//! `arbiter tournament`: many games between many bots.

mod begin;
mod look;
mod merge;
mod submissions;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

pub use begin::{AskedTournament, BeginRequest, Source, begin, resume};
pub use look::{StandingsFormat, standings, status};
pub use merge::merge;

use crate::bot::Contender;
use crate::commands::setup;
use crate::failure::Failure;
use crate::player::ProcessPlayer;
use crate::process::Supervisor;
use crate::report::tournament::{JsonLines, Lines, LiveTable, Silent};
use crate::tournament::folder::{Folder, shown};
use crate::tournament::plan::Plan;
use crate::tournament::run::{Ended, Failed, Run, Watcher};

/// How a run of games is carried out, whatever they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOptions {
    /// How many games are played at once; as many as the machine has cores, if not said.
    pub workers: Option<NonZeroUsize>,
    /// What is shown.
    pub shown: Shown,
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
struct Ready {
    contenders: Vec<Contender>,
    supervisor: Supervisor,
}

impl Ready {
    /// Finds every bot, and starts it for a moment.
    fn new(plan: &Plan) -> Result<Ready, Failure> {
        for entry in plan.entries() {
            setup::must_play(&entry.bot, plan.kind())?;
        }
        let search = setup::search_path()?;
        let contenders = plan
            .contenders(&search)
            .map_err(|(name, problem)| Failure::Start(format!("bot `{name}`: {problem}")))?;
        let supervisor = setup::supervisor()?;
        for contender in &contenders {
            ProcessPlayer::ready(contender, supervisor)?;
        }
        Ok(Ready { contenders, supervisor })
    }

    fn play(
        &self,
        plan: &Plan,
        folder: &Folder,
        options: RunOptions,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let stop = stop_on_signals()?;
        let run = Run {
            plan,
            contenders: &self.contenders,
            supervisor: self.supervisor,
            workers: options.workers.unwrap_or_else(cores),
            stop: &stop.set,
        };
        let path = folder.path();
        let mut watcher: Box<dyn Watcher + '_> = match options.shown {
            Shown::Progress if LiveTable::can_be_seen() => Box::new(LiveTable::new(out, path)?),
            Shown::Progress => Box::new(Lines::new(out, path)),
            Shown::Json => Box::new(JsonLines::new(out)),
            Shown::Nothing => Box::new(Silent),
        };
        match run.play(folder, watcher.as_mut()).map_err(failed)? {
            Ended::Over => Ok(()),
            Ended::Stopped => {
                let path = shown(path);
                let signal = stop.signal.load(Ordering::Relaxed);
                Err(Failure::Interrupted {
                    problem: format!(
                        "stopped before the end, `arbiter tournament resume {path}` goes on"
                    ),
                    code: u8::try_from(128 + signal).unwrap_or(u8::MAX),
                })
            }
        }
    }
}

/// What the first SIGINT or SIGTERM sets; the second one ends the program at once.
#[derive(Debug, Default)]
struct Stop {
    set: Arc<AtomicBool>,
    /// The number of the signal.
    signal: Arc<AtomicUsize>,
}

fn stop_on_signals() -> Result<&'static Stop, Failure> {
    static STOP: OnceLock<Stop> = OnceLock::new();
    let stop = STOP.get_or_init(Stop::default);
    register(stop).map_err(|error| Failure::Ours(format!("cannot wait for signals: {error}")))?;
    Ok(stop)
}

fn register(stop: &Stop) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    for signal in [SIGINT, SIGTERM] {
        // In this order, so that the one that sets it does not end the program as well.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop.set))?;
        flag::register_usize(signal, Arc::clone(&stop.signal), signal as usize)?;
        flag::register(signal, Arc::clone(&stop.set))?;
    }
    Ok(())
}

fn failed(failed: Failed) -> Failure {
    match failed {
        Failed::NotGoneOn(_) => Failure::Usage(failed.to_string()),
        Failed::Void { .. } | Failed::Machine { .. } | Failed::Watcher(_) | Failed::Untold(_) => {
            Failure::Ours(failed.to_string())
        }
    }
}

/// A text from a file that the user names.
fn read(path: &PathBuf) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("`{}` cannot be read: {error}", shown(path))))
}
