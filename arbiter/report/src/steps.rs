//! Makes the steps of a game for the viewer while the game is replayed.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use rules::replay::Onlooker;
use rules::{AnswerRecord, GameRecord, Input, Measured, Question, Referee, Seat, Verdict};
use text::shell::without_folders;

use crate::game_line::{AnswerLine, EventLine, LineChanges, StepLine};
use crate::notes::MeasuredLine;

/// Makes the steps of a game while it is replayed.
#[derive(Debug)]
pub(super) struct StepsBuilder<'a> {
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

impl<'a> StepsBuilder<'a> {
    /// The steps of a game before its first one.
    pub(super) fn new(game: &'a GameRecord) -> StepsBuilder<'a> {
        let measured = game.measured.iter();
        let (views, clocks, steps) = (Vec::new(), Vec::new(), Vec::new());
        StepsBuilder { measured, asked: (0, None), inputs: 0, told: 0, views, clocks, steps }
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

impl Onlooker for StepsBuilder<'_> {
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
            answered: without_machine_paths(answered),
            measured: self.measured.next().cloned().map(MeasuredLine::new),
            review: None,
        });
        let events = referee.history_lines(self.told).into_iter().map(EventLine).collect();
        let views: Vec<_> = Seat::first(referee.seats()).map(|seat| referee.view(seat)).collect();
        let (all, own) = split_changes(&self.views, &views);
        self.views = views;
        self.told = referee.history_len();
        self.inputs = referee.inputs().len();
        let clocks = self.new_clocks(referee);
        self.steps.push(StepLine { events, all, own, answer, unasked: !is_input, clocks });
    }
}

/// An answer without the places of this machine, which the reason of a start that failed names.
fn without_machine_paths(answered: &AnswerRecord) -> AnswerRecord {
    match answered.verdict {
        Verdict::StartFailed => {
            AnswerRecord { detail: without_folders(&answered.detail), ..answered.clone() }
        }
        _ => answered.clone(),
    }
}

/// The changes that all seats share, and those of single seats.
fn split_changes(before: &[String], now: &[String]) -> (LineChanges, BTreeMap<usize, LineChanges>) {
    let each = now.iter().enumerate();
    let mut own: BTreeMap<usize, LineChanges> = each
        .map(|(seat, now)| (seat, view_changes(before.get(seat).map_or("", String::as_str), now)))
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
pub(super) fn view_changes(before: &str, now: &str) -> LineChanges {
    let (mut before, mut now) = (before.lines(), now.lines());
    let both = (0..).map_while(|place| match (before.next(), now.next()) {
        (None, None) => None,
        (before, now) => Some((place, before, now)),
    });
    let changed = both.filter(|(_, before, now)| before != now);
    changed.map(|(place, _, now)| (place, now.map(str::to_owned))).collect()
}
