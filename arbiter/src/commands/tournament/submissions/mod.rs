//! Submitted bots: a folder with a folder for each.
//!
//! Each is built and gets a short check under the conditions of the tournament, several at once.
//! One that fails is refused, and the others continue. Each gets a report next to its folder. Messages
//! and entries come in the order of the folders' names, not in the order in which the checks end.

mod checks;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use text::printable;

use crate::commands::tournament::{Shown, shown};
use checks::Checked;
use conditions::bot::{BotSpec, is_same_name};
use conditions::failure::Failure;
use contest::entry::submitted::{self, Found, Submission, SubmissionStatus};
use contest::tournament::entrants::Refused;
use contest::tournament::plan_file::Outline;
use text::counted;
use text::terminal::say;

/// The bots of a folder, entered or refused.
#[derive(Debug, Default)]
pub(super) struct Submissions {
    entered: Vec<BotSpec>,
    refused: Vec<Refused>,
    /// The names of refused bots, as far as they have one.
    names_of_refused: Vec<String>,
}

impl Submissions {
    /// The entered bots, in the order of the names of their folders.
    pub(super) fn bots(&self) -> Vec<BotSpec> {
        self.entered.clone()
    }

    /// The refused bots, in the same order.
    pub(super) fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// Names of bots that do not play, which options may name even so.
    pub(super) fn names_of_refused(&self) -> &[String] {
        &self.names_of_refused
    }

    /// The problem of a tournament, with the number of refused bots.
    pub(super) fn explaining(&self, problem: String) -> String {
        let (refused, all) = (self.refused.len(), self.refused.len() + self.entered.len());
        match refused {
            0 => problem,
            _ => format!("{problem}; {refused} of {} refused", submissions(all)),
        }
    }
}

/// Builds and checks every bot in a folder, several at once. No bot can see the paths in `kept`.
pub(super) fn enter(
    path: &Path,
    outline: &Outline,
    kept: &[PathBuf],
    workers: NonZeroUsize,
    shows: Shown,
) -> Result<Submissions, Failure> {
    let Found { submissions: found, others } =
        submitted::find(path, &outline.kind, &outline.options)?;
    let own = found.iter().filter_map(|it| Some(it.bot.as_ref().ok()?.name.clone()));
    let names: Vec<String> = outline.names.iter().cloned().chain(own).collect();
    outline.conditions.limits.check_names(&names)?;
    outline.conditions.isolation.grants.check_names(&names)?;
    let checked = checks::check(&found, outline, kept, workers, shows)?;
    let judged = judge(&found, checked, &outline.names);
    let mut result = Submissions::default();
    for (submission, Judged { status, checked }) in found.into_iter().zip(judged) {
        let report = submitted::write_report(&submission.folder, checked.as_deref(), &status);
        let unwritten = report.as_ref().err().map(ToString::to_string);
        let told = entered_or_refused(&mut result, submission, status, report.ok());
        if shows == Shown::Progress {
            told.into_iter().chain(unwritten).for_each(say);
        }
    }
    if shows == Shown::Progress {
        say(summary(path, &result, others));
    }
    Ok(result)
}

/// A submission, with the decision on it.
struct Judged {
    status: SubmissionStatus,
    /// The report of its check, if there was one.
    checked: Option<Vec<u8>>,
}

/// Decides which bots are entered. Of several with the same name, it is the one whose folder has that name,
/// or else the first. The others are refused even if that one is refused, because their results would be
/// taken for those of another bot.
fn judge(found: &[Submission], checked: Vec<Option<Checked>>, named: &[String]) -> Vec<Judged> {
    let mut taken: Vec<(String, Option<&Path>)> =
        named.iter().map(|name| (name.clone(), None)).collect();
    let judged = found.iter().zip(checked).map(|(submission, checked)| {
        let bot = match &submission.bot {
            Ok(bot) => bot,
            Err(why) => return Judged { status: Err(why.clone()), checked: None },
        };
        let twin = |(name, _): &&(String, _)| is_same_name(name, &bot.name);
        let owner = owner(found, &bot.name).filter(|owner| owner.folder != submission.folder);
        let (problem, checked) = match checked {
            Some(Checked { problem, report }) => (problem, Some(report)),
            None => (None, None),
        };
        let twin = taken.iter().find(twin);
        let status = match (problem, twin, owner) {
            (Some(problem), _, _) => Err(problem),
            (None, Some((twin, place)), _) => Err(doubled(&bot.name, twin, *place)),
            (None, None, Some(owner)) => {
                let twin = owner.bot.as_ref().map_or(&bot.name, |bot| &bot.name);
                Err(doubled(&bot.name, twin, Some(&owner.folder)))
            }
            (None, None, None) => Ok(bot.name.clone()),
        };
        if status.is_ok() {
            taken.push((bot.name.clone(), Some(&submission.folder)));
        }
        Judged { status, checked }
    });
    judged.collect()
}

/// The submission to which a name belongs.
fn owner<'a>(found: &'a [Submission], name: &str) -> Option<&'a Submission> {
    let has_name = |submission: &&Submission| {
        submission.bot.as_ref().is_ok_and(|bot| is_same_name(&bot.name, name))
    };
    let is_named_so = |submission: &&Submission| {
        let folder = submission.folder.file_name().and_then(|folder| folder.to_str());
        folder.is_some_and(|folder| is_same_name(folder, name))
    };
    let mut all = found.iter().filter(has_name);
    let named = found.iter().filter(has_name).find(is_named_so);
    named.or_else(|| all.next())
}

fn doubled(name: &str, twin: &str, place: Option<&Path>) -> String {
    let place = place.map_or_else(String::new, |place| format!(" in `{}`", shown(place)));
    let how = if name == twin { "" } else { ", which differs in letter case alone" };
    format!("another bot{place} is called `{twin}`{how}, expected a different name")
}

/// Adds a submission to the result, and returns the message about it.
fn entered_or_refused(
    result: &mut Submissions,
    submission: Submission,
    status: SubmissionStatus,
    report: Option<String>,
) -> Option<String> {
    let folder = shown(&submission.folder);
    match (status, submission.bot) {
        (Ok(_), Ok(bot)) => {
            result.entered.push(bot.spec);
            None
        }
        (Ok(why) | Err(why), bot) => {
            result.names_of_refused.extend(bot.ok().map(|bot| bot.name));
            let why = printable(&why);
            let place = report.as_ref().map_or(String::new(), |file| format!(", see {file}"));
            let told = format!("{folder}: refused: {why}{place}");
            result.refused.push(Refused { folder, why, report });
            Some(told)
        }
    }
}

fn summary(path: &Path, result: &Submissions, others: usize) -> String {
    let (entered, refused) = (result.entered.len(), result.refused.len());
    let others = match others {
        0 => String::new(),
        1 => ", 1 file ignored".to_owned(),
        count => format!(", {count} files ignored"),
    };
    let folder = shown(path);
    let all = submissions(entered + refused);
    format!("{folder}: {entered} of {all} entered{others}")
}

fn submissions(count: usize) -> String {
    counted(count as u64, "submission", "submissions")
}
