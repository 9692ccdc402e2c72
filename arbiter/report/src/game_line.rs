//! A game as the viewer has it: its heading, its steps, and what its moves are worth.
//!
//! After each step every seat has a view, a handful of lines. Most of them are the same for all seats and the
//! same as before, so a step holds only the lines that changed, by their place in the view: first the changes
//! that all seats share, then those of single seats.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::Not;

use review::{Decision, MistakeGrade, ResultBreakdown};
use rules::{AnswerRecord, GameRecord, HistoryLine, Outcome, PerSeat, Redacted, Seat, Verdict};
use serde::{Serialize, Serializer};

use crate::notes::MeasuredLine;
use series::game_status::GameStatus;

#[derive(Debug, Serialize)]
pub struct GameLine {
    #[serde(flatten)]
    pub(crate) heading: GameHeading,
    /// The public name of the game.
    id: String,
    /// The hands in its steps; none where all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    hands: Option<HandVisibility>,
    /// The luck of each seat, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) luck: Option<GameLuck>,
    steps: Vec<StepLine>,
}

impl GameLine {
    /// The steps and the numbers of the legal answers.
    pub(crate) fn accepted_moves(&self) -> impl Iterator<Item = (usize, u32)> {
        let steps = self.steps.iter().enumerate();
        let answers = steps.filter_map(|(step, line)| Some((step, line.answer.as_ref()?)));
        let accepted = answers.filter(|(_, answer)| answer.answered.verdict == Verdict::Ok);
        accepted.map(|(step, answer)| (step, answer.number))
    }

    /// The legal answers, with their steps.
    pub(crate) fn accepted(&mut self) -> impl Iterator<Item = (usize, &mut AnswerLine)> {
        let steps = self.steps.iter_mut().enumerate();
        let answers = steps.filter_map(|(step, line)| Some((step, line.answer.as_mut()?)));
        answers.filter(|(_, answer)| answer.answered.verdict == Verdict::Ok)
    }

    /// The step at which a line of the history appeared; the last one, if there are not as many.
    pub(crate) fn step_of(&self, line: usize) -> usize {
        let mut told = 0;
        let appeared = self.steps.iter().position(|step| {
            told += step.events.len();
            told > line
        });
        appeared.unwrap_or(self.steps.len().saturating_sub(1))
    }

    /// A game with its steps and all hands.
    pub(crate) fn new(heading: GameHeading, game: &GameRecord, steps: Vec<StepLine>) -> GameLine {
        GameLine { heading, id: game.id.to_string(), hands: None, luck: None, steps }
    }

    /// A game with the public part of its steps.
    pub(crate) fn covered(
        heading: GameHeading,
        game: &GameRecord,
        steps: Vec<StepLine>,
    ) -> GameLine {
        GameLine { hands: Some(HandVisibility::Public), ..GameLine::new(heading, game, steps) }
    }
}

/// An attempt at a game. They are ordered as in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameKey {
    pub number: u64,
    /// The number of the attempt.
    pub attempt: u32,
}

/// A game as it stands in a list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct GameHeading {
    pub(crate) number: u64,
    pub(crate) attempt: u32,
    deal: u64,
    /// The places of the players in the list of names, by seat.
    seats: Vec<usize>,
    /// `played`, `walkover` or `void`.
    ending: &'static str,
    /// The points by seat, as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<String>,
    /// The places by seat, 1 for the best; none where the game does not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<usize>,
    /// The faults by seat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    out: Vec<Option<&'static str>>,
    /// The reason why the game is void.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The sequel, if it does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    sequel: Option<VoidGameSequel>,
    #[serde(skip_serializing_if = "Not::not")]
    suspect: bool,
    answers: usize,
}

impl GameHeading {
    /// `seats` are the places of the players in the list of names.
    pub(crate) fn new(
        game: &GameRecord,
        seats: &PerSeat<usize>,
        about: SeriesFacts,
    ) -> GameHeading {
        let SeriesFacts { places, sequel, is_suspect } = about;
        let (ending, scores, out, reason) = match &game.result {
            Outcome::Played { scores, out } => ("played", Some(scores), Some(out), None),
            Outcome::Walkover { scores, out } => ("walkover", Some(scores), Some(out), None),
            Outcome::Void { reason } => ("void", None, None, Some(reason.clone())),
        };
        let scores = scores.map(|scores| scores.values().iter().map(ToString::to_string));
        let out = out.map(|out| out.values().iter().map(|fault| fault.map(|it| it.name())));
        GameHeading {
            number: game.game,
            attempt: game.attempt,
            deal: game.deal,
            seats: seats.values().to_vec(),
            ending,
            scores: scores.into_iter().flatten().collect(),
            places: places.map_or_else(Vec::new, |places| places.values().to_vec()),
            out: out.into_iter().flatten().collect(),
            reason,
            sequel,
            suspect: is_suspect,
            answers: game.answers().count(),
        }
    }

    /// The attempt that it is about.
    pub(crate) fn key(&self) -> GameKey {
        GameKey { number: self.number, attempt: self.attempt }
    }

