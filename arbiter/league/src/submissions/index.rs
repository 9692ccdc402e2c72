//! The public view of a league's submissions, in memory.
//!
//! A submission that has entered or was refused never changes, so it is read once. The folders are looked at now and then, since other programs
//! may write to them; a change by this program is read at once ([`SubmissionIndex::read_again`]).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;

use super::record::{
    DAY, SUBMISSIONS, SubmissionRecord, SubmissionSummary, SubmissionVerdict, SummaryVerdict, find,
    names, numbers, participant_folder, submission_folder,
};
use crate::folder::LeagueFolder;
use bot::is_name;

/// Least time between two looks.
const PAUSE: Duration = Duration::from_millis(500);
/// A look takes at most this fraction of the time, as its denominator.
const SHARE: u32 = 20;
/// Age below which a changed folder may change once more in the same tick of the clock.
const FRESH: Duration = Duration::from_secs(2);
/// Number of listed submissions.
const LISTED: usize = 100;
/// The times of checks are compared in steps of this length, in milliseconds: most bots take less, and keep the order in
/// which they came.
const STEP: u64 = 60_000;

/// A late submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LateSubmission {
    pub participant: String,
    /// Its number among the submissions of the participant, from 1.
    pub number: u64,
    /// Seconds after the deadline.
    pub seconds: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct KnownSubmissions {
    /// The last ones, the newest first.
    pub latest: Arc<[SubmissionSummary]>,
    /// The waiting ones, in the order in which their checks begin.
    pub queue: Arc<[SubmissionSummary]>,
    /// The late ones that can be accepted, by participant: an older one than the last is not.
    pub late: Arc<[LateSubmission]>,
}

#[derive(Debug)]
pub(crate) struct SubmissionIndex {
    folder: LeagueFolder,
    known: Mutex<IndexState>,
}

#[derive(Debug, Default)]
struct IndexState {
    participants: BTreeMap<String, IndexedParticipant>,
    /// Time of the next look.
    due: Option<Instant>,
    seen: Option<KnownSubmissions>,
}

#[derive(Debug, Default)]
struct IndexedParticipant {
    /// Time of the folder's last change; none if it may have changed since it was read.
    changed: Option<SystemTime>,
    submissions: BTreeMap<u64, IndexedSubmission>,
}

/// A submission, as it was last read.
#[derive(Debug)]
struct IndexedSubmission {
    /// Time of the folder's last change; none if it may have changed since it was read.
    changed: Option<SystemTime>,
    received: u64,
    turn: (u32, u64),
    checked_ms: u64,
    /// Seconds after the deadline, if it is late.
    late: Option<u64>,
    verdict: SummaryVerdict,
}

impl SubmissionIndex {
    /// Creates an index of this league; nothing is read yet.
    pub(crate) fn new(folder: LeagueFolder) -> SubmissionIndex {
        SubmissionIndex { folder, known: Mutex::default() }
    }

    /// Returns all known submissions, at most a moment old. This may read files.
    pub(crate) fn snapshot(&self) -> io::Result<KnownSubmissions> {
        let mut known = self.lock_state();
        let begun = Instant::now();
        if known.due.is_none_or(|due| due <= begun) {
            let has_changed = known.look(&self.folder)?;
            known.due = Some(Instant::now() + PAUSE.max(begun.elapsed() * SHARE));
            if has_changed {
                known.seen = None;
            }
        }
        Ok(known.snapshot())
    }

    /// Reads the submissions of a participant again, after this program has changed one.
    pub(crate) fn read_again(&self, participant: &str) -> io::Result<()> {
        let mut known = self.lock_state();
        known.seen = None;
        let of_one = known.participants.entry(participant.to_owned()).or_default();
        of_one.changed = None;
        of_one.look(&self.folder, participant).map(drop)
    }

    fn lock_state(&self) -> MutexGuard<'_, IndexState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl IndexState {
    /// Reads all changes. Returns true if there were any.
    fn look(&mut self, folder: &LeagueFolder) -> io::Result<bool> {
        let mut names = names(&folder.path().join(SUBMISSIONS))?;
        names.retain(|name| is_name(name));
        names.sort_unstable();
        let before = self.participants.len();
        self.participants.retain(|name, _| names.binary_search(name).is_ok());
        let mut has_changed = before != self.participants.len();
        for name in names {
            let of_one = self.participants.entry(name.clone()).or_default();
            has_changed |= of_one.look(folder, &name)?;
        }
        Ok(has_changed)
    }

