//! A submission, its record on the disk, and the public part of it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, io};

use rules::Digest;
use serde::{Deserialize, Serialize};
use text::printable;

use crate::folder::LeagueFolder;
use crate::version::BotVersion;
use bot::is_name;
use check::bot::StepName;
use contest::tournament::folder::{Lock, LockError};
use sandbox::{file, new_file};

/// Folder with a folder for each participant.
pub(super) const SUBMISSIONS: &str = "submissions";
pub(super) const RECORD: &str = "submission.json";
pub(super) const UPLOAD: &str = "upload";
const REPORT: &str = "report.txt";
/// Longest record that is read, in bytes.
const LONGEST: u64 = 64 << 10;
/// Seconds of a day.
pub(super) const DAY: u64 = 24 * 60 * 60;
/// Longest reason or name that is kept, in characters.
const LONGEST_TEXT: usize = 4 << 10;
/// Longest report that is kept and read, in bytes.
const LONGEST_REPORT: usize = 1 << 20;
/// Number of tries after failures of the machine.
pub const TRIES: u32 = 3;
/// Number of tries, including those in which the program was killed.
pub const MOST_BEGUN: u32 = 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The name of its bot: a participant's first bot has the participant's name.
    pub participant: String,
    /// Its number among the submissions of the bot, from 1.
    pub number: u64,
    pub record: SubmissionRecord,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmissionRecord {
    /// Name of the uploaded file, if it came with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Digest of the token with which it was sent: it does not enter if that token was revoked or replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// Time of arrival, in seconds since 1970.
    pub received: u64,
    /// Time of arrival in milliseconds; 0 if not known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub received_ms: u64,
    /// Time that stands for the time of arrival in the queue, in milliseconds: that of the submission in whose place it
    /// came; 0 for its own.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub turn_ms: u64,
    /// Number of tries, but for those that ended because the server was asked to end.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub begun: u32,
    /// Number of failures of the machine.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failed: u32,
    /// Time of its unpacking, build and check in milliseconds, with those of failed tries.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub checked_ms: u64,
    pub verdict: SubmissionVerdict,
}

fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

impl SubmissionRecord {
    /// Returns its place in the order of those that wait.
    pub(super) fn turn(&self) -> (u32, u64) {
        let own = self.received_ms.max(self.received.saturating_mul(1_000));
        (self.begun, if self.turn_ms == 0 { own } else { self.turn_ms })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum SubmissionVerdict {
    Waiting,
    /// It came after the deadline, by this number of seconds. It is kept, and waits once the organiser accepts it.
    Late(u64),
    Entered(BotVersion),
    /// The submission with this number took its place before it was decided.
    Replaced(u64),
    /// Its participant withdrew it before it was decided.
    Withdrawn,
    Refused {
        /// The stage, which is public.
        step: RejectionStage,
        /// The reason in one line, for its author.
        why: String,
    },
}

/// The public part of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionSummary {
    pub participant: String,
    /// Its number among the submissions of the participant, from 1.
    pub number: u64,
    /// Time of arrival, in seconds since 1970.
    pub received: u64,
    /// The public part of its verdict.
    pub verdict: SummaryVerdict,
}

/// The public part of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SummaryVerdict {
    Waiting,
    /// It came after the deadline.
    Late,
    Entered(BotVersion),
    /// A later submission took its place.
    Replaced,
    Withdrawn,
    Refused(RejectionStage),
}

impl From<&SubmissionVerdict> for SummaryVerdict {
    fn from(verdict: &SubmissionVerdict) -> SummaryVerdict {
        match verdict {
            SubmissionVerdict::Waiting => SummaryVerdict::Waiting,
            SubmissionVerdict::Late(_) => SummaryVerdict::Late,
            SubmissionVerdict::Entered(bot) => SummaryVerdict::Entered(bot.clone()),
            SubmissionVerdict::Replaced(_) => SummaryVerdict::Replaced,
            SubmissionVerdict::Withdrawn => SummaryVerdict::Withdrawn,
            SubmissionVerdict::Refused { step, .. } => SummaryVerdict::Refused(step.clone()),
        }
    }
}

impl Submission {
    /// Returns true while it waits.
    pub fn is_waiting(&self) -> bool {
        self.record.verdict == SubmissionVerdict::Waiting
    }

    /// Returns true if it came after the deadline, and was not accepted.
    pub fn is_late(&self) -> bool {
        matches!(self.record.verdict, SubmissionVerdict::Late(_))
    }

