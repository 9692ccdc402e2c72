//! `arbiter league watch`: a folder with a folder for each bot, from which bots enter automatically.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use jiff::Timestamp;
use rules::{Digest, GameKind};
use serde_json::json;
use text::printable;

use crate::options::{at_once, report_format};
use crate::output::OutputFormat;
use contest::setup;
use contest::stop::StopFlag;
use contest::tournament::folder::{Lock, shown};
use league::calendar::{self, SubmissionWindow};
use league::entry::submission_folder::{self, SubmissionStatus, SubmittedItem};
use league::entry::watched_folder::{SubmissionProcessor, SubmissionResult};
use league::folder::{LeagueError, LeagueFolder};
use league::settings;
use sandbox::duration;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

/// The time until a signal is noticed.
const ATTENTION: Duration = Duration::from_millis(100);

#[derive(Debug, Args)]
#[command(after_help = "Each bot in FOLDER is a folder with a bot.toml, a .zip, a .tar.gz or a \
single source file. It is checked under the rules of the league and enters or is rejected; a \
report is written beside it. A bot is picked up once two scans in a row see the same contents. \
`arbiter league run` can run at the same time.

Example: arbiter league watch class inbox --every 10s")]
pub(super) struct WatchArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Folder to watch
    #[arg(value_name = "FOLDER")]
    from: PathBuf,
    /// Bots to build and check in parallel, alongside running games
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_once("a number of bots"))]
    workers: NonZeroUsize,
    /// Scan interval
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    every: Duration,
    /// Scan once and exit, without waiting for stable contents
    #[arg(long, conflicts_with = "every")]
    once: bool,
    /// Print JSON, one line per bot
    #[arg(long)]
    json: bool,
}

impl WatchArgs {
    /// Enters each bot of a folder that is new or has changed. A refused bot is shown, and is no error.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let WatchArgs { dir, from, workers, every, once, json } = self;
        let format = report_format(json);
        let folder = LeagueFolder::open(&dir)?;
        let league = folder.read()?;
        let options = settings::options(&folder, &league);
        let kind = league.kind().clone();
        let _guard = setup::guard()?;
        let stop = crate::commands::stop_on_signals(|| {})?;
        let mut watcher = FolderWatcher {
            folder,
            from,
            kind,
            options,
            once,
            workers,
            stop,
            seen: BTreeMap::new(),
            warned: None,
        };
        watcher.look(format, out)?;
        if once {
            return Ok(());
        }
        if io::stderr().is_terminal() {
            say(format!("watching {}; press Ctrl-C to stop", shown(&watcher.from)));
        }
        while watcher.goes_on_after(every) {
            // The folder may be away for a while, as the disk that it is on may be full.
            match watcher.look(format, out) {
                Err(failure @ (Failure::Usage(_) | Failure::Ours(_))) => watcher.warn(&failure),
                other => other?,
            }
        }
        let (league, from) = (word(watcher.folder.path()), word(&watcher.from));
        Err(Failure::Interrupted {
            problem: format!("stopped; continue with `arbiter league watch {league} {from}`"),
            code: stop.exit_code(),
        })
    }
}

struct FolderWatcher {
    folder: LeagueFolder,
    from: PathBuf,
    kind: GameKind,
    options: String,
    /// True for one scan, with every bot taken as complete; else one is complete once two scans in a row find the same.
    once: bool,
    workers: NonZeroUsize,
    stop: &'static StopFlag,
    seen: BTreeMap<PathBuf, BotFolderState>,
    /// The last warning, which is not repeated.
    warned: Option<String>,
}

/// The state of a bot's folder at the last scan, with a digest of its contents.
enum BotFolderState {
    /// It may still be written to; it was seen first at this time.
    New(Digest, Timestamp),
    /// It has entered or was refused.
    Dealt(Digest),
}

