//! The work of a queue: it chooses submissions, and checks each in a thread of its own.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, Weak};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use bot::is_same_name;
use bot::unpacking::{UnpackError, Upload, UploadBounds, unpack};
use check::bot::StepName;
use contest::tournament::folder::{Lock, LockError};
use sandbox::CancellationCheck;
use text::failure::Failure;
use text::shell::without_folders;
use text::{printable, system_error};

use super::{
    AttemptState, CheckSlot, QueuePhase, QueueState, SubmissionKey, SubmissionQueue, is_isolated,
    key_of,
};
use crate::entry::submission_folder::{EntryScratch, bad_or_failed, bot_in, without_place};
use crate::entry::{Candidate, EnteredBot, EntryResult, RefusedBot, ReportSoFar};
use crate::folder::LeagueError;
use crate::line::SubmittedFolder;
use crate::participants::Participants;
use crate::state::Membership;
use crate::submissions::{
    self, KnownSubmissions, MOST_BEGUN, RecordLock, RejectionStage, Submission, SubmissionSummary,
    SubmissionVerdict, TRIES,
};
use crate::{BotVersion, entry};

/// Time to wait for a turn or a place, before the queue looks whether it is closed.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time until the league is looked at again if nothing comes, or something is wrong with it.
const PAUSE: Duration = Duration::from_secs(10);
/// Rest of a submission after a failure of the machine, for each such failure.
const REST: Duration = Duration::from_secs(5);

/// A submission that was chosen. It counts as being checked for as long as this lives.
struct CheckInProgress<'a> {
    queue: &'a SubmissionQueue,
    submission: SubmissionSummary,
    report: ReportSoFar,
    // Fields are dropped in this order: first the turn is left, then the place is free.
    turn: Arc<CheckingTurn>,
    _place: CheckSlot,
}

impl Drop for CheckInProgress<'_> {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        let key = key_of(&self.submission);
        state.checking.retain(|(it, _)| *it != key);
        state.reports.remove(&key);
        state.has_news = true;
        self.queue.changed.notify_all();
    }
}

impl SubmissionQueue {
    /// Checks all submissions, until the queue is closed and the last check has ended.
    pub fn work(&self) {
        thread::scope(|scope| {
            let mut last = Weak::new();
            while let Some(check) = self.next(&mut last) {
                if let Err(error) = begin(scope, check) {
                    let said = system_error(&error);
                    self.warn(&Failure::Ours(format!("cannot start a thread: {said}")));
                    self.wait(PAUSE, |_| false);
                }
            }
        });
    }

