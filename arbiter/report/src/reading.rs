//! Reads a source from its first line to its last: every game is derived again, counted, and handed on.
//!
//! A log that grows can be read on later, and the report so far is there at any time.

use std::fmt;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use contest::playing::series_runner;
use contest::tournament::folder::{RefusedBot, shown};
use contest::tournament::verify::TournamentVerifyError;
use contest::tournament::{plan_file, read, verify as tournament};
use league::replay_request::RoundMarks;
use record::checked_log::{CheckedGame, CheckedLog, LogError, LogRange, LogState};
use record::{LineError, LogProblem, LogReader};
use rules::replay::replay_before;
use rules::{Digest, GameRecord, Seed};
use series::game_status::{GameStatus, Totals, who_left};
use series::header::CommittedSeed;
use series::progress::Progress;
use series::{PlayerLine, Series, SeriesState};
use standings::{Standings, Tally};
use text::{printable, system_error};

use crate::figures::{FigureTable, MachineTable};
use crate::game_line::{GameDetails, GameHeading, StepLine};
use crate::report_folder::ReportError;
use crate::source::{Source, SourceReview};
use crate::steps::StepsBuilder;

/// The report of a source, or of a log as far as it was read.
#[derive(Debug)]
pub struct SourceReport {
    /// The path as it was given.
    pub(super) path: PathBuf,
    /// The plan without its seed, if it is a tournament.
    pub(super) plan: Option<String>,
    pub(super) refused: Vec<RefusedBot>,
    pub(super) series: Series,
    pub(super) progress: Progress,
    pub(super) totals: Totals,
    pub(super) standings: StandingsOnDemand,
    pub(super) figures: FigureTable,
    /// The answers by machine, if several have played.
    pub(super) machines: MachineTable,
    /// The digest of the last line; none where there are several logs.
    pub(super) head: Option<Digest>,
    pub(super) state: SourceState,
    /// What corrections of its league say of it.
    pub(super) marks: RoundMarks,
    /// What the moves are worth, if that was asked for.
    pub(super) review: Option<SourceReview>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum SourceState {
    /// It is whole; its end reveals the seed, but in a shard.
    Over {
        seed: Option<CommittedSeed>,
    },
    /// It is being written.
    Running,
    /// More of it was written than was read by now.
    Reading,
    Left {
        who: String,
    },
    /// It stops before its end, and a later part of the tournament continues from there.
    Continued,
    /// It stops before its end.
    Unfinished,
}

impl SourceReport {
    /// Returns true once all of its games were played.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.state, SourceState::Over { .. } | SourceState::Continued)
    }

    /// Returns true if answers have notes, or later ones may get some.
    pub(super) fn may_get_notes(&self) -> bool {
        !self.is_over() || self.figures.has_notes
    }

    /// The word for one of the players.
    pub(super) fn called(&self) -> &'static str {
        let is_any = self.series.header().players.iter().any(PlayerLine::is_person);
        if is_any { "player" } else { "bot" }
    }

    /// The names of the bots, in the order of the log.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.series.header().players.iter().map(|player| player.name.as_str())
    }
}

/// A source with one log that is read game by game.
#[derive(Debug)]
pub(super) struct SourceReader<R> {
    pub(super) source: Source,
    log: CheckedLog<LogReader<R>>,
    refused: Vec<RefusedBot>,
    plan: Option<String>,
    pub(super) counts: GameCounts,
    /// The seed of all cards, if it is known.
    pub(super) dealing: Option<Seed>,
    pub(super) is_running: bool,
    /// True once all lines of the log were read.
    pub(super) is_up_to_date: bool,
}

