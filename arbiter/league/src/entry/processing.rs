//! Dealing with what lies in a watched folder: each bot enters a league or is refused, once for each of its contents.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use rules::{Digest, GameKind};
use text::{printable, system_error};

use crate::calendar::{self, Calendar, Doors};
use crate::entry::candidate::{
    self, BOUNDS, Candidate, EnteredBot, EntryError, RefusedBot, RejectionDetails, ReportSoFar,
};
use crate::entry::checks::run_parallel_in_order;
use crate::entry::submission_folder::{
    EntryScratch, NamedBot, SubmissionForm, SubmissionStatus, SubmittedFile, without_place,
};
use crate::folder::LeagueFolder;
use crate::line::SubmittedFolder;
use crate::participants::Participants;
use crate::{League, rejections};
use bot::unpacking::UnpackError;
use bot::{LookAlikes, copying, is_name, is_reserved, unclear};
use contest::tournament::folder::shown;
use sandbox::Wanted;
use text::failure::Failure;

/// Deals with submissions of a folder, several at once. Only a holder of the
/// [right to enter bots](LeagueFolder::hold_entries) may do so.
#[derive(Debug)]
pub struct SubmissionProcessor<'a> {
    folder: &'a LeagueFolder,
    kind: &'a GameKind,
    options: &'a str,
    /// Once set, checks end.
    stop: &'a AtomicBool,
    scratch: EntryScratch,
    calendar: Calendar,
}

/// A submission, and the time at which its contents were seen first.
#[derive(Debug, Clone, Copy)]
pub struct FoundSubmission<'a> {
    /// The submission.
    pub submission: &'a SubmittedFile,
    /// The time.
    pub seen: Timestamp,
}

/// A submission before its check.
enum OpenedSubmission {
    Before,
    Late(String),
    Refused { handed_in: SubmittedFolder, why: String },
    Bot(Box<NamedBot>),
}

/// A submission after its check.
enum CheckedSubmission<'a> {
    Before,
    Late(String),
    Refused { handed_in: SubmittedFolder, why: String },
    Candidate(Box<Candidate<'a>>),
}

/// The result for a submission.
#[derive(Debug)]
pub enum SubmissionResult {
    /// It was entered or refused before.
    Before,
    /// It was entered or refused now.
    Now {
        /// The name under which it has entered, or why it was refused.
        status: SubmissionStatus,
        /// The report of its check, if there was one.
        report: Option<Vec<u8>>,
    },
}

/// Reason why a submission was neither entered nor refused.
#[derive(Debug)]
pub enum ProcessingError {
    /// The machine is in the way; the next scan tries again.
    Passing(Failure),
    /// The league cannot be used.
    Lasting(Failure),
}

impl<T: Into<Failure>> From<T> for ProcessingError {
    fn from(failure: T) -> ProcessingError {
        ProcessingError::Lasting(failure.into())
    }
}