    /// Waits for the next submission that can be checked; none once the queue is closed.
    fn next(&self, last: &mut Weak<CheckingTurn>) -> Option<CheckInProgress<'_>> {
        loop {
            {
                let mut state = self.state();
                if state.phase != QueuePhase::Open {
                    return None;
                }
                state.has_news = false;
            }
            match self.try_next(last) {
                Ok(Some(check)) => return Some(check),
                Ok(None) => {}
                Err(failure) => {
                    // The waiting submissions are not to blame: none of them is tried.
                    self.warn(&failure);
                    self.wait(PAUSE, |_| false);
                }
            }
        }
    }

    /// Chooses a submission. Returns none after a wait, if there is none, or no turn or place for it.
    fn try_next(
        &self,
        last: &mut Weak<CheckingTurn>,
    ) -> Result<Option<CheckInProgress<'_>>, Failure> {
        let queue = self.usable_queue()?;
        let pause = {
            let (mut state, now) = (self.state(), Instant::now());
            state.rests.retain(|_, until| *until > now);
            let rest = state.rests.values().min().map(|until| *until - now);
            let pause = rest.map_or(PAUSE, |rest| rest.min(PAUSE));
            next(&queue, &state.checking, &state.rests).is_none().then_some(pause)
        };
        if let Some(pause) = pause {
            self.wait(pause, |state| state.has_news);
            return Ok(None);
        }
        // The place first: without one, no other program need wait for the turn.
        let Some(place) = self.places.take(PATIENCE) else { return Ok(None) };
        let Some(turn) = self.turn(last, PATIENCE)? else { return Ok(None) };
        // Others may have come or gone during the wait.
        let KnownSubmissions { queue, .. } =
            self.index.snapshot().map_err(|error| self.unusable(&error))?;
        let mut state = self.state();
        if state.phase != QueuePhase::Open {
            return Ok(None);
        }
        let Some(submission) = next(&queue, &state.checking, &state.rests).cloned() else {
            return Ok(None);
        };
        let report = ReportSoFar::default();
        state.checking.push((key_of(&submission), AttemptState::Unrecorded));
        state.reports.insert(key_of(&submission), report.clone());
        Ok(Some(CheckInProgress { queue: self, submission, report, turn, _place: place }))
    }

    /// Waits until the condition holds or the queue is closed, or at most this long.
    pub(super) fn wait(&self, pause: Duration, is_over: impl Fn(&QueueState) -> bool) {
        let state = self.state();
        let waits = |state: &mut QueueState| state.phase == QueuePhase::Open && !is_over(state);
        let woken = self.changed.wait_timeout_while(state, pause, waits);
        drop(woken.unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns those that are not decided. Fails if no bot of the league can be built or checked now.
    fn usable_queue(&self) -> Result<Arc<[SubmissionSummary]>, Failure> {
        let KnownSubmissions { queue, .. } =
            self.index.snapshot().map_err(|error| self.unusable(&error))?;
        match queue.is_empty() || is_isolated(&self.folder)? {
            true => Ok(queue),
            false => {
                let problem = "submissions are not run while league.toml has isolation = \"off\"";
                Err(Failure::Usage(problem.to_owned()))
            }
        }
    }

    /// Lets a submission rest, so that others have their turns.
    fn postpone(&self, submission: &SubmissionSummary, times: u32) {
        self.state().rests.insert(key_of(submission), Instant::now() + REST * times);
    }

    /// Returns false once a submission was replaced or withdrawn.
    pub(super) fn waits(&self, submission: &Submission) -> bool {
        // If that cannot be read, nothing is known to have changed.
        let found = submissions::find(&self.folder, &submission.participant, submission.number);
        found.is_none_or(|found| found.is_waiting())
    }

    /// Returns true if the participant of a submission may still hand in bots, with the token of the submission.
    pub(super) fn is_allowed(&self, submission: &Submission) -> bool {
        // If that cannot be read, nothing is known to have changed.
        let participants = Participants::read(&self.folder);
        participants.map_or(true, |participants| {
            participants.may_hand_in(&submission.participant, submission.record.token)
        })
    }
}

/// Begins a check in a thread of its own.
fn begin<'scope>(
    scope: &'scope Scope<'scope, '_>,
    check: CheckInProgress<'scope>,
) -> io::Result<()> {
    let builder = thread::Builder::new().name("check".to_owned());
    builder.spawn_scoped(scope, move || check.run()).map(drop)
}

