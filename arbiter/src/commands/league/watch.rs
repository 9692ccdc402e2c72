//! `arbiter league watch`: a folder with a folder for each bot, from which bots enter automatically.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use rules::{Digest, GameKind};
use serde_json::json;
use text::{printable, system_error};

use crate::output::Format;
use conditions::failure::Failure;
use contest::entry;
use contest::entry::newcomer::{self, BOUNDS, Entered, NotEntered, Refused};
use contest::entry::submitted::{self, NamedBot, Submission, SubmissionStatus};
use contest::league::League;
use contest::league::contents;
use contest::league::folder::{BadLeague, LeagueFolder};
use contest::league::line::HandedIn;
use contest::league::refused;
use contest::setup;
use contest::stop::Stop;
use contest::tournament::folder::shown;
use sandbox::Wanted;
use text::shell::word;
use text::terminal::say;

/// The longest wait for another program that enters bots; the next scan tries again.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time until a signal is noticed.
const ATTENTION: Duration = Duration::from_millis(100);

/// The options of `arbiter league watch`.
#[derive(Debug)]
pub(crate) struct WatchRequest {
    pub folder: PathBuf,
    /// The folder with a folder for each bot.
    pub from: PathBuf,
    pub looks: Looks,
    pub format: Format,
}

/// The number of scans of the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looks {
    /// One scan, with every bot taken as complete.
    One,
    /// Scans at this interval. A bot is complete once two scans in a row find the same.
    Every(Duration),
}

/// Enters each bot of a folder that is new or has changed. A refused bot is shown, and is no error.
pub(crate) fn watch(request: WatchRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let WatchRequest { folder, from, looks, format } = request;
    let folder = LeagueFolder::open(&folder)?;
    let league = folder.read()?;
    let options = entry::options(&folder, &league);
    let kind = league.kind().clone();
    let _guard = setup::guard()?;
    let stop = crate::commands::stop_on_signals(|| {})?;
    let mut watcher =
        Watcher { folder, from, kind, options, looks, stop, seen: BTreeMap::new(), warned: None };
    watcher.look(format, out)?;
    let Looks::Every(pause) = looks else { return Ok(()) };
    if io::stderr().is_terminal() {
        say(format!("watching {}, Ctrl-C ends it", shown(&watcher.from)));
    }
    while watcher.goes_on_after(pause) {
        // The folder may be away for a while, as the disk that it is on may be full.
        match watcher.look(format, out) {
            Err(failure @ (Failure::Usage(_) | Failure::Ours(_))) => watcher.warn(&failure),
            other => other?,
        }
    }
    let (league, from) = (word(watcher.folder.path()), word(&watcher.from));
    Err(Failure::Interrupted {
        problem: format!("stopped, `arbiter league watch {league} {from}` continues it"),
        code: stop.exit_code(),
    })
}

/// The watcher of a folder.
struct Watcher {
    folder: LeagueFolder,
    from: PathBuf,
    kind: GameKind,
    options: String,
    looks: Looks,
    stop: &'static Stop,
    seen: BTreeMap<PathBuf, Seen>,
    /// The last warning, which is not repeated.
    warned: Option<String>,
}

/// The state of a bot's folder at the last scan, with a digest of its contents.
enum Seen {
    /// It may still be written to.
    New(Digest),
    /// It has entered or was refused.
    Dealt(Digest),
}

/// The result of a scan for one bot.
enum Dealt {
    Done,
    /// Something other than the bot is in the way.
    Later,
}

impl Watcher {
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

    /// Enters new and changed bots.
    fn look(&mut self, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
        let found = submitted::find_any(&self.from, &self.kind, &self.options)?.submissions;
        let found: Vec<Submission> = found.into_iter().filter(Submission::has_manifest).collect();
        self.seen.retain(|folder, _| found.iter().any(|submission| submission.folder == *folder));
        for submission in found {
            if self.is_stopped() {
                break;
            }
            let stamp = contents::stamp(&submission.folder, BOUNDS)
                .unwrap_or_else(|problem| Digest::hash(problem.to_string().as_bytes()));
            let is_complete = match (self.seen.get(&submission.folder), self.looks) {
                (Some(Seen::Dealt(before)), _) if *before == stamp => continue,
                (_, Looks::One) => true,
                (Some(Seen::New(before)), _) => *before == stamp,
                (Some(Seen::Dealt(_)) | None, Looks::Every(_)) => false,
            };
            let folder = submission.folder.clone();
            let is_dealt = match is_complete {
                true => matches!(self.deal(submission, format, out)?, Dealt::Done),
                false => false,
            };
            let seen = if is_dealt { Seen::Dealt(stamp) } else { Seen::New(stamp) };
            self.seen.insert(folder, seen);
        }
        Ok(())
    }

