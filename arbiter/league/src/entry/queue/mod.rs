//! The queue of bots that participants send over the page of a league: each waits, is unpacked, built and checked, and
//! enters or is refused.
//!
//! # Theory of operation
//!
//! **Several are checked at once**, each in a thread of its own (`checking`). A server has a number of places for
//! that, which the queues of its leagues share ([`CheckSlots`]). Two submissions of one participant, or of one bot, are
//! never checked at once, and are decided in their order.
//!
//! **A league takes one bot at a time.** While the queue checks bots, no other program enters any, so the
//! number of the next version is fixed. The line in the log, the refusals that are kept and the versions that go are
//! written by one thread at a time, under the lock of the records.
//!
//! **A correction takes the place of what it corrects.** A new submission replaces one of its participant that is not
//! decided. A check looks at the record of its submission several times a second, and ends once that says so.
//!
//! **Nothing is tried forever.** After a failure of the machine a submission is tried up to three times, each time
//! after all others that wait, and then refused with the reason. A build ends when its token is revoked, or its time is
//! over.
//!
//! **Nothing is lost.** Submissions lie on the disk. If the server is asked to end, the checks end, and their
//! submissions wait for the next server, as if they had not been tried. If it is killed, the try counts, and the
//! submission waits behind those that were not tried.

mod checking;

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bot::BotSpec;
use bot::launch_target::REMOTE;
use bot::manifest::ProgramMode;
use rules::{Dialect, GameKind};
use sandbox::isolation::Isolation;
use sandbox::{CancellationCheck, new_file};

use super::{Candidate, EntryResult, ReportSoFar};
use crate::calendar::{SubmissionWindow, length};
use crate::folder::LeagueFolder;
use crate::participants::{Participants, TokenHolder};
use crate::refusal::{Refusal, RefusalKind};
use crate::settings::{LastSettings, LeagueConfig};
use crate::state::Membership;
use crate::submissions::{
    KnownSubmissions, LateSubmission, ParticipantUpload, RecordLock, Submission, SubmissionIndex,
    SubmissionSummary,
};
use crate::version::BotVersion;
use crate::{calendar, disk_budget, events, settings, submissions, test_games};
use contest::tournament::folder::shown;
use text::failure::Failure;
use text::terminal::say;
use text::{printable, system_error};

/// Takes submissions for a league at any time, and checks them, several at once.
#[derive(Debug)]
pub struct SubmissionQueue {
    folder: LeagueFolder,
    kind: GameKind,
    options: String,
    settings: LastSettings,
    index: SubmissionIndex,
    /// The places for checks, which queues share.
    places: Arc<CheckSlots>,
    state: Mutex<QueueState>,
    changed: Condvar,
}

type SubmissionKey = (String, u64);

#[derive(Debug, Default)]
struct QueueState {
    phase: QueuePhase,
    /// The submissions that are being checked, in the order in which their checks began.
    checking: Vec<(SubmissionKey, AttemptState)>,
    reports: BTreeMap<SubmissionKey, ReportSoFar>,
    /// Resting submissions, with the ends of their rests.
    rests: BTreeMap<SubmissionKey, Instant>,
    /// True if something was taken in, or a check has ended, since the last look.
    has_news: bool,
    /// The last warning to the organiser.
    warned: Option<String>,
}

/// A queue takes submissions in all phases, and begins checks in the first one only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum QueuePhase {
    #[default]
    Open,
    /// Checks end.
    Closing,
    /// The program ends without waiting for checks: what they find counts no more.
    Left,
}

/// The try at a submission that is being checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AttemptState {
    /// Nothing on the disk says that it has begun.
    Unrecorded,
    /// Its record counts this try.
    Recorded,
}

