//! Reviewing the games of logs on several threads, in the order of the logs.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use bots::review::{reviewer, reviewer_of};
use conditions::series::Series;
use conditions::series::game_status::GameStatus;
use record::fold::FoldedGame;
use record::{BadLog, Games, Source};
use rules::{GameKind, GameRecord};
use thiserror::Error;
use workers::{NoThread, in_order};

use crate::context::{Context, header_digest};
use crate::decision::ReviewedGame;
use crate::habits::Habits;
use crate::kept::{self, Kept, Known};
use crate::puzzle::Puzzle;

/// The most games that are in memory at once.
const BATCH: usize = 256;

/// The most worlds of a decision, in any time.
pub const MOST_WORLDS: u32 = 1_000_000;

/// How much is spent on a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// The number of worlds that is usual for the game.
    Usual,
    /// This number of worlds. Equal logs and numbers give equal reviews.
    Worlds(u32),
    /// As many worlds as fit into this time.
    Time(Duration),
}

/// The decisions that are reviewed: all, unless a bot or a game is named.
#[derive(Debug, Clone, Default)]
pub struct Of {
    /// Those of this bot.
    pub bot: Option<String>,
    /// Those of this game.
    pub game: Option<u64>,
    /// The one at this move.
    pub number: Option<u32>,
}

/// A log that is reviewed.
#[derive(Debug)]
pub struct Log {
    /// Its name in messages.
    pub name: String,
    /// The file, beside which the review is kept.
    pub path: PathBuf,
    /// Its games.
    pub games: Games<Source>,
}

/// How logs are reviewed.
#[derive(Debug, Clone)]
pub struct LogReview {
    /// What is spent on a decision.
    pub budget: Budget,
    /// Which decisions.
    pub of: Of,
    /// The number of threads.
    pub workers: NonZeroUsize,
}

/// Why logs are not reviewed; one line.
#[derive(Debug, Error)]
pub enum NotReviewed {
    /// No reviewer knows the game.
    #[error("{log}: no review for {game}: supported are {}", known())]
    NoReviewer {
        /// The log.
        log: String,
        /// The game.
        game: GameKind,
    },
    /// A reviewer knows the game, but not with these options.
    #[error("{log}: no review for {game} with {options}")]
    NoReviewerWith {
        /// The log.
        log: String,
        /// The game.
        game: GameKind,
        /// Its options.
        options: String,
    },
    /// A log, by its place in the list, does not hold what it must.
    #[error("log {0}: {1}")]
    Log(usize, BadLog),
    /// A request of a game could not be read by the reviewer of the game.
    #[error("game {game}, move {number}: {problem}")]
    Request {
        /// The game.
        game: u64,
        /// The move.
        number: u32,
        /// The problem.
        problem: String,
    },
    /// The luck of a game could not be measured.
    #[error("game {game}: {problem}")]
    Luck {
        /// The game.
        game: u64,
        /// The problem.
        problem: String,
    },
    /// A program has valued none of many decisions.
    #[error("rated none of {decisions} decisions; first problem: {first}")]
    Silent {
        /// Their number.
        decisions: u32,
        /// The first of them, with the reason.
        first: String,
    },
    /// The machine failed while a program was asked.
    #[error("{0}; the review stops")]
    Stopped(String),
    /// No thread could be started.
    #[error(transparent)]
    Threads(#[from] NoThread),
}

fn known() -> String {
    let known = GameKind::ALL.iter().filter(|kind| reviewer(kind).is_some());
    known.map(GameKind::name).collect::<Vec<_>>().join(", ")
}

impl LogReview {
    /// Checks that the games of these logs can be reviewed.
    ///
    /// # Errors
    ///
    /// [`NotReviewed::NoReviewer`] or [`NotReviewed::NoReviewerWith`], for the first log with games that no
    /// reviewer knows.
    pub fn check(&self, logs: &[Log]) -> Result<(), NotReviewed> {
        let has_none = |log: &&Log| {
            let series = log.games.series();
            reviewer_of(series.kind(), &series.header().options).is_none()
        };
        let Some(unknown) = logs.iter().find(has_none) else { return Ok(()) };
        let (log, series) = (unknown.name.clone(), unknown.games.series());
        let (game, options) = (series.kind().clone(), series.header().options.clone());
        Err(match reviewer(&game) {
            Some(_) => NotReviewed::NoReviewerWith { log, game, options },
            None => NotReviewed::NoReviewer { log, game },
        })
    }

