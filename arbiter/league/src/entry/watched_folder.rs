//! Dealing with what lies in a watched folder: each bot enters a league or is refused, once for each of its contents.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use rules::{Digest, GameKind};
use text::{printable, system_error};

use super::{Candidate, EnteredBot, EntryResult, RefusedBot, ReportSoFar};
use crate::calendar::{self, Calendar, SubmissionWindow};
use crate::entry::checks::run_parallel_in_order;
use crate::entry::submission_folder::{
    BOUNDS, EntryScratch, NamedBot, OpenedBot, SubmissionStatus, SubmittedItem, bad_or_failed,
};
use crate::folder::LeagueFolder;
use crate::line::SubmittedFolder;
use crate::participants::Participants;
use crate::submissions::RejectionStage;
use crate::{League, rejections};
use bot::{ConfusableNames, copying, is_reserved, letter_problem};
use contest::tournament::folder::shown;
use sandbox::CancellationCheck;
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

enum OpenedSubmission<'a> {
    Bot(Box<NamedBot>),
    /// Its files are wrong.
    Refused(Box<Candidate<'a>>),
    /// There is nothing more to do.
    Done(SubmissionResult),
}

#[derive(Debug)]
pub enum SubmissionResult {
    /// It was entered or refused before.
    Before,
    Now {
        /// The name under which it has entered, or why it was refused.
        status: SubmissionStatus,
        /// The report of its check, if there was one.
        report: Option<Vec<u8>>,
    },
    /// The machine is in the way; the next scan tries again.
    Later(Failure),
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
        submissions: &[(&SubmittedItem, Timestamp)],
        workers: NonZeroUsize,
        hear: &mut dyn FnMut(usize, Result<SubmissionResult, Failure>),
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
            let work =
                |(_, opened): &(usize, Mutex<Option<Result<OpenedSubmission<'a>, Failure>>>)| {
                    let opened = opened.lock().unwrap_or_else(PoisonError::into_inner).take();
                    opened.map(|opened| opened.and_then(|opened| self.checked(opened)))
                };
            let started =
                run_parallel_in_order(&now, workers, &is_wanted, &work, &mut |at, checked| {
                    if let Some(checked) = checked {
                        hear(now[at].0, checked.map(settled));
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
        (submission, seen): (&SubmittedItem, Timestamp),
    ) -> Result<OpenedSubmission<'a>, Failure> {
        let unpack = || {
            let name = submission.file_name();
            bad_or_failed(self.scratch.unpacked(&name, |into| submission.unpack(into)))
        };
        let OpenedBot { folder, bot } = match submission.opened(self.kind, self.options, unpack) {
            Ok(opened) => opened,
            Err(failure) => {
                return Ok(OpenedSubmission::Done(SubmissionResult::Later(failure)));
            }
        };
        let contents = copying::digest(&folder, BOUNDS);
        let handed_in = SubmittedFolder {
            folder: submission.file_name(),
            // An unreadable folder counts as unchanged while the reason is the same.
            contents: match &contents {
                Ok(contents) => *contents,
                Err(problem) => Digest::hash(problem.to_string().as_bytes()),
            },
        };
        let league = self.folder.read()?;
        let name = bot.as_ref().ok().map(|bot| bot.name.as_str());
        if self.is_known(&league, name, &handed_in)? {
            return Ok(OpenedSubmission::Done(SubmissionResult::Before));
        }
        let own = name.and_then(|name| league.exceptions().deadline(name));
        if let SubmissionWindow::Closed(deadline) = self.calendar.doors_with(own, seen) {
            // It is not kept as a refusal, since the deadline may be put off.
            let after = calendar::length(seen.as_second().abs_diff(deadline.as_second()));
            let deadline = self.calendar.time_text(deadline);
            let status = Err(format!("submitted {after} after the deadline, {deadline}"));
            return Ok(OpenedSubmission::Done(SubmissionResult::Now { status, report: None }));
        }
        let bot = bot.and_then(|bot| match contents {
            Err(problem) => Err(problem.to_string()),
            Ok(_) => owned(&league, bot, &handed_in)
                .and_then(|bot| clear(&league, &self.participants()?, bot)),
        });
        Ok(match bot {
            Ok(bot) => OpenedSubmission::Bot(Box::new(bot)),
            Err(why) => {
                let name = handed_in.folder.clone();
                let refused = (RejectionStage::Files, why);
                let candidate = Candidate::unusable(self.folder, &name, Some(handed_in), refused);
                OpenedSubmission::Refused(Box::new(candidate))
            }
        })
    }

    fn participants(&self) -> Result<Participants, String> {
        Participants::read(self.folder).map_err(|problem| problem.to_string())
    }

    /// Checks a bot, which then enters or is refused; a result is given where nothing is left to do.
    fn checked(
        &self,
        opened: OpenedSubmission<'a>,
    ) -> Result<Result<Box<Candidate<'a>>, SubmissionResult>, Failure> {
        let bot = match opened {
            OpenedSubmission::Bot(bot) => *bot,
            OpenedSubmission::Refused(candidate) => return Ok(Ok(candidate)),
            OpenedSubmission::Done(result) => return Ok(Err(result)),
        };
        let is_wanted = || !self.stop.load(Ordering::SeqCst);
        let wanted = CancellationCheck::as_long_as(&is_wanted);
        let candidate =
            Candidate::checked(self.folder, &bot.name, bot.spec, wanted, ReportSoFar::default())?;
        Ok(Ok(Box::new(candidate)))
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

/// Enters a bot, or keeps its refusal.
fn settled(checked: Result<Box<Candidate<'_>>, SubmissionResult>) -> SubmissionResult {
    let candidate = match checked {
        Ok(candidate) => candidate,
        Err(result) => return result,
    };
    match candidate.settle(None) {
        Ok(EntryResult::Entered(EnteredBot { bot, report, .. })) => {
            SubmissionResult::Now { status: Ok(bot.to_string()), report: Some(report) }
        }
        Ok(EntryResult::Refused(RefusedBot { why, report, .. })) => {
            SubmissionResult::Now { status: Err(why), report }
        }
        Err(failure) => SubmissionResult::Later(failure),
    }
}

/// The bot, if its name is not new, or is taken for no other: its author has chosen it.
fn clear(league: &League, participants: &Participants, bot: NamedBot) -> Result<NamedBot, String> {
    if league.newest(&bot.name).is_some() || participants.has(&bot.name) {
        return Ok(bot);
    }
    let entered = league.members().iter().map(|member| member.entry.bot.bot.as_str());
    let taken = ConfusableNames::new(entered.chain(participants.names_of_bots()));
    let name = &bot.name;
    match (taken.of_name(name), letter_problem(name)) {
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
