//! Bots that participants send over the page of a league: each waits, is unpacked, built and checked, and
//! enters or is refused.
//!
//! Nothing is tried forever. After a failure of the machine a submission is tried up to three times, each time after
//! all others that wait, and then refused with the reason. A build ends when its token is revoked, or its time is over.

mod deciding;

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rules::GameKind;
use text::system_error;
use thiserror::Error;

use crate::entry::settings;
use crate::league::calendar::{self, Calendar, Doors};
use crate::league::folder::{BadLeague, LeagueFolder};
use crate::league::participants::Participants;
use crate::league::quotas::Quotas;
use crate::league::room;
use crate::league::submissions::{
    self, Arrival, Brief, MOST_BEGUN, NotTaken, Seen, Stage, Submission, SubmissionIndex, TRIES,
};
use crate::tournament::folder::shown;
use conditions::failure::Failure;
use deciding::{Decision, token_is_void};
use sandbox::isolation::Isolation;
use text::terminal::say;
use unpacking::Bounds;

/// Time to wait for another program that enters bots, before the desk looks whether it is closed.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time until the league is looked at again if nothing comes, or something is wrong with it.
const PAUSE: Duration = Duration::from_secs(10);
/// Rest of a submission after a failure of the machine, for each such failure.
const REST: Duration = Duration::from_secs(5);
/// Takes submissions at any time, and processes them one by one.
#[derive(Debug)]
pub struct Desk {
    folder: LeagueFolder,
    kind: GameKind,
    options: String,
    index: SubmissionIndex,
    state: Mutex<State>,
    changed: Condvar,
}

/// A submission by its participant and its number.
type Key = (String, u64);

#[derive(Debug, Default)]
struct State {
    /// The submission being processed.
    at_work: Option<Key>,
    /// True once the start of this one is on disk.
    is_begun: bool,
    is_closed: bool,
    /// True if the program ends without waiting for the one at work.
    is_left: bool,
    /// True if something was taken in since the last look.
    is_new: bool,
    /// Resting submissions, with the ends of their rests.
    rests: BTreeMap<Key, Instant>,
    /// The last warning to the organiser.
    warned: Option<String>,
}

/// Reason why no bots are taken; one line.
#[derive(Debug, Error)]
pub enum NotOpened {
    /// The league would run programs of strangers without isolation.
    #[error(
        "`{0}` has isolation = \"off\", but strangers' programs would run: remove it from league.toml"
    )]
    Unisolated(String),
    /// Something else prevents it.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// State of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It waits.
    Waits {
        /// Its place among those that wait, from 1.
        place: usize,
        /// Number of those that wait.
        of: usize,
    },
    /// It is being processed.
    AtWork {
        /// Number of those that wait, including this one.
        of: usize,
    },
    /// It is decided.
    Decided,
}

/// The waiting submissions of a league, in their order.
#[derive(Debug, Clone)]
pub struct Queue {
    /// All of them; the one being processed comes first.
    pub waiting: Vec<Brief>,
    /// True if the first one is being processed.
    pub is_at_work: bool,
}

impl Queue {
    /// Returns the state of a submission of this participant with this number.
    pub fn standing(&self, participant: &str, number: u64) -> Standing {
        let of = self.waiting.len();
        let is_it = |it: &Brief| it.participant == participant && it.number == number;
        match self.waiting.iter().position(is_it) {
            Some(0) if self.is_at_work => Standing::AtWork { of },
            Some(before) => Standing::Waits { place: before + 1, of },
            None => Standing::Decided,
        }
    }
}

impl Desk {
    /// Opens a desk for a league, which also processes submissions from earlier runs. The program must have posted a
    /// guard before.
    pub fn open(folder: LeagueFolder) -> Result<Desk, NotOpened> {
        let league = folder.read().map_err(Failure::from)?;
        if !is_isolated(&folder)? {
            return Err(NotOpened::Unisolated(shown(folder.path())));
        }
        let (index, kind) = (SubmissionIndex::new(folder.clone()), league.kind().clone());
        let options = settings(&folder, &league)?.settings.options;
        Ok(Desk { folder, kind, options, index, state: Mutex::default(), changed: Condvar::new() })
    }

    /// The league.
    pub fn folder(&self) -> &LeagueFolder {
        &self.folder
    }

    /// Returns the bounds of a submission.
    pub fn bounds(&self) -> Bounds {
        Bounds::DEFAULT
    }

