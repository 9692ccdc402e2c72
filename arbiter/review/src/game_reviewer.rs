//! Reviewing the games of one log, each by itself.

use std::time::Instant;

use bots::review::{
    AnyGameReviewer, NotReviewed as NoOpinion, ReviewText, ReviewTextError, reviewer_of,
    usual_worlds,
};
use record::LogProblem;
use rules::{Digest, GameRecord};
use series::Series;

use crate::decision::{Decision, ResultBreakdown, ReviewedGame, StoredDealLuck};
use crate::log_review::{
    AnsweredQuestion, BotDecisions, DecisionBudget, GameToReview, MOST_WORLDS, PastDecisions,
    ReviewError, ReviewSettings, questions,
};
use crate::puzzle::Puzzle;
use crate::review_cache::{CachedParts, NewParts, ReviewPart, header_digest, key, luck_key};

/// The worlds by which the time of one is measured.
const FIRST_WORLDS: u32 = 32;

/// How many times the usual worlds a puzzle is confirmed by.
const MORE_WORLDS: u32 = 5;

/// The most puzzles of a game, which would otherwise be much alike.
const OF_A_GAME: usize = 2;

/// All that the reviews of a log share.
pub(crate) struct GameReviewer<'a> {
    place: usize,
    series: &'a Series,
    habits: &'a BotDecisions,
    budget: DecisionBudget,
    worlds: u32,
    /// The only move that is wanted, if one is.
    number: Option<u32>,
    header: Digest,
}

