//! Makes the steps of a game for the viewer while the game is replayed.
//!
//! The public part is the public form of each event, and the lines of the view that belong to no seat. It has
//! no answers with their output, and does not tell that a seat was not asked since it had no choice: the
//! other seats do not know that.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use rules::replay::{ReplaySetup, ReplayWatcher, replay_before, replay_begun};
use rules::{
    AnswerRecord, GameInProgress, GameRecord, HistoryLine, Measurements, Question, Referee,
    RefereeInput, Seat, Verdict,
};
use serde::Serialize;
use series::Series;
use text::shell::without_folders;

use crate::game_line::{
    AnswerLine, AnswerOutput, EventLine, HandVisibility, LineChanges, MeasurementLine, StepLine,
    add_left_out,
};

/// Makes the steps of a game while it is replayed.
#[derive(Debug)]
pub(super) struct StepsBuilder<'a> {
    measured: std::slice::Iter<'a, Measurements>,
    /// The numbers of the present question: of the move, and of the second chance.
    asked: (u32, Option<NonZeroU32>),
    inputs: usize,
    told: usize,
    /// The view of each seat, as text.
    views: Vec<String>,
    clocks: Vec<Option<u64>>,
    pub(super) steps: Vec<StepLine>,
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
}

impl ReplayWatcher for StepsBuilder<'_> {
    fn on_question(&mut self, question: &Question<'_>, _logged: &AnswerRecord) {
        self.asked = (question.number(), NonZeroU32::new(question.retry()));
    }

    /// Adds the news of the step before.
    fn on_step(&mut self, referee: &Referee) {
        let (number, retry) = self.asked;
        let is_input = referee.inputs().len() > self.inputs;
        let input = referee.inputs().last().filter(|_| is_input);
        let events: Vec<_> = referee.history_lines(self.told).into_iter().map(EventLine).collect();
        let answer = input.and_then(RefereeInput::answer).map(|answered| AnswerLine {
            number,
            retry,
            output: answer_output(answered, events.first()),
            asked: answered.asked,
            classic: answered.classic.clone(),
            verdict: answered.verdict,
            detail: detail_without_machine_paths(answered),
            measured: self.measured.next().cloned().map(MeasurementLine::new),
            review: None,
        });
        let views: Vec<_> = Seat::first(referee.seats()).map(|seat| referee.view(seat)).collect();
        let (all, own) = split_changes(&self.views, &views);
        self.views = views;
        self.told = referee.history_len();
        self.inputs = referee.inputs().len();
        let clocks = self.new_clocks(referee);
        self.steps.push(StepLine { events, all, own, answer, unasked: !is_input, clocks });
    }
}

fn answer_output(answered: &AnswerRecord, first: Option<&EventLine>) -> AnswerOutput {
    let AnswerRecord { seat, reply, .. } = answered;
    let text = format!("{seat} {reply}");
    match first {
        Some(EventLine(HistoryLine { full, .. })) if *full == text => {
            AnswerOutput::InEvent { seat: *seat }
        }
        _ => AnswerOutput::Own { seat: *seat, reply: reply.clone() },
    }
}