    fn snapshot(&mut self) -> KnownSubmissions {
        let participants = &self.participants;
        let made = self.seen.get_or_insert_with(|| {
            let mut all: Vec<(&str, u64, &IndexedSubmission)> = Vec::new();
            for (name, of_one) in participants {
                all.extend(of_one.submissions.iter().map(|(number, it)| (&**name, *number, it)));
            }
            let brief =
                |(name, number, known): &(&str, u64, &IndexedSubmission)| SubmissionSummary {
                    participant: (*name).to_owned(),
                    number: *number,
                    received: known.received,
                    verdict: known.verdict.clone(),
                };
            all.sort_by_key(|(_, number, it)| (it.received, *number));
            let latest = all.iter().rev().take(LISTED).map(brief).collect();
            let late = participants.iter().filter_map(|(name, of_one)| {
                let (number, last) = of_one.submissions.last_key_value()?;
                let (participant, number, seconds) = (name.clone(), *number, last.late?);
                Some(LateSubmission { participant, number, seconds })
            });
            let late = late.collect();
            all.retain(|(_, _, it)| it.verdict == SummaryVerdict::Waiting);
            // Slow builds go behind those of participants who have used less time.
            let steps = |name: &str, it: &IndexedSubmission| {
                participants[name].checked_ms(it.received) / STEP
            };
            all.sort_by_key(|(name, _, it)| (it.turn.0, steps(name, it), it.turn.1));
            KnownSubmissions { latest, queue: all.iter().map(brief).collect(), late }
        });
        made.clone()
    }
}

impl IndexedParticipant {
    /// The time that checks have taken of submissions of the 24 hours before this second, in milliseconds.
    fn checked_ms(&self, until: u64) -> u64 {
        let last = self.submissions.values().filter(|it| it.received.abs_diff(until) < DAY);
        last.map(|it| it.checked_ms).fold(0, u64::saturating_add)
    }

    fn look(&mut self, folder: &LeagueFolder, name: &str) -> io::Result<bool> {
        let path = participant_folder(folder, name);
        let mut has_changed = false;
        let changed = changed(&path);
        if changed.is_none() || changed != self.changed {
            let numbers = numbers(&path)?;
            let before = self.submissions.len();
            self.submissions.retain(|number, _| numbers.binary_search(number).is_ok());
            has_changed |= before != self.submissions.len();
            for number in numbers {
                if !self.submissions.contains_key(&number) {
                    has_changed |= self.take(folder, name, number);
                }
            }
            self.changed = changed;
        }
        // A late one waits again once it is accepted.
        let is_open = |it: &IndexedSubmission| {
            matches!(it.verdict, SummaryVerdict::Waiting | SummaryVerdict::Late)
        };
        let open: Vec<u64> =
            self.submissions.iter().filter(|(_, it)| is_open(it)).map(|(it, _)| *it).collect();
        for number in open {
            let now = self::changed(&submission_folder(folder, name, number));
            let known = self.submissions.get(&number).and_then(|it| it.changed);
            if now.is_none() || now != known {
                has_changed |= self.take(folder, name, number);
            }
        }
        Ok(has_changed)
    }

    /// Reads a submission. Returns true if it has changed.
    fn take(&mut self, folder: &LeagueFolder, name: &str, number: u64) -> bool {
        let changed = changed(&submission_folder(folder, name, number));
        // An unreadable one is left out, and read again after the next change.
        let Some(found) = find(folder, name, number) else {
            return self.submissions.remove(&number).is_some();
        };
        let SubmissionRecord { received, checked_ms, verdict, .. } = &found.record;
        let late = match verdict {
            SubmissionVerdict::Late(seconds) => Some(*seconds),
            SubmissionVerdict::Waiting
            | SubmissionVerdict::Entered(_)
            | SubmissionVerdict::Replaced(_)
            | SubmissionVerdict::Withdrawn
            | SubmissionVerdict::Refused { .. } => None,
        };
        let (verdict, turn) = (SummaryVerdict::from(verdict), found.record.turn());
        let (received, checked_ms) = (*received, *checked_ms);
        let new = IndexedSubmission { changed, received, turn, checked_ms, late, verdict };
        let (verdict, turn) = (new.verdict.clone(), new.turn);
        let old = self.submissions.insert(number, new);
        !old.is_some_and(|old| old.verdict == verdict && old.turn == turn)
    }
}

/// Returns the time of a folder's last change; none if a further change might not show.
fn changed(path: &Path) -> Option<SystemTime> {
    let changed = fs::metadata(path).and_then(|found| found.modified()).ok()?;
    SystemTime::now().duration_since(changed).ok().filter(|age| *age > FRESH).map(|_| changed)
}

#[cfg(test)]
mod tests {
    use std::fs::{File, FileTimes};

