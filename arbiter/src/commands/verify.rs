//! `arbiter verify`: derives everything in logs and tournaments again.

use std::fmt;
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use rules::Digest;
use rules::text::{printable, system_error};
use serde::Serialize;

use crate::failure::Failure;
use crate::log::verify::{Verified, Work, verify};
use crate::log::{NotVerified, Wrong};
use crate::output::Format;
use crate::text::counted;
use crate::text::notice::say;
use crate::tournament::folder;
use crate::tournament::read::Unreadable;
use crate::tournament::verify as tournament;
use crate::tournament::verify::NotInOrder;

/// What to verify.
#[derive(Debug)]
pub struct VerifyRequest {
    /// Logs, and folders of tournaments.
    pub paths: Vec<PathBuf>,
    /// The head that the only log must have, if it was published.
    pub head: Option<Digest>,
    /// How many games are derived at once; by default one for each core.
    pub jobs: Option<NonZeroUsize>,
    /// How it is told.
    pub format: Format,
}

/// Verifies logs and tournaments one after the other; a line for each that is in order.
///
/// # Errors
///
/// Every one is looked at; the failure names the first thing wrong in the last bad one, after a
/// line for each bad one before has been printed.
pub fn run(request: &VerifyRequest, out: &mut dyn Write) -> Result<(), Failure> {
    if request.head.is_some() && request.paths.len() > 1 {
        let problem = "--head with several logs, expected one log";
        return Err(Failure::Usage(problem.to_owned()));
    }
    let mut bad: Vec<Failure> = Vec::new();
    let mut games = 0;
    for path in &request.paths {
        let shown = printable(&path.display().to_string());
        let found = verified(path, request);
        if request.format == Format::Json {
            write_json(&shown, &found, out)?;
        }
        match found {
            Ok(log) => {
                games += log.games;
                if request.format == Format::Text {
                    writeln!(out, "{shown}: ok, {log}, head {}", log.head)?;
                }
            }
            Err(problem) => bad.push(problem.failure(&shown)),
        }
    }
    if request.paths.len() > 1 && request.format == Format::Text {
        writeln!(out, "{}", summary(request.paths.len(), bad.len(), games))?;
    }
    let Some(last) = bad.pop() else { return Ok(()) };
    for failure in &bad {
        say(format!("error: {}", printable(&failure.to_string())));
    }
    Err(last)
}

/// What was found to be in order: a log, or a tournament with all of its parts.
struct InOrder {
    game: String,
    /// How many games count.
    games: u64,
    played_again: u64,
    given_up: u64,
    suspect: u64,
    parts: usize,
    /// The head of the last log, which stands for all of them.
    head: Digest,
    /// Those of the logs before it.
    former_heads: Vec<Digest>,
}

impl InOrder {
    fn add(self, log: &Verified) -> InOrder {
        InOrder {
            games: self.games + log.games,
            played_again: self.played_again + log.totals.played_again(),
            given_up: self.given_up + log.totals.given_up(),
            suspect: self.suspect + log.totals.suspect().len() as u64,
            parts: self.parts + 1,
            head: log.head,
            former_heads: [self.former_heads, vec![self.head]].concat(),
            ..self
        }
    }
}

impl From<&Verified> for InOrder {
    fn from(log: &Verified) -> InOrder {
        let game = log.series.header().game.clone();
        let none = InOrder {
            game,
            games: 0,
            played_again: 0,
            given_up: 0,
            suspect: 0,
            parts: 0,
            head: log.head,
            former_heads: Vec::new(),
        };
        InOrder { former_heads: Vec::new(), ..none.add(log) }
    }
}

impl fmt::Display for InOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", counted(self.games, "game", "games"), self.game)?;
        if self.parts > 1 {
            write!(f, " in {} parts", self.parts)?;
        }
        // Games that do not count, or count with a doubt.
        let counts = [
            (self.played_again, "played again"),
            (self.given_up, "given up"),
            (self.suspect, "suspect"),
        ];
        let some = counts.iter().filter(|(count, _)| *count > 0);
        let told: Vec<String> = some.map(|(count, what)| format!("{count} {what}")).collect();
        if told.is_empty() { Ok(()) } else { write!(f, " ({})", told.join(", ")) }
    }
}

fn summary(logs: usize, bad: usize, games: u64) -> String {
    let games = counted(games, "game", "games");
    match bad {
        0 => format!("{logs} logs: all ok, {games}"),
        bad => format!("{logs} logs: {bad} not verified, {games} in the others"),
    }
}