impl CheckInProgress<'_> {
    fn run(self) {
        let queue = self.queue;
        let processed = self.process();
        // It is in the queue no more before it counts as checked no more.
        let read = queue.index.read_again(&self.submission.participant);
        let read = read.map_err(|error| self.failed(&error));
        drop(self);
        match processed.and(read) {
            // While a submission rests, a warning about it holds.
            Ok(()) => {
                let mut state = queue.state();
                if state.rests.is_empty() {
                    state.warned = None;
                }
            }
            Err(failure) => queue.warn(&failure),
        }
    }

    fn process(&self) -> Result<(), Failure> {
        let queue = self.queue;
        let Some(submission) = self.recorded()? else { return Ok(()) };
        let begun = Instant::now();
        let checked = match submission.record.begun > MOST_BEGUN {
            true => Ok(Err(SubmissionDecision::refused(
                RejectionStage::Machine,
                format!(
                    "the server stopped {MOST_BEGUN} times during its check: resubmit it and tell \
                     the organiser"
                ),
            ))),
            false => queue.checked(&submission, &self.turn.scratch, &self.report),
        };
        // The copy in the league is all that is needed from here on. The end of the turn removes any rest.
        let _ = self.turn.scratch.clear(&self.submission.participant);
        let took = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let lock = self.lock()?;
        if queue.phase() == QueuePhase::Left {
            // It was put back.
            return Ok(());
        }
        let Some(mut submission) = self.current_submission() else { return Ok(()) };
        submission.record.checked_ms = submission.record.checked_ms.saturating_add(took);
        if !submission.is_waiting() {
            // It was replaced or withdrawn meanwhile, and its time counts.
            if let Ok(Ok(candidate)) = checked {
                candidate.abandon();
            }
            return submission.change(&lock, |_| {}).map_err(|error| self.failed(&error));
        }
        let decision = checked.and_then(|checked| queue.settled(&lock, &submission, checked));
        let (SubmissionDecision { verdict, report }, told) = match decision {
            Ok(decision) => (decision, Ok(())),
            Err(_) if !queue.is_open() => return self.put_back(&lock, submission),
            Err(_) if !queue.is_allowed(&submission) => (token_is_void(), Ok(())),
            Err(failure) => {
                let failed = submission.record.failed.saturating_add(1);
                let kept = submission.change(&lock, |record| record.failed = failed);
                kept.map_err(|error| self.failed(&error))?;
                if failed < TRIES {
                    queue.postpone(&self.submission, failed);
                    return Err(failure);
                }
                (queue.given_up(&failure), Err(failure))
            }
        };
        submission.decide(&lock, verdict, &report).map_err(|error| self.failed(&error))?;
        told
    }

    /// Returns the submission as its record has it now: others may have changed it.
    fn current_submission(&self) -> Option<Submission> {
        submissions::find(&self.queue.folder, &self.submission.participant, self.submission.number)
    }

    /// Takes the right to change the record.
    fn lock(&self) -> Result<RecordLock, Failure> {
        RecordLock::take(&self.queue.folder).map_err(|problem| {
            let error = match problem {
                LockError::Held => io::ErrorKind::WouldBlock.into(),
                LockError::Unopened(error) | LockError::Refused(error) => error,
            };
            self.failed(&error)
        })
    }

    /// Records that a try begins. Returns none if none does, because the submission is decided or the program ends.
    fn recorded(&self) -> Result<Option<Submission>, Failure> {
        let lock = self.lock()?;
        let Some(mut submission) = self.current_submission().filter(Submission::is_waiting) else {
            return Ok(None);
        };
        if self.queue.phase() == QueuePhase::Left {
            return Ok(None);
        }
        self.mark(&mut self.queue.state(), AttemptState::Recorded);
        let begun = submission.record.begun.saturating_add(1);
        let written = submission.change(&lock, |record| record.begun = begun);
        written.map_err(|error| self.failed(&error))?;
        Ok(Some(submission))
    }

    /// Takes back the record of a try that the end of the program has cut short.
    fn put_back(&self, lock: &RecordLock, mut submission: Submission) -> Result<(), Failure> {
        self.mark(&mut self.queue.state(), AttemptState::Unrecorded);
        submission.put_back(lock).map_err(|error| self.failed(&error))
    }

    fn mark(&self, state: &mut QueueState, made: AttemptState) {
        let key = key_of(&self.submission);
        state.checking.iter_mut().filter(|(it, _)| *it == key).for_each(|(_, it)| *it = made);
    }

    /// Lets the submission rest, since its files cannot be read or written.
    fn failed(&self, error: &io::Error) -> Failure {
        self.queue.postpone(&self.submission, 1);
        self.queue.unusable(error)
    }
}

/// A turn, which all checks at one time share. It is over when the last one of them has ended.
#[derive(Debug)]
struct CheckingTurn {
    /// The place for unpacked bots, which is gone before the turn is over.
    scratch: EntryScratch,
    _entering: Lock,
}

impl SubmissionQueue {
    /// Joins the last turn if it still goes on, or begins one. Returns none while another program has its turn, or
    /// waits for one: a queue that is never empty keeps no other program out.
    ///
    /// # Errors
    ///
    /// Fails if the folder of the league cannot be written.
    fn turn(
        &self,
        last: &mut Weak<CheckingTurn>,
        patience: Duration,
    ) -> Result<Option<Arc<CheckingTurn>>, Failure> {
        if let Some(turn) = last.upgrade() {
            if !self.folder.is_entry_awaited() {
                return Ok(Some(turn));
            }
            drop(turn);
            self.wait(patience, |state| state.has_news);
            return Ok(None);
        }
        let begun = Instant::now();
        let entering = match self.folder.hold_entries(&mut || begun.elapsed() < patience) {
            Ok(held) => held,
            Err(LeagueError::Locked(_)) => return Ok(None),
            Err(problem) => return Err(problem.into()),
        };
        let scratch = EntryScratch::new(&self.folder).map_err(|error| self.unusable(&error))?;
        let turn = Arc::new(CheckingTurn { scratch, _entering: entering });
        *last = Arc::downgrade(&turn);
        Ok(Some(turn))
    }
}