    use tempfile::TempDir;

    use super::*;

    /// A folder with an empty log and these submissions: participant, number, arrival, `checked_ms` and verdict.
    fn league(submissions: &[(&str, u64, u64, u64, &str)]) -> (TempDir, LeagueFolder) {
        let folder = TempDir::new().expect("a folder");
        fs::write(folder.path().join("league.jsonl"), "").expect("it is ours");
        let league = LeagueFolder::find(folder.path()).expect("a log");
        for (name, number, received, checked_ms, verdict) in submissions {
            let path = submission_folder(&league, name, *number);
            fs::create_dir_all(&path).expect("it is ours");
            let record = format!(
                "{{\"received\":{received},\"checked_ms\":{checked_ms},\"verdict\":{verdict}}}"
            );
            fs::write(path.join(crate::submissions::record::RECORD), record).expect("it is ours");
            let long_ago = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
            for folder in [&path, &participant_folder(&league, name)] {
                File::open(folder).and_then(|it| it.set_times(long_ago)).expect("it is ours");
            }
        }
        (folder, league)
    }

    fn queue(submissions: &[(&str, u64, u64, u64, &str)]) -> Vec<String> {
        let (_folder, league) = league(submissions);
        let seen = SubmissionIndex::new(league).snapshot().expect("it is there");
        seen.queue.iter().map(|it| it.participant.clone()).collect()
    }

    const WAITS: &str = "\"waiting\"";
    const ENTERED: &str = "{\"entered\":\"anna@1\"}";

    #[test]
    fn slow_checks_put_a_participant_behind_others() {
        let day = DAY;
        for (submissions, expected) in [
            // Those that come first are first, also after quick checks.
            (
                vec![
                    ("anna", 1, 1, 59_000, ENTERED),
                    ("anna", 2, 2, 0, WAITS),
                    ("ben", 1, 3, 0, WAITS),
                ],
                "anna ben",
            ),
            (
                vec![
                    ("anna", 1, 1, 61_000, ENTERED),
                    ("anna", 2, 2, 0, WAITS),
                    ("ben", 1, 3, 0, WAITS),
                ],
                "ben anna",
            ),
            // Several quick ones are as long as one slow one.
            (
                vec![
                    ("anna", 1, 1, 31_000, ENTERED),
                    ("anna", 2, 2, 31_000, ENTERED),
                    ("anna", 3, 3, 0, WAITS),
                    ("ben", 1, 4, 0, WAITS),
                ],
                "ben anna",
            ),
            // A day later it is forgotten.
            (
                vec![
                    ("anna", 1, 1, 600_000, ENTERED),
                    ("anna", 2, day + 2, 0, WAITS),
                    ("ben", 1, day + 3, 0, WAITS),
                ],
                "anna ben",
            ),
            (
                vec![
                    ("anna", 1, 1, 120_000, ENTERED),
                    ("anna", 2, 3, 0, WAITS),
                    ("ben", 1, 2, 200_000, ENTERED),
                    ("ben", 2, 4, 0, WAITS),
                    ("carl", 1, 5, 0, WAITS),
                ],
                "carl anna ben",
            ),
        ] {
            assert_eq!(queue(&submissions).join(" "), expected, "{submissions:?}");
        }
    }

    /// The page of the organiser read all submissions anew each time.
    #[test]
    fn a_second_look_reads_no_submission_again() {
        let late = "{\"late\":7}";
        let all = [
            ("anna", 1, 1, 0, late),
            ("anna", 2, 2, 0, ENTERED),
            ("ben", 1, 3, 0, ENTERED),
            ("ben", 2, 4, 0, late),
        ];
        let (_folder, league) = league(&all);
        let index = SubmissionIndex::new(league.clone());
        let first = index.snapshot().expect("it is there");
        // Only the last one of a participant can be accepted.
        let expected = LateSubmission { participant: "ben".to_owned(), number: 2, seconds: 7 };
        assert_eq!(*first.late, [expected]);
        for (name, number, ..) in all {
            // Written in place, it changes no folder.
            fs::write(
                submission_folder(&league, name, number).join(crate::submissions::record::RECORD),
                "?",
            )
            .expect("ours");
        }
        index.lock_state().due = None;
        let second = index.snapshot().expect("it is there");
        assert_eq!((&second.late, &second.latest), (&first.late, &first.latest));
        // What this program has changed is read.
        fs::remove_dir_all(submission_folder(&league, "ben", 2)).expect("ours");
        index.read_again("ben").expect("it is there");
        assert!(index.snapshot().expect("it is there").late.is_empty());
    }
}
