//! Submissions over the page of a league, and their results.
//!
//! A submission is a folder, `submissions/NAME/N`. It holds the uploaded file, its record, and in the end a report. So a submission waits on the disk, and a killed program has forgotten nothing. It is no part
//! of the league's log.
//!
//! Submissions are checked in the order in which they came, several at once; those whose participants have had more
//! minutes of checks in the last 24 hours come behind those of others, and those that were tried before come last. The
//! number of tries is limited ([`SubmissionRecord::failed`], [`SubmissionRecord::begun`]). `index.rs` keeps the public view in memory.
//!
//! At most one submission of a bot is undecided: a new one takes the place of an earlier one. NAME is the name of the bot:
//! a participant's first bot has the participant's name. Quotas count all bots of a participant. Records change
//! under a lock ([`RecordLock`]), and a check that has ended looks under the lock whether its submission still waits.

mod index;
mod record;

use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

use bot::is_name;
use jiff::Timestamp;
use rules::Digest;
use sandbox::new_file::NewFolder;
use sandbox::{file, new_file};
use tempfile::NamedTempFile;

use self::record::{
    DAY, RECORD, SUBMISSIONS, UPLOAD, participant_folder, shorten, submission_folder, write,
};
use crate::calendar::{Calendar, SubmissionWindow, length};
use crate::correction::reason_in_line;
use crate::events::LeagueEvent;
use crate::folder::{IS_WRITTEN, LeagueError, LeagueFolder, unusable};
use crate::line::{ExceptionLine, LeagueLine};
use crate::participants::Participants;
use crate::quotas::{MOST_SUBMISSIONS, Quotas};
use crate::refusal::{Refusal, RefusalKind};
use crate::settings::LeagueConfig;
use crate::state::{League, Membership};
use crate::{events, participants};
use contest::tournament::folder::{LockError, shown};
pub use index::LateSubmission;
pub(crate) use index::{KnownSubmissions, SubmissionIndex};
pub use record::{
    MOST_BEGUN, RecordLock, RejectionStage, Submission, SubmissionRecord, SubmissionSummary,
    SubmissionVerdict, SummaryVerdict, TRIES, by_participant, find, late_submissions,
};
pub(crate) use record::{names, numbers};
use text::failure::Failure;

/// Folder of uploads in progress.
const ARRIVING: &str = "arriving";
/// Reason for the acceptance of a late submission, unless another one is given.
pub const ACCEPTED: &str = "accepted by the organiser";
/// Age without a change after which an upload is abandoned.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
/// Largest total of the uploaded files of a participant that are kept, in bytes.
const KEPT_BYTES: u64 = 64 << 20;
/// Most waiting submissions, of all participants.
const MOST_WAITING: usize = 250;

#[derive(Debug)]
pub struct ParticipantUpload<'a> {
    /// The name of the bot: a participant's first bot has the participant's name.
    pub participant: &'a str,
    pub token: Digest,
    /// The member of a team whose token that is.
    pub member: Option<&'a str>,
    pub content: NamedTempFile,
    /// Its name, if it came with one.
    pub file: Option<&'a str>,
    /// The time at which all of it was there.
    pub at: Timestamp,
}

fn queue_is_full() -> Refusal {
    Refusal::new(
        RefusalKind::Busy { wait: 60 },
        format!("the queue is full ({MOST_WAITING} submissions): try again later"),
    )
}

/// Takes the right to change records of submissions.
pub(crate) fn locked(folder: &LeagueFolder) -> Result<RecordLock, Refusal> {
    RecordLock::take(folder).map_err(|problem| match problem {
        LockError::Held => queue_is_full(),
        LockError::Unopened(error) | LockError::Refused(error) => error.into(),
    })
}