    /// Takes in a file from a participant; then it waits.
    pub fn take_in(&self, arrival: Arrival<'_>) -> Result<Submission, NotTaken> {
        let participant = arrival.participant;
        self.must_have_room(participant)?;
        let taken = submissions::take_in(&self.folder, arrival)?;
        self.index.read_again(participant)?;
        self.state().is_new = true;
        self.changed.notify_all();
        Ok(taken)
    }

    /// Returns an error if a file of this participant would not be taken in now.
    pub fn must_have_room(&self, participant: &str) -> Result<(), NotTaken> {
        let calendar = Calendar::of(&self.folder)?;
        if let Doors::NotOpen(opens) = calendar.doors(calendar::now()) {
            return Err(NotTaken::NotOpen(calendar.shown(opens)));
        }
        let quotas = Quotas::of(&self.folder)?;
        if !room::has_disk(&self.folder, quotas.least_free())? {
            return Err(NotTaken::NoDisk);
        }
        match submissions::must_have_room(&self.index.seen()?.queue, participant) {
            // It may have been decided just now.
            Err(NotTaken::Waiting(_)) => {
                self.index.read_again(participant)?;
                submissions::must_have_room(&self.index.seen()?.queue, participant)
            }
            other => other,
        }
    }

    /// Returns the last submissions, the newest first, and those that wait.
    pub fn seen(&self) -> io::Result<(Arc<[Brief]>, Queue)> {
        let Seen { latest, queue } = self.index.seen()?;
        let mut waiting = queue.to_vec();
        let at_work = self.state().at_work.clone();
        let is_at_work = |it: &Brief| at_work.as_ref().is_some_and(|key| *key == key_of(it));
        let place = waiting.iter().position(is_at_work);
        if let Some(place) = place {
            waiting[..=place].rotate_right(1);
        }
        Ok((latest, Queue { waiting, is_at_work: place.is_some() }))
    }

    /// Processes all submissions one by one, until the desk is closed.
    pub fn work(&self) {
        while let Some(next) = self.next() {
            self.state().at_work = Some(key_of(&next));
            let processed = self.process(&next);
            let read = self.index.read_again(&next.participant);
            {
                let mut state = self.state();
                (state.at_work, state.is_begun) = (None, false);
            }
            let processed = processed.and_then(|()| read.map_err(|error| self.unusable(&error)));
            match processed {
                Ok(()) => self.state().warned = None,
                Err(failure) => self.warn(&failure),
            }
        }
    }

    /// Makes [`work`](Desk::work) return after its current submission. A running build is ended.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Puts back the submission at work, because the program ends without waiting for it: a try that is cut short by
    /// the end of the server does not count, and keeps its turn.
    pub fn leave(&self) {
        let mut state = self.state();
        state.is_left = true;
        let Some((participant, number)) = state.at_work.as_ref().filter(|_| state.is_begun) else {
            return;
        };
        let submission = submissions::one(&self.folder, participant, *number);
        if let Some(mut submission) = submission.filter(Submission::is_waiting)
            && let Err(error) = submission.put_back(&self.folder)
        {
            drop(state);
            self.warn(&self.unusable(&error));
        }
    }

    /// Waits for the next submission; none once the desk is closed.
    fn next(&self) -> Option<Brief> {
        loop {
            {
                let mut state = self.state();
                if state.is_closed {
                    return None;
                }
                state.is_new = false;
            }
            let queue = match self.usable_queue() {
                Ok(queue) => queue,
                Err(failure) => {
                    // The waiting submissions are not to blame: none of them is tried.
                    self.warn(&failure);
                    self.wait(PAUSE, |state| state.is_closed);
                    continue;
                }
            };
            let now = Instant::now();
            let pause = {
                let mut state = self.state();
                state.rests.retain(|_, until| *until > now);
                let next = queue.iter().find(|it| !state.rests.contains_key(&key_of(it)));
                if let Some(next) = next {
                    return Some(next.clone());
                }
                let rest = state.rests.values().min().map(|until| *until - now);
                rest.map_or(PAUSE, |rest| rest.min(PAUSE))
            };
            self.wait(pause, |state| state.is_closed || state.is_new);
        }
    }

    /// Waits until the condition holds, or at most this long.
    fn wait(&self, pause: Duration, is_over: impl Fn(&State) -> bool) {
        let state = self.state();
        let woken = self.changed.wait_timeout_while(state, pause, |state| !is_over(state));
        drop(woken.unwrap_or_else(PoisonError::into_inner));
    }

