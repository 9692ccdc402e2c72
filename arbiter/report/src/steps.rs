//! A game step by step, for the viewer.
//!
//! After each step every seat has a view, a handful of lines. Most of them are the same for all seats and the
//! same as before, so a step holds only the lines that changed, by their place in the view: first the changes
//! that all seats share, then those of single seats.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::Not;

use rules::replay::Onlooker;
use rules::{
    AnswerRecord, GameRecord, HistoryLine, Input, Measured, Outcome, PerSeat, Question, Redacted,
    Referee, Seat, Verdict,
};
use serde::{Serialize, Serializer};
use text::shell::without_folders;

use crate::noted::MeasuredLine;
use crate::now::Hands;
use crate::part::GameKey;
use crate::reviewed::{AnswerReview, GameLuck};
use series::game_status::GameStatus;

/// A game.
#[derive(Debug, Serialize)]
pub struct GameLine {
    #[serde(flatten)]
    pub(super) heading: Heading,
    /// The public name of the game.
    id: String,
    /// The hands in its steps; none where all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    hands: Option<Hands>,
    /// The luck of each seat, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) luck: Option<GameLuck>,
    steps: Vec<StepLine>,
}

/// A game as it stands in a list.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Heading {
    pub(super) number: u64,
    pub(super) attempt: u32,
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
    sequel: Option<Sequel>,
    #[serde(skip_serializing_if = "Not::not")]
    suspect: bool,
    /// The number of answers.
    answers: usize,
}

/// The facts about a game that only its series knows.
#[derive(Debug)]
pub(super) struct About {
    /// The place of each seat, 1 for the best; none where the game does not count.
    pub(super) places: Option<PerSeat<usize>>,
    /// The sequel, if it does not count.
    pub(super) sequel: Option<Sequel>,
    /// True if an overloaded machine may have decided it.
    pub(super) is_suspect: bool,
}

/// The sequel of a game that does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Sequel {
    /// It is played again.
    Again,
    /// It is left out.
    GivenUp,
    /// Nothing can be played.
    Stops,
    /// A person left it, and nothing is played again.
    Left,
}

impl Sequel {
    /// The sequel of a game with this status, and with the person who left it.
    pub(super) fn new(status: GameStatus, left: Option<&str>) -> Option<Sequel> {
        match (status, left) {
            (GameStatus::Counts, _) => None,
            (GameStatus::Again | GameStatus::GivenUp | GameStatus::Stops, Some(_)) => {
                Some(Sequel::Left)
            }
            (GameStatus::Again, None) => Some(Sequel::Again),
            (GameStatus::GivenUp, None) => Some(Sequel::GivenUp),
            (GameStatus::Stops, None) => Some(Sequel::Stops),
        }
    }
}

/// The news of one step.
#[derive(Debug, Default, Serialize)]
pub(super) struct StepLine {
    /// New lines of the history.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<EventLine>,
    /// The changes in the views of all seats.
    #[serde(skip_serializing_if = "Changes::is_empty")]
    all: Changes,
    /// The changes in the views of single seats, by seat.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    own: BTreeMap<usize, Changes>,
    /// The answer that led to it, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<AnswerLine>,
    /// True if no seat was asked: the house played, or the rules left one move.
    #[serde(skip_serializing_if = "Not::not")]
    unasked: bool,
    /// The time left for the game by seat, in milliseconds, if that has changed and there are clocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clocks: Vec<Option<u64>>,
}

impl StepLine {
    /// The public part of a step: these lines and these changes; none if there are neither.
    pub(super) fn public(lines: Vec<HistoryLine>, all: Changes) -> Option<StepLine> {
        let is_something = !lines.is_empty() || !all.is_empty();
        let events = lines.into_iter().map(EventLine).collect();
        is_something.then(|| StepLine { events, all, ..StepLine::default() })
    }
}

/// Lines by their place; none if no line is left.
pub(super) type Changes = BTreeMap<usize, Option<String>>;

/// A line of the history.
#[derive(Debug)]
struct EventLine(HistoryLine);

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
pub(super) struct AnswerLine {
    /// The number of the move, as requests and commands have it.
    #[serde(rename = "move")]
    pub(super) number: u32,
    /// The number of the second chance; none for the first answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry: Option<NonZeroU32>,
    #[serde(flatten)]
    pub(super) answered: AnswerRecord,
    /// None while the game is being played.
    #[serde(flatten)]
    pub(super) measured: Option<MeasuredLine>,
    /// What its moves are worth, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) review: Option<AnswerReview>,
}

/// Makes the steps of a game while it is replayed.
#[derive(Debug)]
pub(super) struct Steps<'a> {
    measured: std::slice::Iter<'a, Measured>,
    /// The numbers of the present question: of the move, and of the second chance.
    asked: (u32, Option<NonZeroU32>),
    inputs: usize,
    told: usize,
    /// The view of each seat, as text.
    views: Vec<String>,
    clocks: Vec<Option<u64>>,
    steps: Vec<StepLine>,
}

impl<'a> Steps<'a> {
    /// The steps of a game before its first one.
    pub(super) fn new(game: &'a GameRecord) -> Steps<'a> {
        let measured = game.measured.iter();
        let (views, clocks, steps) = (Vec::new(), Vec::new(), Vec::new());
        Steps { measured, asked: (0, None), inputs: 0, told: 0, views, clocks, steps }
    }

    /// What the clocks show now; nothing if they show the same as before, or there are none.
    fn new_clocks(&mut self, referee: &Referee) -> Vec<Option<u64>> {
        let left = |seat| referee.bank(seat).map(|bank| bank.left);
        let clocks: Vec<_> = Seat::first(referee.seats()).map(left).collect();
        if clocks == self.clocks || clocks.iter().all(Option::is_none) {
            return Vec::new();
        }
        self.clocks.clone_from(&clocks);
        clocks
    }

    pub(super) fn finish(self) -> Vec<StepLine> {
        self.steps
    }
}

impl Onlooker for Steps<'_> {
    fn asked(&mut self, question: &Question<'_>, _logged: &AnswerRecord) {
        self.asked = (question.number(), NonZeroU32::new(question.retry()));
    }