impl<'a> GameReviewer<'a> {
    pub(crate) fn new(
        place: usize,
        series: &'a Series,
        habits: &'a BotDecisions,
        review: &ReviewSettings,
    ) -> GameReviewer<'a> {
        let (budget, number) = (review.budget, review.of.number);
        let worlds = match budget {
            DecisionBudget::Worlds(worlds) => worlds,
            DecisionBudget::Usual | DecisionBudget::Time(_) => usual_worlds(series.kind()),
        };
        let header = header_digest(series);
        GameReviewer { place, series, habits, budget, worlds, number, header }
    }

    /// Returns a function for one thread that reviews the game at a place of the batch.
    pub(crate) fn reviewer<'b>(
        &'b self,
        batch: &'b [GameToReview],
        kept: &'b CachedParts,
    ) -> impl FnMut(u64) -> Result<(ReviewedGame, NewParts), ReviewError> + use<'a, 'b> {
        let mut reviewer = reviewer_of(self.series.kind(), &self.series.header().options);
        move |number| self.game(&batch[number as usize], kept, &mut reviewer)
    }

    /// Returns a function for one thread that finds the puzzles in the game at a place of the batch.
    pub(crate) fn puzzler<'b>(
        &'b self,
        log: &'b str,
        batch: &'b [GameToReview],
        kept: &'b CachedParts,
    ) -> impl FnMut(u64) -> Result<(Vec<Puzzle>, NewParts), ReviewError> + use<'a, 'b> {
        let mut reviewer = reviewer_of(self.series.kind(), &self.series.header().options);
        move |number| {
            let wanted = &batch[number as usize];
            let (game, fresh) = self.game(wanted, kept, &mut reviewer)?;
            let puzzles = match &mut reviewer {
                Some(reviewer) => self.puzzles(log, wanted, &game.decisions, &mut **reviewer)?,
                None => Vec::new(),
            };
            Ok((puzzles, fresh))
        }
    }

    /// The decisions of a game whose best move stays clearly best in more worlds.
    fn puzzles(
        &self,
        log: &str,
        GameToReview { line, game, .. }: &GameToReview,
        decisions: &[Decision],
        reviewer: &mut (dyn AnyGameReviewer + Send),
    ) -> Result<Vec<Puzzle>, ReviewError> {
        let clear: Vec<&Decision> = decisions.iter().filter(|it| it.has_a_clear_best()).collect();
        if clear.is_empty() {
            return Ok(Vec::new());
        }
        let seats: Vec<usize> = clear.iter().map(|decision| decision.seat).collect();
        let asked = questions(self.series, game, &seats).map_err(|discrepancy| {
            ReviewError::Log(self.place, LogProblem::game(*line, game, discrepancy).into())
        })?;
        reviewer.forget();
        let mut puzzles = Vec::new();
        for decision in clear {
            if puzzles.len() == OF_A_GAME {
                break;
            }
            let Some(asked) = asked.iter().find(|asked| asked.number == decision.number) else {
                continue;
            };
            let best = &decision.moves[decision.best()].mv;
            let worlds = self.worlds.saturating_mul(MORE_WORLDS).min(MOST_WORLDS);
            // Equal moves count once, so the best one may be one that is not in the list of a second review.
            let Ok(opinion) = reviewer.review(&asked.request, best, worlds) else { continue };
            let confirmed = Decision::new(asked.number, asked.seat.index(), opinion);
            if let Some(confirmed) = confirmed.filter(Decision::played_clearly_best) {
                puzzles.push(Puzzle::new(log, game.game, &confirmed, asked.request.clone()));
            }
        }
        Ok(puzzles)
    }

    /// The cached review of a game; none unless every seat has one.
    pub(crate) fn cached(
        &self,
        wanted: &GameToReview,
        kept: &CachedParts,
    ) -> Result<Option<ReviewedGame>, ReviewError> {
        let is_kept = |seat: &usize| {
            let learnt = self.habits.of_opponent(&wanted.game, *seat).map(PastDecisions::digest);
            let learnt = learnt.unwrap_or_default();
            kept.contains_key(&key(self.header, &wanted.game, *seat, self.worlds, learnt).bytes())
        };
        match wanted.seats.iter().all(is_kept) {
            true => self.game(wanted, kept, &mut None).map(|(game, _)| Some(game)),
            false => Ok(None),
        }
    }

    /// Reviews a game, with what was not kept yet.
    pub(crate) fn game(
        &self,
        wanted: &GameToReview,
        kept: &CachedParts,
        reviewer: &mut Option<Box<dyn AnyGameReviewer + Send>>,
    ) -> Result<(ReviewedGame, NewParts), ReviewError> {
        let GameToReview { game, seats, .. } = wanted;
        let mut decisions = Vec::new();
        let mut fresh = Vec::new();
        for seat in seats {
            let habit = self.habits.of_opponent(game, *seat);
            let learnt = habit.map(PastDecisions::digest).unwrap_or_default();
            let key = key(self.header, game, *seat, self.worlds, learnt);
            match (kept.get(&key.bytes()), &mut *reviewer) {
                (Some(ReviewPart::Decisions(known)), _)
                    if known.iter().all(|it| it.seat == *seat) =>
                {
                    decisions.extend(known.iter().cloned());
                }
                (_, Some(reviewer)) => {
                    let new = self.seat(wanted, *seat, habit, &mut **reviewer)?;
                    decisions.extend(new.iter().cloned());
                    if self.number.is_none() {
                        fresh.push((key, ReviewPart::Decisions(new)));
                    }
                }
                (_, None) => {}
            }
        }
        let luck = match (game.seats.len(), self.number, &mut *reviewer) {
            (2, None, Some(reviewer)) => self.luck(game, kept, &mut fresh, &mut **reviewer)?,
            _ => Vec::new(),
        };
        decisions.retain(|decision| self.is_wanted(decision.number));
        decisions.sort_by_key(|decision: &Decision| decision.number);
        let given_away = |seat: usize| {
            let own = decisions.iter().filter(|decision| decision.seat == seat);
            own.map(|decision| decision.given_away).sum::<f64>()
        };
        let given_away = (seats.len() == 2).then(|| [0, 1].map(given_away));
        let accounts = ResultBreakdown::of_both_seats(game, &luck, given_away)
            .map(Vec::from)
            .unwrap_or_default();
        let reviewed =
            ReviewedGame { decisions, luck, accounts, ..ReviewedGame::new(self.place, game) };
        Ok((reviewed, fresh))
    }

    fn luck(
        &self,
        game: &GameRecord,
        kept: &CachedParts,
        fresh: &mut NewParts,
        reviewer: &mut (dyn AnyGameReviewer + Send),
    ) -> Result<Vec<StoredDealLuck>, ReviewError> {
        let key = luck_key(game);
        if let Some(ReviewPart::Luck(known)) = kept.get(&key.bytes())
            && known.iter().all(|deal| deal.is_of(game))
        {
            return Ok(known.clone());
        }
        let options = &self.series.header().options;
        let luck = reviewer
            .luck(options, &game.events, key)
            .map_err(|error| ReviewError::Failed(format!("game {}: {error}", game.game)))?;
        let luck: Vec<StoredDealLuck> = luck.into_iter().map(StoredDealLuck::from).collect();
        if !luck.is_empty() {
            fresh.push((key, ReviewPart::Luck(luck.clone())));
        }
        Ok(luck)
    }

    fn seat(
        &self,
        GameToReview { line, game, .. }: &GameToReview,
        seat: usize,
        habit: Option<&PastDecisions>,
        reviewer: &mut (dyn AnyGameReviewer + Send),
    ) -> Result<Vec<Decision>, ReviewError> {
        let unread = |number: u32, error: ReviewTextError| {
            ReviewError::Failed(format!("game {}, move {number}: {error}", game.game))
        };
        let asked = questions(self.series, game, &[seat]).map_err(|discrepancy| {
            ReviewError::Log(self.place, LogProblem::game(*line, game, discrepancy).into())
        })?;
        let wanted: Vec<AnsweredQuestion> =
            asked.into_iter().filter(|asked| self.is_wanted(asked.number)).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        reviewer.forget();
        for (request, played) in habit.map_or(&[][..], |habit| &habit.decisions) {
            // A decision that says nothing about habits is left out.
            let _ = reviewer.learn(request, played);
        }
        let mut decisions = Vec::new();
        for asked in wanted {
            let opinion = self.opinion(reviewer, &asked);
            let opinion = opinion.map_err(|error| unread(asked.number, error))?;
            decisions.extend(opinion.and_then(|it| Decision::new(asked.number, seat, it)));
        }
        Ok(decisions)
    }

    fn is_wanted(&self, number: u32) -> bool {
        self.number.is_none_or(|wanted| wanted == number)
    }

    /// Asks the reviewer; none if no world agrees with the request.
    fn opinion(
        &self,
        reviewer: &mut (dyn AnyGameReviewer + Send),
        asked: &AnsweredQuestion,
    ) -> Result<Option<ReviewText>, ReviewTextError> {
        let mut review = |worlds| reviewer.review(&asked.request, &asked.played, worlds);
        let opinion = match self.budget {
            DecisionBudget::Usual | DecisionBudget::Worlds(_) => review(self.worlds),
            DecisionBudget::Time(time) => {
                let begun = Instant::now();
                let first = review(FIRST_WORLDS);
                let taken = begun.elapsed();
                let one = taken.as_secs_f64().max(1e-9) / f64::from(FIRST_WORLDS);
                match (time.saturating_sub(taken).as_secs_f64() / one) as u32 {
                    0..=FIRST_WORLDS => first,
                    more => review(more.min(MOST_WORLDS)),
                }
            }
        };
        match opinion {
            Ok(opinion) => Ok(Some(opinion)),
            Err(ReviewTextError::NotReviewed(NoOpinion::NoWorld)) => Ok(None),
            Err(other) => Err(other),
        }
    }
}