    /// Returns the path of the uploaded file, which exists while it waits, and later unless it is one of the oldest of
    /// too many.
    pub fn upload(&self, folder: &LeagueFolder) -> PathBuf {
        self.place(folder).join(UPLOAD)
    }

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
        lock: &RecordLock,
        verdict: SubmissionVerdict,
        report: &[u8],
    ) -> io::Result<()> {
        let report = report.get(..LONGEST_REPORT).unwrap_or(report);
        let text = String::from_utf8_lossy(report);
        fs::write(self.place(lock.folder()).join(REPORT), text.as_bytes())?;
        let verdict = match verdict {
            SubmissionVerdict::Refused { step, why } => {
                SubmissionVerdict::Refused { step, why: shorten(&why) }
            }
            other => other,
        };
        self.change(lock, |record| record.verdict = verdict)
    }

    pub(crate) fn change(
        &mut self,
        lock: &RecordLock,
        change: impl FnOnce(&mut SubmissionRecord),
    ) -> io::Result<()> {
        change(&mut self.record);
        write(&self.place(lock.folder()), &self.record)
    }

    pub(crate) fn put_back(&mut self, lock: &RecordLock) -> io::Result<()> {
        self.change(lock, |record| record.begun = record.begun.saturating_sub(1))
    }

    /// Removes everything that its participant has sent or was told, and the token.
    pub(super) fn forget(&mut self, lock: &RecordLock) -> io::Result<()> {
        let place = self.place(lock.folder());
        for name in [UPLOAD, REPORT] {
            match fs::remove_file(place.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        self.change(lock, |record| {
            (record.file, record.token, record.member) = (None, None, None);
            match &mut record.verdict {
                SubmissionVerdict::Refused { why, .. } => why.clear(),
                verdict @ (SubmissionVerdict::Waiting | SubmissionVerdict::Late(_)) => {
                    *verdict = SubmissionVerdict::Withdrawn;
                }
                _ => {}
            }
        })
    }

    pub(super) fn place(&self, folder: &LeagueFolder) -> PathBuf {
        submission_folder(folder, &self.participant, self.number)
    }
}

/// Returns the late submissions that can be accepted, by participant: an older one than the last is not. All
/// submissions are read; [`SubmissionQueue::seen`](crate::entry::queue::SubmissionQueue::seen) has those of a server.
pub fn late_submissions(folder: &LeagueFolder) -> io::Result<Vec<Submission>> {
    let mut participants = names(&folder.path().join(SUBMISSIONS))?;
    participants.retain(|name| is_name(name));
    participants.sort_unstable();
    let mut late = Vec::new();
    for name in participants {
        late.extend(by_participant(folder, &name)?.pop().filter(Submission::is_late));
    }
    Ok(late)
}

/// Returns the submissions of a participant, the first one first. Unreadable ones are left out.
pub fn by_participant(folder: &LeagueFolder, participant: &str) -> io::Result<Vec<Submission>> {
    let numbers = numbers(&participant_folder(folder, participant))?;
    Ok(numbers.into_iter().filter_map(|number| find(folder, participant, number)).collect())
}

pub(super) fn participant_folder(folder: &LeagueFolder, participant: &str) -> PathBuf {
    folder.path().join(SUBMISSIONS).join(participant)
}

pub(super) fn submission_folder(folder: &LeagueFolder, participant: &str, number: u64) -> PathBuf {
    participant_folder(folder, participant).join(number.to_string())
}

/// Returns one submission of a participant, if it can be read.
pub fn find(folder: &LeagueFolder, participant: &str, number: u64) -> Option<Submission> {
    let text =
        file::text(&submission_folder(folder, participant, number).join(RECORD), LONGEST).ok()?;
    let record = serde_json::from_str(&text).ok()?;
    Some(Submission { participant: participant.to_owned(), number, record })
}

/// Writes a record, which belongs to a new submission or is changed by a holder of the lock.
pub(super) fn write(place: &Path, record: &SubmissionRecord) -> io::Result<()> {
    new_file::replace(&place.join(RECORD), serde_json::to_string(record)?.as_bytes())
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

pub(super) fn shorten(text: &str) -> String {
    printable(&text.chars().take(LONGEST_TEXT).collect::<String>())
}

/// The file of the lock.
const TAKING: &str = "taking-in";
/// Time to wait for others.
const PATIENCE: Duration = Duration::from_secs(10);

/// The right to change records of submissions of a league, for as long as it lives. One thread of one program has it at
/// a time.
#[derive(Debug)]
pub struct RecordLock {
    folder: LeagueFolder,
    _lock: Lock,
}

impl RecordLock {
    /// Takes the lock, and waits a moment for others.
    pub(crate) fn take(folder: &LeagueFolder) -> Result<RecordLock, LockError> {
        let lock = Lock::take(&folder.path().join(TAKING), PATIENCE)?;
        Ok(RecordLock { folder: folder.clone(), _lock: lock })
    }

    pub(super) fn folder(&self) -> &LeagueFolder {
        &self.folder
    }
}

/// Stage at which a league refused a bot; it is public.
///
/// The record of a submission holds only its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum RejectionStage {
    /// The token was revoked.
    Token,
    /// The machine failed, or the server ended, too often.
    Machine,
    Files,
    /// The name is taken, or looks like another one.
    Name,
    /// Its command has no place in a league.
    Command,
    /// It cannot be checked.
    Check,
    /// A step of its check failed, or would.
    Step(StepName),
}

impl RejectionStage {
    /// All stages except the steps.
    const OTHERS: [RejectionStage; 6] = [
        RejectionStage::Token,
        RejectionStage::Machine,
        RejectionStage::Files,
        RejectionStage::Name,
        RejectionStage::Command,
        RejectionStage::Check,
    ];
}

impl fmt::Display for RejectionStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RejectionStage::Token => f.write_str("token"),
            RejectionStage::Machine => f.write_str("machine"),
            RejectionStage::Files => f.write_str("files"),
            RejectionStage::Name => f.write_str("name"),
            RejectionStage::Command => f.write_str("command"),
            RejectionStage::Check => f.write_str("check"),
            RejectionStage::Step(step) => step.fmt(f),
        }
    }
}

impl From<String> for RejectionStage {
    fn from(text: String) -> RejectionStage {
        let other = RejectionStage::OTHERS.into_iter().find(|stage| stage.to_string() == text);
        other.unwrap_or_else(|| RejectionStage::Step(StepName::from_text(&text)))
    }
}

impl From<RejectionStage> for String {
    fn from(stage: RejectionStage) -> String {
        stage.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_stage_is_read_as_that_stage() {
        let steps = [
            StepName::Builds,
            StepName::Starts,
            StepName::Manifest,
            StepName::Games("tablic".to_owned()),
            StepName::Request("tablic long request".to_owned()),
        ];
        for stage in RejectionStage::OTHERS.into_iter().chain(steps.map(RejectionStage::Step)) {
            assert_eq!(RejectionStage::from(stage.to_string()), stage);
        }
    }
}