impl FolderWatcher {
    /// Waits, and returns true if another scan is to follow.
    fn goes_on_after(&self, pause: Duration) -> bool {
        let begun = Instant::now();
        while !self.is_stopped() {
            let left = pause.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return true;
            }
            thread::sleep(left.min(ATTENTION));
        }
        false
    }

    fn is_stopped(&self) -> bool {
        self.stop.set().load(Ordering::SeqCst)
    }

    /// Enters new and changed bots, several at once.
    fn look(&mut self, format: OutputFormat, out: &mut dyn Write) -> Result<(), Failure> {
        let (calendar, now) = (self.folder.calendar()?, calendar::now());
        if let SubmissionWindow::NotOpen(opens) = calendar.doors(now) {
            let problem = format!("submissions open at {}", calendar.time_text(opens));
            self.warn(&Failure::Later(problem));
            return Ok(());
        }
        let found = submission_folder::find_any(&self.from)?.submissions;
        let found: Vec<SubmittedItem> =
            found.into_iter().filter(SubmittedItem::may_be_bot).collect();
        self.seen.retain(|path, _| found.iter().any(|submission| submission.path == *path));
        let mut complete = Vec::new();
        for submission in found {
            let stamp = submission.stamp();
            let is_complete = match self.seen.get(&submission.path) {
                Some(BotFolderState::Dealt(before)) if *before == stamp => continue,
                _ if self.once => true,
                Some(BotFolderState::New(before, _)) => *before == stamp,
                Some(BotFolderState::Dealt(_)) | None => false,
            };
            let seen = match self.seen.get(&submission.path) {
                Some(BotFolderState::New(before, seen)) if *before == stamp => *seen,
                _ => now,
            };
            self.seen.insert(submission.path.clone(), BotFolderState::New(stamp, seen));
            if is_complete {
                complete.push((submission, stamp, seen));
            }
        }
        if complete.is_empty() || self.is_stopped() {
            return Ok(());
        }
        let Some(_entering) = self.hold_entries()? else { return Ok(()) };
        let dealing =
            SubmissionProcessor::new(&self.folder, (&self.kind, &self.options), self.stop.set())?;
        let submissions: Vec<(&SubmittedItem, Timestamp)> =
            complete.iter().map(|(it, _, seen)| (it, *seen)).collect();
        let (mut dealt, mut warned, mut failed) = (Vec::new(), Vec::new(), Ok(()));
        let done = dealing.deal(&submissions, self.workers, &mut |place, result| {
            let (submission, stamp, _) = &complete[place];
            let told = match result {
                Ok(SubmissionResult::Before) => Ok(()),
                Ok(SubmissionResult::Now { status, report }) => {
                    tell(&submission.path, report.as_deref(), &status, format, out)
                }
                Ok(SubmissionResult::Later(failure)) => return warned.push(failure),
                Err(failure) => Err(failure),
            };
            match told {
                Ok(()) => dealt.push((submission.path.clone(), *stamp)),
                Err(failure) if failed.is_ok() => failed = Err(failure),
                Err(_) => {}
            }
        });
        self.seen
            .extend(dealt.into_iter().map(|(path, stamp)| (path, BotFolderState::Dealt(stamp))));
        match warned.is_empty() {
            true => self.warned = None,
            false => warned.iter().for_each(|failure| self.warn(failure)),
        }
        failed.and(done)
    }

    /// Waits for the right to enter bots, in line with other programs. Returns none if the program is to stop.
    fn hold_entries(&self) -> Result<Option<Lock>, Failure> {
        match self.folder.hold_entries(&mut || !self.is_stopped()) {
            Ok(held) => Ok(Some(held)),
            Err(LeagueError::Locked(_)) => Ok(None),
            Err(problem) => Err(problem.into()),
        }
    }

    /// Warns of an obstacle, once.
    fn warn(&mut self, failure: &Failure) {
        let warning = format!("warning: {failure}");
        if self.warned.as_ref() != Some(&warning) {
            say(&warning);
            self.warned = Some(warning);
        }
    }
}

/// Writes the result for a bot into a report beside its folder, and to standard output.
fn tell(
    folder: &Path,
    checked: Option<&[u8]>,
    status: &SubmissionStatus,
    format: OutputFormat,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let report = submission_folder::write_report(folder, checked, status);
    if let Err(unwritten) = &report {
        say(unwritten);
    }
    let (folder, report) = (shown(folder), report.ok());
    let see = report.as_ref().map_or_else(String::new, |file| format!(", see {file}"));
    match (format, status) {
        (OutputFormat::Text, Ok(bot)) => writeln!(out, "{folder}: entered as {bot}{see}")?,
        (OutputFormat::Text, Err(why)) => {
            writeln!(out, "{folder}: rejected: {}{see}", printable(why))?;
        }
        (OutputFormat::Json, Ok(bot)) => {
            let told = json!({ "folder": folder, "bot": bot, "report": report });
            writeln!(out, "{}", json!({ "entered": told }))?;
        }
        (OutputFormat::Json, Err(why)) => {
            let told = json!({ "folder": folder, "why": why, "report": report });
            writeln!(out, "{}", json!({ "refused": told }))?;
        }
    }
    Ok(out.flush()?)
}