    /// Adds the news of the step before.
    fn stepped(&mut self, referee: &Referee) {
        let (number, retry) = self.asked;
        let is_input = referee.inputs().len() > self.inputs;
        let input = referee.inputs().last().filter(|_| is_input);
        let answer = input.and_then(Input::answer).map(|answered| AnswerLine {
            number,
            retry,
            answered: for_everyone(answered),
            measured: self.measured.next().cloned().map(MeasuredLine::new),
            review: None,
        });
        let events = referee.history_lines(self.told).into_iter().map(EventLine).collect();
        let views: Vec<_> = Seat::first(referee.seats()).map(|seat| referee.view(seat)).collect();
        let (all, own) = changes(&self.views, &views);
        self.views = views;
        self.told = referee.history_len();
        self.inputs = referee.inputs().len();
        let clocks = self.new_clocks(referee);
        self.steps.push(StepLine { events, all, own, answer, unasked: !is_input, clocks });
    }
}

/// An answer without the places of this machine, which the reason of a start that failed names.
fn for_everyone(answered: &AnswerRecord) -> AnswerRecord {
    match answered.verdict {
        Verdict::StartFailed => {
            AnswerRecord { detail: without_folders(&answered.detail), ..answered.clone() }
        }
        _ => answered.clone(),
    }
}

/// The changes that all seats share, and those of single seats.
fn changes(before: &[String], now: &[String]) -> (Changes, BTreeMap<usize, Changes>) {
    let each = now.iter().enumerate();
    let mut own: BTreeMap<usize, Changes> = each
        .map(|(seat, now)| (seat, changed(before.get(seat).map_or("", String::as_str), now)))
        .collect();
    let mut all = own.get(&0).cloned().unwrap_or_default();
    all.retain(|place, line| own.values().all(|seat| seat.get(place) == Some(line)));
    for seat in own.values_mut() {
        seat.retain(|place, _| !all.contains_key(place));
    }
    own.retain(|_, seat| !seat.is_empty());
    (all, own)
}

/// The changes between two views.
pub(super) fn changed(before: &str, now: &str) -> Changes {
    let (mut before, mut now) = (before.lines(), now.lines());
    let both = (0..).map_while(|place| match (before.next(), now.next()) {
        (None, None) => None,
        (before, now) => Some((place, before, now)),
    });
    let changed = both.filter(|(_, before, now)| before != now);
    changed.map(|(place, _, now)| (place, now.map(str::to_owned))).collect()
}

impl Heading {
    /// `seats` are the places of the players in the list of names.
    pub(super) fn new(game: &GameRecord, seats: &PerSeat<usize>, about: About) -> Heading {
        let About { places, sequel, is_suspect } = about;
        let (ending, scores, out, reason) = match &game.result {
            Outcome::Played { scores, out } => ("played", Some(scores), Some(out), None),
            Outcome::Walkover { scores, out } => ("walkover", Some(scores), Some(out), None),
            Outcome::Void { reason } => ("void", None, None, Some(reason.clone())),
        };
        let scores = scores.map(|scores| scores.values().iter().map(ToString::to_string));
        let out = out.map(|out| out.values().iter().map(|fault| fault.map(|it| it.name())));
        Heading {
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
}

impl Heading {
    /// The attempt that it is about.
    pub(super) fn key(&self) -> GameKey {
        GameKey { number: self.number, attempt: self.attempt }
    }

    /// The places of the players in the list of names, by seat.
    pub(super) fn seats(&self) -> &[usize] {
        &self.seats
    }

    /// Returns true if the game counts.
    pub(super) fn counts(&self) -> bool {
        self.sequel.is_none()
    }
}

impl GameLine {
    /// The steps and the numbers of the legal answers.
    pub(super) fn accepted_moves(&self) -> impl Iterator<Item = (usize, u32)> {
        let steps = self.steps.iter().enumerate();
        let answers = steps.filter_map(|(step, line)| Some((step, line.answer.as_ref()?)));
        let accepted = answers.filter(|(_, answer)| answer.answered.verdict == Verdict::Ok);
        accepted.map(|(step, answer)| (step, answer.number))
    }

    /// The legal answers, with their steps.
    pub(super) fn accepted(&mut self) -> impl Iterator<Item = (usize, &mut AnswerLine)> {
        let steps = self.steps.iter_mut().enumerate();
        let answers = steps.filter_map(|(step, line)| Some((step, line.answer.as_mut()?)));
        answers.filter(|(_, answer)| answer.answered.verdict == Verdict::Ok)
    }

    /// The step at which a line of the history appeared; the last one, if there are not as many.
    pub(super) fn step_of(&self, line: usize) -> usize {
        let mut told = 0;
        let appeared = self.steps.iter().position(|step| {
            told += step.events.len();
            told > line
        });
        appeared.unwrap_or(self.steps.len().saturating_sub(1))
    }

    /// A game with its steps and all hands.
    pub(super) fn new(heading: Heading, game: &GameRecord, steps: Vec<StepLine>) -> GameLine {
        GameLine { heading, id: game.id.to_string(), hands: None, luck: None, steps }
    }

    /// A game with the public part of its steps.
    pub(super) fn covered(heading: Heading, game: &GameRecord, steps: Vec<StepLine>) -> GameLine {
        GameLine { hands: Some(Hands::Public), ..GameLine::new(heading, game, steps) }
    }
}
