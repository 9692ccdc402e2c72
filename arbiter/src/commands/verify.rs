//! `arbiter verify`: derives everything in logs, tournaments and leagues again; and `arbiter head`: the digest that
//! identifies a log.

use std::fmt;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rules::Digest;
use serde::Serialize;

use crate::disputes;
use crate::options::at_once;
use crate::options::game::RulesArgs;
use crate::options::logs::{all_or_last, or_last};
use crate::output::json_line;
use contest::tournament::read::ReadError;
use contest::tournament::verify::TournamentVerifyError;
use contest::tournament::{folder, read, verify as tournament_verify};
use league::folder::{LeagueError, LeagueFolder};
use league::verify as league_verify;
use record::verify::{Verification, VerifyOptions, verify};
use record::{LogFileError, LogProblem, LogReader};
use text::failure::Failure;
use text::terminal::say;
use text::{counted, printable, system_error};

const HELP: &str =
    "Recomputes requests, moves, cards and results. Only the head reveals that a whole log was \
replaced: publish the head.

Examples:
  arbiter verify match.jsonl
  arbiter verify cup
  arbiter verify --head $(cat published) match.jsonl
  arbiter verify match.jsonl --game ./my-game";

/// `arbiter verify`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct VerifyArgs {
    /// Require this published head
    #[arg(long, value_name = "HASH")]
    head: Option<Digest>,
    /// Games to recompute in parallel [default: one per core]
    #[arg(long, value_name = "N", value_parser = at_once("a number of threads"))]
    jobs: Option<NonZeroUsize>,
    /// Print JSON, one line per log
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
    /// Logs or tournament folders [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    logs: Vec<PathBuf>,
}

impl VerifyArgs {
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        self.rules.open()?;
        self.logs = all_or_last(self.logs)?;
        verify_all(&self, out).map_err(Failure::or_undone)
    }
}

/// Verifies logs, tournaments and leagues in turn, with a line for each that is in order.
///
/// All of them are read. The failure is the first problem in the last bad one, after a line for each bad
/// one before it.
fn verify_all(args: &VerifyArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if args.head.is_some() && args.logs.len() > 1 {
        let problem = "--head needs exactly one log";
        return Err(Failure::Usage(problem.to_owned()));
    }
    let (mut bad, mut not_over): (Vec<Failure>, Option<Failure>) = (Vec::new(), None);
    let mut games = 0;
    for path in &args.logs {
        let shown = printable(&path.display().to_string());
        let found = verified(path, args);
        if args.json {
            write_json(&shown, &found, out)?;
        }
        match found {
            Ok(log) => {
                games += log.games;
                if !args.json {
                    let how = if log.of.is_some() { "valid so far" } else { "ok" };
                    writeln!(out, "{shown}: {how}, {log}, head {}", log.head)?;
                }
                if log.of.is_some() {
                    not_over.get_or_insert_with(|| not_over_yet(&shown));
                }
            }
            Err(problem) => bad.push(problem.failure(&shown)),
        }
    }
    if args.logs.len() > 1 && !args.json {
        writeln!(out, "{}", summary(args.logs.len(), bad.len(), games))?;
    }
    let Some(last) = bad.pop() else { return not_over.map_or(Ok(()), Err) };
    for failure in &bad {
        say(format!("error: {}", printable(&failure.to_string())));
    }
    Err(last)
}

/// The failure of a log that has no end yet.
fn not_over_yet(log: &str) -> Failure {
    Failure::NotOver(format!(
        "{log} is unfinished: its cards can be verified once the seed is revealed"
    ))
}

/// A verified log, or a verified tournament or league with all of its logs.
struct VerifiedLog {
    game: String,
    /// The rules that are not here, in words.
    missing: Option<String>,
    /// The number of games that count.
    games: u64,
    /// The number of games of a log that has no end yet.
    of: Option<u64>,
    played_again: u64,
    given_up: u64,
    suspect: u64,
    logs: usize,
    /// The name for several logs together.
    called: &'static str,
    /// The head of the log that stands for all of them.
    head: Digest,
    /// Heads that may have been published earlier.
    former_heads: Vec<Digest>,
}

impl VerifiedLog {
    fn new(game: &str, called: &'static str, head: Digest) -> VerifiedLog {
        VerifiedLog {
            game: game.to_owned(),
            missing: None,
            games: 0,
            of: None,
            played_again: 0,
            given_up: 0,
            suspect: 0,
            logs: 0,
            called,
            head,
            former_heads: Vec::new(),
        }
    }