impl SubmissionQueue {
    /// Opens the queue of a league, which holds submissions from earlier runs, too. The program must have posted a
    /// guard before.
    ///
    /// # Errors
    ///
    /// Fails if the league isolates no bots, which would run strangers' programs without isolation, or cannot be read.
    pub fn open(folder: LeagueFolder, places: Arc<CheckSlots>) -> Result<SubmissionQueue, Failure> {
        let league = folder.read()?;
        if !is_isolated(&folder)? {
            return Err(Failure::Usage(format!(
                "`{}` has isolation = \"off\": remove it from league.toml before running strangers' \
                 programs",
                shown(folder.path())
            )));
        }
        // What cannot be removed does not keep anyone from handing in.
        let _ = submissions::remove_leftovers(&folder);
        let _ = test_games::remove_leftovers(&folder);
        new_file::remove_dead(folder.path());
        let _ = events::add_lost(&folder, &league, None);
        let (index, kind) = (SubmissionIndex::new(folder.clone()), league.kind().clone());
        let settings = LastSettings::new(folder.clone());
        let options = settings.terms()?.0.settings.settings.options.clone();
        let (state, changed) = (Mutex::default(), Condvar::new());
        Ok(SubmissionQueue { folder, kind, options, settings, index, places, state, changed })
    }

    pub fn folder(&self) -> &LeagueFolder {
        &self.folder
    }

    /// Takes in a file from a participant; then it waits.
    ///
    /// # Errors
    ///
    /// [`Refusal`], with nothing kept.
    pub fn take_in(&self, arrival: ParticipantUpload<'_>) -> Result<Submission, Refusal> {
        let participant = arrival.participant;
        self.must_have_room(participant)?;
        let taken = submissions::take_in(&self.folder, &self.terms()?.0, arrival)?;
        self.index.read_again(participant)?;
        self.state().has_news = true;
        self.changed.notify_all();
        Ok(taken)
    }

    /// Returns an error if a file of this participant would not be taken in now.
    pub fn must_have_room(&self, participant: &str) -> Result<(), Refusal> {
        let (terms, _) = self.terms()?;
        let calendar = terms.calendar();
        if let SubmissionWindow::NotOpen(opens) = calendar.doors(calendar::now()) {
            return Err(submissions::not_open(calendar, opens));
        }
        if !disk_budget::has_disk(&self.folder, terms.quotas.least_free())? {
            let problem = "the server's disk is nearly full: try again later";
            return Err(Refusal::new(RefusalKind::NoDisk, problem));
        }
        submissions::must_have_room(&self.index.snapshot()?.queue, participant)
    }

    /// Returns the terms of the league: the last ones that were right, and the mistake, if there is one in its file.
    ///
    /// # Errors
    ///
    /// Fails with the mistake if no terms were right since the queue was opened.
    pub fn terms(&self) -> Result<(Arc<LeagueConfig>, Option<Failure>), Failure> {
        self.settings.terms()
    }

    /// Lets the last submission of a participant wait, if it is late; none if it is not.
    pub fn accept(&self, participant: &str, reason: &str) -> Result<Option<Submission>, Refusal> {
        let accepted = submissions::accept(&self.folder, participant, reason)?;
        if accepted.is_some() {
            self.index.read_again(participant)?;
            self.state().has_news = true;
            self.changed.notify_all();
        }
        Ok(accepted)
    }

    /// Withdraws a submission of a participant that is not decided, or is late.
    ///
    /// # Errors
    ///
    /// [`Refusal`], with nothing changed.
    pub fn withdraw(&self, participant: &str, number: u64) -> Result<Submission, Refusal> {
        let withdrawn = submissions::withdraw(&self.folder, participant, number)?;
        self.index.read_again(participant)?;
        Ok(withdrawn)
    }

    /// Returns the late submissions that can be accepted, by participant.
    ///
    /// # Errors
    ///
    /// Fails if the submissions cannot be read.
    pub fn late(&self) -> io::Result<Arc<[LateSubmission]>> {
        Ok(self.index.snapshot()?.late)
    }

