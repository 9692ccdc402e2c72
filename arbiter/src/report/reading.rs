//! Reading a source once, from its first line to its last: every game is derived again, counted,
//! and handed on as data.

use std::fmt;
use std::io;
use std::path::PathBuf;

use rules::replay::replay_before;
use rules::text::{printable, system_error};
use rules::{Digest, GameRecord, Seed};

use crate::log::checked_log::{Broken, CheckedLog, Extent};
use crate::log::fold::{Fold, FoldedGame};
use crate::log::{self, BadLine, LogReader, Wrong, revealed_seed};
use crate::report::NotWritten;
use crate::report::data::Data;
use crate::report::figures::Figures;
use crate::report::machines::Machines;
use crate::report::shards;
use crate::report::source::Source;
use crate::report::steps::{About, GameLine, Heading, Sequel, StepLine, Steps};
use crate::series::committed_seed::CommittedSeed;
use crate::series::game_status::{GameStatus, game_status, is_suspect, who_left};
use crate::series::progress::Progress;
use crate::series::totals::Totals;
use crate::series::{Header, PlayerLine, Series, SeriesState};
use crate::standings::{Standings, Tally};
use crate::tournament::entrants::Refused;
use crate::tournament::folder::shown;
use crate::tournament::verify as tournament;
use crate::tournament::verify::NotInOrder;
use crate::tournament::{count, plan_file, read};

/// What a source came to.
#[derive(Debug)]
pub(super) struct Reading {
    /// The path as it was given.
    pub(super) path: PathBuf,
    /// The plan without its seed, where it is a tournament.
    pub(super) plan: Option<String>,
    /// The bots that were handed in to the tournament and do not play.
    pub(super) refused: Vec<Refused>,
    /// The games that there are.
    pub(super) series: Series,
    /// How far they are.
    pub(super) progress: Progress,
    /// What they add up to.
    pub(super) totals: Totals,
    /// What they say about the bots.
    pub(super) standings: Standings,
    /// What else was counted.
    pub(super) figures: Figures,
    /// Its answers by machine, where several have played.
    pub(super) machines: Machines,
    /// The digest of the last line; none where there are several logs.
    pub(super) head: Option<Digest>,
    /// How far the log goes.
    pub(super) state: State,
}

/// How far a log goes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    /// To its end, which reveals the seed, but in a shard.
    Over {
        /// The seed.
        seed: Option<CommittedSeed>,
    },
    /// It is being written.
    Running,
    /// More of it was written than was read by now.
    Reading,
    /// A person left.
    Left {
        /// The person.
        who: String,
    },
    /// It stops before its end, and a later part of the tournament continues from there.
    Continued,
    /// It stops before its end.
    Unfinished,
}

impl Reading {
    /// Reads a source, and hands on each of its games.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, and a failure to write.
    pub(super) fn read(source: &Source, data: &mut Data) -> Result<Reading, NotWritten> {
        if let Some((plan, sharding)) = source.in_shards()? {
            return shards::read(source, plan, sharding, data);
        }
        let (path, is_running) = (shown(source.path()), source.is_running());
        let unreadable = |error| unreadable(&path, error);
        let mut log = match log::open(&source.log()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && source.plan().is_some() => {
                return Err(NotWritten::Usage(format!("`{path}`: nothing was played yet")));
            }
            other => other.map_err(unreadable)?,
        };
        let revealed = revealed_seed(&mut log).map_err(unreadable)?;
        let broken = |broken: Broken| match broken {
            Broken::Line { bad: BadLine::Unreadable(error), .. } => unreadable(error),
            broken => wrong(&path, broken.into()),
        };
        let log = CheckedLog::begin(LogReader::new(log), Extent::SoFar, revealed.as_ref());
        let mut log = log.map_err(broken)?;
        let refused = check_header(source, log.fold().header())?;
        let mut counts = Counts::new(source, log.fold().series())
            .map_err(|problem| wrong(&path, Wrong::line(log.fold().number(), problem)))?;
        let known = source.plan().and_then(|plan| plan.settings().seed.known());
        let planned = known.map(|seed| log.fold().series().dealing(seed));
        while let Some(next) = log
            .next_game(|fold, game, ()| {
                followed(fold.series(), game, fold.dealing().or(planned.as_ref()))
            })
            .map_err(broken)?
        {
            let (line, number) = (next.line, next.game.game);
            let game = counts
                .add(log.fold().series(), next)
                .map_err(|problem| wrong(&path, Wrong { line, game: Some(number), problem }))?;
            data.add(&game)?;
        }
        finished(source, is_running, refused, counts, log.into_fold())
    }

    /// Whether all of its games were played.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.state, State::Over { .. } | State::Continued)
    }

    /// What those who play are called, one of them.
    pub(super) fn called(&self) -> &'static str {
        let is_any = self.series.header().players.iter().any(PlayerLine::is_person);
        if is_any { "player" } else { "bot" }
    }

    /// The names of the bots, in the order of the log.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.series.header().players.iter().map(|player| player.name.as_str())
    }
}

