//! `arbiter review`: what each move of a log is worth, and what bots give away.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use record::Games;
use review::table::ReviewTable;
use review::{
    DecisionBudget, LogReview, ReviewError, ReviewScope, ReviewSummary, ReviewedGame, ReviewedLog,
};
use text::printable;
use text::terminal::say;

use crate::commands::log_target::{file_of, whole};
use crate::commands::valuing_program::{ReadyProgram, UnvaluedDecisions, ValuingProgramOptions};
use crate::disputes::logged_game::failure;
use crate::output::json::JsonLines;
use crate::output::progress_bar::GameProgressBar;
use crate::output::review::{self as output, ReviewedLogs};
use text::failure::Failure;

/// The options of `arbiter review`.
#[derive(Debug)]
pub(crate) struct ReviewRequest {
    /// The log, or the folder of a tournament or a league.
    pub log: PathBuf,
    pub of: ReviewScope,
    pub budget: DecisionBudget,
    /// The program that values moves in the place of the built-in reviewers, if one does.
    pub by: Option<ValuingProgramOptions>,
    /// The number of threads; by default the number of cores.
    pub workers: Option<NonZeroUsize>,
    pub format: ReviewFormat,
    /// The options that a command for one of the moves repeats, as words for a shell.
    pub repeated: Vec<String>,
}

/// The format of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReviewFormat {
    /// Text for people.
    Text,
    /// Lines of JSON for programs.
    Json,
    /// A row for each move, for spreadsheets.
    Csv,
}

/// Reviews the games of a log, and writes what it finds to `out`.
pub(crate) fn run(request: &ReviewRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let paths = whole(&request.log);
    let mut logs =
        paths.iter().map(|path| opened(path)).collect::<Result<Vec<ReviewedLog>, _>>()?;
    let names: Vec<String> = logs.iter().map(|log| log.name.clone()).collect();
    let workers = request.workers.unwrap_or_else(super::cores);
    let review = LogReview { budget: request.budget, of: request.of.clone(), workers };
    let by = match &request.by {
        Some(by) => Some(by.ready(&logs, &kept_from_bots(&request.log, &logs))?),
        None => {
            review.check(&logs).map_err(|error| unknown_game(error, &paths))?;
            None
        }
    };
    let bar = GameProgressBar::start(games(&logs))?;
    let game = logs.first().map_or("", |log| log.games.series().kind().name()).to_owned();
    let mut summary = ReviewSummary::default();
    let mut report = match request.format {
        ReviewFormat::Text => ReviewOutput::Text(out, Vec::new()),
        ReviewFormat::Json => ReviewOutput::Json(JsonLines::new(out)),
        ReviewFormat::Csv => ReviewOutput::Csv(Box::new(ReviewTable::begin(out)?)),
    };
    // Output that fails once is not tried again; the review is kept all the same.
    let mut written = Ok(());
    let mut left_out = UnvaluedDecisions::default();
    let mut take = |game: ReviewedGame| {
        bar.game_over();
        summary.add(&game, request.of.bot.as_deref());
        let name = names.get(game.log).map_or("", String::as_str);
        left_out.add(Some(name).filter(|_| names.len() > 1), &game);
        if written.is_ok() {
            written = report.add(name, game, &request.of);
        }
    };
    let reviewed = match &by {
        Some(by) => review.run_by(&by.programs(), &mut logs, &mut take),
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
    if summary.games == 0 || (request.of.number.is_some() && decisions == 0) {
        return Err(Failure::Usage(nothing(request)));
    }
    match report {
        ReviewOutput::Text(out, games) => {
            let shown = ReviewedLogs {
                log: &request.log,
                logs: &logs.iter().map(|log| log.path.as_path()).collect::<Vec<_>>(),
                game: &game,
                summary: &summary,
                games: &games,
                number: request.of.number,
                by,
                repeated: &request.repeated,
            };
            write!(out, "{}", output::text(&shown))?;
        }
        ReviewOutput::Json(mut lines) => output::json_bots(&summary, &mut lines)?,
        ReviewOutput::Csv(table) => table.finish()?,
    }
    note.iter().for_each(say);
    Ok(())
}

/// The logs, in which a program could find what its seat did not know.
fn kept_from_bots(asked: &Path, logs: &[ReviewedLog]) -> Vec<PathBuf> {
    let paths = logs.iter().map(|log| log.path.as_path()).chain([asked]);
    paths.filter(|path| path.is_file() || path.is_dir()).map(Path::to_path_buf).collect()
}

/// A game of one's own has no reviewer, but a program may know it.
fn unknown_game(error: ReviewError, paths: &[PathBuf]) -> Failure {
    match error {
        ReviewError::NoReviewer { .. } | ReviewError::NoReviewerWith { .. } => {
            Failure::Usage(format!("{error}; use --by COMMAND to rate moves with your own bot"))
        }
        other => failed(other, paths),
    }
}

/// A review as it is written.
enum ReviewOutput<'a> {
    /// The games that are shown with their decisions.
    Text(&'a mut dyn Write, Vec<ReviewedGame>),
    Json(JsonLines<&'a mut dyn Write>),
    Csv(Box<ReviewTable<&'a mut dyn Write>>),
}

impl ReviewOutput<'_> {
    fn add(&mut self, log: &str, game: ReviewedGame, of: &ReviewScope) -> io::Result<()> {
        match self {
            ReviewOutput::Text(_, games) if of.game.is_some() => games.push(game),
            ReviewOutput::Text(..) => {}
            ReviewOutput::Json(lines) => output::json_game(log, &game, lines)?,
            ReviewOutput::Csv(table) => table.write(log, &game)?,
        }
        Ok(())
    }
}

/// Why there is nothing to review.
fn nothing(request: &ReviewRequest) -> String {
    let log = printable(&request.log.display().to_string());
    if let (Some(game), Some(number)) = (request.of.game, request.of.number) {
        return format!("{log}: game {game} has no decision with alternatives at move {number}");
    }
    match (&request.of.bot, request.of.game) {
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
pub(super) fn games(logs: &[ReviewedLog]) -> u64 {
    let games = logs.iter().map(|log| log.games.series().header().games);
    games.fold(0, u64::saturating_add)
}

pub(super) fn opened(path: &Path) -> Result<ReviewedLog, Failure> {
    let file = file_of(path);
    let games = Games::open(&file).map_err(|error| failure(path, error))?;
    Ok(ReviewedLog { name: printable(&path.display().to_string()), path: file, games })
}

pub(super) fn failed(error: ReviewError, paths: &[PathBuf]) -> Failure {
    match error {
        ReviewError::Log(place, error) => match paths.get(place) {
            Some(path) => failure(path, error),
            None => Failure::Verification(error.to_string()),
        },
        ReviewError::NoReviewer { .. } | ReviewError::NoReviewerWith { .. } => {
            Failure::Usage(error.to_string())
        }
        ReviewError::Silent { .. } => Failure::Check(error.to_string()),
        ReviewError::Request { .. }
        | ReviewError::Luck { .. }
        | ReviewError::Stopped(_)
        | ReviewError::Threads(_) => Failure::Ours(error.to_string()),
    }
}