/// Takes in a file from a participant; then it waits in the place of an earlier one that is not decided, unless it came
/// after the deadline.
///
/// # Errors
///
/// [`Refusal`], also if the league does not take bots yet, or the bot no longer belongs to the token.
pub fn take_in(
    folder: &LeagueFolder,
    terms: &LeagueConfig,
    arrival: ParticipantUpload<'_>,
) -> Result<Submission, Refusal> {
    let ParticipantUpload { participant, token, member, content, file, at } = arrival;
    let calendar = terms.calendar();
    // A name without a submission is free as soon as another one is chosen, which waits for this.
    let lock = locked(folder)?;
    let league = folder.read()?;
    let participants = Participants::read(folder)?;
    if !participants.may_hand_in(participant, Some(token)) {
        // It was given up while the file was sent.
        let problem = format!(
            "this token no longer holds the name `{participant}`: choose the name again, and submit \
             once more"
        );
        return Err(Refusal::new(RefusalKind::Forbidden, problem));
    }
    let bots = participants.bots_beside(participant);
    let own_deadline = league.exceptions().deadline(bots[0]);
    let verdict = match calendar.doors_with(own_deadline, at) {
        SubmissionWindow::NotOpen(opens) => return Err(not_open(calendar, opens)),
        SubmissionWindow::Open => SubmissionVerdict::Waiting,
        SubmissionWindow::Closed(deadline) => {
            let seconds = at.as_second().saturating_sub(deadline.as_second());
            SubmissionVerdict::Late(seconds.unsigned_abs())
        }
    };
    if let Some(left) = bots.iter().find_map(|bot| league.disqualified(bot)) {
        let problem = format!("disqualified: {}", left.reason);
        return Err(Refusal::new(RefusalKind::Forbidden, problem));
    }
    let mut of_all = Vec::new();
    for bot in &bots {
        of_all.extend(by_participant(folder, bot)?);
    }
    of_all.sort_by_key(|it| it.record.received);
    must_be_within_quotas(&of_all, &terms.quotas, at.as_second().unsigned_abs())?;
    let most = terms.quotas.bots();
    if !has_room(folder, &league, &participants, (participant, most))? {
        let problem = format!("limit of {most} bots reached: submit a new version of one of them");
        return Err(Refusal::new(RefusalKind::Forbidden, problem));
    }
    let own = by_participant(folder, participant)?;
    // A late one takes no place of one that came in time.
    let mut replaced: Vec<Submission> = match verdict {
        SubmissionVerdict::Waiting => own.into_iter().filter(Submission::is_waiting).collect(),
        _ => Vec::new(),
    };
    // One whose check has begun has had its turn.
    let turn = replaced.iter().find(|it| it.record.begun == 0).map(|it| it.record.turn().1);
    let numbers = numbers(&participant_folder(folder, participant))?;
    let number = numbers.last().map_or(1, |last| last.saturating_add(1));
    let record = SubmissionRecord {
        file: file.map(shorten),
        token: Some(token),
        member: member.map(str::to_owned),
        received: at.as_second().unsigned_abs(),
        received_ms: at.as_millisecond().unsigned_abs(),
        turn_ms: turn.unwrap_or_default(),
        begun: 0,
        failed: 0,
        checked_ms: 0,
        verdict,
    };
    let new = NewFolder::create_at(&submission_folder(folder, participant, number))?;
    content.persist(new.path().join(UPLOAD)).map_err(|error| error.error)?;
    write(&new.path(), &record)?;
    // With this file it is a submission.
    new.publish(RECORD)?;
    replace(&lock, &mut replaced, number)?;
    for old in numbers.iter().rev().skip(MOST_SUBMISSIONS - 1) {
        // Any rest is removed the next time.
        let _ = fs::remove_dir_all(submission_folder(folder, participant, *old));
    }
    remove_oldest_uploads(folder, participant)?;
    Ok(Submission { participant: participant.to_owned(), number, record })
}

