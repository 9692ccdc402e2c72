//! Reading a source once, from its first line to its last: every game is derived again, counted,
//! and handed on as data.

use std::fmt;
use std::io;
use std::path::PathBuf;

use rules::replay::replay_before;
use rules::text::{printable, system_error};
use rules::{Digest, GameRecord, Seed};

use crate::log::verify::{check_end, check_place, check_times, in_game};
use crate::log::{self, BadLine, Line, LogReader, revealed_seed};
use crate::report::NotWritten;
use crate::report::data::Data;
use crate::report::figures::Figures;
use crate::report::source::Source;
use crate::report::steps::{About, GameLine, Sequel, Steps};
use crate::series::committed_seed::CommittedSeed;
use crate::series::game_status::{GameStatus, is_suspect, who_left};
use crate::series::progress::Progress;
use crate::series::totals::Totals;
use crate::series::{End, Header, PlayerLine, Series};
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
    /// The digest of the last line.
    pub(super) head: Digest,
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
    /// A person left.
    Left {
        /// The person.
        who: String,
    },
    /// It stops before its end, and a later part of the tournament goes on from there.
    GoneOnFrom,
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
        let (path, is_running) = (shown(source.path()), source.is_running());
        let unreadable = |error| unreadable(&path, error);
        let mut log = match log::open(&source.log()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && source.plan().is_some() => {
                return Err(NotWritten::Usage(format!("`{path}`: nothing was played yet")));
            }
            other => other.map_err(unreadable)?,
        };
        let revealed = revealed_seed(&mut log).map_err(unreadable)?;
        let mut reader = LogReader::new(log);
        let mut fold: Option<Fold> = None;
        loop {
            let number = reader.number() + 1;
            let wrong =
                |problem: String| NotWritten::Wrong(format!("{path}: line {number} {problem}"));
            let read = match reader.next_line() {
                Ok(None) | Err(BadLine::Torn) => break,
                Err(BadLine::Unreadable(error)) => return Err(unreadable(error)),
                Err(bad) => return Err(wrong(bad.to_string())),
                Ok(Some(read)) => read,
            };
            match (read.line, &mut fold) {
                (Line::Header(header), None) => {
                    let refused = check_header(source, &header)?;
                    let begun = Fold::new(source, *header, revealed.clone(), read.digest);
                    fold = Some(Fold { refused, ..begun.map_err(wrong)? });
                }
                (_, None) => return Err(wrong("is not the header".to_owned())),
                (Line::Header(_), Some(_)) => return Err(wrong("is a header again".to_owned())),
                (Line::Game(game), Some(fold)) => {
                    let line = fold.game(&game).map_err(|problem| {
                        let wrong = in_game(read.number, &game, problem);
                        NotWritten::Wrong(format!("{path}: {wrong}"))
                    })?;
                    data.add(&line)?;
                    fold.head = read.digest;
                }
                (Line::End(end), Some(fold)) => {
                    fold.end(end).map_err(wrong)?;
                    fold.head = read.digest;
                }
            }
        }
        match fold {
            Some(fold) => fold.finish(source, is_running),
            None => Err(NotWritten::Wrong(format!("{path}: line 1 is missing: the log is empty"))),
        }
    }

    /// Whether all of its games were played.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.state, State::Over { .. } | State::GoneOnFrom)
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

/// What has been read of a source so far.
struct Fold {
    /// What all chance follows from, where that is known by now, revealed or not.
    seed: Option<Seed>,
    refused: Vec<Refused>,
    series: Series,
    progress: Progress,
    totals: Totals,
    tally: Tally,
    figures: Figures,
    head: Digest,
    /// Who left the last game.
    left: Option<String>,
    end: Option<End>,
}