    /// Returns the last submissions, the newest first, and those that are not decided.
    ///
    /// # Errors
    ///
    /// Fails if the submissions cannot be read.
    pub fn seen(&self) -> io::Result<(Arc<[SubmissionSummary]>, PendingSubmissions)> {
        // In this order: a check that ends in between is not listed as waiting.
        let keys: Vec<SubmissionKey> =
            self.state().checking.iter().map(|(key, _)| key.clone()).collect();
        let KnownSubmissions { latest, queue, .. } = self.index.snapshot()?;
        let place = |it: &SubmissionSummary| keys.iter().position(|key| *key == key_of(it));
        let (mut checking, waiting): (Vec<SubmissionSummary>, Vec<SubmissionSummary>) =
            queue.iter().cloned().partition(|it| place(it).is_some());
        checking.sort_by_key(place);
        Ok((latest, PendingSubmissions { checking, waiting, at_once: self.places.number }))
    }

    /// Returns the report of a submission that is being checked, as far as it is.
    pub fn report_so_far(&self, participant: &str, number: u64) -> Option<String> {
        self.state().reports.get(&(participant.to_owned(), number))?.text()
    }

    /// Returns a submission as its record is now, with its place. Lists that are asked for afterwards know its verdict, too.
    ///
    /// # Errors
    ///
    /// Fails if the submissions cannot be read.
    pub fn find(
        &self,
        participant: &str,
        number: u64,
    ) -> io::Result<Option<(Submission, QueuePosition)>> {
        let Some(found) = submissions::find(&self.folder, participant, number) else {
            return Ok(None);
        };
        let (_, undecided) = self.seen()?;
        let standing = undecided.standing(participant, number);
        if found.is_waiting() || standing == QueuePosition::Decided {
            return Ok(Some((found, standing)));
        }
        self.index.read_again(participant)?;
        Ok(Some((found, QueuePosition::Decided)))
    }

    /// Makes [`work`](SubmissionQueue::work) return once the checks that run have ended, which they do soon.
    pub fn close(&self) {
        self.state().phase = QueuePhase::Closing;
        self.changed.notify_all();
    }

    /// Puts back the submissions that are being checked, because the program ends without waiting for them: a try that
    /// is cut short by the end of the server does not count, and keeps its turn.
    pub fn leave(&self) {
        // Once this is set, the holder of the lock makes no further decision.
        let lock = RecordLock::take(&self.folder);
        let mut state = self.state();
        state.phase = QueuePhase::Left;
        let recorded = state.checking.iter().filter(|(_, made)| *made == AttemptState::Recorded);
        let keys: Vec<SubmissionKey> = recorded.map(|(key, _)| key.clone()).collect();
        drop(state);
        let Ok(lock) = lock else { return };
        for (participant, number) in keys {
            let found = submissions::find(&self.folder, &participant, number);
            let waiting = found.filter(Submission::is_waiting);
            if let Some(Err(error)) = waiting.map(|mut it| it.put_back(&lock)) {
                self.warn(&self.unusable(&error));
            }
        }
    }

    /// Warns the organiser of a failure, unless the last warning was the same.
    fn warn(&self, failure: &Failure) {
        let warning = format!("warning: submissions: {failure}");
        let mut state = self.state();
        if state.warned.as_ref() != Some(&warning) {
            say(&warning);
            state.warned = Some(warning);
        }
    }

    fn is_open(&self) -> bool {
        self.phase() == QueuePhase::Open
    }

    fn phase(&self) -> QueuePhase {
        self.state().phase
    }

