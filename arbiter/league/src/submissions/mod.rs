//! Submissions over the page of a league, and their results.
//!
//! A submission is a folder, `submissions/NAME/N`. It holds the uploaded file, its record, and in the end a report. So a submission waits on the disk, and a killed program has forgotten nothing. It is no part
//! of the league's log.
//!
//! Submissions are checked in the order in which they came, several at once; those whose participants have had more
//! minutes of checks in the last 24 hours come behind those of others, and those that were tried before come last. The
//! number of tries is limited ([`Record::failed`], [`Record::begun`]). `index.rs` keeps the public view in memory.

mod index;
mod stage;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rules::Digest;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use text::printable;
use thiserror::Error;

pub use index::{Brief, BriefVerdict, Late};
pub(crate) use index::{Seen, SubmissionIndex};
pub use stage::Stage;

use crate::folder::LeagueFolder;
use crate::last_settings::Terms;
use crate::version::BotVersion;
use conditions::bot::is_name;
use conditions::failure::Failure;
use contest::calendar::{Doors, length};
use contest::quotas::MOST_SUBMISSIONS;
use contest::tournament::folder::{Lock, NotLocked};
use sandbox::file;
use sandbox::unfinished::{self, NewFolder};

/// Folder with a folder for each participant.
const SUBMISSIONS: &str = "submissions";
/// Folder of uploads in progress.
const ARRIVING: &str = "arriving";
/// Age without a change after which an upload is abandoned.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
/// Lock of programs that take in a submission.
const TAKING: &str = "taking-in";
/// Time to wait for another program.
const PATIENCE: Duration = Duration::from_secs(10);
/// File of the record.
const RECORD: &str = "submission.json";
/// File that was uploaded.
const UPLOAD: &str = "upload";
/// File of the report.
const REPORT: &str = "report.txt";
/// Longest record that is read, in bytes.
const LONGEST: u64 = 64 << 10;
/// Seconds of a day.
const DAY: u64 = 24 * 60 * 60;
/// Longest reason or name that is kept, in characters.
const LONGEST_TEXT: usize = 4 << 10;
/// Longest report that is kept and read, in bytes.
const LONGEST_REPORT: usize = 1 << 20;
/// Largest total of the uploaded files of a participant that are kept, in bytes.
const KEPT_BYTES: u64 = 64 << 20;
/// Most waiting submissions, of all participants.
const MOST_WAITING: usize = 250;
/// Number of tries after failures of the machine.
pub const TRIES: u32 = 3;
/// Number of tries, including those in which the program was killed.
pub const MOST_BEGUN: u32 = 10;

/// A bot that was handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The participant who sent it.
    pub participant: String,
    /// Its number among the submissions of the participant, from 1.
    pub number: u64,
    /// Its record.
    pub record: Record,
}

/// Record of a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Name of the uploaded file, if it came with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Digest of the token with which it was sent: it does not enter if that token was revoked or replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Digest>,
    /// Time of arrival, in seconds since 1970.
    pub received: u64,
    /// Time of arrival in milliseconds; 0 if not known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub received_ms: u64,
    /// Number of tries; a try that was cut short by the end of the server does not count.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub begun: u32,
    /// Number of failures of the machine.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failed: u32,
    /// Time of its unpacking, build and check in milliseconds, with those of failed tries.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub checked_ms: u64,
    /// Its verdict.
    pub verdict: Verdict,
}

fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

impl Record {
    /// Returns its place in the order of those that wait.
    fn turn(&self) -> (u32, u64) {
        (self.begun, self.received_ms.max(self.received.saturating_mul(1_000)))
    }
}

/// Result of a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Verdict {
    /// It waits.
    Waiting,
    /// It came after the deadline, by this number of seconds. It is kept, and waits once the organiser accepts it.
    Late(u64),
    /// It has entered.
    Entered(BotVersion),
    /// It was refused.
    Refused {
        /// The stage, which is public.
        step: Stage,
        /// The reason in one line, for its author.
        why: String,
    },
}