/// Why something is not verified.
enum Bad {
    /// It cannot be read.
    Unreadable(String),
    /// Something in it is wrong.
    Wrong(String),
    /// Something in a line of it is wrong.
    Line(Wrong),
}

impl Bad {
    fn problem(&self) -> String {
        match self {
            Bad::Unreadable(problem) | Bad::Wrong(problem) => problem.clone(),
            Bad::Line(wrong) => wrong.to_string(),
        }
    }

    /// The line that is wrong, where it is known.
    fn line(&self) -> Option<&Wrong> {
        match self {
            Bad::Unreadable(_) | Bad::Wrong(_) => None,
            Bad::Line(wrong) => Some(wrong),
        }
    }

    fn failure(&self, log: &str) -> Failure {
        let problem = format!("{log}: {}", self.problem());
        match self {
            Bad::Unreadable(_) => Failure::Usage(problem),
            Bad::Wrong(_) | Bad::Line(_) => Failure::Verification(problem),
        }
    }
}

/// Verifies a log, or the tournament in a folder.
fn verified(path: &Path, request: &VerifyRequest) -> Result<InOrder, Bad> {
    let log = if path.is_dir() { folder::games(path) } else { path.to_owned() };
    let bar = bar(&log);
    let jobs = request.jobs.or_else(|| std::thread::available_parallelism().ok());
    let jobs = jobs.unwrap_or(NonZeroUsize::MIN);
    let work = Work { jobs, read: &|bytes| bar.set_position(bytes) };
    let verified = derived(path, work);
    bar.finish_and_clear();
    let verified = verified?;
    match request.head {
        Some(head) if head != verified.head && !verified.former_heads.contains(&head) => {
            let problem = format!(
                "its head is {}, expected {head}: it is another log, or one that was changed",
                verified.head
            );
            Err(Bad::Wrong(problem))
        }
        _ => Ok(verified),
    }
}

fn derived(path: &Path, work: Work<'_>) -> Result<InOrder, Bad> {
    if path.is_dir() {
        let parts = tournament::verify(path, work).map_err(|error| match error {
            NotInOrder::Unreadable(Unreadable::Log { .. }) => Bad::Wrong(error.to_string()),
            NotInOrder::Unreadable(_) => Bad::Unreadable(error.to_string()),
            _ => Bad::Wrong(error.to_string()),
        })?;
        let (first, others) = parts.split_first().ok_or_else(|| Bad::Wrong("is empty".into()))?;
        return Ok(others.iter().fold(InOrder::from(first), InOrder::add));
    }
    verify(path, work).map(|log| InOrder::from(&log)).map_err(|error| match error {
        NotVerified::Unreadable(error) => {
            Bad::Unreadable(format!("cannot be read: {}", system_error(error)))
        }
        NotVerified::Wrong(wrong) => Bad::Line(wrong),
    })
}

/// How much of a log was read; nothing is drawn where standard error is not a terminal.
fn bar(log: &Path) -> ProgressBar {
    let bytes = fs::metadata(log).map_or(0, |found| found.len());
    let bar = ProgressBar::new(bytes);
    let line = "{bytes} of {total_bytes}  {wide_bar}  {elapsed}, {eta} left";
    match ProgressStyle::with_template(line) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// What is said of one log.
#[derive(Serialize)]
struct JsonLine<'a> {
    log: &'a str,
    verified: bool,
    game: Option<&'a str>,
    games: Option<u64>,
    head: Option<Digest>,
    problem: Option<String>,
    line: Option<usize>,
    #[serde(rename = "in_game")]
    wrong_game: Option<u64>,
}

fn write_json(log: &str, found: &Result<InOrder, Bad>, out: &mut dyn Write) -> Result<(), Failure> {
    let (verified, bad) = (found.as_ref().ok(), found.as_ref().err());
    let line = JsonLine {
        log,
        verified: verified.is_some(),
        game: verified.map(|it| it.game.as_str()),
        games: verified.map(|it| it.games),
        head: verified.map(|it| it.head),
        problem: bad.map(Bad::problem),
        line: bad.and_then(Bad::line).map(|wrong| wrong.line),
        wrong_game: bad.and_then(Bad::line).and_then(|wrong| wrong.game),
    };
    let text = serde_json::to_string(&line);
    let text =
        text.map_err(|error| Failure::Ours(format!("cannot be written: {}", system_error(error))))?;
    Ok(writeln!(out, "{text}")?)
}