/// Checks how many submissions of a participant have entered in the 24 hours before this second, and how many came.
fn must_be_within_quotas(own: &[Submission], quotas: &Quotas, now: u64) -> Result<(), Refusal> {
    let today = || own.iter().filter(|it| now.saturating_sub(it.record.received) < DAY);
    let wait = |most: u32, times: &[u64]| {
        let first = times.get(times.len().checked_sub(most as usize)?)?;
        Some(first.saturating_add(DAY).saturating_sub(now))
    };
    let attempts: Vec<u64> = today().map(|it| it.record.received).collect();
    let most = quotas.attempts_a_day();
    if let Some(wait) = wait(most, &attempts) {
        return Err(daily_limit(most, "attempts", wait));
    }
    let Some(most) = quotas.submissions_a_day else { return Ok(()) };
    let has_entered = |it: &&Submission| matches!(it.record.verdict, SubmissionVerdict::Entered(_));
    let accepted: Vec<u64> = today().filter(has_entered).map(|it| it.record.received).collect();
    match wait(most.get(), &accepted) {
        Some(wait) => Err(daily_limit(most.get(), "accepted submissions", wait)),
        None => Ok(()),
    }
}

fn daily_limit(most: u32, what: &str, wait: u64) -> Refusal {
    let wait_in_words = length(wait);
    let problem = format!("daily limit of {most} {what} reached: try again in {wait_in_words}");
    Refusal::new(RefusalKind::DailyLimit { wait }, problem)
}

/// The league takes no bots yet.
pub(crate) fn not_open(calendar: &Calendar, opens: Timestamp) -> Refusal {
    let problem = format!("submissions open at {}", calendar.time_text(opens));
    Refusal::new(RefusalKind::Closed, problem)
}

/// Replaces these submissions, which wait, by the one with this number. Checks of them end soon.
fn replace(lock: &RecordLock, waiting: &mut [Submission], by: u64) -> io::Result<()> {
    let mut all = waiting.iter_mut();
    all.try_for_each(|it| {
        it.change(lock, |record| record.verdict = SubmissionVerdict::Replaced(by))
    })
}

/// Withdraws a submission that waits, is being checked or is late. A check of it ends soon.
///
/// # Errors
///
/// [`Refusal`], with nothing changed.
pub fn withdraw(
    folder: &LeagueFolder,
    participant: &str,
    number: u64,
) -> Result<Submission, Refusal> {
    let lock = locked(folder)?;
    let missing = || Refusal::new(RefusalKind::Missing, "no such submission");
    let mut found = find(folder, participant, number).ok_or_else(missing)?;
    match found.record.verdict {
        SubmissionVerdict::Waiting | SubmissionVerdict::Late(_) => {
            found.change(&lock, |record| record.verdict = SubmissionVerdict::Withdrawn)?;
            Ok(found)
        }
        SubmissionVerdict::Withdrawn => Ok(found),
        SubmissionVerdict::Entered(_)
        | SubmissionVerdict::Replaced(_)
        | SubmissionVerdict::Refused { .. } => {
            let problem = format!(
                "submission {number} has already been decided: only a queued or late one can be withdrawn"
            );
            Err(Refusal::new(RefusalKind::Conflict, problem))
        }
    }
}

