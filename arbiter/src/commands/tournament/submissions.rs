//! Submitted bots: a folder with a folder, an archive or a source for each.
//!
//! Each is built and gets a short check under the conditions of the tournament, several at once.
//! One that fails is refused, and the others continue. Each gets a report beside it. Entries and refusals come in the
//! order of the names, not in the order in which the checks end.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use text::{counted, printable};

use crate::commands::tournament::run::TournamentOutput;
use crate::output::series_lines::tell_checked;
use bot::{BotSpec, ConfusableNames, is_same_name, looks_like};
use contest::stop::StopFlag;
use contest::tournament::folder::{RefusedBot, shown};
use contest::tournament::plan::GamePace;
use contest::tournament::plan_file::DraftPlan;
use league::entry::checks::{CheckCache, CheckResult, CheckTerms, WorkEvent};
use league::entry::submission_folder::{
    self, IgnoredFile, NamedBot, SubmissionListing, SubmissionStatus, SubmittedItem, opened_beside,
};
use text::failure::Failure;
use text::terminal::say;

/// The most ignored files that are named.
const NAMED: usize = 20;

/// The time between updates of the line on a terminal while no check ends.
const TICK: Duration = Duration::from_millis(500);

/// The bots of a folder, entered or refused.
#[derive(Debug, Default)]
pub(super) struct FolderSubmissions {
    /// The entered bots, in the order of the names of their folders.
    pub(super) entered: Vec<BotSpec>,
    /// The names of the entered bots, with the paces of their games in the check.
    pub(super) paces: Vec<(String, GamePace)>,
    /// The refused bots, in the same order.
    pub(super) refused: Vec<RefusedBot>,
    /// The names of refused bots, as far as they have one: options may name them even so.
    pub(super) names_of_refused: Vec<String>,
}

impl FolderSubmissions {
    /// The problem of a tournament, with the number of refused bots.
    pub(super) fn explaining(&self, problem: String) -> String {
        let (refused, all) = (self.refused.len(), self.refused.len() + self.entered.len());
        match refused {
            0 => problem,
            _ => format!("{problem}; {refused} of {} rejected", submissions(all)),
        }
    }
}

struct OpenedSubmission {
    submission: SubmittedItem,
    /// The bot, or the reason why it is none, in one line.
    bot: Result<NamedBot, String>,
}

/// Builds and checks every bot in a folder, several at once. No bot can see the paths in `kept`.
pub(super) fn enter(
    path: &Path,
    outline: &DraftPlan,
    kept: &[PathBuf],
    (workers, shows): (NonZeroUsize, TournamentOutput),
    stop: &StopFlag,
    out: &mut dyn Write,
) -> Result<FolderSubmissions, Failure> {
    let SubmissionListing { submissions, ignored } = submission_folder::find(path)?;
    let open = |submission: SubmittedItem| {
        opened_beside(&submission, &outline.kind, &outline.options)
            .map(|opened| OpenedSubmission { submission, bot: opened.bot })
    };
    let found: Vec<OpenedSubmission> =
        submissions.into_iter().map(open).collect::<Result<_, _>>()?;
    let own = found.iter().filter_map(|it| Some(it.bot.as_ref().ok()?.name.clone()));
    let names: Vec<String> = outline.names.iter().cloned().chain(own).collect();
    outline.conditions.limits.check_names(&names)?;
    outline.conditions.isolation.grants.check_names(&names)?;
    let results = CheckCache::of_user();
    let checks = CheckTerms {
        kind: &outline.kind,
        options: &outline.options,
        conditions: &outline.conditions,
        hidden: kept,
        workers,
        kept: results.as_ref(),
        stop: stop.set(),
    };
    let checked = check(&found, outline, &checks, shows, out)?;
    let checked = checked.ok_or_else(|| Failure::Interrupted {
        problem: "stopped during the checks; rerun the command to continue (finished checks are \
                  kept for a day)"
            .to_owned(),
        code: stop.exit_code(),
    })?;
    let judged = judge(&found, checked, &outline.names);
    let mut result = FolderSubmissions::default();
    for (opened, (status, checked)) in found.into_iter().zip(judged) {
        let report = checked.as_ref().map(|checked| checked.report.as_bytes());
        let report = submission_folder::write_report(&opened.submission.path, report, &status);
        let unwritten = report.as_ref().err().map(ToString::to_string);
        let pace = checked.and_then(|checked| checked.pace);
        let told = entered_or_refused(&mut result, opened, (status, pace), report.ok());
        if shows == TournamentOutput::Progress {
            told.into_iter().chain(unwritten).for_each(say);
        }
    }
    if shows == TournamentOutput::Progress {
        tell_ignored(&ignored);
        say(summary(path, &result, ignored.len()));
    }
    Ok(result)
}