    fn unusable(&self, error: &io::Error) -> Failure {
        let (folder, said) = (shown(self.folder.path()), system_error(error));
        Failure::Ours(format!("`{folder}`: cannot store a submission: {said}"))
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key_of(submission: &SubmissionSummary) -> SubmissionKey {
    (submission.participant.clone(), submission.number)
}

/// Returns true if a league isolates bots.
fn is_isolated(folder: &LeagueFolder) -> Result<bool, Failure> {
    let league = folder.read()?;
    Ok(settings::load(folder, &league)?.settings.conditions.isolation.isolation != Isolation::Off)
}

/// The places of a server for checks: each submission takes one while it is checked, in whichever league.
#[derive(Debug)]
pub struct CheckSlots {
    /// The number of all places.
    pub number: NonZeroUsize,
    free: Mutex<usize>,
    freed: Condvar,
}

/// A place, which is free again once this is dropped.
#[derive(Debug)]
struct CheckSlot(Arc<CheckSlots>);

impl CheckSlots {
    pub fn new(number: NonZeroUsize) -> Arc<CheckSlots> {
        Arc::new(CheckSlots { number, free: Mutex::new(number.get()), freed: Condvar::new() })
    }

    /// Takes a place, and waits at most this long for a free one.
    fn take(self: &Arc<Self>, patience: Duration) -> Option<CheckSlot> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.freed.wait_timeout_while(free, patience, |free| *free == 0);
        let (mut free, _) = free.unwrap_or_else(PoisonError::into_inner);
        *free = free.checked_sub(1)?;
        Some(CheckSlot(Arc::clone(self)))
    }
}

impl Drop for CheckSlot {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

/// The submissions of a league that are not decided.
#[derive(Debug, Clone)]
pub struct PendingSubmissions {
    /// Those that are being checked, in the order in which their checks began.
    pub checking: Vec<SubmissionSummary>,
    /// Those that wait, in the order of the queue.
    pub waiting: Vec<SubmissionSummary>,
    /// The most that are checked at once.
    pub at_once: NonZeroUsize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueuePosition {
    Waits {
        /// Its place among those that are not decided, from 1; those that are being checked come first.
        place: usize,
        /// Number of those that are not decided.
        of: usize,
    },
    Checking {
        /// Its place among those that are not decided, from 1.
        place: usize,
        /// Number of those that are not decided, including this one.
        of: usize,
    },
    /// It is decided.
    Decided,
}

impl PendingSubmissions {
    /// Returns all of them: those that are being checked, then those that wait.
    pub fn all(&self) -> impl Iterator<Item = &SubmissionSummary> {
        self.checking.iter().chain(&self.waiting)
    }

