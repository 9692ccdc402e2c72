//! Checking and deciding one submission: it is unpacked, built and checked, and enters or is refused.

use std::cell::Cell;
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use text::printable;

use super::SubmissionQueue;
use crate::BotVersion;
use crate::entry::candidate::{self, Candidate, EnteredBot, EntryResult, RefusedBot, ReportSoFar};
use crate::entry::submission_folder::{EntryScratch, bad_or_failed, bot_in, without_place};
use crate::line::SubmittedFolder;
use crate::participants::Participants;
use crate::state::Membership;
use crate::submissions::{RecordLock, RejectionStage, Submission, SubmissionVerdict, TRIES};
use bot::unpacking::{UnpackError, Upload, unpack};
use check::bot::StepName;
use sandbox::Wanted;
use text::failure::Failure;
use text::shell::without_folders;

/// Time between two looks whether a submission was replaced or withdrawn, or its token was revoked.
const LOOK: Duration = Duration::from_millis(250);

/// Verdict and report on a submission.
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
        let handed_in = candidate::handed_in(&folder, &folder);
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
        let wanted = Wanted::as_long_as(&is_wanted);
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
        scratch.unpacked(bot, |into| unpack(Upload { content, file, bot }, into, self.bounds()))
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

pub(super) fn token_is_void() -> SubmissionDecision {
    let why = "its token was revoked or replaced";
    SubmissionDecision::refused(RejectionStage::Token, why.to_owned())
}