impl<'a> SubmissionProcessor<'a> {
    /// Deals for this league of a game with these options. `stop` ends the checks.
    ///
    /// # Errors
    ///
    /// Fails if there is no place to unpack bots, or the calendar of the league cannot be read.
    pub fn new(
        folder: &'a LeagueFolder,
        (kind, options): (&'a GameKind, &'a str),
        stop: &'a AtomicBool,
    ) -> Result<SubmissionProcessor<'a>, Failure> {
        let scratch = EntryScratch::new(folder).map_err(|error| {
            let (folder, said) = (shown(folder.path()), system_error(error));
            Failure::Ours(format!("`{folder}`: bots cannot be unpacked there: {said}"))
        })?;
        let calendar = folder.calendar()?;
        Ok(SubmissionProcessor { folder, kind, options, stop, scratch, calendar })
    }

    /// Enters or refuses bots, unless they were entered or refused before: several are checked at once, and what
    /// becomes of them is heard in their order. Of two with one name, the second is judged when the first is in the
    /// league or is refused.
    ///
    /// # Errors
    ///
    /// Fails if a thread cannot be started.
    pub fn deal(
        &self,
        submissions: &[FoundSubmission<'_>],
        workers: NonZeroUsize,
        hear: &mut dyn FnMut(usize, Result<SubmissionResult, ProcessingError>),
    ) -> Result<(), Failure> {
        let mut left: Vec<usize> = (0..submissions.len()).collect();
        let is_wanted = || !self.stop.load(Ordering::SeqCst);
        while !left.is_empty() && is_wanted() {
            let (mut names, mut later) = (BTreeSet::new(), Vec::new());
            let mut now = Vec::new();
            for place in left {
                let opened = self.opened(submissions[place]);
                match &opened {
                    Ok(OpenedSubmission::Bot(bot)) if !names.insert(bot.name.to_lowercase()) => {
                        later.push(place);
                    }
                    _ => now.push((place, Mutex::new(Some(opened)))),
                }
            }
            let work = |(_, opened): &(
                usize,
                Mutex<Option<Result<OpenedSubmission, ProcessingError>>>,
            )| {
                let opened = opened.lock().unwrap_or_else(PoisonError::into_inner).take();
                opened.map(|opened| opened.and_then(|opened| self.checked(opened)))
            };
            let started =
                run_parallel_in_order(&now, workers, &is_wanted, &work, &mut |at, checked| {
                    if let Some(checked) = checked {
                        hear(now[at].0, checked.and_then(|checked| self.settled(checked)));
                    }
                });
            started.map_err(|error| {
                Failure::Ours(format!("cannot start a thread: {}", system_error(error)))
            })?;
            left = later;
        }
        Ok(())
    }

    /// Opens a submission, and looks whether it may enter.
    fn opened(
        &self,
        FoundSubmission { submission, seen }: FoundSubmission<'_>,
    ) -> Result<OpenedSubmission, ProcessingError> {
        let (folder, bot) = self.unpacked(submission)?;
        let contents = copying::digest(&folder, BOUNDS);
        let handed_in = SubmittedFolder {
            folder: submission.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            // An unreadable folder counts as unchanged while the reason is the same.
            contents: match &contents {
                Ok(contents) => *contents,
                Err(problem) => Digest::hash(problem.to_string().as_bytes()),
            },
        };
        let league = self.folder.read().map_err(Failure::from)?;
        let name = bot.as_ref().ok().map(|bot| bot.name.as_str());
        if self.is_known(&league, name, &handed_in)? {
            return Ok(OpenedSubmission::Before);
        }
        let own = name.and_then(|name| league.exceptions().deadline(name));
        if let Doors::Closed(deadline) = self.calendar.doors_with(own, seen) {
            // It is not kept as a refusal, since the deadline may be put off.
            let after = calendar::length(seen.as_second().abs_diff(deadline.as_second()));
            return Ok(OpenedSubmission::Late(format!(
                "submitted {after} after the deadline, {}",
                self.calendar.time_text(deadline)
            )));
        }
        let bot = bot.and_then(|bot| match contents {
            Err(problem) => Err(problem.to_string()),
            Ok(_) => owned(&league, bot, &handed_in)
                .and_then(|bot| clear(&league, &self.participants()?, bot)),
        });
        Ok(match bot {
            Ok(bot) => OpenedSubmission::Bot(Box::new(bot)),
            Err(why) => OpenedSubmission::Refused { handed_in, why },
        })
    }

    fn participants(&self) -> Result<Participants, String> {
        Participants::read(self.folder).map_err(|problem| problem.to_string())
    }

    fn checked(&self, opened: OpenedSubmission) -> Result<CheckedSubmission<'_>, ProcessingError> {
        let bot = match opened {
            OpenedSubmission::Before => return Ok(CheckedSubmission::Before),
            OpenedSubmission::Late(why) => return Ok(CheckedSubmission::Late(why)),
            OpenedSubmission::Refused { handed_in, why } => {
                return Ok(CheckedSubmission::Refused { handed_in, why });
            }
            OpenedSubmission::Bot(bot) => *bot,
        };
        let is_wanted = || !self.stop.load(Ordering::SeqCst);
        let wanted = Wanted::as_long_as(&is_wanted);
        let candidate =
            Candidate::checked(self.folder, &bot.name, bot.spec, wanted, ReportSoFar::default())?;
        Ok(CheckedSubmission::Candidate(Box::new(candidate)))
    }

    fn settled(&self, checked: CheckedSubmission<'_>) -> Result<SubmissionResult, ProcessingError> {
        let candidate = match checked {
            CheckedSubmission::Before => return Ok(SubmissionResult::Before),
            CheckedSubmission::Late(why) => {
                return Ok(SubmissionResult::Now { status: Err(why), report: None });
            }
            CheckedSubmission::Refused { handed_in, why } => {
                let name = handed_in.folder.clone();
                let refused = RefusedBot { name: &name, member: None };
                candidate::keep_refusal(self.folder, refused, Some(handed_in), &why, None)?;
                return Ok(SubmissionResult::Now { status: Err(why), report: None });
            }
            CheckedSubmission::Candidate(candidate) => candidate,
        };
        match candidate.settle(None) {
            Ok(EnteredBot { bot, report, .. }) => {
                Ok(SubmissionResult::Now { status: Ok(bot.to_string()), report: Some(report) })
            }
            Err(EntryError::Refused(RejectionDetails { why, report, .. })) => {
                Ok(SubmissionResult::Now { status: Err(why), report })
            }
            Err(EntryError::Failed(failure)) => Err(ProcessingError::Passing(failure)),
        }
    }

    /// Returns the folder of a submission, and its bot or why it has none.
    fn unpacked(
        &self,
        submission: &SubmittedFile,
    ) -> Result<(PathBuf, Result<NamedBot, String>), ProcessingError> {
        let path = &submission.path;
        if submission.form != SubmissionForm::Packed {
            return Ok((path.clone(), submission.open(path, self.kind, self.options)));
        }
        let file = submission.path.file_name().and_then(|name| name.to_str());
        let Some(name) = file.filter(|_| submission.name().is_some_and(is_name)) else {
            let why = "its name before the ending is not a valid bot name".to_owned();
            return Ok((path.clone(), Err(why)));
        };
        match self.scratch.unpacked(name, |into| submission.unpack(into)) {
            Ok(folder) => {
                let bot = submission.open(&folder, self.kind, self.options);
                let bot = bot.map_err(|why| without_place(&why, &folder));
                Ok((folder, bot))
            }
            Err(UnpackError::BadArchive(why)) => Ok((path.clone(), Err(why))),
            Err(failed @ UnpackError::Failed(_)) => {
                Err(ProcessingError::Passing(Failure::Ours(failed.to_string())))
            }
        }
    }

    /// Returns true if it was entered or refused before with its present contents.
    fn is_known(
        &self,
        league: &League,
        name: Option<&str>,
        handed_in: &SubmittedFolder,
    ) -> Result<bool, Failure> {
        let newest = name.and_then(|name| league.newest(name));
        if newest.is_some_and(|member| member.entry.handed_in.as_ref() == Some(handed_in)) {
            return Ok(true);
        }
        let refusals = rejections::all(self.folder).map_err(|error| {
            let folder = shown(&self.folder.refused());
            Failure::Ours(format!("cannot read `{folder}`: {}", system_error(error)))
        })?;
        let handed_in_before = refusals.iter().rev().filter_map(|it| it.refusal.handed_in.as_ref());
        let last = handed_in_before.into_iter().find(|before| before.folder == handed_in.folder);
        Ok(last == Some(handed_in))
    }
}