    pub fn standing(&self, participant: &str, number: u64) -> QueuePosition {
        let of = self.checking.len() + self.waiting.len();
        let is_it = |it: &SubmissionSummary| it.participant == participant && it.number == number;
        match self.all().position(is_it) {
            Some(before) if before < self.checking.len() => {
                QueuePosition::Checking { place: before + 1, of }
            }
            Some(before) => QueuePosition::Waits { place: before + 1, of },
            None => QueuePosition::Decided,
        }
    }
}

/// The fate of a version with files when its author enters a remote one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteReplacementRule {
    /// It goes on playing, and the remote one is refused.
    Stays,
    /// The remote one plays in its place.
    IsReplaced,
}

impl SubmissionQueue {
    /// Enters the bot of a participant as a new version without files, unless one plays already, and returns it.
    ///
    /// # Errors
    ///
    /// [`Refusal`], with nothing changed: the league takes no remote bots, or none now, or none of this participant.
    pub fn enter_remote(
        &self,
        holder: &TokenHolder,
        old: RemoteReplacementRule,
    ) -> Result<BotVersion, Refusal> {
        let (folder, name) = (&self.folder, holder.participant.as_str());
        let forbidden = |why: String| Err(Refusal::new(RefusalKind::Forbidden, why));
        if folder.remote()?.is_none() {
            return forbidden("this league takes no remote bots: ask the organiser".to_owned());
        }
        let terms = self.terms()?.0;
        let calendar = terms.calendar();
        // Only one thread at a time enters bots.
        let _lock = submissions::locked(folder)?;
        let league = folder.read()?;
        let participants = Participants::read(folder)?;
        let active = league.current(name).filter(|it| it.membership == Membership::Active);
        if let Some(member) = active.filter(|it| it.entry.mode == ProgramMode::Remote) {
            return Ok(member.entry.bot.clone());
        }
        let now = calendar::now();
        match calendar.doors_with(league.exceptions().deadline(name), now) {
            SubmissionWindow::Open => {}
            SubmissionWindow::NotOpen(opens) => return Err(submissions::not_open(calendar, opens)),
            SubmissionWindow::Closed(deadline) => {
                let seconds = now.as_second().saturating_sub(deadline.as_second());
                let late = length(seconds.unsigned_abs());
                let why = format!("the deadline was {late} ago: ask the organiser");
                return Err(Refusal::new(RefusalKind::Closed, why));
            }
        }
        if let Some(left) = league.disqualified(name) {
            return forbidden(format!("disqualified: {}", left.reason));
        }
        let conflict = |why: String| Err(Refusal::new(RefusalKind::Conflict, why));
        if let Some(member) = active.filter(|_| old == RemoteReplacementRule::Stays) {
            let bot = &member.entry.bot;
            return conflict(format!(
                "{bot} plays from its uploaded files: confirm that the remote bot replaces it"
            ));
        }
        let own = submissions::by_participant(folder, name)?;
        if let Some(waiting) = own.iter().find(|it| Submission::is_waiting(it)) {
            let number = waiting.number;
            return conflict(format!("submission {number} is being checked: wait, or withdraw it"));
        }
        let most = terms.quotas.bots();
        if !submissions::has_room(folder, &league, &participants, (name, most))? {
            return forbidden(format!("limit of {most} bots reached: retire one of them"));
        }
        let bot = BotSpec::new(name, REMOTE, Dialect::Native, ProgramMode::Remote)?;
        let report = ReportSoFar::default();
        let candidate = Candidate::checked(folder, name, bot, CancellationCheck::ALWAYS, report)?;
        match candidate.settle(holder.member.as_deref())? {
            EntryResult::Entered(entered) => Ok(entered.bot),
            EntryResult::Refused(refused) => forbidden(printable(&refused.why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submissions::SummaryVerdict;

    #[test]
    fn a_place_is_taken_once_until_it_is_given_back() {
        let places = CheckSlots::new(NonZeroUsize::new(2).expect("it is not 0"));
        let [one, other] = [(); 2].map(|()| places.take(Duration::ZERO).expect("a place"));
        assert!(places.take(Duration::from_millis(1)).is_none());
        drop(one);
        let again = places.take(Duration::ZERO).expect("the place that was given back");
        assert!(places.take(Duration::ZERO).is_none());
        drop((other, again));
        assert_eq!(places.number.get(), 2);
        assert!(places.take(Duration::ZERO).is_some());
    }

    #[test]
    fn those_that_are_being_checked_have_the_first_places() {
        let brief = |participant: &str, number| SubmissionSummary {
            participant: participant.to_owned(),
            number,
            received: 0,
            verdict: SummaryVerdict::Waiting,
        };
        let undecided = PendingSubmissions {
            checking: vec![brief("anna", 4), brief("ben", 1)],
            waiting: vec![brief("carl", 2), brief("anna", 5)],
            at_once: NonZeroUsize::MIN,
        };
        let names: Vec<_> = undecided.all().map(|it| it.participant.as_str()).collect();
        assert_eq!(names, ["anna", "ben", "carl", "anna"]);
        for (participant, number, expected) in [
            ("anna", 4, QueuePosition::Checking { place: 1, of: 4 }),
            ("ben", 1, QueuePosition::Checking { place: 2, of: 4 }),
            ("carl", 2, QueuePosition::Waits { place: 3, of: 4 }),
            ("anna", 5, QueuePosition::Waits { place: 4, of: 4 }),
            ("anna", 3, QueuePosition::Decided),
            ("eve", 1, QueuePosition::Decided),
        ] {
            assert_eq!(undecided.standing(participant, number), expected, "{participant} {number}");
        }
    }
}
