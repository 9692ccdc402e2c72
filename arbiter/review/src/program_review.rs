//! Reviews by a program of the user, which states what moves are worth beside its answers.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use bots::review::{
    AnyGameReviewer, Comparison, DecisionWords, ReviewText, ReviewedDecision, WorldResult,
    reviewer_of,
};
use record::LogProblem;
use rules::request_text::{NotRequest, PlainRequest};
use rules::{Answer, Dialect, StandaloneRequest};
use series::Series;
use text::excerpt;
use thiserror::Error;
use workers::in_order;

use crate::decision::{Decision, ReviewedGame, UnvaluedDecision};
use crate::log_review::{
    AnsweredQuestion, GameToReview, OpenedLog, ReviewError, ReviewSettings, questions,
};

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

impl ReviewSettings {
    /// Reviews the games that count by the values that a program states, and gives each to `take` in the order of the
    /// logs. Nothing is kept, since the program may answer differently next time. It takes as long as it likes within its
    /// limits.
    ///
    /// `start` starts the program for one thread. The program gets the decisions with at least two listed moves. A decision is [left out](ReviewedGame::left_out) if
    /// the program gives no values, no value for the move played, or a value for one move only.
    pub fn run_by(
        &self,
        start: &(dyn Fn() -> Box<dyn ValuingProgram + Send> + Sync),
        logs: &mut [OpenedLog],
        take: &mut dyn FnMut(ReviewedGame),
    ) -> Result<(), ReviewError> {
        let answers = AnswerCounter::default();
        for (place, log) in logs.iter_mut().enumerate() {
            self.each_batch(place, log, &mut |series, batch| {
                let reviewer = || {
                    let mut asking = ProgramReviewer {
                        place,
                        series,
                        number: self.of.number,
                        answers: &answers,
                        program: start(),
                        reviewer: reviewer_of(series.kind(), &series.header().options),
                    };
                    move |number: u64| asking.game(&batch[number as usize])
                };
                in_order(batch.len() as u64, self.workers, reviewer, |game| {
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

#[derive(Debug, Default)]
struct AnswerCounter {
    has_valued: AtomicBool,
    /// The number of decisions without values so far, and the first of them with the reason.
    left_out: Mutex<(u32, String)>,
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
        let (count, first) = &mut *so_far;
        if *count == 0 {
            let UnvaluedDecision { number, why, .. } = left_out;
            *first = format!("game {game}, move {number}: {why}");
        }
        *count += 1;
        match *count {
            SILENT => Err(ReviewError::Silent { decisions: SILENT, first: first.clone() }),
            _ => Ok(()),
        }
    }
}

struct ProgramReviewer<'a> {
    /// The log, by its place in the list.
    place: usize,
    series: &'a Series,
    /// The only move that is wanted, if one is.
    number: Option<u32>,
    answers: &'a AnswerCounter,
    program: Box<dyn ValuingProgram + Send>,
    /// The reviewer of the game, for its words.
    reviewer: Option<Box<dyn AnyGameReviewer + Send>>,
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
            |error: ValuationError| ReviewError::Failed(format!("{error}; stopping the review"));
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
        reviewed: ReviewedDecision<String>,
    ) -> Result<ReviewText, String> {
        let best = reviewed.best();
        let better = (best != reviewed.played).then(|| reviewed.moves[best].mv.as_str());
        let words = match &self.reviewer {
            Some(reviewer) => reviewer.words(&asked.request, &asked.played, better),
            None => {
                let plain = |better| format!("plays {} where {better} is better", asked.played);
                Ok(DecisionWords { phase: "", difference: better.map(plain) })
            }
        };
        let DecisionWords { phase, difference } = words.map_err(|error| error.to_string())?;
        Ok(ReviewText { reviewed, by_habits: None, phase, difference })
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
) -> Result<ReviewedDecision<String>, String> {
    let values: BTreeMap<String, f64> = values(printed, |text| moves.spelt(text))?;
    let mut values: Vec<(String, WorldResult)> =
        values.into_iter().map(|(mv, share)| (mv, WorldResult { share, points: None })).collect();
    values.sort_by_key(|(mv, _)| moves.place(mv));
    match (values.len(), values.iter().position(|(mv, _)| *mv == asked.played)) {
        (0, _) => Err("no `value MOVE NUMBER` line on standard error".to_owned()),
        (_, None) => Err(format!("no value for `{}`, which was played", asked.played)),
        (1, _) => Err("only one move rated: rate at least two".to_owned()),
        (_, Some(played)) => Ok(Comparison::stated(played, values)),
    }
}

/// How a line with a value begins.
const BEGINNING: &[u8] = b"value ";

/// Reads the chance to win by each move that has a line; the last line of a move counts. All other lines are skipped.
///
/// A line that states no value is an error: one line that a terminal can show. `spelt` gives the one spelling of a legal move, or the reason why a text is none.
fn values(
    printed: &[u8],
    mut spelt: impl FnMut(&str) -> Result<String, String>,
) -> Result<BTreeMap<String, f64>, String> {
    let mut values = BTreeMap::new();
    for line in printed.split(|byte| *byte == b'\n') {
        let Some(rest) = line.strip_prefix(BEGINNING) else { continue };
        let shown = || excerpt::line(&String::from_utf8_lossy(line.trim_ascii_end()));
        let rest = String::from_utf8_lossy(rest);
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let (number, mv) = match words.split_last() {
            Some((number, mv @ [_, ..])) => (number, mv),
            Some((_, [])) | None => {
                return Err(format!("`{}`, expected `value MOVE NUMBER`", shown()));
            }
        };
        let chance = number.parse().ok().filter(|chance| (0.0..=1.0).contains(chance));
        let chance: f64 = chance.ok_or_else(|| {
            format!("`{}`, expected a number from 0 to 1 as the last word", shown())
        })?;
        let mv = spelt(&mv.join(" "))
            .map_err(|problem| format!("`{}`: {}", shown(), excerpt::line(&problem)))?;
        // Without its sign, since zero can have one.
        values.insert(mv, chance.abs());
    }
    Ok(values)
}

struct LegalMoves<'a> {
    request: &'a str,
    /// The places of the listed ones.
    listed: BTreeMap<&'a str, usize>,
    /// The position, once a text was looked for that is not in the list.
    sample: OnceCell<Result<StandaloneRequest, String>>,
}

impl<'a> LegalMoves<'a> {
    fn read(request: &'a str) -> Result<LegalMoves<'a>, NotRequest> {
        let legal = PlainRequest::read(request)?.legal;
        let listed = legal.into_iter().enumerate().map(|(place, mv)| (mv, place)).collect();
        Ok(LegalMoves { request, listed, sample: OnceCell::new() })
    }

    /// The number of listed moves.
    fn count(&self) -> usize {
        self.listed.len()
    }

    /// The place of a move in the list; those that are not in it come last.
    fn place(&self, mv: &str) -> usize {
        self.listed.get(mv).copied().unwrap_or(usize::MAX)
    }

    /// The one spelling of the legal move that a text means, read as an answer is.
    fn spelt(&self, text: &str) -> Result<String, String> {
        if self.listed.contains_key(text) {
            return Ok(text.to_owned());
        }
        let read = || StandaloneRequest::read(self.request).map_err(|error| error.to_string());
        let sample = self.sample.get_or_init(read).as_ref().map_err(String::clone)?;
        let answer = Answer::Output(text.as_bytes().to_vec());
        match sample.played(Dialect::Native, answer.clone()) {
            Some(mv) => Ok(mv),
            None => Err(sample.rule(Dialect::Native, answer).detail),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_move_is_read_as_an_answer_is_and_keeps_its_place_in_the_list() {
        let request = include_str!("../../../examples/requests/tablic/first-move.txt");
        let moves = LegalMoves::read(request).expect("a request");
        let listed = PlainRequest::read(request).expect("a request").legal;
        assert_eq!(moves.count(), listed.len());
        for (place, mv) in listed.iter().enumerate() {
            let mut words: Vec<&str> = mv.split(' ').collect();
            words[1..].reverse();
            let other = words.join(" ").to_ascii_lowercase();
            assert_eq!(moves.spelt(&other).as_deref(), Ok(*mv), "{other}");
            assert_eq!(moves.place(mv), place);
        }
        assert!(moves.spelt("1S").is_err_and(|why| why.contains("expected a card")));
        assert!(moves.spelt("2C 2D").is_err());
        assert_eq!(moves.place("2C 2D"), usize::MAX);
        assert!(LegalMoves::read("no request").is_err());
    }

    /// Any text is a move but those that begin with `no`.
    fn spelt(text: &str) -> Result<String, String> {
        match text.strip_prefix("no") {
            Some(_) => Err("not legal".to_owned()),
            None => Ok(text.to_ascii_uppercase()),
        }
    }

    #[test]
    fn lines_that_begin_with_value_are_read_and_others_are_not() {
        let read = |printed: &str| values(printed.as_bytes(), spelt);
        let some = |values: &[(&str, f64)]| -> Result<BTreeMap<String, f64>, String> {
            Ok(values.iter().map(|(mv, chance)| ((*mv).to_owned(), *chance)).collect())
        };
        for (printed, expected) in [
            ("", some(&[])),
            ("values a 1\n value a 1\nVALUE a 1\nvalue\n\u{1b}[2J\0\n", some(&[])),
            ("value a 1", some(&[("A", 1.0)])),
            ("value A 1\r\nvalue b  c\t0.5 \n", some(&[("A", 1.0), ("B C", 0.5)])),
            ("value a 0.1\nthinking\nvalue b 0\nvalue A 0.25\n", some(&[("A", 0.25), ("B", 0.0)])),
            (
                "value a 1e-3\nvalue b -0\nvalue c +.5\n",
                some(&[("A", 0.001), ("B", 0.0), ("C", 0.5)]),
            ),
        ] {
            assert_eq!(read(printed), expected, "{printed:?}");
        }
        assert!(read("value a -0").is_ok_and(|values| values["A"].is_sign_positive()));
        for (printed, says) in [
            ("value ", "`value`, expected `value MOVE NUMBER`"),
            ("value 0.5", "`value 0.5`, expected `value MOVE NUMBER`"),
            ("value a", "`value a`, expected `value MOVE NUMBER`"),
            ("value a b", "`value a b`, expected a number from 0 to 1 as the last word"),
            ("value a NaN", "`value a NaN`, expected a number"),
            ("value a inf", "`value a inf`, expected a number"),
            ("value a 2", "`value a 2`, expected a number"),
            ("value a -1", "`value a -1`, expected a number"),
            ("value a 1.0000001", "expected a number"),
            ("value a 0,5", "expected a number"),
            ("value a \u{1b}[2J", "`value a \\u{1b}[2J`, expected a number"),
            ("value no 1\nvalue a 2", "`value no 1`: not legal"),
        ] {
            let error = read(printed);
            assert!(error.as_ref().is_err_and(|error| error.contains(says)), "{error:?}, {says}");
        }
    }

    /// A move as the protocol has it: printable ASCII with single blanks between its words.
    fn mv() -> impl Strategy<Value = String> {
        proptest::collection::vec("[!-~]{1,4}", 1..5).prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn the_last_value_of_each_move_is_read_among_other_lines(
            stated in proptest::collection::vec((mv(), 0.0..=1.0, "[ -~]{0,12}"), 0..20),
        ) {
            let mut printed = String::new();
            let mut expected = BTreeMap::new();
            for (mv, chance, other) in &stated {
                printed.push_str(&format!("~{other}\nvalue {mv} {chance}\n"));
                expected.insert(mv.clone(), *chance);
            }
            let spelt = |text: &str| Ok(text.to_owned());
            prop_assert_eq!(values(printed.as_bytes(), spelt), Ok(expected));
        }

        #[test]
        fn no_bytes_make_a_value_that_is_no_chance(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            number in "[-+.0-9einfNa]{0,8}",
        ) {
            let printed = [b"value ".as_slice(), &bytes, b" ", number.as_bytes()].concat();
            match values(&printed, spelt) {
                Ok(values) => {
                    prop_assert!(values.values().all(|chance| (0.0..=1.0).contains(chance)));
                }
                Err(said) => {
                    prop_assert!(!said.chars().any(char::is_control), "{}", said);
                    prop_assert!(said.chars().count() < 3_000, "{}", said);
                }
            }
        }
    }
}
