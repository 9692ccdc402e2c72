//! Reviews by a program of the user, which states what moves are worth beside its answers.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use bots::review::{Comparison, Opinion, Reviewed, Reviews, Value, Words, reviewer_of};
use record::LogProblem;
use series::Series;
use thiserror::Error;
use workers::in_order;

use crate::decision::{Decision, ReviewedGame, UnvaluedDecision};
use crate::legal_moves::LegalMoves;
use crate::log_review::{GameToReview, LogReview, ReviewError, ReviewedLog};
use crate::questions::{AnsweredQuestion, questions};
use crate::value_lines::values;

/// Starts the program that values moves.
pub trait ProgramStarter: Sync {
    /// The program for one thread.
    fn start(&self) -> Box<dyn ValuingProgram + Send + '_>;
}

/// A program that values moves, asked on one thread.
pub trait ValuingProgram {
    /// Prepares for the requests of a seat in a game. Nothing is left of those before.
    ///
    /// # Errors
    ///
    /// Only the machine can fail: [`ValuationError::Machine`].
    fn new_game(&mut self) -> Result<(), ValuationError>;

    /// Asks what a seat was asked, and returns what the program printed on standard error.
    fn ask(&mut self, request: &str) -> Result<Vec<u8>, ValuationError>;

    /// Returns true if it has to get all requests of a game, since its answers depend on those before.
    fn remembers(&self) -> bool;
}

/// Why a program has valued no moves; the text is one line that a terminal can show.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ValuationError {
    /// The program is to blame: the decision is left out.
    #[error("{0}")]
    Program(String),
    /// The referee or the machine failed: the review stops.
    #[error("{0}")]
    Machine(String),
}

