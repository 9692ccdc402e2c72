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

use super::{Record, SUBMISSIONS, Stage, Verdict, names, numbers, of_participant, one, place};
use crate::folder::LeagueFolder;
use crate::version::BotVersion;
use conditions::bot::is_name;

/// Least time between two looks.
const PAUSE: Duration = Duration::from_millis(500);
/// A look takes at most this fraction of the time, as its denominator.
const SHARE: u32 = 20;
/// Age below which a changed folder may change once more in the same tick of the clock.
const FRESH: Duration = Duration::from_secs(2);
/// Number of listed submissions.
const LISTED: usize = 100;

/// The public part of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// The participant who sent it.
    pub participant: String,
    /// Its number among the submissions of the participant, from 1.
    pub number: u64,
    /// The public part of its verdict.
    pub verdict: BriefVerdict,
}

/// The public part of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BriefVerdict {
    /// It waits.
    Waiting,
    /// It came after the deadline.
    Late,
    /// It has entered.
    Entered(BotVersion),
    /// It was refused at this stage.
    Refused(Stage),
}

impl From<&Verdict> for BriefVerdict {
    fn from(verdict: &Verdict) -> BriefVerdict {
        match verdict {
            Verdict::Waiting => BriefVerdict::Waiting,
            Verdict::Late(_) => BriefVerdict::Late,
            Verdict::Entered(bot) => BriefVerdict::Entered(bot.clone()),
            Verdict::Refused { step, .. } => BriefVerdict::Refused(step.clone()),
        }
    }
}

/// All known submissions at one time.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// The last ones, the newest first.
    pub latest: Arc<[Brief]>,
    /// The waiting ones, in the order in which their checks begin.
    pub queue: Arc<[Brief]>,
}

/// The submissions of a league, in memory.
#[derive(Debug)]
pub(crate) struct SubmissionIndex {
    folder: LeagueFolder,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    participants: BTreeMap<String, Participant>,
    /// Time of the next look.
    due: Option<Instant>,
    seen: Option<Seen>,
}

#[derive(Debug, Default)]
struct Participant {
    /// Time of the folder's last change; none if it may have changed since it was read.
    changed: Option<SystemTime>,
    submissions: BTreeMap<u64, Entry>,
}

/// A submission, as it was last read.
#[derive(Debug)]
struct Entry {
    /// Time of the folder's last change; none if it may have changed since it was read.
    changed: Option<SystemTime>,
    received: u64,
    turn: (u32, u64),
    verdict: BriefVerdict,
}

impl SubmissionIndex {
    /// Creates an index of this league; nothing is read yet.
    pub(crate) fn new(folder: LeagueFolder) -> SubmissionIndex {
        SubmissionIndex { folder, known: Mutex::default() }
    }

    /// Returns all known submissions, at most a moment old. This may read files.
    pub(crate) fn seen(&self) -> io::Result<Seen> {
        let mut known = self.known();
        let begun = Instant::now();
        if known.due.is_none_or(|due| due <= begun) {
            let has_changed = known.look(&self.folder)?;
            known.due = Some(Instant::now() + PAUSE.max(begun.elapsed() * SHARE));
            if has_changed {
                known.seen = None;
            }
        }
        Ok(known.seen())
    }

    /// Reads the submissions of a participant again, after this program has changed one.
    pub(crate) fn read_again(&self, participant: &str) -> io::Result<()> {
        let mut known = self.known();
        known.seen = None;
        let of_one = known.participants.entry(participant.to_owned()).or_default();
        of_one.changed = None;
        of_one.look(&self.folder, participant).map(drop)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
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

    fn seen(&mut self) -> Seen {
        let participants = &self.participants;
        let made = self.seen.get_or_insert_with(|| {
            let mut all: Vec<(&str, u64, &Entry)> = Vec::new();
            for (name, of_one) in participants {
                all.extend(of_one.submissions.iter().map(|(number, it)| (&**name, *number, it)));
            }
            let brief = |(name, number, known): &(&str, u64, &Entry)| Brief {
                participant: (*name).to_owned(),
                number: *number,
                verdict: known.verdict.clone(),
            };
            all.sort_by_key(|(_, number, it)| (it.received, *number));
            let latest = all.iter().rev().take(LISTED).map(brief).collect();
            all.retain(|(_, _, it)| it.verdict == BriefVerdict::Waiting);
            all.sort_by_key(|(_, _, it)| it.turn);
            Seen { latest, queue: all.iter().map(brief).collect() }
        });
        made.clone()
    }
}

impl Participant {
    fn look(&mut self, folder: &LeagueFolder, name: &str) -> io::Result<bool> {
        let path = of_participant(folder, name);
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
        let is_open = |it: &Entry| matches!(it.verdict, BriefVerdict::Waiting | BriefVerdict::Late);
        let open: Vec<u64> =
            self.submissions.iter().filter(|(_, it)| is_open(it)).map(|(it, _)| *it).collect();
        for number in open {
            let now = self::changed(&place(folder, name, number));
            let known = self.submissions.get(&number).and_then(|it| it.changed);
            if now.is_none() || now != known {
                has_changed |= self.take(folder, name, number);
            }
        }
        Ok(has_changed)
    }

    /// Reads a submission. Returns true if it has changed.
    fn take(&mut self, folder: &LeagueFolder, name: &str, number: u64) -> bool {
        let changed = changed(&place(folder, name, number));
        // An unreadable one is left out, and read again after the next change.
        let Some(found) = one(folder, name, number) else {
            return self.submissions.remove(&number).is_some();
        };
        let Record { received, verdict, .. } = &found.record;
        let (verdict, turn) = (BriefVerdict::from(verdict), found.record.turn());
        let new = Entry { changed, received: *received, turn, verdict };
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
