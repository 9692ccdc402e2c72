//! Reviewing the games of one log, each by itself.

use std::time::Instant;

use bots::player::Failure;
use bots::review::{NotReviewed as NoOpinion, Opinion, Reviews, reviewer, usual_worlds};
use conditions::series::Series;
use record::Wrong;
use rules::Digest;

use crate::decision::{Decision, ReviewedGame};
use crate::habits::{Habit, Habits};
use crate::kept::{Fresh, Kept, key};
use crate::log_review::{Budget, MOST_WORLDS, NotReviewed, Wanted};
use crate::questions::{Asked, questions};

/// The worlds by which the time of one is measured.
const FIRST_WORLDS: u32 = 32;

/// All that the reviews of a log share.
pub(crate) struct Context<'a> {
    place: usize,
    series: &'a Series,
    habits: &'a Habits,
    budget: Budget,
    worlds: u32,
    /// The digest of the header.
    header: Digest,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        place: usize,
        series: &'a Series,
        habits: &'a Habits,
        budget: Budget,
    ) -> Context<'a> {
        let worlds = match budget {
            Budget::Worlds(worlds) => worlds,
            Budget::Usual | Budget::Time(_) => usual_worlds(series.kind()),
        };
        let header = Digest::hash(&serde_json::to_vec(series.header()).unwrap_or_default());
        Context { place, series, habits, budget, worlds, header }
    }

    /// What reviews the games of a batch by their places, on one thread.
    pub(crate) fn reviewer<'b>(
        &'b self,
        batch: &'b [Wanted],
        kept: &'b Kept,
    ) -> impl FnMut(u64) -> Result<(ReviewedGame, Fresh), NotReviewed> + use<'a, 'b> {
        let mut reviewer = reviewer(self.series.kind());
        move |number| self.game(&batch[number as usize], kept, &mut reviewer)
    }

    fn game(
        &self,
        wanted: &Wanted,
        kept: &Kept,
        reviewer: &mut Option<Box<dyn Reviews + Send>>,
    ) -> Result<(ReviewedGame, Fresh), NotReviewed> {
        let Wanted { game, seats, .. } = wanted;
        let mut decisions = Vec::new();
        let mut fresh = Vec::new();
        for seat in seats {
            let habit = self.habits.of_opponent(game, *seat);
            let learnt = habit.map(Habit::digest).unwrap_or_default();
            let key = key(self.header, game, *seat, self.worlds, learnt);
            match (kept.get(key), &mut *reviewer) {
                (Some(known), _) => decisions.extend(known.iter().cloned()),
                (None, Some(reviewer)) => {
                    let new = self.seat(wanted, *seat, habit, &mut **reviewer)?;
                    decisions.extend(new.iter().cloned());
                    fresh.push((key, new));
                }
                (None, None) => {}
            }
        }
        decisions.sort_by_key(|decision: &Decision| decision.number);
        let (number, deal, seats) = (game.game, game.deal, game.seats.clone());
        Ok((ReviewedGame { log: self.place, number, deal, seats, decisions }, fresh))
    }

    /// The decisions of a seat.
    fn seat(
        &self,
        Wanted { line, game, .. }: &Wanted,
        seat: usize,
        habit: Option<&Habit>,
        reviewer: &mut (dyn Reviews + Send),
    ) -> Result<Vec<Decision>, NotReviewed> {
        let unread = |number: u32, error: Failure| {
            let (game, problem) = (game.game, error.to_string());
            NotReviewed::Request { game, number, problem }
        };
        reviewer.forget();
        for (request, played) in habit.map_or(&[][..], |habit| &habit.decisions) {
            match reviewer.learn(request, played) {
                // What says nothing about habits is left out.
                Ok(()) | Err(Failure::NotReviewed(_)) => {}
                Err(error) => return Err(unread(0, error)),
            }
        }
        let asked = questions(self.series, game, &[seat]).map_err(|discrepancy| {
            NotReviewed::Log(self.place, Wrong::game(*line, game, discrepancy).into())
        })?;
        let mut decisions = Vec::new();
        for asked in asked {
            let opinion = self.opinion(reviewer, &asked);
            let opinion = opinion.map_err(|error| unread(asked.number, error))?;
            decisions.extend(opinion.and_then(|it| Decision::new(asked.number, seat, it)));
        }
        Ok(decisions)
    }

    /// What the reviewer says; none if no world agrees with what the seat was told.
    fn opinion(
        &self,
        reviewer: &mut (dyn Reviews + Send),
        asked: &Asked,
    ) -> Result<Option<Opinion>, Failure> {
        let mut review = |worlds| reviewer.review(&asked.request, &asked.played, worlds);
        let opinion = match self.budget {
            Budget::Usual | Budget::Worlds(_) => review(self.worlds),
            Budget::Time(time) => {
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
            Err(Failure::NotReviewed(NoOpinion::NoWorld)) => Ok(None),
            Err(other) => Err(other),
        }
    }
}
