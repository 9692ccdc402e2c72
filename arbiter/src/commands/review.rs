//! `arbiter review`: what each move of a log is worth, and what bots give away; and `arbiter puzzles`: decisions of logs
//! with one clearly best move, as files.

use std::io;
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bot::sandboxed::SandboxedBots;
use bot::{BotSpec, Contender, spelt_as_names};
use clap::Args;
use rules::Dialect;
use sandbox::new_file::NewFolder;
use sandbox::{GuardLease, Supervisor, duration, new_file};
use series::Conditions;

use crate::disputes::failure;
use crate::options::game::{LoggedGameName, must_have_number, of_log, opened_of_log};
use crate::options::isolation::{IsolationArgs, LimitArgs};
use crate::options::logs::{file_of, logs_of, or_last};
use crate::options::{at_once, bot, number};
use crate::output::progress_bar::GameProgressBar;
use crate::output::review as output;
use crate::output::review::ReviewedLogs;
use contest::playing::bot::Bot;
use contest::reviewing::valuing_program;
use contest::setup;
use record::GameReader;
use review::summary::ReviewTableWriter;
use review::{
    DecisionBudget, MOST_WORLDS, OpenedLog, ReviewError, ReviewScope, ReviewSettings,
    ReviewSummary, ReviewedGame, ValuingProgram,
};
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;
use text::{counted, printable, system_error};

const HELP: &str = "The built-in experts rate every legal move from the information available to \
the seat. Shows the average loss, the recurring mistakes and the costliest decisions of each bot. \
Only statistically significant losses count as mistakes. Results are cached in LOG.review, which \
you can delete.

With --by, your own bot rates the moves, in any game. COMMAND is a BOT as in `arbiter match`; it \
prints one line `value MOVE NUMBER` per move on standard error, NUMBER being the win probability \
from 0 to 1. Limits and isolation apply to it. Exits with 5 if it rates no decision.

Examples:
  arbiter review
  arbiter review cup --bot my-bot
  arbiter review match.jsonl --game 3
  arbiter review match.jsonl --game 3 --move 17
  arbiter review match.jsonl --worlds 2000 --csv > moves.csv
  arbiter review match.jsonl --by \"python3 my_bot.py\" --time-limit 30s";

/// `arbiter review`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ReviewArgs {
    /// Log, or tournament or league folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// Only decisions of this bot
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Only this game (from 0), with its three costliest decisions per seat; or the custom game of
    /// a stand-alone log (folder, .wasm module or command)
    #[arg(long, value_name = "N|GAME", value_parser = of_log)]
    game: Vec<LoggedGameName>,
    /// Only this move (from 0), with all its alternatives
    #[arg(long = "move", value_name = "M", requires = "game", value_parser = number::<u32>("the number of a move", 0..))]
    number: Option<u32>,
    /// Sampled worlds per move [default: 400; 2000 in Durak]
    #[arg(long, value_name = "N", value_parser = number::<u32>("a number of worlds", 2..=u64::from(MOST_WORLDS)))]
    worlds: Option<u32>,
    /// Time per decision instead of a number of worlds; not reproducible
    #[arg(long, value_name = "DURATION", conflicts_with = "worlds", value_parser = duration)]
    time: Option<Duration>,
    /// Bot to rate the moves, with lines `value MOVE NUMBER` on standard error
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["worlds", "time"])]
    by: Option<String>,
    /// Number of threads; does not affect the result [default: one per core]
    #[arg(long, value_name = "N", value_parser = at_once("a number of threads"))]
    jobs: Option<NonZeroUsize>,
    /// Print JSON lines: one per game, one per bot
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV: one row per alternative of each decision
    #[arg(long)]
    csv: bool,
    #[arg(long, hide = true, value_name = "GAME")]
    rules: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl ReviewArgs {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ReviewArgs { log, bot: player, game, number, worlds, time, jobs, json, csv, .. } = self;
        let (game, mut repeated) = opened_of_log(game, self.rules)?;
        must_have_number(game, &[("--move", number.is_some())])?;
        repeated.extend(worlds.map(|worlds| format!("--worlds {worlds}")));
        let is_bare = self.isolation.is_empty();
        let (limits, isolation) = (self.limits.into_specs(), self.isolation.into_spec()?);
        let (by, conditions) = match self.by {
            None if !is_bare || !limits.is_empty() => {
                return Err(Failure::usage("limits and isolation need --by COMMAND"));
            }
            None => (None, Conditions::default()),
            Some(command) => {
                let bot = bot(&command)?;
                repeated.push(format!("--by {}", word(Path::new(&command))));
                repeated.extend(limits.options().into_iter().chain(isolation.options()));
                (Some(bot), Conditions { limits, isolation, ..Conditions::default() })
            }
        };
        let budget = match (worlds, time) {
            (Some(worlds), _) => DecisionBudget::Worlds(worlds),
            (None, Some(time)) => DecisionBudget::Time(time),
            (None, None) => DecisionBudget::Usual,
        };
        let format = match (json, csv) {
            (true, _) => ReviewFormat::Json,
            (false, true) => ReviewFormat::Csv,
            (false, false) => ReviewFormat::Text,
        };
        let of = ReviewScope { bot: player.as_deref().map(spelt_as_names), game, number };
        let settings = ReviewSettings { budget, of, workers: jobs.unwrap_or_else(super::cores) };
        let log = or_last(log)?;
        review(&ReviewRequest { log, settings, by, conditions, format, repeated }, out)
    }
}