impl<R: BufRead> SourceReader<R> {
    /// Reads the header of a log, whose seed is this one if its end reveals it.
    pub(super) fn begin(
        source: Source,
        log: LogReader<R>,
        revealed: Option<&CommittedSeed>,
    ) -> Result<SourceReader<R>, ReportError> {
        let is_running = source.is_running();
        let log = CheckedLog::begin(log, LogRange::SoFar, revealed)
            .map_err(|it| log_error(&source, it))?;
        let mut refused = Vec::new();
        let mut plan = None;
        let mut planned = None;
        if let Some(of_source) = source.plan() {
            refused = tournament::check_header(source.path(), of_source, log.fold().header())
                .map_err(|error| not_in_order(&source, error))?;
            plan = Some(plan_without_seed(of_source)?);
            planned = of_source.settings().seed.known_seed();
        }
        let counts = GameCounts::new(&source, log.fold().series()).map_err(|problem| {
            mismatch(&shown(source.path()), LogProblem::line(log.fold().number, problem))
        })?;
        let planned = planned.map(|seed| log.fold().series().dealing(seed));
        let dealing = log.fold().dealing.clone().or(planned);
        let is_up_to_date = false;
        Ok(SourceReader { source, log, refused, plan, counts, dealing, is_running, is_up_to_date })
    }

    /// Counts and returns the next game; none where there is no more for now.
    pub(super) fn next_game(&mut self) -> Result<Option<GameDetails>, ReportError> {
        let dealing = self.dealing.as_ref();
        let next = self.log.next_game(|fold, game, ()| derive_steps(fold.series(), game, dealing));
        let next = next.map_err(|it| log_error(&self.source, it))?;
        self.is_up_to_date = next.is_none();
        let Some(next) = next else { return Ok(None) };
        let (line, number) = (next.line, next.game.game);
        let game = self.counts.add(self.log.fold().series(), next);
        game.map(Some).map_err(|problem| {
            mismatch(&shown(self.source.path()), LogProblem { line, game: Some(number), problem })
        })
    }

    pub(super) fn refused(&self) -> &[RefusedBot] {
        &self.refused
    }

    pub(super) fn fold(&self) -> &LogState {
        self.log.fold()
    }

    pub(super) fn lines(&self) -> &LogReader<R> {
        self.log.lines()
    }

    /// The report so far, under this path.
    pub(super) fn reading(&self, path: PathBuf) -> SourceReport {
        let fold = self.log.fold();
        let SeriesState { series, progress, totals } = fold.state.clone();
        let state = match &fold.end {
            Some(end) => SourceState::Over { seed: end.seed.clone() },
            None if self.source.has_later_part() => SourceState::Continued,
            None if self.is_running => SourceState::Running,
            None if !self.is_up_to_date => SourceState::Reading,
            None => match &self.counts.left {
                Some(who) => SourceState::Left { who: who.clone() },
                None => SourceState::Unfinished,
            },
        };
        SourceReport {
            path,
            plan: self.plan.clone(),
            refused: self.refused.clone(),
            series,
            progress,
            totals,
            standings: self.counts.standings.clone(),
            figures: self.counts.figures.clone(),
            machines: self.counts.machines.clone(),
            head: Some(fold.head),
            state,
            marks: self.source.marks().clone(),
            review: None,
        }
    }

    /// Checks that the standings of a tournament that is over are the same as in its folder.
    pub(super) fn check_standings(&self, reading: &SourceReport) -> Result<(), ReportError> {
        match (self.source.plan(), &reading.state) {
            (Some(_), SourceState::Over { .. }) => {
                tournament::check_standings(self.source.path(), reading.standings.get())
                    .map_err(|error| not_in_order(&self.source, error))
            }
            _ => Ok(()),
        }
    }
}

fn log_error(source: &Source, broken: LogError) -> ReportError {
    let path = shown(source.path());
    match broken {
        LogError::Line { bad: LineError::Unreadable(error), .. } => unreadable(&path, error),
        broken => mismatch(&path, broken.into()),
    }
}

/// Opens a log, which may not be there yet.
pub(super) fn open_log<T>(
    source: &Source,
    open: impl FnOnce(&Path) -> io::Result<T>,
) -> Result<T, ReportError> {
    let path = shown(source.path());
    match open(&source.log()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && source.plan().is_some() => {
            Err(ReportError::Usage(format!("`{path}`: nothing was played yet")))
        }
        other => other.map_err(|error| unreadable(&path, error)),
    }
}