impl Fold {
    fn new(
        source: &Source,
        header: Header,
        revealed: Option<CommittedSeed>,
        head: Digest,
    ) -> Result<Fold, String> {
        let series = Series::new(header)?;
        let commitment = series.header().commitment;
        if revealed.as_ref().is_some_and(|seed| seed.commitment() != commitment) {
            return Err("commits to another seed than the last line reveals".to_owned());
        }
        let known = revealed.as_ref().or(source.plan().map(|plan| &plan.settings().seed));
        Ok(Fold {
            seed: known.map(|seed| series.dealing(seed)),
            refused: Vec::new(),
            progress: Progress::new(&series),
            totals: Totals::new(&series),
            tally: read::tally(&series, &source.before()).map_err(|error| error.to_string())?,
            figures: Figures::new(&series),
            series,
            head,
            left: None,
            end: None,
        })
    }

    fn game(&mut self, game: &GameRecord) -> Result<GameLine, String> {
        if self.end.is_some() {
            return Err("comes after the end".to_owned());
        }
        let Fold { series, progress, .. } = self;
        check_place(game, progress, series)?;
        let mut steps = Steps::new(game);
        replay_before(series.setup(game, self.seed.as_ref()), game, &mut steps)
            .map_err(|discrepancy| discrepancy.to_string())?;
        check_times(game, series)?;
        let steps = steps.finish();
        let status = progress.add(series, game);
        self.left = who_left(game, series).map(str::to_owned);
        self.totals.add(game, series);
        let mut places = None;
        if status == GameStatus::Counts {
            if let Some(played) = count::played(&self.tally, series, game)? {
                self.tally.add(&played).map_err(|problem| problem.to_string())?;
                places = Some(played.places());
            }
            self.figures.add(series, game, &steps);
        }
        let seats = series.seating(game.game).players;
        let about = About {
            places,
            sequel: Sequel::new(status, self.left.as_deref()),
            is_suspect: is_suspect(game, &series.times(game.game)),
        };
        Ok(GameLine::new(game, &seats, about, steps))
    }

    fn end(&mut self, end: End) -> Result<(), String> {
        if self.end.is_some() {
            return Err("comes after the end".to_owned());
        }
        check_end(&end, &self.progress, &self.series, &self.totals)?;
        self.end = Some(end);
        Ok(())
    }

    fn finish(self, source: &Source, is_running: bool) -> Result<Reading, NotWritten> {
        let standings = self.tally.standings();
        let state = match self.end {
            Some(end) => State::Over { seed: end.seed },
            None if source.is_gone_on_from() => State::GoneOnFrom,
            None if is_running => State::Running,
            None => self.left.map_or(State::Unfinished, |who| State::Left { who }),
        };
        if let (Some(_), State::Over { .. }) = (source.plan(), &state) {
            tournament::check_standings(source.path(), &standings)
                .map_err(|error| not_in_order(source, error))?;
        }
        Ok(Reading {
            path: source.path().to_owned(),
            plan: source.plan().map(plan_without_seed).transpose()?,
            refused: self.refused,
            series: self.series,
            progress: self.progress,
            totals: self.totals,
            standings,
            figures: self.figures,
            head: self.head,
            state,
        })
    }
}

/// Checks that a log is that of the plan beside it, and gives the bots that were refused.
fn check_header(source: &Source, header: &Header) -> Result<Vec<Refused>, NotWritten> {
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

/// A plan as it is written, but for the seed: until the end nobody may know it, and then it stands
/// elsewhere.
fn plan_without_seed(plan: &crate::tournament::plan::Plan) -> Result<String, NotWritten> {
    let written = plan_file::write(plan).map_err(io::Error::other)?;
    let mut table: toml::Table = written.parse().map_err(io::Error::other)?;
    table.remove("seed");
    Ok(toml::to_string(&table).map_err(io::Error::other)?)
}

fn unreadable(path: &str, error: impl fmt::Display) -> NotWritten {
    NotWritten::Usage(format!("{path}: cannot be read: {}", printable(&system_error(error))))
}