    fn count(&mut self, log: &Verification) {
        self.games += log.games;
        self.missing = log.series.kind().missing_rules().or(self.missing.take());
        self.played_again += log.totals.played_again();
        self.given_up += log.totals.given_up();
        self.suspect += log.totals.suspect().len() as u64;
        self.logs += 1;
    }

    /// Adds a log that continues from it.
    fn add(mut self, log: &Verification) -> VerifiedLog {
        self.count(log);
        self.former_heads.push(self.head);
        VerifiedLog { head: log.head, ..self }
    }
}

impl From<&Verification> for VerifiedLog {
    fn from(log: &Verification) -> VerifiedLog {
        let mut first = VerifiedLog::new(&log.series.header().game, "parts", log.head);
        first.count(log);
        first
    }
}

impl fmt::Display for VerifiedLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            None => write!(f, "{} of {}", counted(self.games, "game", "games"), self.game)?,
            Some(of) => {
                write!(f, "{} of {} of {}", self.games, counted(of, "game", "games"), self.game)?;
            }
        }
        if self.logs > 1 {
            write!(f, " in {} {}", self.logs, self.called)?;
        }
        // Games that do not count, or count with a doubt.
        let counts = [
            (self.played_again, "replayed"),
            (self.given_up, "abandoned"),
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

/// The reason why verification failed.
enum VerifyError {
    Line(LogProblem),
    /// Something else is wrong with it, or it cannot be read.
    Failed(Failure),
}

impl VerifyError {
    fn problem(&self) -> String {
        match self {
            VerifyError::Line(wrong) => wrong.to_string(),
            VerifyError::Failed(failure) => failure.to_string(),
        }
    }

    /// The wrong line, if known.
    fn line(&self) -> Option<&LogProblem> {
        match self {
            VerifyError::Line(wrong) => Some(wrong),
            VerifyError::Failed(_) => None,
        }
    }

    fn failure(&self, log: &str) -> Failure {
        let problem = format!("{log}: {}", self.problem());
        match self {
            VerifyError::Failed(Failure::Usage(_)) => Failure::Usage(problem),
            VerifyError::Failed(Failure::Ours(_)) => Failure::Ours(problem),
            VerifyError::Line(_) | VerifyError::Failed(_) => Failure::Verification(problem),
        }
    }
}

fn wrong(problem: String) -> VerifyError {
    VerifyError::Failed(Failure::Verification(problem))
}

/// Verifies a log, or the tournament or the league in a folder.
fn verified(path: &Path, args: &VerifyArgs) -> Result<VerifiedLog, VerifyError> {
    let bar = bar(bytes(path));
    let jobs = args.jobs.unwrap_or_else(super::cores);
    let work = VerifyOptions { jobs, read: &|bytes| bar.set_position(bytes) };
    let verified = derived(path, work).or_else(|bad| match so_far(path, work) {
        // If everything up to there is right, nothing but the end is missing.
        Some(so_far) => Ok(so_far),
        None => Err(bad),
    });
    bar.finish_and_clear();
    let verified = verified?;
    if let Some(missing) = verified.missing {
        let games = counted(verified.games, "game", "games");
        let checked =
            "checked and correct: the chain, the seeds, and each draw by the pools in the log";
        return Err(wrong(format!("{games} not verified: {missing}; {checked}")));
    }
    match args.head {
        Some(head) if head != verified.head && !verified.former_heads.contains(&head) => {
            let problem =
                format!("head is {}, not {head}: a different or modified log", verified.head);
            Err(wrong(problem))
        }
        _ => Ok(verified),
    }
}

fn derived(path: &Path, work: VerifyOptions<'_>) -> Result<VerifiedLog, VerifyError> {
    if LeagueFolder::find(path).is_some() {
        return derived_league(path, work);
    }
    if path.is_dir() {
        let parts = tournament_verify::verify(path, work).map_err(|error| match error {
            TournamentVerifyError::Unreadable(ReadError::Log { .. }) => wrong(error.to_string()),
            TournamentVerifyError::Unreadable(_) => {
                VerifyError::Failed(Failure::Usage(error.to_string()))
            }
            _ => wrong(error.to_string()),
        })?;
        let (first, others) = parts.split_first().ok_or_else(|| wrong("is empty".to_owned()))?;
        return Ok(others.iter().fold(VerifiedLog::from(first), VerifiedLog::add));
    }
    verify(path, work).map(|log| VerifiedLog::from(&log)).map_err(|error| match error {
        LogFileError::Unreadable(error) => {
            let said = system_error(error);
            VerifyError::Failed(Failure::Usage(format!("cannot be read: {said}")))
        }
        LogFileError::Wrong(wrong) => VerifyError::Line(wrong),
    })
}

/// The games so far of a tournament that goes on; none if it has ended or stopped, or if something is wrong in it.
fn so_far(path: &Path, work: VerifyOptions<'_>) -> Option<VerifiedLog> {
    if !path.is_dir() || LeagueFolder::find(path).is_some() {
        return None;
    }
    let log = tournament_verify::verify_so_far(path, work).ok()?;
    // A log that stops at a void game has no further games.
    let goes_on = read::part(path).is_ok_and(|state| !state.games.progress.is_void());
    let of = Some(log.series.header().games).filter(|_| goes_on && !log.has_end)?;
    Some(VerifiedLog { of: Some(of), ..VerifiedLog::from(&log) })
}

fn derived_league(path: &Path, work: VerifyOptions<'_>) -> Result<VerifiedLog, VerifyError> {
    let mut rounds = VerifiedLog::new("", "rounds", Digest::default());
    let verified = league_verify::verify(path, work, &mut |round| rounds.count(round));
    let league = verified.map_err(|error| match error {
        LeagueError::Log(_, wrong) => VerifyError::Line(wrong),
        other => VerifyError::Failed(other.into()),
    })?;
    Ok(VerifiedLog {
        game: league.kind().name().to_owned(),
        head: league.head(),
        former_heads: league.heads().to_vec(),
        ..rounds
    })
}

/// The number of bytes in the lines of all logs at a path; none if one of them is compressed.
fn bytes(path: &Path) -> Option<u64> {
    if LeagueFolder::find(path).is_some() {
        return league_verify::bytes(path);
    }
    let log = if path.is_dir() { folder::games(path) } else { path.to_owned() };
    record::length(&log)
}

/// The share of the logs read so far, or how much was read; nothing is drawn if standard error is not a terminal.
fn bar(bytes: Option<u64>) -> ProgressBar {
    let (bar, line) = match bytes {
        Some(bytes) => {
            let line = "{bytes} of {total_bytes}  {wide_bar}  {elapsed}, {eta} left";
            (ProgressBar::new(bytes), line)
        }
        None => (ProgressBar::no_length(), "{bytes} decompressed  {elapsed}"),
    };
    match ProgressStyle::with_template(line) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[derive(Serialize)]
struct VerifyJsonLine<'a> {
    log: &'a str,
    verified: bool,
    so_far: bool,
    game: Option<&'a str>,
    games: Option<u64>,
    head: Option<Digest>,
    problem: Option<String>,
    line: Option<usize>,
    #[serde(rename = "in_game")]
    wrong_game: Option<u64>,
}

fn write_json(
    log: &str,
    found: &Result<VerifiedLog, VerifyError>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (verified, bad) = (found.as_ref().ok(), found.as_ref().err());
    let line = VerifyJsonLine {
        log,
        verified: verified.is_some_and(|it| it.of.is_none()),
        so_far: verified.is_some_and(|it| it.of.is_some()),
        game: verified.map(|it| it.game.as_str()),
        games: verified.map(|it| it.games),
        head: verified.map(|it| it.head),
        problem: match verified {
            Some(it) if it.of.is_some() => Some(not_over_yet(log).to_string()),
            _ => bad.map(VerifyError::problem),
        },
        line: bad.and_then(VerifyError::line).map(|wrong| wrong.line),
        wrong_game: bad.and_then(VerifyError::line).and_then(|wrong| wrong.game),
    };
    Ok(json_line(out, &line)?)
}

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter head match.jsonl")]
pub(crate) struct HeadArgs {
    /// Log or tournament folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
}

impl HeadArgs {
    /// Prints the digest of the last line of a log, or of the log of a tournament or league.
    ///
    /// The log may still be written; a line that is cut off does not count. Only the chain is checked.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let path = &or_last(self.log)?;
        let shown = printable(&path.display().to_string());
        let source =
            disputes::last_log_of(path).and_then(|log| record::open(&log)).map_err(|error| {
                Failure::Usage(format!("{shown}: cannot be read: {}", system_error(error)))
            })?;
        let mut reader = LogReader::new(source);
        let mut head = None;
        loop {
            match reader.next_raw() {
                Ok(Some(line)) => head = Some(line.digest()),
                Ok(None) | Err(record::LineError::Torn) => break,
                Err(bad) => {
                    let problem = format!("{shown}: line {} {bad}", reader.number());
                    return Err(Failure::Verification(problem));
                }
            }
        }
        let nothing = || Failure::Verification(format!("{shown}: the log is empty"));
        writeln!(out, "{}", head.ok_or_else(nothing)?)?;
        Ok(())
    }
}