/// Derives a game again, and gives it step by step.
pub(super) fn followed(
    series: &Series,
    game: &GameRecord,
    seed: Option<&Seed>,
) -> Result<Vec<StepLine>, String> {
    let mut steps = Steps::new(game);
    replay_before(series.setup(game, seed), game, &mut steps)
        .map_err(|discrepancy| discrepancy.to_string())?;
    Ok(steps.finish())
}

/// What the games so far say about those who play.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) tally: Tally,
    pub(super) figures: Figures,
    pub(super) machines: Machines,
    /// Who left the last game.
    left: Option<String>,
}

impl Counts {
    pub(super) fn new(source: &Source, series: &Series) -> Result<Counts, String> {
        let tally = read::tally(series, &source.before()).map_err(|error| error.to_string())?;
        let machines = Machines::default();
        Ok(Counts { tally, figures: Figures::new(series), machines, left: None })
    }

    /// Who left the last game.
    pub(super) fn left(&self) -> Option<&str> {
        self.left.as_deref()
    }

    /// Adds a game, and gives it as the viewer gets it.
    pub(super) fn add(
        &mut self,
        series: &Series,
        next: FoldedGame<Vec<StepLine>>,
    ) -> Result<GameLine, String> {
        let FoldedGame { game, status, checked: steps, .. } = next;
        self.left = who_left(&game, series).map(str::to_owned);
        if status == GameStatus::Counts {
            if let Some(played) = count::played(&self.tally, series, &game)? {
                self.tally.add(&played).map_err(|problem| problem.to_string())?;
            }
            self.figures.add(series, &game, &steps);
            self.machines.add(series, &game);
        }
        Ok(GameLine::new(heading(&self.tally, series, &game)?, &game, steps))
    }
}

/// A game as it stands in a list.
pub(super) fn heading(
    tally: &Tally,
    series: &Series,
    game: &GameRecord,
) -> Result<Heading, String> {
    let status = game_status(game, series);
    let places = match status {
        GameStatus::Counts => count::played(tally, series, game)?.map(|played| played.places()),
        _ => None,
    };
    let about = About {
        places,
        sequel: Sequel::new(status, who_left(game, series)),
        is_suspect: is_suspect(game, &series.times(game.game)),
    };
    Ok(Heading::new(game, &series.seating(game.game).players, about))
}

/// What a source came to whose log was read to its end.
fn finished(
    source: &Source,
    is_running: bool,
    refused: Vec<Refused>,
    counts: Counts,
    log: Fold,
) -> Result<Reading, NotWritten> {
    let standings = counts.tally.standings();
    let state = match log.end() {
        Some(end) => State::Over { seed: end.seed.clone() },
        None if source.has_later_part() => State::Continued,
        None if is_running => State::Running,
        None => counts.left.map_or(State::Unfinished, |who| State::Left { who }),
    };
    if let (Some(_), State::Over { .. }) = (source.plan(), &state) {
        tournament::check_standings(source.path(), &standings)
            .map_err(|error| not_in_order(source, error))?;
    }
    let head = log.head();
    let SeriesState { series, progress, totals } = log.into_state();
    Ok(Reading {
        path: source.path().to_owned(),
        plan: source.plan().map(plan_without_seed).transpose()?,
        refused,
        series,
        progress,
        totals,
        standings,
        figures: counts.figures,
        machines: counts.machines,
        head: Some(head),
        state,
    })
}

/// Checks that a log is that of the plan beside it, and gives the bots that were refused.
pub(super) fn check_header(source: &Source, header: &Header) -> Result<Vec<Refused>, NotWritten> {
    let Some(plan) = source.plan() else { return Ok(Vec::new()) };
    tournament::check_header(source.path(), plan, header)
        .map_err(|error| not_in_order(source, error))
}

fn not_in_order(source: &Source, error: NotInOrder) -> NotWritten {
    let problem = format!("{}: {error}", shown(source.path()));
    match error {
        NotInOrder::Unreadable(_) => NotWritten::Usage(problem),
        _ => NotWritten::Wrong(problem),
    }
}

/// A plan as it is written, except the seed: until the end it is a secret, and then it stands
/// elsewhere.
pub(super) fn plan_without_seed(
    plan: &crate::tournament::plan::Plan,
) -> Result<String, NotWritten> {
    let written = plan_file::write(plan).map_err(io::Error::other)?;
    let mut table: toml::Table = written.parse().map_err(io::Error::other)?;
    table.remove("seed");
    Ok(toml::to_string(&table).map_err(io::Error::other)?)
}

pub(super) fn wrong(path: &str, wrong: Wrong) -> NotWritten {
    NotWritten::Wrong(format!("{path}: {wrong}"))
}

pub(super) fn unreadable(path: &str, error: impl fmt::Display) -> NotWritten {
    NotWritten::Usage(format!("{path}: cannot be read: {}", printable(&system_error(error))))
}