/// Checks every submission that is a bot with a free name. The results are in the order of the submissions; none if the
/// checks were stopped.
fn check(
    found: &[OpenedSubmission],
    outline: &DraftPlan,
    checks: &CheckTerms<'_>,
    shows: TournamentOutput,
    out: &mut dyn Write,
) -> Result<Option<Vec<Option<CheckResult>>>, Failure> {
    let taken = ConfusableNames::new(outline.names.iter().map(String::as_str));
    let is_checked = |bot: &&NamedBot| taken.of_name(&bot.name).is_none();
    let free = |opened: &OpenedSubmission| opened.bot.as_ref().ok().filter(is_checked).is_some();
    let bots: Vec<&NamedBot> =
        found.iter().filter_map(|it| it.bot.as_ref().ok()).filter(is_checked).collect();
    let names = bots.iter().map(|bot| bot.name.clone()).collect();
    let mut progress = ChecksDisplay::new(names, shows, out)?;
    let mut untold = Ok(());
    let checked = checks.run(&bots, &mut |news: &WorkEvent<&CheckResult>| {
        if untold.is_ok() {
            untold = progress.on(news);
        }
    });
    let Some(checked) = checked? else { return Ok(None) };
    untold?;
    let mut checked = checked.into_iter();
    let of_each = found.iter().map(|opened| if free(opened) { checked.next() } else { None });
    Ok(Some(of_each.collect()))
}

/// Names the files that are no submissions.
fn tell_ignored(ignored: &[IgnoredFile]) {
    for IgnoredFile { path, why } in ignored.iter().take(NAMED) {
        say(format!("{path}: ignored: {why}"));
    }
    if ignored.len() > NAMED {
        say(format!("{} more files ignored", ignored.len() - NAMED));
    }
}

/// Decides which bots are entered. Of several with the same name, it is the one whose folder has that name,
/// or else the first. The others are refused even if that one is refused, because their results would be
/// taken for those of another bot.
fn judge(
    found: &[OpenedSubmission],
    checked: Vec<Option<CheckResult>>,
    named: &[String],
) -> Vec<(SubmissionStatus, Option<CheckResult>)> {
    let owners = NameOwners::new(found);
    let mut taken: Vec<(&str, Option<&Path>)> =
        named.iter().map(|name| (name.as_str(), None)).collect();
    let mut looks = ConfusableNames::new(named.iter().map(String::as_str));
    let judged = found.iter().zip(checked).map(|(opened, checked)| {
        let path = &opened.submission.path;
        let bot = match &opened.bot {
            Ok(bot) => bot,
            Err(why) => return (Err(why.clone()), None),
        };
        let owner = owners.of_name(&bot.name).filter(|owner| owner.submission.path != *path);
        let problem = checked.as_ref().and_then(|checked| checked.problem.clone());
        let twin = looks.first_alike(&bot.name).and_then(|number| taken.get(number));
        let status = match (problem, twin, owner) {
            (Some(problem), _, _) => Err(problem),
            (None, Some((twin, place)), _) => Err(doubled(&bot.name, twin, *place)),
            (None, None, Some(owner)) => {
                let twin = owner.bot.as_ref().map_or(&bot.name, |bot| &bot.name);
                Err(doubled(&bot.name, twin, Some(&owner.submission.path)))
            }
            (None, None, None) => Ok(bot.name.clone()),
        };
        if status.is_ok() {
            taken.push((&bot.name, Some(path)));
            looks.add(&bot.name);
        }
        (status, checked)
    });
    judged.collect()
}