/// The bot, if its name is not new, or is taken for no other: its author has chosen it.
fn clear(league: &League, participants: &Participants, bot: NamedBot) -> Result<NamedBot, String> {
    if league.newest(&bot.name).is_some() || participants.has(&bot.name) {
        return Ok(bot);
    }
    let entered = league.members().iter().map(|member| member.entry.bot.bot.as_str());
    let taken = LookAlikes::among(entered.chain(participants.names_of_bots()));
    let name = &bot.name;
    match (taken.of_name(name), unclear(name)) {
        (Some(twin), _) => Err(format!(
            "the name `{name}` looks like `{twin}`, which is taken: choose a different name"
        )),
        _ if is_reserved(name) => {
            Err(format!("the name `{name}` is reserved: choose a different name"))
        }
        (None, Some(problem)) => Err(format!("the name `{name}` {problem}")),
        (None, None) => Ok(bot),
    }
}

/// The bot, if its name is new or belongs to this folder: another folder must not take its place.
fn owned(league: &League, bot: NamedBot, handed_in: &SubmittedFolder) -> Result<NamedBot, String> {
    let Some(newest) = league.newest(&bot.name) else { return Ok(bot) };
    match &newest.entry.handed_in {
        Some(before) if before.folder == handed_in.folder => Ok(bot),
        Some(before) => Err(format!(
            "the name `{}` is taken by the bot in `{}`",
            bot.name,
            printable(&before.folder)
        )),
        None => {
            Err(format!("the name `{}` is taken by a bot that was not submitted here", bot.name))
        }
    }
}