    /// Enters or refuses a bot, unless it was entered or refused before.
    fn deal(
        &mut self,
        submission: Submission,
        format: Format,
        out: &mut dyn Write,
    ) -> Result<Dealt, Failure> {
        let Submission { folder, bot } = submission;
        let contents = contents::digest(&folder, BOUNDS);
        let handed_in = HandedIn {
            folder: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            // An unreadable folder counts as unchanged while the reason is the same.
            contents: match &contents {
                Ok(contents) => *contents,
                Err(problem) => Digest::hash(problem.to_string().as_bytes()),
            },
        };
        let _entering = match self.folder.hold_entries(PATIENCE) {
            Ok(held) => held,
            Err(BadLeague::Entering(_)) => return Ok(Dealt::Later),
            Err(problem) => return Err(problem.into()),
        };
        let league = self.folder.read()?;
        let name = bot.as_ref().ok().map(|bot| bot.name.as_str());
        if self.is_known(&league, name, &handed_in)? {
            return Ok(Dealt::Done);
        }
        let bot = match contents {
            Err(problem) => Err(problem.to_string()),
            Ok(_) => bot.and_then(|bot| owned(&league, bot, &handed_in)),
        };
        let (told, checked) = match bot {
            Err(why) => (self.refused(&handed_in, &why)?, None),
            Ok(NamedBot { name, spec }) => {
                match newcomer::enter(&self.folder, &name, spec, Wanted::ALWAYS) {
                    Ok(Entered { bot, report, .. }) => (Ok(bot.to_string()), Some(report)),
                    Err(NotEntered::Refused(Refused { failure, report, .. })) => {
                        (Err(failure.to_string()), report)
                    }
                    Err(NotEntered::Failed(failure)) => {
                        self.warn(&failure);
                        return Ok(Dealt::Later);
                    }
                }
            }
        };
        self.warned = None;
        tell(&folder, checked.as_deref(), &told, format, out)?;
        Ok(Dealt::Done)
    }

    /// Returns true if it was entered or refused before with its present contents.
    fn is_known(
        &self,
        league: &League,
        name: Option<&str>,
        handed_in: &HandedIn,
    ) -> Result<bool, Failure> {
        let newest = name.and_then(|name| league.newest(name));
        if newest.is_some_and(|member| member.entry.handed_in.as_ref() == Some(handed_in)) {
            return Ok(true);
        }
        let refusals = refused::all(&self.folder).map_err(|error| {
            let folder = shown(&self.folder.refused());
            Failure::Ours(format!("`{folder}` cannot be read: {}", system_error(error)))
        })?;
        let handed_in_before = refusals.iter().rev().filter_map(|it| it.refusal.handed_in.as_ref());
        let last = handed_in_before.into_iter().find(|before| before.folder == handed_in.folder);
        Ok(last == Some(handed_in))
    }

    /// Records that a bot was refused before it was copied.
    fn refused(&self, handed_in: &HandedIn, why: &str) -> Result<SubmissionStatus, Failure> {
        let name = &handed_in.folder;
        newcomer::keep_refusal(&self.folder, name, Some(handed_in.clone()), &why, None)?;
        Ok(Err(why.to_owned()))
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

/// The bot, if its name is new or belongs to this folder: another folder must not take its place.
fn owned(league: &League, bot: NamedBot, handed_in: &HandedIn) -> Result<NamedBot, String> {
    let Some(newest) = league.newest(&bot.name) else { return Ok(bot) };
    match &newest.entry.handed_in {
        Some(before) if before.folder == handed_in.folder => Ok(bot),
        Some(before) => Err(format!(
            "the name `{}` belongs to the bot of the folder `{}`, expected a different name",
            bot.name,
            printable(&before.folder)
        )),
        None => Err(format!(
            "the name `{}` belongs to a bot that was not handed in as a folder, expected a different \
             name",
            bot.name
        )),
    }
}

/// Writes the result for a bot into a report beside its folder, and to standard output.
fn tell(
    folder: &Path,
    checked: Option<&[u8]>,
    status: &SubmissionStatus,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let report = submitted::write_report(folder, checked, status);
    if let Err(unwritten) = &report {
        say(unwritten);
    }
    let (folder, report) = (shown(folder), report.ok());
    let see = report.as_ref().map_or_else(String::new, |file| format!(", see {file}"));
    match (format, status) {
        (Format::Text, Ok(bot)) => writeln!(out, "{folder}: entered as {bot}{see}")?,
        (Format::Text, Err(why)) => {
            writeln!(out, "{folder}: refused: {}{see}", printable(why))?;
        }
        (Format::Json, Ok(bot)) => {
            let told = json!({ "folder": folder, "bot": bot, "report": report });
            writeln!(out, "{}", json!({ "entered": told }))?;
        }
        (Format::Json, Err(why)) => {
            let told = json!({ "folder": folder, "why": why, "report": report });
            writeln!(out, "{}", json!({ "refused": told }))?;
        }
    }
    Ok(out.flush()?)
}