/// Removes the files, reports and tokens of all submissions of a participant, and returns their number. Verdicts and
/// times stay.
pub(crate) fn forget(folder: &LeagueFolder, participant: &str) -> Result<usize, Refusal> {
    let lock = locked(folder)?;
    let mut own = by_participant(folder, participant)?;
    own.iter_mut().try_for_each(|submission| submission.forget(&lock))?;
    Ok(own.len())
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

/// Lets the last submission of a participant wait as if it had come in time, if it is late; none if it is not. The log
/// of the league says so first.
pub fn accept(
    folder: &LeagueFolder,
    participant: &str,
    reason: &str,
) -> Result<Option<Submission>, Refusal> {
    if !is_name(participant) {
        return Ok(None);
    }
    let lock = locked(folder)?;
    let mut own = by_participant(folder, participant)?;
    let Some(mut found) = own.pop().filter(Submission::is_late) else { return Ok(None) };
    let reason = reason_in_line(reason)?;
    let line = ExceptionLine::accepted(participant, found.number, reason.clone());
    folder.append(|league| {
        // A program may have been killed between the two.
        let mut known = league.exceptions().of_participant(participant);
        let is_known = known.any(|it| it.accepted == line.accepted);
        Ok::<_, Failure>(if is_known { Vec::new() } else { vec![LeagueLine::Exception(line)] })
    })?;
    found.change(&lock, |record| record.verdict = SubmissionVerdict::Waiting)?;
    own.retain(Submission::is_waiting);
    replace(&lock, &mut own, found.number)?;
    let (participant, number) = (participant.to_owned(), found.number);
    events::add(folder, LeagueEvent::Accepted { participant, number, reason });
    Ok(Some(found))
}

/// Returns an error if a file of this participant would not be taken in with this queue.
pub fn must_have_room(queue: &[SubmissionSummary], participant: &str) -> Result<(), Refusal> {
    // It takes the place of an own one.
    let has_own = queue.iter().any(|waiting| waiting.participant == participant);
    match has_own || queue.len() < MOST_WAITING {
        true => Ok(()),
        false => Err(queue_is_full()),
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
pub(crate) fn remove_leftovers(folder: &LeagueFolder) -> Result<(), Refusal> {
    new_file::remove_dead(&folder.path().join(ARRIVING));
    let all = folder.path().join(SUBMISSIONS);
    new_file::remove_dead(&all);
    // No program makes one meanwhile.
    let lock = locked(folder)?;
    for participant in names(&all)?.into_iter().filter(|name| is_name(name)) {
        let own = participant_folder(folder, &participant);
        new_file::remove_dead(&own);
        for number in numbers(&own)? {
            let place = submission_folder(folder, &participant, number);
            match fs::symlink_metadata(place.join(RECORD)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    fs::remove_dir_all(&place)?;
                }
                _ => new_file::remove_dead(&place),
            }
        }
        // A program was killed between the two records of a replacement.
        let mut waiting = by_participant(folder, &participant)?;
        waiting.retain(Submission::is_waiting);
        if let Some(last) = waiting.pop() {
            replace(&lock, &mut waiting, last.number)?;
        }
    }
    Ok(())
}

/// Keeps a name for a further bot of a participant.
///
/// # Errors
///
/// [`Refusal`], with nothing changed.
pub fn claim_bot(
    folder: &LeagueFolder,
    quotas: &Quotas,
    participant: &str,
    bot: &str,
) -> Result<(), Refusal> {
    if Participants::read(folder)?.owner(bot) == Some(participant) {
        return Ok(());
    }
    if quotas.bots() == 1 {
        let problem = "this league accepts one bot per participant";
        return Err(Refusal::new(RefusalKind::Forbidden, problem));
    }
    // A file that has come is a submission, or finds its name gone.
    let _lock = RecordLock::take(folder).map_err(|problem| match problem {
        LockError::Held => LeagueError::Locked(IS_WRITTEN(&shown(folder.path()))),
        LockError::Unopened(error) | LockError::Refused(error) => unusable(folder.path(), error),
    })?;
    // Submissions that cannot be read may have used the name.
    let is_used = |bot: &str| by_participant(folder, bot).map_or(true, |own| !own.is_empty());
    participants::claim_bot(folder, participant, bot, &is_used)
}

/// Returns true if a bot may be sent: it plays or waits to be checked already, or fewer of its participant's bots do than
/// may at once.
pub(crate) fn has_room(
    folder: &LeagueFolder,
    league: &League,
    participants: &Participants,
    (bot, most): (&str, u32),
) -> io::Result<bool> {
    let is_there = |bot: &str| -> io::Result<bool> {
        let plays = league.current(bot).is_some_and(|it| it.membership == Membership::Active);
        Ok(plays || by_participant(folder, bot)?.iter().any(Submission::is_waiting))
    };
    if is_there(bot)? {
        return Ok(true);
    }
    let mut others = 0;
    for other in participants.bots_beside(bot) {
        others += u32::from(other != bot && is_there(other)?);
    }
    Ok(others < most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_server_leaves_nothing_for_the_next_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("league.jsonl"), "").expect("it is ours");
        let league = LeagueFolder::find(folder.path()).expect("there is a log");
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
        let comes = new_file::file_in(&arriving(&league).expect("a folder")).expect("a file");
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
