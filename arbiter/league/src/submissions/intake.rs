//! Takes in what participants send.

use std::fs::{self};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use rules::Digest;
use tempfile::NamedTempFile;
use thiserror::Error;

use crate::calendar::{Doors, length};
use crate::folder::LeagueFolder;
use crate::last_settings::LeagueTerms;
use crate::quotas::MOST_SUBMISSIONS;
use crate::submissions::record::{
    DAY, RECORD, SUBMISSIONS, Submission, SubmissionRecord, SubmissionSummary, SubmissionVerdict,
    UPLOAD, by_participant, names, numbers, participant_folder, shorten, submission_folder, write,
};
use bot::is_name;
use contest::tournament::folder::{Lock, NotLocked};
use sandbox::file;
use sandbox::unfinished::{self, NewFolder};
use text::failure::Failure;

/// Folder of uploads in progress.
const ARRIVING: &str = "arriving";
/// Age without a change after which an upload is abandoned.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
/// Lock of programs that take in a submission.
const TAKING: &str = "taking-in";
/// Time to wait for another program.
const PATIENCE: Duration = Duration::from_secs(10);
/// Largest total of the uploaded files of a participant that are kept, in bytes.
const KEPT_BYTES: u64 = 64 << 20;
/// Most waiting submissions, of all participants.
const MOST_WAITING: usize = 250;

/// Reason why a submission is not taken in; one line.
#[derive(Debug, Error)]
pub enum IntakeError {
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
    /// The bot of the participant is disqualified.
    #[error("disqualified: {0}")]
    Disqualified(String),
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

/// A file that a participant has sent.
#[derive(Debug)]
pub struct Upload<'a> {
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
/// [`IntakeError`], also if the league does not take bots yet.
pub fn take_in(
    folder: &LeagueFolder,
    terms: &LeagueTerms,
    arrival: Upload<'_>,
) -> Result<Submission, IntakeError> {
    let Upload { participant, token, content, file, at } = arrival;
    let calendar = terms.calendar();
    let verdict = match calendar.doors(at) {
        Doors::NotOpen(opens) => return Err(IntakeError::NotOpen(calendar.shown(opens))),
        Doors::Open => SubmissionVerdict::Waiting,
        Doors::Closed(deadline) => {
            let seconds = at.as_second().saturating_sub(deadline.as_second());
            SubmissionVerdict::Late(seconds.unsigned_abs())
        }
    };
    let league = folder.read().map_err(Failure::from)?;
    if let Some(left) = league.newest(participant).and_then(|it| it.left.as_ref())
        && left.disqualified
    {
        return Err(IntakeError::Disqualified(left.reason.clone()));
    }
    let _lock = lock(folder)?;
    let own = by_participant(folder, participant)?;
    if let Some(own) = own.iter().find(|it| it.is_waiting()) {
        return Err(IntakeError::Waiting(own.number));
    }
    if let Some(most) = terms.quotas.submissions_a_day {
        let now = at.as_second().unsigned_abs();
        let mut times = own.iter().map(|it| it.record.received).collect::<Vec<u64>>();
        times.retain(|received| now.saturating_sub(*received) < DAY);
        if times.len() >= most.get() as usize {
            let first = times.get(times.len() - most.get() as usize).copied().unwrap_or(now);
            let wait = (first + DAY).saturating_sub(now);
            return Err(IntakeError::TooMany { most: most.get(), wait });
        }
    }
    let numbers = numbers(&participant_folder(folder, participant))?;
    let number = numbers.last().map_or(1, |last| last.saturating_add(1));
    let record = SubmissionRecord {
        file: file.map(shorten),
        token: Some(token),
        received: at.as_second().unsigned_abs(),
        received_ms: at.as_millisecond().unsigned_abs(),
        begun: 0,
        failed: 0,
        checked_ms: 0,
        verdict,
    };
    let new = NewFolder::at(&submission_folder(folder, participant, number))?;
    content.persist(new.path().join(UPLOAD)).map_err(|error| error.error)?;
    write(&new.path(), &record)?;
    // With this file it is a submission.
    new.put(RECORD)?;
    for old in numbers.iter().rev().skip(MOST_SUBMISSIONS - 1) {
        // Any rest is removed the next time.
        let _ = fs::remove_dir_all(submission_folder(folder, participant, *old));
    }
    remove_oldest_uploads(folder, participant)?;
    Ok(Submission { participant: participant.to_owned(), number, record })
}

/// Removes the files of the oldest submissions of a participant beyond the size that is kept. Those that may still be
/// checked stay.
fn remove_oldest_uploads(folder: &LeagueFolder, participant: &str) -> io::Result<()> {
    let mut left = KEPT_BYTES;
    for (place, submission) in by_participant(folder, participant)?.iter().rev().enumerate() {
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
pub fn accept(folder: &LeagueFolder, participant: &str) -> Result<Option<Submission>, IntakeError> {
    if !is_name(participant) {
        return Ok(None);
    }
    let _lock = lock(folder)?;
    let last = by_participant(folder, participant)?.pop();
    let Some(mut found) = last.filter(Submission::is_late) else { return Ok(None) };
    found.record.verdict = SubmissionVerdict::Waiting;
    write(&found.place(folder), &found.record)?;
    Ok(Some(found))
}

fn lock(folder: &LeagueFolder) -> Result<Lock, IntakeError> {
    Lock::take(&folder.path().join(TAKING), PATIENCE).map_err(|problem| match problem {
        NotLocked::Held => IntakeError::Full,
        NotLocked::Unopened(error) | NotLocked::Refused(error) => IntakeError::Failed(error),
    })
}

/// Returns an error if a file of this participant would not be taken in with this queue.
pub fn must_have_room(queue: &[SubmissionSummary], participant: &str) -> Result<(), IntakeError> {
    match queue.iter().find(|waiting| waiting.participant == participant) {
        Some(own) => Err(IntakeError::Waiting(own.number)),
        None if queue.len() >= MOST_WAITING => Err(IntakeError::Full),
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
pub(crate) fn remove_leftovers(folder: &LeagueFolder) -> Result<(), IntakeError> {
    unfinished::remove_dead(&folder.path().join(ARRIVING));
    let all = folder.path().join(SUBMISSIONS);
    unfinished::remove_dead(&all);
    // No program makes one meanwhile.
    let _lock = lock(folder)?;
    for participant in names(&all)?.into_iter().filter(|name| is_name(name)) {
        let own = participant_folder(folder, &participant);
        unfinished::remove_dead(&own);
        for number in numbers(&own)? {
            let place = submission_folder(folder, &participant, number);
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