/// Derives a game again, step by step.
pub(super) fn derive_steps(
    series: &Series,
    game: &GameRecord,
    seed: Option<&Seed>,
) -> Result<Vec<StepLine>, String> {
    let mut steps = StepsBuilder::new(game);
    replay_before(series.setup(game, seed), game, &mut steps)
        .map_err(|discrepancy| discrepancy.to_string())?;
    Ok(steps.steps)
}

/// The counts of the games so far.
#[derive(Debug)]
pub(super) struct GameCounts {
    pub(super) standings: StandingsOnDemand,
    pub(super) figures: FigureTable,
    pub(super) machines: MachineTable,
    /// The person who left the last game.
    left: Option<String>,
}

impl GameCounts {
    pub(super) fn new(source: &Source, series: &Series) -> Result<GameCounts, String> {
        let tally =
            read::tally(series, &source.earlier_parts()).map_err(|error| error.to_string())?;
        let (standings, figures) = (StandingsOnDemand::new(tally), FigureTable::new(series));
        Ok(GameCounts { standings, figures, machines: MachineTable::default(), left: None })
    }

    /// Adds a game, and returns it for the viewer.
    pub(super) fn add(
        &mut self,
        series: &Series,
        next: CheckedGame<Vec<StepLine>>,
    ) -> Result<GameDetails, String> {
        let CheckedGame { game, status, checked: steps, .. } = next;
        self.left = who_left(&game, series).map(str::to_owned);
        let heading = heading(self.standings.tally(), series, &game, status)?;
        self.figures.find_notes(&steps);
        if status == GameStatus::Counts {
            self.standings.add(series, &game)?;
            self.figures.add(series, &game, &steps);
            self.machines.add(series, &game);
        }
        Ok(GameDetails::new(heading, &game, steps))
    }
}

/// The heading of a game, as it stands in a list.
pub(super) fn heading(
    tally: &Tally,
    series: &Series,
    game: &GameRecord,
    status: GameStatus,
) -> Result<GameHeading, String> {
    let places = match status {
        GameStatus::Counts => {
            series_runner::played(tally, series, game)?.map(|played| played.places())
        }
        _ => None,
    };
    Ok(GameHeading::new(game, series, places, status))
}

fn not_in_order(source: &Source, error: TournamentVerifyError) -> ReportError {
    let problem = format!("{}: {error}", shown(source.path()));
    match error {
        TournamentVerifyError::Unreadable(_) => ReportError::Usage(problem),
        _ => ReportError::Wrong(problem),
    }
}

/// A plan as it is written, except the seed: until the end it is a secret, and then it stands elsewhere.
pub(super) fn plan_without_seed(
    plan: &contest::tournament::plan::Plan,
) -> Result<String, ReportError> {
    let written = plan_file::write(plan).map_err(io::Error::other)?;
    let mut table: toml::Table = written.parse().map_err(io::Error::other)?;
    table.remove("seed");
    Ok(toml::to_string(&table).map_err(io::Error::other)?)
}

pub(super) fn mismatch(path: &str, wrong: LogProblem) -> ReportError {
    ReportError::Wrong(format!("{path}: {wrong}"))
}

pub(super) fn unreadable(path: &str, error: impl fmt::Display) -> ReportError {
    ReportError::Usage(format!("{path}: cannot be read: {}", printable(&system_error(error))))
}

/// The results of games, and their standings once a page has needed them: with many bots they take seconds.
///
/// Copies share both: the first one that needs the standings computes them for all, while games are still added.
#[derive(Debug, Clone)]
pub(super) struct StandingsOnDemand {
    tally: Arc<Tally>,
    computed: Arc<OnceLock<Standings>>,
}

impl StandingsOnDemand {
    pub(super) fn new(tally: Tally) -> StandingsOnDemand {
        StandingsOnDemand { tally: Arc::new(tally), computed: Arc::default() }
    }

    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Adds a game; copies stay as they are.
    pub(super) fn add(&mut self, series: &Series, game: &GameRecord) -> Result<(), String> {
        self.computed = Arc::default();
        series_runner::add(Arc::make_mut(&mut self.tally), series, game)
    }

    pub(super) fn get(&self) -> &Standings {
        self.computed.get_or_init(|| self.tally.standings())
    }
}