/// Returns the first submission of a queue that may be checked now: it does not rest, its bot is not being checked, and
/// no earlier submission of its participant waits.
pub(super) fn next<'a>(
    queue: &'a [SubmissionSummary],
    checking: &[(SubmissionKey, AttemptState)],
    rests: &BTreeMap<SubmissionKey, Instant>,
) -> Option<&'a SubmissionSummary> {
    let is_bot_busy = |it: &SubmissionSummary| {
        checking.iter().any(|((name, _), _)| is_same_name(name, &it.participant))
    };
    // One that was tried before comes last in the queue, but before a later one of its participant.
    let has_earlier = |it: &SubmissionSummary| {
        queue.iter().any(|other| other.participant == it.participant && other.number < it.number)
    };
    queue.iter().find(|it| !rests.contains_key(&key_of(it)) && !is_bot_busy(it) && !has_earlier(it))
}

/// Time between two looks whether a submission was replaced or withdrawn, or its token was revoked.
const LOOK: Duration = Duration::from_millis(250);

pub(super) struct SubmissionDecision {
    pub verdict: SubmissionVerdict,
    pub report: Vec<u8>,
}

/// A submission after its check, with nothing written about it yet: it enters or is refused, unless it is decided.
pub(super) type CheckedSubmission<'a> = Result<Box<Candidate<'a>>, SubmissionDecision>;

impl SubmissionDecision {
    /// Refuses a submission for a reason outside its files.
    pub(super) fn refused(step: RejectionStage, why: String) -> SubmissionDecision {
        let report = format!("{why}\n").into_bytes();
        SubmissionDecision { verdict: SubmissionVerdict::Refused { step, why }, report }
    }
}

impl SubmissionQueue {
    /// Refuses a bot at which the machine has failed again and again.
    pub(super) fn given_up(&self, failure: &Failure) -> SubmissionDecision {
        // The place of the league does not help an author.
        let mut why = failure.to_string();
        let whole = fs::canonicalize(self.folder.path()).unwrap_or_default();
        for place in [whole.as_path(), self.folder.path()] {
            let place = place.display().to_string();
            if !place.is_empty() {
                why = why.replace(&format!("{place}/"), "").replace(&place, "the league");
            }
        }
        SubmissionDecision::refused(
            RejectionStage::Machine,
            format!(
                "the server failed {TRIES} times (last: {}): resubmit it or ask the organiser",
                printable(&without_folders(&why))
            ),
        )
    }

    /// Unpacks, builds and checks it, if its participant may still hand in bots. This is done to several submissions at
    /// once.
    pub(super) fn checked(
        &self,
        submission: &Submission,
        scratch: &EntryScratch,
        report: &ReportSoFar,
    ) -> Result<CheckedSubmission<'_>, Failure> {
        let participants = Participants::read(&self.folder);
        let participants = participants.map_err(|it| Failure::Ours(it.to_string()))?;
        if !participants.may_hand_in(&submission.participant, submission.record.token) {
            return Ok(Err(token_is_void()));
        }
        let looked = Cell::new(Instant::now());
        let is_wanted = || {
            if !self.is_open() {
                return false;
            }
            if looked.get().elapsed() < LOOK {
                return true;
            }
            looked.set(Instant::now());
            self.waits(submission) && self.is_allowed(submission)
        };
        // In the log, the folder that was handed in has the name of the participant.
        let name = &submission.participant;
        let unusable = |handed_in, step, why| {
            let candidate = Candidate::unusable(&self.folder, name, handed_in, (step, why));
            Ok(Ok(Box::new(candidate)))
        };
        let folder = match bad_or_failed(self.unpacked(submission, scratch))? {
            Ok(folder) => folder,
            Err(why) => return unusable(None, RejectionStage::Files, why),
        };
        let handed_in = entry::handed_in(&folder, &folder);
        if let Some(bot) = self.is_there(name, handed_in.as_ref())? {
            let report = format!("{bot} has entered with the same files before\n").into_bytes();
            let verdict = SubmissionVerdict::Entered(bot);
            return Ok(Err(SubmissionDecision { verdict, report }));
        }
        let bot = match bot_in(&folder, &self.kind, &self.options) {
            Ok(bot) => bot,
            Err(why) => {
                let why = without_folders(&without_place(&why, &folder));
                return unusable(handed_in, RejectionStage::Step(StepName::Manifest), why);
            }
        };
        // It enters under the name of the participant, not the name in its manifest.
        let wanted = CancellationCheck::as_long_as(&is_wanted);
        let candidate = Candidate::checked(&self.folder, name, bot.spec, wanted, report.clone())?;
        Ok(Ok(Box::new(candidate)))
    }

    /// Enters a submission, or keeps its refusal. The lock sees to it that one thread at a time does so.
    pub(super) fn settled(
        &self,
        _: &RecordLock,
        submission: &Submission,
        checked: CheckedSubmission<'_>,
    ) -> Result<SubmissionDecision, Failure> {
        let member = submission.record.member.as_deref();
        let candidate = match checked {
            Ok(candidate) => candidate,
            Err(decision) => return Ok(decision),
        };
        Ok(match candidate.settle(member)? {
            EntryResult::Entered(EnteredBot { bot, report, .. }) => {
                SubmissionDecision { verdict: SubmissionVerdict::Entered(bot), report }
            }
            EntryResult::Refused(RefusedBot { step, why, report, .. }) => {
                let report = report.unwrap_or_else(|| format!("{why}\n").into_bytes());
                SubmissionDecision { verdict: SubmissionVerdict::Refused { step, why }, report }
            }
        })
    }

    fn unpacked(
        &self,
        submission: &Submission,
        scratch: &EntryScratch,
    ) -> Result<PathBuf, UnpackError> {
        let content = File::open(submission.upload(&self.folder))?;
        let (file, bot) = (submission.record.file.as_deref(), submission.participant.as_str());
        let upload = Upload { content, file, bot };
        scratch.unpacked(bot, |into| unpack(upload, into, UploadBounds::DEFAULT))
    }

    /// Returns the playing version with these files: a killed program may have entered it.
    fn is_there(
        &self,
        name: &str,
        handed_in: Option<&SubmittedFolder>,
    ) -> Result<Option<BotVersion>, Failure> {
        let league = self.folder.read()?;
        let current = league.current(name).filter(|it| it.membership == Membership::Active);
        let same =
            current.filter(|it| it.entry.handed_in.as_ref() == handed_in && handed_in.is_some());
        Ok(same.map(|member| member.entry.bot.clone()))
    }
}

