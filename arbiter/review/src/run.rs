//! Reviewing the games of logs on several threads, in the order of the logs.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use bots::review::{reviewer, reviewer_of};
use record::checked_log::CheckedGame;
use rules::GameRecord;
use series::Series;
use series::game_status::GameStatus;
use workers::in_order;

use crate::decision::ReviewedGame;
use crate::game_reviewer::GameReviewer;
use crate::log_review::{
    BotDecisions, DecisionBudget, GameToReview, OpenedLog, ReviewError, ReviewScope,
    ReviewSettings, reviewable_games,
};
use crate::puzzle::Puzzle;
use crate::review_cache::{self, CachedParts, ReviewCache, header_digest};

/// The most games that are in memory at once.
const BATCH: usize = 256;

impl ReviewSettings {
    pub fn check(&self, logs: &[OpenedLog]) -> Result<(), ReviewError> {
        let has_none = |log: &&OpenedLog| {
            let series = log.games.series();
            reviewer_of(series.kind(), &series.header().options).is_none()
        };
        let Some(unknown) = logs.iter().find(has_none) else { return Ok(()) };
        let (log, series) = (&unknown.name, unknown.games.series());
        let (game, options) = (series.kind(), &series.header().options);
        Err(ReviewError::NoReviewer(match reviewer(game) {
            Some(_) => format!("{log}: no review for {game} with {options}"),
            None => format!("{log}: no review for {game}: supported are {}", reviewable_games()),
        }))
    }

    /// Reviews the games that count, and gives each to `take` in the order of the logs.
    ///
    /// # Errors
    ///
    /// Fails at the first game that does not follow from its inputs, after the reviews of those before.
    pub fn run(
        &self,
        logs: &mut [OpenedLog],
        take: &mut dyn FnMut(ReviewedGame),
    ) -> Result<(), ReviewError> {
        self.check(logs)?;
        for (place, log) in logs.iter_mut().enumerate() {
            let mut kept = match self.budget {
                DecisionBudget::Time(_) => ReviewCache::nowhere(),
                DecisionBudget::Usual | DecisionBudget::Worlds(_) => {
                    ReviewCache::read_for(&log.path, header_digest(log.games.series()))
                }
            };
            let habits = BotDecisions::read(log);
            let (known, file) = kept.parts();
            self.each_batch(place, log, &mut |series, batch| {
                let context = GameReviewer::new(place, series, &habits, self);
                let start = || context.reviewer(batch, known);
                in_order(batch.len() as u64, self.workers, start, |(game, new)| {
                    // What is done is kept, also if this is stopped.
                    review_cache::add(file, new);
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
    pub fn puzzles(
        &self,
        logs: &mut [OpenedLog],
        take: &mut dyn FnMut(Vec<Puzzle>) -> ControlFlow<()>,
    ) -> Result<(), ReviewError> {
        self.check(logs)?;
        for (place, log) in logs.iter_mut().enumerate() {
            let mut kept = ReviewCache::read_for(&log.path, header_digest(log.games.series()));
            let habits = BotDecisions::read(log);
            let (known, file) = kept.parts();
            let name = log.name.clone();
            let mut flow = ControlFlow::Continue(());
            self.each_batch(place, log, &mut |series, batch| {
                let context = GameReviewer::new(place, series, &habits, self);
                let start = || context.puzzler(&name, batch, known);
                in_order(batch.len() as u64, self.workers, start, |(puzzles, new)| {
                    review_cache::add(file, new);
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
        log: &mut OpenedLog,
        review: &mut EachBatch<'_>,
    ) -> Result<(), ReviewError> {
        loop {
            let (batch, is_last) = self.batch(place, log)?;
            if review(log.games.series(), &batch)?.is_break() || is_last {
                return Ok(());
            }
        }
    }

    /// The next games that are wanted, and whether there are no more.
    fn batch(
        &self,
        place: usize,
        log: &mut OpenedLog,
    ) -> Result<(Vec<GameToReview>, bool), ReviewError> {
        let mut batch = Vec::new();
        while batch.len() < BATCH {
            let next = log.games.next_whole_game(&log.name);
            let Some(folded) = next.map_err(|error| ReviewError::Log(place, error))? else {
                return Ok((batch, true));
            };
            let CheckedGame { line, game, status, .. } = folded;
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

/// Gives the games of a log whose seats have all been reviewed before, by what was kept beside it: nothing is reviewed
/// now. The log has this place in the list.
///
/// # Errors
///
/// Fails at the first line of the log that cannot be read.
pub fn kept_reviews(
    place: usize,
    log: &mut OpenedLog,
    take: &mut dyn FnMut(&ReviewedGame),
) -> Result<(), ReviewError> {
    let (budget, of) = (DecisionBudget::Usual, ReviewScope::default());
    let review = ReviewSettings { budget, of, workers: NonZeroUsize::MIN };
    let mut kept = ReviewCache::read_for(&log.path, header_digest(log.games.series()));
    let (known, _) = kept.parts();
    if known.is_empty() {
        return Ok(());
    }
    let habits = BotDecisions::read(log);
    review.each_batch(place, log, &mut |series, batch| {
        let context = GameReviewer::new(place, series, &habits, &review);
        for wanted in batch {
            if let Some(game) = context.cached(wanted, known)? {
                take(&game);
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// Reviews a batch of games of a series, and says whether to go on.
type EachBatch<'a> =
    dyn FnMut(&Series, &[GameToReview]) -> Result<ControlFlow<()>, ReviewError> + 'a;

/// Reviews one game of a series: the decisions of this bot, or of all. Habits of opponents and what was kept of earlier
/// reviews play no part.
pub fn review_game(
    series: &Series,
    game: &GameRecord,
    bot: Option<String>,
) -> Result<ReviewedGame, ReviewError> {
    let of = ReviewScope { bot, ..ReviewScope::default() };
    let review = ReviewSettings { budget: DecisionBudget::Usual, of, workers: NonZeroUsize::MIN };
    let habits = BotDecisions::default();
    let context = GameReviewer::new(0, series, &habits, &review);
    let wanted = GameToReview { line: 0, game: Box::new(game.clone()), seats: review.seats(game) };
    let mut reviewer = reviewer_of(series.kind(), &series.header().options);
    let (reviewed, _) = context.game(&wanted, &CachedParts::new(), &mut reviewer)?;
    Ok(reviewed)
}