impl LogReview {
    /// Reviews the games that count by the values that a program states, and gives each to `take` in the order of the
    /// logs. Nothing is kept, since the program may answer differently next time. It takes as long as it likes within its
    /// limits.
    ///
    /// The program gets the decisions with at least two listed moves. A decision is [left out](ReviewedGame::left_out) if
    /// the program gives no values, no value for the move played, or a value for one move only.
    pub fn run_by(
        &self,
        programs: &dyn ProgramStarter,
        logs: &mut [ReviewedLog],
        take: &mut dyn FnMut(ReviewedGame),
    ) -> Result<(), ReviewError> {
        let answers = AnswerCounter::default();
        for (place, log) in logs.iter_mut().enumerate() {
            self.each_batch(place, log, &mut |series, batch| {
                let start = || {
                    let mut asking = ProgramReviewer {
                        place,
                        series,
                        number: self.of.number,
                        answers: &answers,
                        program: programs.start(),
                        reviewer: reviewer_of(series.kind(), &series.header().options),
                    };
                    move |number: u64| asking.game(&batch[number as usize])
                };
                in_order(batch.len() as u64, self.workers, start, |game| {
                    take(game);
                    ControlFlow::Continue(())
                })?;
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(())
    }
}

/// The decisions without values after which a program that has given none yet is asked no more: each may have
/// taken all of its time.
const SILENT: u32 = 20;

/// Counts the answers of the program on all threads.
#[derive(Debug, Default)]
struct AnswerCounter {
    has_valued: AtomicBool,
    left_out: Mutex<MissingValues>,
}

/// The decisions without values so far.
#[derive(Debug, Default)]
struct MissingValues {
    count: u32,
    /// The first of them, with the reason.
    first: String,
}

impl AnswerCounter {
    /// Counts a decision without values of this game.
    ///
    /// # Errors
    ///
    /// [`ReviewError::Silent`] if the program seems never to give any.
    fn count(&self, game: u64, left_out: &UnvaluedDecision) -> Result<(), ReviewError> {
        if self.has_valued.load(Ordering::SeqCst) {
            return Ok(());
        }
        let mut so_far = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        if so_far.count == 0 {
            let UnvaluedDecision { number, why, .. } = left_out;
            so_far.first = format!("game {game}, move {number}: {why}");
        }
        so_far.count += 1;
        match so_far.count {
            SILENT => Err(ReviewError::Silent { decisions: SILENT, first: so_far.first.clone() }),
            _ => Ok(()),
        }
    }
}

/// Asks the program on one thread.
struct ProgramReviewer<'a> {
    /// The log, by its place in the list.
    place: usize,
    series: &'a Series,
    /// The only move that is wanted, if one is.
    number: Option<u32>,
    answers: &'a AnswerCounter,
    program: Box<dyn ValuingProgram + Send + 'a>,
    /// The reviewer of the game, for its words.
    reviewer: Option<Box<dyn Reviews + Send>>,
}

impl ProgramReviewer<'_> {
    fn game(&mut self, wanted: &GameToReview) -> Result<ReviewedGame, ReviewError> {
        let GameToReview { game, seats, .. } = wanted;
        let mut reviewed = ReviewedGame::new(self.place, game);
        for seat in seats {
            self.seat(wanted, *seat, &mut reviewed)?;
        }
        reviewed.decisions.sort_by_key(|decision| decision.number);
        reviewed.left_out.sort_by_key(|left_out| left_out.number);
        Ok(reviewed)
    }

    /// Adds the decisions of a seat.
    fn seat(
        &mut self,
        GameToReview { line, game, .. }: &GameToReview,
        seat: usize,
        reviewed: &mut ReviewedGame,
    ) -> Result<(), ReviewError> {
        let asked = questions(self.series, game, &[seat]).map_err(|discrepancy| {
            ReviewError::Log(self.place, LogProblem::game(*line, game, discrepancy).into())
        })?;
        let stopped =
            |error: ValuationError| ReviewError::Failed(format!("{error}; the review stops"));
        self.program.new_game().map_err(stopped)?;
        for asked in asked {
            let number = asked.number;
            let unread = |problem: String| {
                ReviewError::Failed(format!("game {}, move {number}: {problem}", game.game))
            };
            let moves = LegalMoves::read(&asked.request).map_err(|it| unread(it.to_string()))?;
            let is_wanted = self.number.is_none_or(|wanted| wanted == number) && moves.count() > 1;
            if !is_wanted && !self.program.remembers() {
                continue;
            }
            let opinion = match self.program.ask(&asked.request) {
                Ok(_) if !is_wanted => continue,
                Ok(printed) => stated_values(&printed, &asked, &moves),
                Err(error @ ValuationError::Machine(_)) => return Err(stopped(error)),
                Err(ValuationError::Program(_)) if !is_wanted => continue,
                Err(ValuationError::Program(why)) => Err(why),
            };
            match opinion {
                Ok(stated) => {
                    self.answers.has_valued.store(true, Ordering::SeqCst);
                    let opinion = self.worded(&asked, stated).map_err(unread)?;
                    reviewed.decisions.extend(Decision::new(number, seat, opinion));
                }
                Err(why) => {
                    let left_out = UnvaluedDecision { number, seat, why };
                    self.answers.count(game.game, &left_out)?;
                    reviewed.left_out.push(left_out);
                }
            }
        }
        Ok(())
    }

    /// Finds the words for a decision; plain ones in a game without a reviewer.
    fn worded(
        &self,
        asked: &AnsweredQuestion,
        reviewed: Reviewed<String>,
    ) -> Result<Opinion, String> {
        let best = reviewed.best();
        let better = (best != reviewed.played).then(|| reviewed.moves[best].mv.as_str());
        let words = match &self.reviewer {
            Some(reviewer) => reviewer.words(&asked.request, &asked.played, better),
            None => {
                let plain = |better| format!("plays {} where {better} is better", asked.played);
                Ok(Words { phase: "", difference: better.map(plain) })
            }
        };
        let Words { phase, difference } = words.map_err(|error| error.to_string())?;
        Ok(Opinion { reviewed, by_habits: None, phase, difference })
    }
}

/// Reads the values that a program states for a decision.
///
/// # Errors
///
/// The reason why they are of no use, in one line.
fn stated_values(
    printed: &[u8],
    asked: &AnsweredQuestion,
    moves: &LegalMoves<'_>,
) -> Result<Reviewed<String>, String> {
    let values: BTreeMap<String, f64> = values(printed, |text| moves.spelt(text))?;
    let mut values: Vec<(String, Value)> =
        values.into_iter().map(|(mv, share)| (mv, Value { share, points: None })).collect();
    values.sort_by_key(|(mv, _)| moves.place(mv));
    match (values.len(), values.iter().position(|(mv, _)| *mv == asked.played)) {
        (0, _) => Err("no `value MOVE NUMBER` line on standard error".to_owned()),
        (_, None) => Err(format!("no value for `{}`, which was played", asked.played)),
        (1, _) => Err("only one move rated: rate at least two".to_owned()),
        (_, Some(played)) => Ok(Comparison::stated(played, values)),
    }
}