fn token_is_void() -> SubmissionDecision {
    let why = "its token was revoked or replaced";
    SubmissionDecision::refused(RejectionStage::Token, why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submissions::SummaryVerdict;

    /// Reads a text with a participant and a number for each submission: `anna-1 ben-2`.
    fn keys(text: &str) -> Vec<SubmissionKey> {
        let key = |word: &str| {
            let (participant, number) = word.split_once('-').expect("a dash");
            (participant.to_owned(), number.parse().expect("a number"))
        };
        text.split_whitespace().map(key).collect()
    }

    #[test]
    fn a_bot_is_checked_once_at_a_time_and_its_submissions_in_their_order() {
        for (queue, checking, rests, expected) in [
            ("anna-1 ben-1", "", "", Some("anna-1")),
            ("anna-1 ben-1", "anna-1", "", Some("ben-1")),
            ("anna-1 ben-1", "anna-1 ben-1", "", None),
            ("anna-1 ben-1", "", "anna-1", Some("ben-1")),
            ("anna-1 ben-1", "ben-1", "anna-1", None),
            // The second of a participant waits for the first, also while that one rests, or comes later in the queue.
            ("anna-1 anna-2 ben-7", "anna-1", "", Some("ben-7")),
            ("anna-1 anna-2 ben-7", "anna-1 ben-7", "", None),
            ("anna-2 ben-7 anna-1", "", "", Some("ben-7")),
            ("anna-2 ben-7 anna-1", "ben-7", "", Some("anna-1")),
            ("anna-2 ben-7 anna-1", "ben-7", "anna-1", None),
            ("anna-2", "", "", Some("anna-2")),
            // It may not be in the queue any more, and is checked until its last file is written.
            ("anna-2", "anna-1", "", None),
            // Names that differ in letter case are those of one bot.
            ("Anna-1 ben-1", "anna-1", "", Some("ben-1")),
            ("", "", "", None),
        ] {
            let brief = |(participant, number)| SubmissionSummary {
                participant,
                number,
                received: 0,
                verdict: SummaryVerdict::Waiting,
            };
            let briefs: Vec<SubmissionSummary> = keys(queue).into_iter().map(brief).collect();
            let checking: Vec<(SubmissionKey, AttemptState)> =
                keys(checking).into_iter().map(|key| (key, AttemptState::Recorded)).collect();
            let rests = keys(rests).into_iter().map(|key| (key, Instant::now())).collect();
            let expected = expected.map(|text| keys(text).remove(0));
            let chosen = next(&briefs, &checking, &rests).map(key_of);
            assert_eq!(chosen, expected, "{queue}, checking: {checking:?}");
        }
    }
}