    /// Reviews the games that count, and gives each to `take` in the order of the logs.
    ///
    /// # Errors
    ///
    /// Fails at the first game that does not follow from its inputs, after the reviews of those before.
    pub fn run(
        &self,
        logs: &mut [Log],
        take: &mut dyn FnMut(ReviewedGame),
    ) -> Result<(), NotReviewed> {
        self.check(logs)?;
        for (place, log) in logs.iter_mut().enumerate() {
            let mut kept = match self.budget {
                Budget::Time(_) => Kept::nowhere(),
                Budget::Usual | Budget::Worlds(_) => {
                    Kept::beside(&log.path, header_digest(log.games.series()))
                }
            };
            let habits = Habits::of(log);
            let (known, file) = kept.parts();
            self.each_batch(place, log, &mut |series, batch| {
                let context = Context::new(place, series, &habits, self);
                let start = || context.reviewer(batch, known);
                in_order(batch.len() as u64, self.workers, start, |(game, new)| {
                    // What is done is kept, also if this is stopped.
                    kept::add(file, new);
                    take(game);
                    ControlFlow::Continue(())
                })?;
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(())
    }

    /// Finds decisions with one clearly best move, at most two in a game, and gives those of each game to `take` in the order
    /// of the logs, until it wants no more.
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    pub fn puzzles(
        &self,
        logs: &mut [Log],
        take: &mut dyn FnMut(Vec<Puzzle>) -> ControlFlow<()>,
    ) -> Result<(), NotReviewed> {
        self.check(logs)?;
        for (place, log) in logs.iter_mut().enumerate() {
            let mut kept = Kept::beside(&log.path, header_digest(log.games.series()));
            let habits = Habits::of(log);
            let (known, file) = kept.parts();
            let name = log.name.clone();
            let mut flow = ControlFlow::Continue(());
            self.each_batch(place, log, &mut |series, batch| {
                let context = Context::new(place, series, &habits, self);
                let start = || context.puzzler(&name, batch, known);
                in_order(batch.len() as u64, self.workers, start, |(puzzles, new)| {
                    kept::add(file, new);
                    flow = take(puzzles);
                    flow
                })?;
                Ok(flow)
            })?;
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Gives the wanted games of a log to `review`, a batch at a time, until it wants no more.
    pub(crate) fn each_batch(
        &self,
        place: usize,
        log: &mut Log,
        review: &mut EachBatch<'_>,
    ) -> Result<(), NotReviewed> {
        loop {
            let (batch, is_last) = self.batch(place, log)?;
            if review(log.games.series(), &batch)?.is_break() || is_last {
                return Ok(());
            }
        }
    }

    /// The next games that are wanted, and whether there are no more.
    fn batch(&self, place: usize, log: &mut Log) -> Result<(Vec<GameToReview>, bool), NotReviewed> {
        let mut batch = Vec::new();
        while batch.len() < BATCH {
            let next = log.games.next_whole_game(&log.name);
            let Some(folded) = next.map_err(|error| NotReviewed::Log(place, error))? else {
                return Ok((batch, true));
            };
            let FoldedGame { line, game, status, .. } = folded;
            let seats = self.seats(&game);
            let is_wanted = self.of.game.is_none_or(|number| number == game.game);
            if status == GameStatus::Counts && is_wanted && !seats.is_empty() {
                batch.push(GameToReview { line, game, seats });
            }
        }
        Ok((batch, false))
    }

    /// The seats whose decisions are wanted.
    fn seats(&self, game: &GameRecord) -> Vec<usize> {
        let names = game.seats.iter().enumerate();
        let wanted = names.filter(|(_, name)| self.of.bot.as_ref().is_none_or(|bot| bot == *name));
        wanted.map(|(seat, _)| seat).collect()
    }
}

/// Reviews a batch of games of a series, and says whether to go on.
type EachBatch<'a> =
    dyn FnMut(&Series, &[GameToReview]) -> Result<ControlFlow<()>, NotReviewed> + 'a;

/// Reviews one game of a series: the decisions of this bot, or of all. Habits of opponents and what was kept of earlier
/// reviews play no part.
///
/// # Errors
///
/// Fails if the game does not follow from its inputs.
pub fn review_game(
    series: &Series,
    game: &GameRecord,
    bot: Option<String>,
) -> Result<ReviewedGame, NotReviewed> {
    let of = Of { bot, ..Of::default() };
    let review = LogReview { budget: Budget::Usual, of, workers: NonZeroUsize::MIN };
    let habits = Habits::default();
    let context = Context::new(0, series, &habits, &review);
    let wanted = GameToReview { line: 0, game: Box::new(game.clone()), seats: review.seats(game) };
    let mut reviewer = reviewer_of(series.kind(), &series.header().options);
    let (reviewed, _) = context.game(&wanted, &Known::new(), &mut reviewer)?;
    Ok(reviewed)
}

/// A game that is to be reviewed.
pub(crate) struct GameToReview {
    pub(crate) line: usize,
    pub(crate) game: Box<GameRecord>,
    pub(crate) seats: Vec<usize>,
}