    /// Warns the organiser of a failure, unless the last warning was the same.
    fn warn(&self, failure: &Failure) {
        let warning = format!("warning: handing in: {failure}");
        let mut state = self.state();
        if state.warned.as_ref() != Some(&warning) {
            say(&warning);
            state.warned = Some(warning);
        }
    }

    /// Returns those that wait. Fails if no bot of the league can be built or checked now.
    fn usable_queue(&self) -> Result<Arc<[Brief]>, Failure> {
        let Seen { queue, .. } = self.index.seen().map_err(|error| self.unusable(&error))?;
        match queue.is_empty() || is_isolated(&self.folder)? {
            true => Ok(queue),
            false => {
                let problem =
                    "league.toml has isolation = \"off\", so bots of strangers are not run";
                Err(Failure::Usage(problem.to_owned()))
            }
        }
    }

    fn process(&self, next: &Brief) -> Result<(), Failure> {
        let unusable = |error: io::Error| {
            self.rest(next, 1);
            self.unusable(&error)
        };
        let _entering = loop {
            match self.folder.hold_entries(PATIENCE) {
                Ok(held) => break held,
                Err(BadLeague::Entering(_)) if !self.state().is_closed => {}
                // It waits for the next run.
                Err(BadLeague::Entering(_)) => return Ok(()),
                Err(problem) => {
                    self.rest(next, 1);
                    return Err(problem.into());
                }
            }
        };
        // Another program may have decided it meanwhile.
        let found = submissions::one(&self.folder, &next.participant, next.number);
        let Some(mut submission) = found.filter(Submission::is_waiting) else { return Ok(()) };
        let begun = {
            let mut state = self.state();
            if state.is_left {
                return Ok(());
            }
            state.is_begun = true;
            submission.begin(&self.folder)
        };
        begun.map_err(unusable)?;
        let decision = match submission.record.begun > MOST_BEGUN {
            true => Ok(Decision::refused(
                Stage::Machine,
                format!(
                    "the server has ended {MOST_BEGUN} times while it was dealing with it; hand it in again, and tell the organiser"
                ),
            )),
            false => self.decision(&submission),
        };
        let (Decision { verdict, report }, told) = match decision {
            Ok(decision) => (decision, Ok(())),
            Err(_) if self.state().is_closed => {
                let put_back = {
                    let mut state = self.state();
                    // Otherwise `leave` has put it back.
                    match std::mem::take(&mut state.is_begun) && !state.is_left {
                        true => submission.put_back(&self.folder),
                        false => Ok(()),
                    }
                };
                return put_back.map_err(unusable);
            }
            Err(_) if !self.is_allowed(&submission) => (token_is_void(), Ok(())),
            Err(failure) => {
                submission.fail(&self.folder).map_err(unusable)?;
                let failed = submission.record.failed;
                if failed < TRIES {
                    self.rest(next, failed);
                    return Err(failure);
                }
                (self.given_up(&failure), Err(failure))
            }
        };
        let decided = {
            // Nothing is decided once it was put back.
            let state = self.state();
            if state.is_left {
                return Ok(());
            }
            submission.decide(&self.folder, verdict, &report)
        };
        decided.map_err(unusable)?;
        told
    }

    /// Lets a submission rest, so that others have their turns.
    fn rest(&self, submission: &Brief, times: u32) {
        self.state().rests.insert(key_of(submission), Instant::now() + REST * times);
    }

    /// Returns true if the participant of a submission may still hand in bots, with the token of the submission.
    fn is_allowed(&self, submission: &Submission) -> bool {
        // If that cannot be read, nothing is known to have changed.
        let participants = Participants::read(&self.folder);
        participants.map_or(true, |participants| {
            participants.may_hand_in(&submission.participant, submission.record.token)
        })
    }

    fn unusable(&self, error: &io::Error) -> Failure {
        let (folder, said) = (shown(self.folder.path()), system_error(error));
        Failure::Ours(format!("`{folder}`: a submission cannot be kept: {said}"))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key_of(submission: &Brief) -> Key {
    (submission.participant.clone(), submission.number)
}

/// Returns true if a league isolates bots.
fn is_isolated(folder: &LeagueFolder) -> Result<bool, Failure> {
    let league = folder.read()?;
    Ok(settings(folder, &league)?.settings.conditions.isolation.isolation != Isolation::Off)
}
