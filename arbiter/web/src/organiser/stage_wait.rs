//! A stage that begins once no round is open: a thread waits for it, and `arbiter league run` announces no further round
//! meanwhile. If the server ends before, no stage has begun.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use league::audit;
use league::folder::LeagueFolder;
use league::stage_request::StageRequest;
use league::stage_start;
use text::failure::Failure;
use text::terminal::say;

/// The pause between two looks at the open round.
const PAUSE: Duration = Duration::from_secs(1);

/// The fate of a round that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenRound {
    /// It is played to its end.
    Finished,
    /// It ends at once.
    BrokenOff,
}

/// The stage of a league that waits, if one does.
#[derive(Debug, Default)]
pub(crate) struct StageWait(Arc<Mutex<WaitState>>);

#[derive(Debug, Default)]
struct WaitState {
    waiting: Option<WaitingStage>,
    /// The reason why the last one did not begin.
    failed: Option<String>,
}

#[derive(Debug)]
struct WaitingStage {
    told: String,
    is_cancelled: Arc<AtomicBool>,
}

impl StageWait {
    fn state(&self) -> MutexGuard<'_, WaitState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The stage that waits, in words.
    pub(crate) fn waiting(&self) -> Option<String> {
        self.state().waiting.as_ref().map(|it| it.told.clone())
    }

    /// The reason why the last stage did not begin.
    pub(crate) fn failed(&self) -> Option<String> {
        self.state().failed.clone()
    }

    /// Begins a stage, or has it wait for the end of the open round. Returns what was done.
    pub(crate) fn begin(
        &self,
        folder: &LeagueFolder,
        request: StageRequest,
        open: OpenRound,
        by: &str,
    ) -> Result<String, Failure> {
        let mut state = self.state();
        if let Some(it) = &state.waiting {
            return Err(Failure::Usage(format!("{} waits already: cancel it first", it.told)));
        }
        let league = folder.read()?;
        let told = request.plan(folder, &league)?.in_words();
        state.failed = None;
        let Some(round) = league.open_round() else {
            let _starting = stage_start::hold(folder)?;
            let league = folder.read()?;
            let begun = request.announce(folder, &league)?;
            let changed = || Failure::Later("the league has changed: try again".to_owned());
            return Ok(begun.ok_or_else(changed)?.in_words());
        };
        let number = round.line.round;
        let is_cancelled = Arc::new(AtomicBool::new(false));
        state.waiting =
            Some(WaitingStage { told: told.clone(), is_cancelled: Arc::clone(&is_cancelled) });
        drop(state);
        let (own, folder, by) = (Arc::clone(&self.0), folder.clone(), by.to_owned());
        let begun = thread::Builder::new().name("stage".to_owned()).spawn(move || {
            let ended = wait(&folder, &request, open, &is_cancelled);
            let mut state = own.lock().unwrap_or_else(PoisonError::into_inner);
            state.waiting = None;
            match ended {
                Ok(Some(done)) => audit::add(&folder, &by, "stage", &done),
                Ok(None) => {}
                Err(problem) => {
                    say(format!("warning: a stage did not begin: {problem}"));
                    state.failed = Some(problem.to_string());
                }
            }
        });
        if let Err(error) = begun {
            self.state().waiting = None;
            return Err(Failure::Ours(text::system_error(error)));
        }
        Ok(format!("{told}: begins when round {number} is over"))
    }

    /// Has the stage that waits not begin.
    pub(crate) fn cancel(&self) -> Result<String, Failure> {
        let state = self.state();
        let waiting = state.waiting.as_ref().ok_or_else(|| Failure::usage("no stage waits"))?;
        waiting.is_cancelled.store(true, Ordering::SeqCst);
        Ok(format!("{}: cancelled", waiting.told))
    }
}

/// Waits for the end of the open round, and begins the stage; none if it was cancelled.
fn wait(
    folder: &LeagueFolder,
    request: &StageRequest,
    open: OpenRound,
    is_cancelled: &AtomicBool,
) -> Result<Option<String>, Failure> {
    let _starting = stage_start::hold(folder)?;
    let mut breaking_off = None;
    while !is_cancelled.load(Ordering::SeqCst) {
        let league = folder.read()?;
        if league.open_round().is_none() {
            if let Some(begun) = request.announce(folder, &league)? {
                return Ok(Some(begun.in_words()));
            }
            continue;
        }
        if open == OpenRound::BrokenOff && breaking_off.is_none() && folder.is_running() {
            breaking_off = Some(stage_start::break_off(folder)?);
        }
        thread::sleep(PAUSE);
    }
    Ok(None)
}