/// The detail of a verdict without the places of this machine, which the reason of a start that failed names.
fn detail_without_machine_paths(answered: &AnswerRecord) -> String {
    match answered.verdict {
        Verdict::StartFailed => without_folders(&answered.detail),
        _ => answered.detail.clone(),
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

fn view_changes(before: &str, now: &str) -> LineChanges {
    let (mut before, mut now) = (before.lines(), now.lines());
    let both = (0..).map_while(|place| match (before.next(), now.next()) {
        (None, None) => None,
        (before, now) => Some((place, before, now)),
    });
    let changed = both.filter(|(_, before, now)| before != now);
    changed.map(|(place, _, now)| (place, now.map(str::to_owned))).collect()
}

/// A game that is being played. Serialized, it is as it stands in a list, without its steps.
#[derive(Debug, Serialize)]
pub struct LiveGame {
    /// Its number, from 0.
    pub number: u64,
    /// The number of earlier attempts.
    pub attempt: u32,
    /// The number of its deal, from 0.
    pub deal: u64,
    /// Its public name.
    pub id: String,
    /// The places of the players in the list of names, by seat.
    pub seats: Vec<usize>,
    ending: &'static str,
    /// The points by seat so far, as text.
    pub scores: Vec<String>,
    /// The number of moves so far.
    pub moves: u32,
    pub hands: HandVisibility,
    #[serde(skip)]
    steps: Vec<StepLine>,
}

impl LiveGame {
    /// Derives the steps so far of a game of a series.
    ///
    /// # Errors
    ///
    /// Names the fault in one line.
    pub fn new(
        series: &Series,
        begun: &GameInProgress,
        hands: HandVisibility,
    ) -> Result<LiveGame, String> {
        if begun.game >= series.schedule().games() {
            return Err(format!("no game {}", begun.game));
        }
        let seating = series.seating(begun.game);
        let names = series.players(begun.game);
        let is_seated = names.values().iter().map(|player| &player.name).eq(&begun.seats);
        if !is_seated || seating.deal != begun.deal {
            return Err(format!("game {} is not the one of the schedule", begun.game));
        }
        let setup = || series.setup(&begun.record(), None);
        let (referee, steps) = match hands {
            HandVisibility::Public => {
                let mut steps = PublicStepsBuilder::default();
                (replay_begun(setup(), begun, &mut steps), steps.steps)
            }
            HandVisibility::Open => {
                let record = begun.record();
                let mut steps = StepsBuilder::new(&record);
                (replay_begun(setup(), begun, &mut steps), steps.steps)
            }
        };
        let referee = referee.map_err(|discrepancy| discrepancy.to_string())?;
        let scores = referee.points_so_far();
        Ok(LiveGame {
            number: begun.game,
            attempt: begun.attempt,
            deal: begun.deal,
            id: begun.id.to_string(),
            seats: seating.players.values().to_vec(),
            ending: "playing",
            scores: scores.values().iter().map(ToString::to_string).collect(),
            moves: referee.moves(),
            hands,
            steps,
        })
    }

    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The game with the steps from this one on, as JSON.
    pub fn json_from(&self, step: usize) -> serde_json::Result<String> {
        let from = step.min(self.steps.len());
        let mut part = serde_json::to_value(self)?;
        part["from"] = from.into();
        part["steps"] = serde_json::to_value(&self.steps[from..])?;
        add_left_out(&mut part);
        serde_json::to_string(&part)
    }
}

/// The public part of the steps of a finished game.
pub(super) fn public_steps(
    setup: ReplaySetup<'_>,
    game: &GameRecord,
) -> Result<Vec<StepLine>, String> {
    let mut steps = PublicStepsBuilder::default();
    replay_before(setup, game, &mut steps).map_err(|discrepancy| discrepancy.to_string())?;
    Ok(steps.steps)
}

#[derive(Debug, Default)]
struct PublicStepsBuilder {
    told: usize,
    view: String,
    steps: Vec<StepLine>,
}

impl ReplayWatcher for PublicStepsBuilder {
    /// Adds the news of the step before. A step without public news, as when a seat is asked once more, is
    /// left out.
    fn on_step(&mut self, referee: &Referee) {
        let lines = referee.history_lines(self.told).into_iter().filter_map(public_line).collect();
        let view = referee.public_view();
        let all = view_changes(&self.view, &view);
        self.told = referee.history_len();
        self.view = view;
        self.steps.extend(StepLine::public(lines, all));
    }
}

/// The public form of a line of the history.
fn public_line(HistoryLine { full, tell, secret }: HistoryLine) -> Option<HistoryLine> {
    match secret {
        None => Some(HistoryLine { full, tell, secret: None }),
        Some(secret) => {
            secret.public.map(|full| HistoryLine { full, tell: secret.tell, secret: None })
        }
    }
}