    /// The places of the players in the list of names, by seat.
    pub(crate) fn seats(&self) -> &[usize] {
        &self.seats
    }

    /// Returns true if the game counts.
    pub(crate) fn counts(&self) -> bool {
        self.sequel.is_none()
    }
}

/// The facts about a game that only its series knows.
#[derive(Debug)]
pub(crate) struct SeriesFacts {
    /// The place of each seat, 1 for the best; none where the game does not count.
    pub(crate) places: Option<PerSeat<usize>>,
    /// The sequel, if it does not count.
    pub(crate) sequel: Option<VoidGameSequel>,
    /// True if an overloaded machine may have decided it.
    pub(crate) is_suspect: bool,
}

/// The sequel of a game that does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum VoidGameSequel {
    /// It is played again.
    Again,
    /// It is left out.
    GivenUp,
    /// Nothing can be played.
    Stops,
    /// A person left it, and nothing is played again.
    Left,
}

impl VoidGameSequel {
    /// The sequel of a game with this status, and with the person who left it.
    pub(crate) fn new(status: GameStatus, left: Option<&str>) -> Option<VoidGameSequel> {
        match (status, left) {
            (GameStatus::Counts, _) => None,
            (GameStatus::Again | GameStatus::GivenUp | GameStatus::Stops, Some(_)) => {
                Some(VoidGameSequel::Left)
            }
            (GameStatus::Again, None) => Some(VoidGameSequel::Again),
            (GameStatus::GivenUp, None) => Some(VoidGameSequel::GivenUp),
            (GameStatus::Stops, None) => Some(VoidGameSequel::Stops),
        }
    }
}

/// The news of one step.
#[derive(Debug, Default, Serialize)]
pub(crate) struct StepLine {
    /// New lines of the history.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) events: Vec<EventLine>,
    /// The changes in the views of all seats.
    #[serde(skip_serializing_if = "LineChanges::is_empty")]
    pub(crate) all: LineChanges,
    /// The changes in the views of single seats, by seat.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) own: BTreeMap<usize, LineChanges>,
    /// The answer that led to it, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<AnswerLine>,
    /// True if no seat was asked: the house played, or the rules left one move.
    #[serde(skip_serializing_if = "Not::not")]
    pub(crate) unasked: bool,
    /// The time left for the game by seat, in milliseconds, if that has changed and there are clocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) clocks: Vec<Option<u64>>,
}

impl StepLine {
    /// The public part of a step: these lines and these changes; none if there are neither.
    pub(crate) fn public(lines: Vec<HistoryLine>, all: LineChanges) -> Option<StepLine> {
        let is_something = !lines.is_empty() || !all.is_empty();
        let events = lines.into_iter().map(EventLine).collect();
        is_something.then(|| StepLine { events, all, ..StepLine::default() })
    }
}

/// Lines by their place; none if no line is left.
pub(crate) type LineChanges = BTreeMap<usize, Option<String>>;

#[derive(Debug)]
pub(crate) struct EventLine(pub(crate) HistoryLine);

impl Serialize for EventLine {
    /// A text, or `[text, owner, what the others saw]`; where people read something else, that follows, for those
    /// who saw all of it and for the others.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let HistoryLine { full, tell, secret } = &self.0;
        match (secret, tell) {
            (None, None) => full.serialize(serializer),
            (None, Some(tell)) => (full, None::<Seat>, full, tell).serialize(serializer),
            (Some(Redacted { owner, public, tell: None }), None) => {
                (full, owner, public).serialize(serializer)
            }
            (Some(Redacted { owner, public, tell: others }), tell) => {
                (full, owner, public, tell, others).serialize(serializer)
            }
        }
    }
}

/// An answer, with its measurements.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AnswerLine {
    /// The number of the move, as requests and commands have it.
    #[serde(rename = "move")]
    pub(crate) number: u32,
    /// The number of the second chance; none for the first answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry: Option<NonZeroU32>,
    #[serde(flatten)]
    pub(crate) answered: AnswerRecord,
    /// None while the game is being played.
    #[serde(flatten)]
    pub(crate) measured: Option<MeasuredLine>,
    /// What its moves are worth, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) review: Option<AnswerReview>,
}

/// The hands that are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HandVisibility {
    /// None.
    Public,
    /// All, with the output of bots.
    Open,
}

/// What the moves of an answer are worth.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AnswerReview {
    #[serde(flatten)]
    pub(crate) decision: Decision,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mark: Option<MistakeGrade>,
}

/// The luck of each deal of a game, with luck, skill and rest in its results.
#[derive(Debug, Serialize)]
pub(crate) struct GameLuck {
    pub(crate) deals: Vec<StepLuck>,
    pub(crate) accounts: Vec<SeatBreakdown>,
}

/// The luck of a deal, which was complete after a step.
#[derive(Debug, Serialize)]
pub(crate) struct StepLuck {
    pub(crate) step: usize,
    /// The part of a win that it gave to each seat.
    pub(crate) win: Vec<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SeatBreakdown {
    #[serde(flatten)]
    pub(crate) account: ResultBreakdown,
    pub(crate) rest: Option<f64>,
}
