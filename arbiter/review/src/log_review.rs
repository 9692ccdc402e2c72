//! Reviewing the games of logs on several threads, in the order of the logs.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bots::player::Failure;
use bots::review::{NotReviewed as NoOpinion, Opinion, Reviews, reviewer, usual_worlds};
use bots::workers::{NoThread, in_order};
use conditions::series::Series;
use conditions::series::game_status::GameStatus;
use record::fold::FoldedGame;
use record::{BadLog, Games, Source, Wrong};
use rules::{Digest, GameKind, GameRecord};
use thiserror::Error;

use crate::decision::{Decision, ReviewedGame};
use crate::kept::{Fresh, Kept, key};
use crate::questions::{Asked, questions};

/// The most games that are in memory at once.
const BATCH: usize = 256;

/// The worlds by which the time of one is measured.
const FIRST_WORLDS: u32 = 32;

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
    #[error("{log}: no reviewer knows {game}, expected games of {}", known())]
    NoReviewer {
        /// The log.
        log: String,
        /// The game.
        game: GameKind,
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
    /// [`NotReviewed::NoReviewer`], for the first log with games that no reviewer knows.
    pub fn check(&self, logs: &[Log]) -> Result<(), NotReviewed> {
        let unknown = logs.iter().find(|log| reviewer(log.games.series().kind()).is_none());
        match unknown {
            None => Ok(()),
            Some(log) => {
                let (log, game) = (log.name.clone(), log.games.series().kind().clone());
                Err(NotReviewed::NoReviewer { log, game })
            }
        }
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
                Budget::Usual | Budget::Worlds(_) => Kept::beside(&log.path),
            };
            loop {
                let (batch, is_last) = self.batch(place, log)?;
                self.review_batch(place, log.games.series(), &batch, &mut kept, take)?;
                if is_last {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The next games that are wanted, and whether there are no more.
    fn batch(&self, place: usize, log: &mut Log) -> Result<(Vec<Wanted>, bool), NotReviewed> {
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
                batch.push(Wanted { line, game, seats });
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

    fn review_batch(
        &self,
        place: usize,
        series: &Series,
        batch: &[Wanted],
        kept: &mut Kept,
        take: &mut dyn FnMut(ReviewedGame),
    ) -> Result<(), NotReviewed> {
        let worlds = match self.budget {
            Budget::Worlds(worlds) => worlds,
            Budget::Usual | Budget::Time(_) => usual_worlds(series.kind()),
        };
        let before = Digest::hash(&serde_json::to_vec(series.header()).unwrap_or_default());
        let known: &Kept = kept;
        let start = || {
            let mut reviewer = reviewer(series.kind());
            move |number: u64| {
                let wanted = &batch[number as usize];
                self.review_game(place, series, wanted, (before, worlds), known, &mut reviewer)
            }
        };
        let mut fresh = Vec::new();
        let done = in_order(batch.len() as u64, self.workers, start, |(game, new)| {
            fresh.extend(new);
            take(game);
            ControlFlow::Continue(())
        });
        kept.add(fresh);
        done
    }

    fn review_game(
        &self,
        place: usize,
        series: &Series,
        Wanted { line, game, seats }: &Wanted,
        (before, worlds): (Digest, u32),
        kept: &Kept,
        reviewer: &mut Option<Box<dyn Reviews + Send>>,
    ) -> Result<(ReviewedGame, Fresh), NotReviewed> {
        let keys: Vec<(usize, Digest)> =
            seats.iter().map(|seat| (*seat, key(before, game, *seat, worlds))).collect();
        let unknown: Vec<usize> = keys
            .iter()
            .filter(|(_, key)| kept.get(*key).is_none())
            .map(|(seat, _)| *seat)
            .collect();
        let mut new: Vec<Decision> = Vec::new();
        if let (Some(reviewer), false) = (reviewer, unknown.is_empty()) {
            let asked = questions(series, game, &unknown).map_err(|discrepancy| {
                NotReviewed::Log(place, Wrong::game(*line, game, discrepancy).into())
            })?;
            for asked in asked {
                let opinion = self.opinion(&mut **reviewer, &asked, worlds);
                let opinion = opinion.map_err(|error| NotReviewed::Request {
                    game: game.game,
                    number: asked.number,
                    problem: error.to_string(),
                })?;
                new.extend(opinion.and_then(|it| Decision::new(asked.number, asked.seat, it)));
            }
        }
        let mut decisions: Vec<Decision> =
            keys.iter().filter_map(|(_, key)| kept.get(*key)).flatten().cloned().collect();
        let fresh = keys
            .iter()
            .filter(|(seat, _)| unknown.contains(seat))
            .map(|(seat, key)| (*key, new.iter().filter(|it| it.seat == *seat).cloned().collect()));
        let fresh: Fresh = fresh.collect();
        decisions.append(&mut new);
        decisions.sort_by_key(|decision| decision.number);
        let (number, deal, seats) = (game.game, game.deal, game.seats.clone());
        Ok((ReviewedGame { log: place, number, deal, seats, decisions }, fresh))
    }

    /// What the reviewer says; none if no world agrees with what the seat was told.
    fn opinion(
        &self,
        reviewer: &mut (dyn Reviews + Send),
        asked: &Asked,
        worlds: u32,
    ) -> Result<Option<Opinion>, Failure> {
        let mut review = |worlds| reviewer.review(&asked.request, &asked.played, worlds);
        let opinion = match self.budget {
            Budget::Usual | Budget::Worlds(_) => review(worlds),
            Budget::Time(time) => {
                let begun = Instant::now();
                let first = review(FIRST_WORLDS);
                let left = time.saturating_sub(begun.elapsed()).as_secs_f64();
                let one = begun.elapsed().as_secs_f64().max(1e-9) / f64::from(FIRST_WORLDS);
                match (left / one) as u32 {
                    0..=FIRST_WORLDS => first,
                    more => review(more.min(MOST_WORLDS)),
                }
            }
        };
        match opinion {
            Ok(opinion) => Ok(Some(opinion)),
            Err(Failure::NotReviewed(NoOpinion::NoWorld)) => Ok(None),
            Err(other) => Err(other),
        }
    }
}

/// A game that is to be reviewed.
struct Wanted {
    line: usize,
    game: Box<GameRecord>,
    seats: Vec<usize>,
}
