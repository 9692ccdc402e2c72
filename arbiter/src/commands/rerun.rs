//! `arbiter rerun`: asks the bots of a log again.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use contest::setup;
use league::folder::LeagueFolder;
use record::checked_log::CheckedGame;
use sandbox::isolation::Isolation;
use text::failure::Failure;
use text::{counted, printable};

use crate::disputes;
use crate::disputes::rerun::{ComparisonCounts, Repetition, RerunConditions, RerunPlayers, rerun};
use crate::disputes::{GameReference, LoggedGame, failure};
use crate::options::game::{LoggedGameName, must_have_number, of_log, opened_of_log};
use crate::options::isolation::IsolationArgs;
use crate::options::logs::or_last;
use crate::options::{bots, number};
use crate::output::progress_bar::GameProgressBar;
use crate::output::rerun::RerunReport;

const HELP: &str = "Sends each bot its requests byte for byte, in a fresh scratch folder, \
under the limits of the log. Resident bots start at the first request. Without --game, reruns all \
games and lists only differing answers. Exits with 6 if any differ.

Security: the commands come from the log. Read the first line of a log that you do not trust \
before rerunning it. Relative paths start at the current folder.

Examples:
  arbiter rerun match.jsonl --game 3 --seat 1
  arbiter rerun match.jsonl --bot \"mine=./fixed\"
  arbiter rerun match.jsonl --game 3 --times 10";

/// `arbiter rerun`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RerunArgs {
    /// Log or tournament folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// Game number, from 0, or the custom game of a stand-alone log (a folder, a .wasm module or a
    /// command) [default: all games]
    #[arg(long, value_name = "N|GAME", value_parser = of_log)]
    game: Vec<LoggedGameName>,
    /// Attempt of a replayed game, from 0 [default: the last]
    #[arg(long, value_name = "A", requires = "game", value_parser = number::<u32>("the number of an attempt", 0..))]
    attempt: Option<u32>,
    /// Only this seat, from 0
    #[arg(long, value_name = "S", value_parser = number::<usize>("the number of a seat", 0..))]
    seat: Option<usize>,
    /// Replace a bot's command; only replaced bots are rerun
    #[arg(long = "bot", value_name = "NAME=COMMAND")]
    bots: Vec<String>,
    /// Repetitions per game
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = number::<u32>("a number of times", 1..))]
    times: u32,
    /// Print JSON lines: one per answer, one for the result
    #[arg(long)]
    json: bool,
    #[arg(long, hide = true, value_name = "GAME")]
    rules: Option<String>,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl RerunArgs {
    /// Asks the bots of the games again, and fails with [`Failure::Different`] if an answer differs.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        rerun_games(self, out).map_err(Failure::or_undone)
    }
}

fn rerun_games(args: RerunArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, _) = opened_of_log(args.game, args.rules)?;
    must_have_number(game, &[("--attempt", args.attempt.is_some())])?;
    let path = &or_last(args.log)?;
    let (bots, isolation) = (bots(&args.bots)?, args.isolation.into_spec()?);
    let mut games = disputes::open(path).map_err(|error| failure(path, error))?;
    let league = LeagueFolder::find_enclosing(path);
    let kept = league.as_ref().map(|league| league.path().to_owned());
    let conditions = RerunConditions {
        search: setup::search_path()?,
        isolation: isolation.clone(),
        kept: [path.clone()].into_iter().chain(kept).collect(),
        league,
        tournament: folder_of(path),
    };
    let cast = RerunPlayers::new(games.series().header(), &bots, conditions)?;
    let report = match args.json {
        false => RerunReport::Text { out, shows_all: game.is_some() },
        true => RerunReport::Json(out),
    };
    let mut asking = RerunState {
        log: path,
        seat: args.seat,
        times: args.times,
        isolation: isolation.isolation,
        cast,
        report,
        count: ComparisonCounts::default(),
    };
    let _guard = setup::guard()?;
    let asked = match game {
        Some(game) => {
            let wanted = GameReference { log: path.clone(), game, attempt: args.attempt };
            LoggedGame::find_in(games, &wanted).and_then(|logged| asking.ask(&logged))
        }
        None => {
            let bar = GameProgressBar::start(games.series().header().games)?;
            let name = printable(&path.display().to_string());
            let mut ask_all = || {
                while let Some(CheckedGame { line, game, .. }) =
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
struct RerunState<'a> {
    log: &'a Path,
    /// The only seat that is asked; by default every seat.
    seat: Option<usize>,
    /// The number of runs of each game, at least 1.
    times: u32,
    isolation: Isolation,
    cast: RerunPlayers,
    report: RerunReport<'a>,
    count: ComparisonCounts,
}

impl RerunState<'_> {
    fn ask(&mut self, logged: &LoggedGame) -> Result<(), Failure> {
        let RerunState { log, cast, report, count, .. } = self;
        let names = logged.game.seats.iter().map(String::as_str);
        let contenders = match self.seat {
            None => cast.contenders(names)?,
            Some(seat) => {
                let seats = logged.game.seats.len();
                let name = names.clone().nth(seat).ok_or_else(|| {
                    let log = log.display();
                    Failure::Usage(format!(
                        "{log}: no seat {seat}: the game has {seats}, numbered from 0"
                    ))
                })?;
                cast.contenders([name].into_iter())?
            }
        };
        let ponder = logged.series.header().ponder;
        let supervisor = setup::supervisor(self.isolation)?.pondering(ponder);
        for number in 1..=self.times {
            let time = Repetition { number, of: self.times };
            let mut written = Ok(());
            rerun(log, logged, &contenders, supervisor, time, &mut |compared| {
                count.add(compared);
                if written.is_ok() {
                    written = report.compared(compared);
                }
            })?;
            written?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let RerunState { log, report, count, .. } = self;
        report.finish(count, self.times)?;
        match different(log, count) {
            Some(different) => Err(different),
            None if count.answers == 0 => Err(Failure::Usage(format!(
                "{}: these games have no requests to bots",
                log.display()
            ))),
            None => Ok(()),
        }
    }
}

/// The failure if some answers differ.
fn different(log: &Path, count: &ComparisonCounts) -> Option<Failure> {
    let first = count.first?;
    let answers = counted(count.answers, "answer is", "answers are");
    let faults = match (count.faults_gone, count.faults_new) {
        (0, 0) => String::new(),
        (gone, new) => format!("; faults: {gone} gone, {new} new"),
    };
    Some(Failure::Different(format!(
        "{}: {} of {answers} different, first at game {}, move {}{faults}",
        log.display(),
        count.different,
        first.game,
        first.number
    )))
}
