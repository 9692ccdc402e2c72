//! `arbiter rerun`: asks the bots of a log again.

use std::io::Write;
use std::path::{Path, PathBuf};

use text::printable;

use crate::disputes::comparison::{ComparisonCounts, RerunTime};
use crate::disputes::logged_game::{self, GameOfLog, LoggedGame, failure};
use crate::disputes::rerun::{RerunConditions, RerunError, RerunPlayers, rerun};
use crate::output::OutputFormat;
use crate::output::json::JsonLines;
use crate::output::progress_bar::GameProgressBar;
use crate::output::rerun::{AnswerFilter, JsonRerunReport, RerunReport, TextRerunReport};
use bot::BotSpec;
use bot::grants::AskedIsolation;
use contest::setup;
use league::folder::LeagueFolder;
use record::fold::FoldedGame;
use text::counted;
use text::failure::Failure;

/// The options of `arbiter rerun`.
#[derive(Debug)]
pub(crate) struct RerunRequest {
    pub log: PathBuf,
    pub games: WhichGames,
    /// The only seat that is asked; by default every seat.
    pub seat: Option<usize>,
    /// Other programs for players of the log, by name; if there are any, only they are asked.
    pub bots: Vec<BotSpec>,
    /// The number of runs of each game, at least 1.
    pub times: u32,
    pub isolation: AskedIsolation,
    pub format: OutputFormat,
}

/// The games to ask again.
#[derive(Debug)]
pub(crate) enum WhichGames {
    /// All games of the log, with every attempt.
    All,
    /// One, with every answer shown.
    One {
        game: u64,
        /// The number of the attempt, from 0; by default the last one.
        attempt: Option<u32>,
    },
}

/// Asks the bots of the games again, and fails with [`Failure::Different`] if an answer differs.
pub(crate) fn run(request: &RerunRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let path = &request.log;
    let mut games = logged_game::open(path).map_err(|error| failure(path, error))?;
    let league = LeagueFolder::around(path);
    let kept = league.as_ref().map(|league| league.path().to_owned());
    let conditions = RerunConditions {
        search: setup::search_path()?,
        isolation: request.isolation.clone(),
        kept: [path.clone()].into_iter().chain(kept).collect(),
        league,
        tournament: folder_of(path),
    };
    let cast = RerunPlayers::new(games.series().header(), &request.bots, conditions)?;
    let shown = match request.games {
        WhichGames::One { .. } => AnswerFilter::All,
        WhichGames::All => AnswerFilter::Differences,
    };
    let report: Box<dyn RerunReport + '_> = match request.format {
        OutputFormat::Text => Box::new(TextRerunReport { out, shown }),
        OutputFormat::Json => Box::new(JsonRerunReport(JsonLines::new(out))),
    };
    let mut asking = RerunProgress { request, cast, report, count: ComparisonCounts::default() };
    let _guard = setup::guard()?;
    let asked = match request.games {
        WhichGames::One { game, attempt } => {
            let wanted = GameOfLog { log: path.clone(), game, attempt };
            LoggedGame::find_in(games, &wanted).and_then(|logged| asking.ask(&logged))
        }
        WhichGames::All => {
            let bar = GameProgressBar::start(games.series().header().games)?;
            let name = printable(&path.display().to_string());
            let mut ask_all = || {
                while let Some(FoldedGame { line, game, .. }) =
                    games.next_whole_game(&name).map_err(|error| failure(path, error))?
                {
                    let series = games.series().clone();
                    asking.ask(&LoggedGame { series, line, game: *game })?;
                    bar.game_over();
                }
                Ok(())
            };
            let asked = ask_all();
            bar.finish();
            asked
        }
    };
    match asked.and_then(|()| asking.finish()) {
        // A reader who closed the pipe has seen a difference.
        Err(failure) if failure.is_closed_pipe() => {
            different(path, &asking.count).map_or(Err(failure), Err)
        }
        ended => ended,
    }
}

/// The folder of the tournament that a log belongs to, if it does; it may have copies of bots.
fn folder_of(log: &Path) -> PathBuf {
    match log.is_dir() {
        true => log.to_owned(),
        false => log.parent().unwrap_or(Path::new("")).to_owned(),
    }
}

/// Asking, and the results so far.
struct RerunProgress<'a> {
    request: &'a RerunRequest,
    cast: RerunPlayers,
    report: Box<dyn RerunReport + 'a>,
    count: ComparisonCounts,
}

impl RerunProgress<'_> {
    fn ask(&mut self, logged: &LoggedGame) -> Result<(), Failure> {
        let RerunProgress { request, cast, report, count } = self;
        let names = logged.game.seats.iter().map(String::as_str);
        let contenders = match request.seat {
            None => cast.contenders(names)?,
            Some(seat) => {
                let seats = logged.game.seats.len();
                let name = names.clone().nth(seat).ok_or_else(|| {
                    let log = request.log.display();
                    Failure::Usage(format!(
                        "{log}: no seat {seat}: the game has {seats}, numbered from 0"
                    ))
                })?;
                cast.contenders([name].into_iter())?
            }
        };
        let ponder = logged.series.header().ponder;
        let supervisor = setup::supervisor(request.isolation.isolation)?.pondering(ponder);
        for number in 1..=request.times {
            let time = RerunTime { number, of: request.times };
            let mut written = Ok(());
            rerun(logged, &contenders, supervisor, time, &mut |compared| {
                count.add(compared);
                if written.is_ok() {
                    written = report.compared(compared);
                }
            })
            .map_err(|stopped| match stopped {
                RerunError::Log(error) => failure(&request.log, error),
                RerunError::Machine(why) => Failure::Ours(why),
            })?;
            written?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let RerunProgress { request, report, count, .. } = self;
        report.finish(count, request.times)?;
        match different(&request.log, count) {
            Some(different) => Err(different),
            None if count.answers == 0 => Err(Failure::Usage(format!(
                "{}: these games have no requests to bots",
                request.log.display()
            ))),
            None => Ok(()),
        }
    }
}

/// The failure if some answers differ.
fn different(log: &Path, count: &ComparisonCounts) -> Option<Failure> {
    let first = count.first?;
    let answers = counted(count.answers, "answer is", "answers are");
    Some(Failure::Different(format!(
        "{}: {} of {answers} different, first at game {}, move {}",
        log.display(),
        count.different,
        first.game,
        first.number
    )))
}