/// Words behind the progress: a review that is stopped has not worked in vain.
const KEPT: &str = "; finished games are kept if you stop";

#[derive(Debug)]
struct ReviewRequest {
    /// The log, or the folder of a tournament or a league.
    log: PathBuf,
    settings: ReviewSettings,
    /// The program that values moves in the place of the built-in reviewers, if one does.
    by: Option<BotSpec>,
    /// Its limits and its isolation.
    conditions: Conditions,
    format: ReviewFormat,
    /// The options that a command for one of the moves repeats, as words for a shell.
    repeated: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReviewFormat {
    /// Text for people.
    Text,
    /// Lines of JSON for programs.
    Json,
    /// A row for each move, for spreadsheets.
    Csv,
}

/// Reviews the games of a log, and writes what it finds to `out`.
fn review(request: &ReviewRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let paths = logs_of(&request.log);
    let mut logs = paths.iter().map(|path| opened(path)).collect::<Result<Vec<OpenedLog>, _>>()?;
    let names: Vec<String> = logs.iter().map(|log| log.name.clone()).collect();
    let (review, of) = (&request.settings, &request.settings.of);
    let by = match &request.by {
        Some(bot) => {
            let kept = kept_from_bots(&request.log, &logs);
            Some(ReadyProgram::new(bot, &request.conditions, &logs, &kept)?)
        }
        None => {
            review.check(&logs).map_err(|error| unknown_game(error, &paths))?;
            None
        }
    };
    let bar = GameProgressBar::start(games(&logs))?;
    let bar = if by.is_none() { bar.remarking(KEPT) } else { bar };
    let game = logs.first().map_or("", |log| log.games.series().kind().name()).to_owned();
    let mut summary = ReviewSummary::default();
    let mut report = match request.format {
        ReviewFormat::Text => ReviewWriter::Text(out, Vec::new()),
        ReviewFormat::Json => ReviewWriter::Json(out),
        ReviewFormat::Csv => ReviewWriter::Csv(Box::new(ReviewTableWriter::begin(out)?)),
    };
    // Output that fails once is not tried again; the review is kept all the same.
    let mut written = Ok(());
    let mut left_out = UnvaluedDecisions::default();
    let mut take = |game: ReviewedGame| {
        bar.game_over();
        summary.add(&game, of.bot.as_deref());
        let name = names.get(game.log).map_or("", String::as_str);
        left_out.add(Some(name).filter(|_| names.len() > 1), &game);
        if written.is_ok() {
            written = report.add(name, game, of);
        }
    };
    let reviewed = match &by {
        Some(by) => review.run_by(&|| by.start(), &mut logs, &mut take),
        None => review.run(&mut logs, &mut take),
    };
    bar.clear();
    reviewed.map_err(|error| match (error, &by) {
        (error @ ReviewError::Silent { .. }, Some(by)) => {
            Failure::Check(format!("bot `{}` {error}", by.name()))
        }
        (error, _) => failed(error, &paths),
    })?;
    written?;
    let decisions = summary.bots().iter().map(|bot| bot.decisions).sum::<u64>();
    let by = by.as_ref().map(ReadyProgram::name);
    let note = left_out.note(by.unwrap_or_default(), decisions)?;
    if summary.games == 0 || (of.number.is_some() && decisions == 0) {
        return Err(Failure::Usage(nothing_to_review(request)));
    }
    match report {
        ReviewWriter::Text(out, games) => {
            let shown = ReviewedLogs {
                log: &request.log,
                logs: &logs.iter().map(|log| log.path.as_path()).collect::<Vec<_>>(),
                game: &game,
                summary: &summary,
                games: &games,
                number: of.number,
                by,
                repeated: &request.repeated,
            };
            write!(out, "{}", output::text(&shown))?;
        }
        ReviewWriter::Json(out) => output::json_bots(&summary, out)?,
        ReviewWriter::Csv(table) => table.finish()?,
    }
    note.iter().for_each(say);
    Ok(())
}

/// The logs, in which a program could find what its seat did not know.
fn kept_from_bots(asked: &Path, logs: &[OpenedLog]) -> Vec<PathBuf> {
    let paths = logs.iter().map(|log| log.path.as_path()).chain([asked]);
    paths.filter(|path| path.is_file() || path.is_dir()).map(Path::to_path_buf).collect()
}

/// A custom game has no reviewer, but a program may know it.
fn unknown_game(error: ReviewError, paths: &[PathBuf]) -> Failure {
    match error {
        ReviewError::NoReviewer(_) => {
            Failure::Usage(format!("{error}; use --by COMMAND to rate moves with your own bot"))
        }
        other => failed(other, paths),
    }
}

enum ReviewWriter<'a> {
    /// The games that are shown with their decisions.
    Text(&'a mut dyn Write, Vec<ReviewedGame>),
    Json(&'a mut dyn Write),
    Csv(Box<ReviewTableWriter<&'a mut dyn Write>>),
}

impl ReviewWriter<'_> {
    fn add(&mut self, log: &str, game: ReviewedGame, of: &ReviewScope) -> io::Result<()> {
        match self {
            ReviewWriter::Text(_, games) if of.game.is_some() => games.push(game),
            ReviewWriter::Text(..) => {}
            ReviewWriter::Json(out) => output::json_game(log, &game, *out)?,
            ReviewWriter::Csv(table) => table.write(log, &game)?,
        }
        Ok(())
    }
}

fn nothing_to_review(request: &ReviewRequest) -> String {
    let (log, of) = (printable(&request.log.display().to_string()), &request.settings.of);
    if let (Some(game), Some(number)) = (of.game, of.number) {
        return format!("{log}: game {game} has no decision with alternatives at move {number}");
    }
    match (&of.bot, of.game) {
        (Some(bot), Some(game)) => {
            format!("{log}: no rated game {game} with a bot named `{}`", printable(bot))
        }
        (Some(bot), None) => {
            format!("{log}: no rated game with a bot named `{}`", printable(bot))
        }
        (None, Some(game)) => format!("{log}: no rated game {game}"),
        (None, None) => format!("{log}: no rated game"),
    }
}

/// The number of games of the logs, as far as they are planned.
pub(super) fn games(logs: &[OpenedLog]) -> u64 {
    let games = logs.iter().map(|log| log.games.series().header().games);
    games.fold(0, u64::saturating_add)
}

pub(super) fn opened(path: &Path) -> Result<OpenedLog, Failure> {
    let file = file_of(path);
    let games = GameReader::open(&file).map_err(|error| failure(path, error))?;
    Ok(OpenedLog { name: printable(&path.display().to_string()), path: file, games })
}

pub(super) fn failed(error: ReviewError, paths: &[PathBuf]) -> Failure {
    match error {
        ReviewError::Log(place, error) => match paths.get(place) {
            Some(path) => failure(path, error),
            None => Failure::Verification(error.to_string()),
        },
        ReviewError::NoReviewer(problem) => Failure::Usage(problem),
        ReviewError::Silent { .. } => Failure::Check(error.to_string()),
        ReviewError::Failed(problem) => Failure::Ours(problem),
    }
}

/// A program of the user that values moves, which can be started.
#[derive(Debug)]
struct ReadyProgram {
    contender: Contender,
    supervisor: Supervisor,
    _guard: GuardLease,
}

impl ReadyProgram {
    /// Finds the program, and starts it for a moment. It cannot see the paths in `kept`.
    fn new(
        bot: &BotSpec,
        conditions: &Conditions,
        logs: &[OpenedLog],
        kept: &[PathBuf],
    ) -> Result<ReadyProgram, Failure> {
        let bot = bot.clone().opened()?;
        for log in logs {
            let series = log.games.series();
            setup::must_play(&bot, series.kind(), &series.header().options)?;
        }
        if bot.dialect() != Dialect::Native {
            let (command, dialect) = (printable(bot.command()), bot.dialect());
            return Err(Failure::Usage(format!(
                "bot `{command}` speaks the {dialect} dialect: reviewers must read requests"
            )));
        }
        let mut contenders = super::matches::contenders(&[bot], conditions, kept, None)?;
        let supervisor = super::matches::supervisor(conditions)?;
        let guard = setup::guard()?;
        setup::warn_of_exposed(&SandboxedBots::new(&contenders, supervisor));
        Bot::try_all(&contenders, supervisor)?;
        let contender = contenders.swap_remove(0);
        Ok(ReadyProgram { contender, supervisor, _guard: guard })
    }

    fn name(&self) -> &str {
        &self.contender.name
    }

    /// Starts the program for a thread.
    fn start(&self) -> Box<dyn ValuingProgram + Send> {
        valuing_program(&self.contender, self.supervisor)
    }
}

/// The decisions for which a program gave no values.
#[derive(Debug, Default)]
struct UnvaluedDecisions {
    count: u64,
    /// The first of them, with the reason.
    first: String,
}

impl UnvaluedDecisions {
    /// Adds those of a game; `log` is the name of its log if there are several.
    fn add(&mut self, log: Option<&str>, game: &ReviewedGame) {
        if let (0, Some(left_out)) = (self.count, game.left_out.first()) {
            let log = log.map(|log| format!("{log}, ")).unwrap_or_default();
            let (game, number, why) = (game.number, left_out.number, &left_out.why);
            self.first = format!("{log}game {game}, move {number}: {why}");
        }
        self.count += game.left_out.len() as u64;
    }

    /// A note about them, if there are any.
    ///
    /// # Errors
    ///
    /// [`Failure::Check`] if the program has valued no decision at all.
    fn note(&self, name: &str, valued: u64) -> Result<Option<String>, Failure> {
        let UnvaluedDecisions { count, first } = self;
        let decisions = counted(count, "decision", "decisions");
        match (count, valued) {
            (0, _) => Ok(None),
            (_, 0) => Err(Failure::Check(format!(
                "bot `{name}` rated none of {decisions}; first problem: {first}"
            ))),
            _ => Ok(Some(format!(
                "note: {name} rated no moves for {decisions}; first problem: {first}"
            ))),
        }
    }
}

const PUZZLES_HELP: &str = "A puzzle is a position whose best move leads all others by at least \
10% win probability. Puzzles come from the earliest suitable games, at most two per game. Each has \
two files: NAME.request, the original request, and NAME.json, the values of all moves.

Examples:
  arbiter puzzles cup -o lessons
  arbiter check ./my-bot --puzzles lessons
  ./my-bot/bot.py < lessons/game-3-move-17-5e884898.request";

/// `arbiter puzzles`.
#[derive(Debug, Args)]
#[command(after_help = PUZZLES_HELP)]
pub(crate) struct PuzzlesArgs {
    /// Log, or tournament or league folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// Output folder, new or empty
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// Only positions of this bot
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Maximum number of puzzles
    #[arg(long, alias = "most", value_name = "N", default_value_t = 50, value_parser = number::<usize>("a number of puzzles", 1..=10_000))]
    limit: usize,
    /// Sampled worlds per move; five times as many confirm a puzzle [default: 400; 2000 in Durak]
    #[arg(long, value_name = "N", value_parser = number::<u32>("a number of worlds", 2..=u64::from(MOST_WORLDS)))]
    worlds: Option<u32>,
    /// Number of threads; does not affect the result [default: one per core]
    #[arg(long, value_name = "N", value_parser = at_once("a number of threads"))]
    jobs: Option<NonZeroUsize>,
}

impl PuzzlesArgs {
    /// Writes the puzzles of a log into a folder.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let PuzzlesArgs { log, output: folder, bot, limit: most, worlds, jobs } = self;
        let (log, folder) = (or_last(log)?, &folder);
        let paths = logs_of(&log);
        let mut logs = paths.iter().map(|path| opened(path)).collect::<Result<Vec<_>, _>>()?;
        let review = ReviewSettings {
            budget: worlds.map_or(DecisionBudget::Usual, DecisionBudget::Worlds),
            of: ReviewScope { bot: bot.as_deref().map(spelt_as_names), ..ReviewScope::default() },
            workers: jobs.unwrap_or_else(super::cores),
        };
        review.check(&logs).map_err(|error| failed(error, &paths))?;
        let unwritten = |error: io::Error| {
            let shown = printable(&folder.display().to_string());
            Failure::Usage(format!("cannot write puzzles to `{shown}`: {}", system_error(error)))
        };
        let new = new_folder(folder).map_err(unwritten)?;
        let bar = GameProgressBar::start(games(&logs))?;
        let (mut count, mut written) = (0, Ok(()));
        let found = review.puzzles(&mut logs, &mut |puzzles| {
            bar.game_over();
            for puzzle in puzzles.into_iter().take(most - count) {
                written = puzzle.write(&new.path());
                if written.is_err() {
                    return ControlFlow::Break(());
                }
                count += 1;
            }
            if count == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        bar.clear();
        written.map_err(unwritten)?;
        found.map_err(|error| failed(error, &paths))?;
        if count == 0 {
            let log = printable(&log.display().to_string());
            return Err(Failure::Usage(format!("{log}: no decision with one clearly best move")));
        }
        new.publish("").map_err(unwritten)?;
        let (puzzles, folder) = (counted(count, "puzzle", "puzzles"), word(folder));
        writeln!(out, "{puzzles} in {folder}")?;
        writeln!(out, "next: arbiter check BOT --puzzles {folder}")?;
        Ok(())
    }
}

/// Begins a folder, which may exist if it is empty.
fn new_folder(folder: &Path) -> io::Result<NewFolder> {
    match new_file::is_free(folder)? {
        true => NewFolder::for_all_at(folder),
        false => Err(io::Error::other("it is not empty")),
    }
}