/// Reason why a submission is not taken in; one line.
#[derive(Debug, Error)]
pub enum NotTaken {
    /// Another one of the same participant waits.
    #[error("your submission {0} is still queued: wait for its result")]
    Waiting(u64),
    /// Too many submissions wait.
    #[error("the queue is full ({MOST_WAITING} submissions): try again later")]
    Full,
    /// The disk is nearly full.
    #[error("the server's disk is nearly full: try again later")]
    NoDisk,
    /// The participant has handed in as many as a day allows.
    #[error("daily limit of {most} submissions reached: try again in {}", length(*.wait))]
    TooMany {
        /// The number of submissions that a day allows.
        most: u32,
        /// Seconds until the next one.
        wait: u64,
    },
    /// The league takes no bots yet.
    #[error("submissions open at {0}")]
    NotOpen(String),
    /// The calendar of the league cannot be read.
    #[error(transparent)]
    NoCalendar(#[from] Failure),
    /// The machine fails.
    #[error("cannot store the submission: {}", text::system_error(.0))]
    Failed(#[from] io::Error),
}

impl Submission {
    /// Returns true while it waits.
    pub fn is_waiting(&self) -> bool {
        self.record.verdict == Verdict::Waiting
    }

    /// Returns true if it came after the deadline, and was not accepted.
    pub fn is_late(&self) -> bool {
        matches!(self.record.verdict, Verdict::Late(_))
    }

    /// Returns the path of the uploaded file, which exists while it waits, and later unless it is one of the oldest of
    /// too many.
    pub fn upload(&self, folder: &LeagueFolder) -> PathBuf {
        self.place(folder).join(UPLOAD)
    }

    /// Returns its report, if it has one.
    pub fn report(&self, folder: &LeagueFolder) -> Option<String> {
        file::text(&self.place(folder).join(REPORT), 2 * LONGEST_REPORT as u64).ok()
    }

    /// Opens the uploaded file, if it is still there.
    pub fn content(&self, folder: &LeagueFolder) -> Option<File> {
        file::open(&self.upload(folder)).ok()
    }

    /// Writes the verdict and the report.
    pub fn decide(
        &mut self,
        folder: &LeagueFolder,
        verdict: Verdict,
        report: &[u8],
    ) -> io::Result<()> {
        let place = self.place(folder);
        let report = report.get(..LONGEST_REPORT).unwrap_or(report);
        fs::write(place.join(REPORT), String::from_utf8_lossy(report).as_bytes())?;
        self.record.verdict = match verdict {
            Verdict::Refused { step, why } => Verdict::Refused { step, why: short(&why) },
            other => other,
        };
        write(&place, &self.record)
    }

    /// Records a new try. If the program is killed meanwhile, others come before it.
    pub fn begin(&mut self, folder: &LeagueFolder) -> io::Result<()> {
        self.record.begun = self.record.begun.saturating_add(1);
        write(&self.place(folder), &self.record)
    }

    /// Takes back the record of a try.
    pub(crate) fn put_back(&mut self, folder: &LeagueFolder) -> io::Result<()> {
        self.record.begun = self.record.begun.saturating_sub(1);
        write(&self.place(folder), &self.record)
    }

    /// Records a failure of the machine.
    pub fn fail(&mut self, folder: &LeagueFolder) -> io::Result<()> {
        self.record.failed = self.record.failed.saturating_add(1);
        write(&self.place(folder), &self.record)
    }

    fn place(&self, folder: &LeagueFolder) -> PathBuf {
        place(folder, &self.participant, self.number)
    }
}

/// A file that a participant has sent.
#[derive(Debug)]
pub struct Arrival<'a> {
    /// The participant.
    pub participant: &'a str,
    /// Digest of the token with which it was sent.
    pub token: Digest,
    /// The file.
    pub content: NamedTempFile,
    /// Its name, if it came with one.
    pub file: Option<&'a str>,
    /// The time at which all of it was there.
    pub at: Timestamp,
}

/// Takes in a file from a participant; then it waits, unless it came after the deadline.
///
/// # Errors
///
/// [`NotTaken`], also if the league does not take bots yet.
pub fn take_in(
    folder: &LeagueFolder,
    terms: &Terms,
    arrival: Arrival<'_>,
) -> Result<Submission, NotTaken> {
    let Arrival { participant, token, content, file, at } = arrival;
    let calendar = terms.calendar();
    let verdict = match calendar.doors(at) {
        Doors::NotOpen(opens) => return Err(NotTaken::NotOpen(calendar.shown(opens))),
        Doors::Open => Verdict::Waiting,
        Doors::Closed(deadline) => {
            let seconds = at.as_second().saturating_sub(deadline.as_second());
            Verdict::Late(seconds.unsigned_abs())
        }
    };
    let _lock = lock(folder)?;
    let own = of(folder, participant)?;
    if let Some(own) = own.iter().find(|it| it.is_waiting()) {
        return Err(NotTaken::Waiting(own.number));
    }
    if let Some(most) = terms.quotas.submissions_a_day {
        let now = at.as_second().unsigned_abs();
        let mut times = own.iter().map(|it| it.record.received).collect::<Vec<u64>>();
        times.retain(|received| now.saturating_sub(*received) < DAY);
        if times.len() >= most.get() as usize {
            let first = times.get(times.len() - most.get() as usize).copied().unwrap_or(now);
            let wait = (first + DAY).saturating_sub(now);
            return Err(NotTaken::TooMany { most: most.get(), wait });
        }
    }
    let numbers = numbers(&of_participant(folder, participant))?;
    let number = numbers.last().map_or(1, |last| last.saturating_add(1));
    let record = Record {
        file: file.map(short),
        token: Some(token),
        received: at.as_second().unsigned_abs(),
        received_ms: at.as_millisecond().unsigned_abs(),
        begun: 0,
        failed: 0,
        checked_ms: 0,
        verdict,
    };
    let new = NewFolder::at(&place(folder, participant, number))?;
    content.persist(new.path().join(UPLOAD)).map_err(|error| error.error)?;
    write(&new.path(), &record)?;
    // With this file it is a submission.
    new.put(RECORD)?;
    for old in numbers.iter().rev().skip(MOST_SUBMISSIONS - 1) {
        // Any rest is removed the next time.
        let _ = fs::remove_dir_all(place(folder, participant, *old));
    }
    remove_oldest_uploads(folder, participant)?;
    Ok(Submission { participant: participant.to_owned(), number, record })
}

/// Removes the files of the oldest submissions of a participant beyond the size that is kept. Those that may still be
/// checked stay.
fn remove_oldest_uploads(folder: &LeagueFolder, participant: &str) -> io::Result<()> {
    let mut left = KEPT_BYTES;
    for (place, submission) in of(folder, participant)?.iter().rev().enumerate() {
        let path = submission.upload(folder);
        let Ok(found) = fs::symlink_metadata(&path) else { continue };
        // Of late ones, only the last one can be accepted.
        let is_decided = place > 0 && !submission.is_waiting();
        match left.checked_sub(found.len()) {
            Some(rest) => left = rest,
            // Any rest is removed the next time.
            None if is_decided => drop(fs::remove_file(&path)),
            None => {}
        }
    }
    Ok(())
}

/// Lets the last submission of a participant wait as if it had come in time, if it is late; none if it is not.
pub fn accept(folder: &LeagueFolder, participant: &str) -> Result<Option<Submission>, NotTaken> {
    if !is_name(participant) {
        return Ok(None);
    }
    let _lock = lock(folder)?;
    let last = of(folder, participant)?.pop();
    let Some(mut found) = last.filter(Submission::is_late) else { return Ok(None) };
    found.record.verdict = Verdict::Waiting;
    write(&found.place(folder), &found.record)?;
    Ok(Some(found))
}

/// Returns the late submissions that can be accepted, by participant: an older one than the last is not. All
/// submissions are read; [`SubmissionQueue::seen`](crate::entry::queue::SubmissionQueue::seen) has those of a server.
pub fn late(folder: &LeagueFolder) -> io::Result<Vec<Submission>> {
    let mut participants = names(&folder.path().join(SUBMISSIONS))?;
    participants.retain(|name| is_name(name));
    participants.sort_unstable();
    let mut late = Vec::new();
    for name in participants {
        late.extend(of(folder, &name)?.pop().filter(Submission::is_late));
    }
    Ok(late)
}

fn lock(folder: &LeagueFolder) -> Result<Lock, NotTaken> {
    Lock::take(&folder.path().join(TAKING), PATIENCE).map_err(|problem| match problem {
        NotLocked::Held => NotTaken::Full,
        NotLocked::Unopened(error) | NotLocked::Refused(error) => NotTaken::Failed(error),
    })
}

/// Returns an error if a file of this participant would not be taken in with this queue.
pub fn must_have_room(queue: &[Brief], participant: &str) -> Result<(), NotTaken> {
    match queue.iter().find(|waiting| waiting.participant == participant) {
        Some(own) => Err(NotTaken::Waiting(own.number)),
        None if queue.len() >= MOST_WAITING => Err(NotTaken::Full),
        None => Ok(()),
    }
}

/// Returns the folder for uploads in progress, on the disk on which they stay. Files that a killed program has
/// left there are removed.
pub fn arriving(folder: &LeagueFolder) -> io::Result<PathBuf> {
    let path = folder.path().join(ARRIVING);
    file::private_folder().recursive(true).create(&path)?;
    for entry in fs::read_dir(&path)?.flatten() {
        let changed = entry.metadata().and_then(|found| found.modified());
        let age = changed.ok().and_then(|changed| changed.elapsed().ok());
        if age.is_some_and(|age| age > ABANDONED) {
            // Any rest is removed the next time.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(path)
}

/// Removes what a killed program has left of submissions: uploads that did not arrive, and files that are no
/// submission, because no record says so.
///
/// # Errors
///
/// Fails if the folders cannot be read, or another program takes in submissions for too long.
pub(crate) fn remove_leftovers(folder: &LeagueFolder) -> Result<(), NotTaken> {
    unfinished::remove_dead(&folder.path().join(ARRIVING));
    let all = folder.path().join(SUBMISSIONS);
    unfinished::remove_dead(&all);
    // No program makes one meanwhile.
    let _lock = lock(folder)?;
    for participant in names(&all)?.into_iter().filter(|name| is_name(name)) {
        let own = of_participant(folder, &participant);
        unfinished::remove_dead(&own);
        for number in numbers(&own)? {
            let place = place(folder, &participant, number);
            match fs::symlink_metadata(place.join(RECORD)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    fs::remove_dir_all(&place)?;
                }
                _ => unfinished::remove_dead(&place),
            }
        }
    }
    Ok(())
}

/// Returns the submissions of a participant, the first one first. Unreadable ones are left out.
pub fn of(folder: &LeagueFolder, participant: &str) -> io::Result<Vec<Submission>> {
    let numbers = numbers(&of_participant(folder, participant))?;
    Ok(numbers.into_iter().filter_map(|number| one(folder, participant, number)).collect())
}

fn of_participant(folder: &LeagueFolder, participant: &str) -> PathBuf {
    folder.path().join(SUBMISSIONS).join(participant)
}

fn place(folder: &LeagueFolder, participant: &str, number: u64) -> PathBuf {
    of_participant(folder, participant).join(number.to_string())
}

/// Returns one submission of a participant, if it can be read.
pub fn one(folder: &LeagueFolder, participant: &str, number: u64) -> Option<Submission> {
    let text = file::text(&place(folder, participant, number).join(RECORD), LONGEST).ok()?;
    let record = serde_json::from_str(&text).ok()?;
    Some(Submission { participant: participant.to_owned(), number, record })
}

fn write(place: &Path, record: &Record) -> io::Result<()> {
    file::replace(&place.join(RECORD), serde_json::to_string(record)?.as_bytes())
}

/// Returns the numbers of the folders in a folder, the lowest first.
pub(crate) fn numbers(folder: &Path) -> io::Result<Vec<u64>> {
    let names = names(folder)?;
    let number = |name: &String| name.parse::<u64>().ok().filter(|it| it.to_string() == *name);
    let mut numbers: Vec<u64> = names.iter().filter_map(number).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Returns the names in a folder that are text; none if there is no folder.
pub(crate) fn names(folder: &Path) -> io::Result<Vec<String>> {
    use io::ErrorKind::{NotADirectory, NotFound};
    let entries = match fs::read_dir(folder) {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => return Ok(Vec::new()),
        other => other?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry?.file_name().into_string());
    }
    Ok(names)
}

fn short(text: &str) -> String {
    printable(&text.chars().take(LONGEST_TEXT).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_server_leaves_nothing_for_the_next_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("league.jsonl"), "").expect("it is ours");
        let league = LeagueFolder::at(folder.path()).expect("there is a log");
        const DEAD: &str = ".new-0123456789abcdef";
        let left = [
            format!("arriving/{DEAD}"),
            "submissions/anna/2/upload".to_owned(),
            format!("submissions/anna/1/{DEAD}"),
            format!("submissions/anna/{DEAD}/upload"),
        ];
        let kept =
            ["submissions/anna/1/submission.json", "submissions/anna/1/upload", "submissions/x"];
        for name in left.iter().map(String::as_str).chain(kept) {
            let path = path(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it is ours");
            fs::write(path, "{}").expect("it is ours");
        }
        let comes = unfinished::file_in(&arriving(&league).expect("a folder")).expect("a file");
        remove_leftovers(&league).expect("it is ours");
        for name in &left {
            assert!(!path(name).exists(), "{name}");
        }
        assert!(!path("submissions/anna/2").exists());
        for name in kept {
            assert!(path(name).exists(), "{name}");
        }
        assert!(comes.path().exists(), "it is still being sent");
    }
}
