//! A stage that begins once no round is open: a thread waits for it, and `arbiter league run` announces no further round
//! meanwhile. If the server ends before, no stage has begun.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use league::folder::LeagueFolder;
use league::round_folder::{self, OpenRoundAction, RoundState};
use league::stage_request::StageRequest;
use league::{audit, stage_request};
use text::failure::Failure;
use text::terminal::say;

/// The pause between two looks at the open round.
const PAUSE: Duration = Duration::from_secs(1);

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
    is_cancelled: bool,
}

impl StageWait {
    fn state(&self) -> MutexGuard<'_, WaitState> {
        state_in(&self.0)
    }

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
        open: OpenRoundAction,
        by: &str,
    ) -> Result<String, Failure> {
        let mut state = self.state();
        if let Some(it) = &state.waiting {
            return Err(Failure::Usage(format!("{} is already waiting: cancel it first", it.told)));
        }
        let league = folder.read()?;
        let told = request.plan(folder, &league)?.in_words();
        state.failed = None;
        let Some(round) = league.open_round() else {
            let _starting = stage_request::hold(folder)?;
            let league = folder.read()?;
            let begun = request.announce(folder, &league)?;
            let changed = || Failure::Later("the league has changed: try again".to_owned());
            return Ok(begun.ok_or_else(changed)?.in_words());
        };
        let number = round.line.round;
        state.waiting = Some(WaitingStage { told: told.clone(), is_cancelled: false });
        drop(state);
        let (own, folder, by) = (Arc::clone(&self.0), folder.clone(), by.to_owned());
        let begun = thread::Builder::new().name("stage".to_owned()).spawn(move || {
            let ended = wait(&own, &folder, &request, open);
            let mut state = state_in(&own);
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
        Ok(format!("{told}: begins after round {number}"))
    }

    /// Has the stage that waits not begin.
    pub(crate) fn cancel(&self) -> Result<String, Failure> {
        let mut state = self.state();
        let waiting =
            state.waiting.as_mut().ok_or_else(|| Failure::usage("no stage is waiting"))?;
        waiting.is_cancelled = true;
        Ok(format!("{}: cancelled", waiting.told))
    }
}

fn state_in(state: &Mutex<WaitState>) -> MutexGuard<'_, WaitState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for the end of the open round, and begins the stage; none if it was cancelled.
fn wait(
    own: &Mutex<WaitState>,
    folder: &LeagueFolder,
    request: &StageRequest,
    open: OpenRoundAction,
) -> Result<Option<String>, Failure> {
    let _starting = stage_request::hold(folder)?;
    let mut breaking_off = None;
    loop {
        // A cancellation comes before the stage begins, or finds none that waits.
        let mut state = state_in(own);
        if state.waiting.as_ref().is_none_or(|it| it.is_cancelled) {
            return Ok(None);
        }
        let league = folder.read()?;
        let Some(round) = league.open_round() else {
            if let Some(begun) = request.announce(folder, &league)? {
                state.waiting = None;
                return Ok(Some(begun.in_words()));
            }
            continue;
        };
        if open == OpenRoundAction::BrokenOff {
            match is_played_or_ended(folder, round.line.round)? {
                RoundState::Over => continue,
                RoundState::Playing if breaking_off.is_none() => {
                    breaking_off = Some(stage_request::break_off(folder)?);
                }
                RoundState::Playing => {}
                RoundState::Unfinished => return Err(unfinished(round.line.round)),
            }
        }
        drop(state);
        thread::sleep(PAUSE);
    }
}

/// Ends the round unless `league run` plays it, which then ends it.
fn is_played_or_ended(folder: &LeagueFolder, number: u64) -> Result<RoundState, Failure> {
    match folder.is_running() {
        true => Ok(RoundState::Playing),
        false => round_folder::end_if_unplayed(folder, number, OpenRoundAction::BrokenOff),
    }
}

fn unfinished(number: u64) -> Failure {
    Failure::Usage(format!(
        "round {number} cannot be ended here: finish it with `arbiter league run` or, in shards, `take-round`"
    ))
}