/// The submissions to which names belong.
struct NameOwners<'a> {
    /// All that are bots, in their order, and their names.
    all: (Vec<&'a OpenedSubmission>, ConfusableNames),
    /// Those among them whose folders have their names, likewise.
    named: (Vec<&'a OpenedSubmission>, ConfusableNames),
}

impl<'a> NameOwners<'a> {
    fn new(found: &'a [OpenedSubmission]) -> NameOwners<'a> {
        let mut owners = NameOwners { all: Default::default(), named: Default::default() };
        for opened in found {
            let Ok(bot) = &opened.bot else { continue };
            let is_named_so =
                opened.submission.name().is_some_and(|own| looks_like(own, &bot.name));
            let named = is_named_so.then_some(&mut owners.named);
            for (bots, names) in [&mut owners.all].into_iter().chain(named) {
                bots.push(opened);
                names.add(&bot.name);
            }
        }
        owners
    }

    fn of_name(&self, name: &str) -> Option<&'a OpenedSubmission> {
        let mut found = [&self.named, &self.all].into_iter();
        found.find_map(|(bots, names)| bots.get(names.first_alike(name)?).copied())
    }
}

fn doubled(name: &str, twin: &str, place: Option<&Path>) -> String {
    let place = place.map_or_else(String::new, |place| format!(" in `{}`", shown(place)));
    let how = match name == twin {
        true => "",
        false if is_same_name(name, twin) => ", which differs only in case",
        false => ", which looks the same",
    };
    format!("another bot{place} is named `{twin}`{how}")
}

/// Adds a submission to the result, and returns the message about it.
fn entered_or_refused(
    result: &mut FolderSubmissions,
    OpenedSubmission { submission, bot }: OpenedSubmission,
    (status, pace): (SubmissionStatus, Option<GamePace>),
    report: Option<String>,
) -> Option<String> {
    let folder = shown(&submission.path);
    match (status, bot) {
        (Ok(_), Ok(bot)) => {
            result.paces.extend(pace.map(|pace| (bot.name.clone(), pace)));
            result.entered.push(bot.spec);
            None
        }
        (Ok(why) | Err(why), bot) => {
            result.names_of_refused.extend(bot.ok().map(|bot| bot.name));
            let why = printable(&why);
            let place = report.as_ref().map_or(String::new(), |file| format!(", see {file}"));
            let told = format!("{folder}: rejected: {why}{place}");
            result.refused.push(RefusedBot { folder, why, report });
            Some(told)
        }
    }
}

fn summary(path: &Path, result: &FolderSubmissions, others: usize) -> String {
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

/// Shows the progress of the checks of these bots.
struct ChecksDisplay<'a> {
    names: Vec<String>,
    out: Option<&'a mut dyn Write>,
    is_told: bool,
    bar: ProgressBar,
    begun: usize,
    ended: usize,
    failed: usize,
    /// The places of the bots that are being checked.
    busy: Vec<usize>,
}

impl<'a> ChecksDisplay<'a> {
    /// Shows it for people, as lines of JSON to `out`, or not at all.
    fn new(
        names: Vec<String>,
        shows: TournamentOutput,
        out: &'a mut dyn Write,
    ) -> Result<ChecksDisplay<'a>, Failure> {
        // The library draws nothing if standard error is not a terminal.
        let bar = match shows {
            TournamentOutput::Progress => ProgressBar::new_spinner(),
            TournamentOutput::Json | TournamentOutput::Nothing => ProgressBar::hidden(),
        };
        let style = ProgressStyle::with_template("{wide_msg}  {elapsed}")
            .map_err(|error| Failure::Ours(format!("cannot draw a line: {error}")))?;
        let bar = bar.with_style(style);
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        let out = (shows == TournamentOutput::Json).then_some(out);
        let is_told = shows == TournamentOutput::Progress;
        let (begun, ended, failed, busy) = (0, 0, 0, Vec::new());
        Ok(ChecksDisplay { names, out, is_told, bar, begun, ended, failed, busy })
    }

    fn on(&mut self, news: &WorkEvent<&CheckResult>) -> Result<(), Failure> {
        let told = match news {
            WorkEvent::Begins(place) => {
                self.begun += 1;
                self.busy.push(*place);
                Ok(())
            }
            WorkEvent::Ends(place, checked) => {
                self.ended += 1;
                self.failed += usize::from(checked.problem.is_some());
                self.busy.retain(|busy| busy != place);
                self.tell(&self.names[*place].clone(), checked)
            }
        };
        let names: Vec<&str> = self.busy.iter().map(|place| self.names[*place].as_str()).collect();
        let failed = match self.failed {
            0 => String::new(),
            count => format!(" ({count} failed)"),
        };
        let (begun, bots, names) = (self.begun, self.names.len(), names.join(", "));
        self.bar.set_message(format!("checking {begun} of {bots}{failed}: {names}"));
        told
    }

    fn tell(&mut self, name: &str, checked: &CheckResult) -> Result<(), Failure> {
        if let Some(out) = &mut self.out {
            return Ok(tell_checked(out, name, checked)?);
        }
        if self.is_told {
            let (ended, bots) = (self.ended, self.names.len());
            let result = match checked.problem {
                None => "passes",
                Some(_) => "does not pass",
            };
            let time = match checked.time {
                Some(time) => format!("{:.1} s", time.as_secs_f64()),
                None => "checked before".to_owned(),
            };
            let name = printable(name);
            self.bar.suspend(|| say(format!("check {ended} of {bots}: {name} {result}, {time}")));
        }
        Ok(())
    }
}

impl Drop for ChecksDisplay<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
