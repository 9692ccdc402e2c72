//! One game of the rules under check: the instance and its calls, the inputs, and what a seat sees of each.

use std::fmt::{self, Write};
use std::sync::Arc;

use rules::custom::answer::{self, Next, RulesAnswer, SeatTurn, State};
use rules::custom::{
    LONGEST_HISTORY, MOST_INPUTS, NoAnswer, ProtocolError, RENEWALS, RulesFault, RulesInstance,
    RulesSource,
};
use rules::{HistoryLine, ListCompleteness, Nature, Score, Seat};
use serde::{Serialize, Serializer};

use crate::step::{self, CallList, Status};

/// The most bytes of answers that are kept of a game.
const KEPT: usize = 4 << 20;

/// A random game plays the fallback in one of this number of turns.
const FALLBACKS: u32 = 8;

/// A game that was played, from its beginning to the end or as far as it is kept.
pub(super) struct PlayedGame {
    /// The calls after `new`.
    pub inputs: Vec<String>,
    /// The moments after `new` and after each input: one more than there are inputs.
    pub moments: Vec<CallResult>,
    /// Number of inputs, also of those that are not kept.
    pub length: usize,
}

/// A step that a random game fails.
pub(super) struct StepFailure {
    pub name: RulesStepName,
    pub problem: Problem,
}

/// Plays a random game. `draws` decides for nature, `choices` for the seats.
pub(super) fn random(
    instance: &mut Instance,
    options: &str,
    draws: &mut Nature,
    choices: &mut Nature,
) -> Result<PlayedGame, StepFailure> {
    let protocol = |problem| StepFailure { name: RulesStepName::Protocol, problem };
    let first = instance.begin(options).map_err(protocol)?;
    let mut told = first.size_of_events();
    let mut kept = first.text.len();
    let mut run = PlayedGame { inputs: Vec::new(), moments: vec![first], length: 0 };
    let mut unkept = None;
    loop {
        let state = unkept.as_ref().or(run.moments.last()).map(|moment: &CallResult| &moment.state);
        let Some(state) = state else { return Ok(run) };
        let (call, name) = match &state.next {
            Next::Over(_) => return Ok(run),
            Next::Nature(pool) => (format!("happen {}", pool.draw(draws)), RulesStepName::Inputs),
            Next::Turn(turn) => chosen(turn, choices),
        };
        if run.length == MOST_INPUTS {
            let note = format!("game still unfinished after {MOST_INPUTS} inputs");
            return Err(StepFailure { name: RulesStepName::Ends, problem: instance.problem(note) });
        }
        let moment = match instance.input(&call).map_err(protocol)? {
            Ok(moment) => moment,
            Err(why) => {
                return Err(StepFailure { name, problem: instance.refused(&call, &why) });
            }
        };
        run.length += 1;
        told += moment.size_of_events();
        if told > LONGEST_HISTORY {
            let fault = RulesFault::limit_exceeded(format_args!(
                "more than {LONGEST_HISTORY} bytes of events"
            ));
            return Err(protocol(instance.problem(fault)));
        }
        kept += moment.text.len();
        if kept <= KEPT {
            run.inputs.push(call);
            run.moments.push(moment);
        } else {
            unkept = Some(moment);
        }
    }
}

/// A move of a turn, and the step that fails if it is refused.
fn chosen(turn: &SeatTurn, choices: &mut Nature) -> (String, RulesStepName) {
    let is_fallback = below(choices, FALLBACKS) == 0;
    let is_listed = turn.moves.contains(&turn.fallback);
    match (is_fallback, choices.choose(&turn.moves)) {
        (false, Some(mv)) => (format!("play {mv}"), RulesStepName::Inputs),
        _ if is_listed => (format!("play {}", turn.fallback), RulesStepName::Inputs),
        _ => (format!("play {}", turn.fallback), RulesStepName::Fallbacks),
    }
}

/// A number below a bound, or 0 where the bound is 0.
pub(super) fn below(nature: &mut Nature, bound: u32) -> u32 {
    std::num::NonZeroU32::new(bound).map_or(0, |bound| nature.below(bound))
}

impl CallResult {
    /// The bytes of its events as they count for the limit.
    fn size_of_events(&self) -> usize {
        self.events.iter().map(HistoryLine::size).sum()
    }

    /// The lines of the history that a seat sees of this.
    pub(super) fn seen_by(&self, seat: Seat) -> impl Iterator<Item = &str> {
        self.events.iter().filter_map(move |event| event.seen_by(seat))
    }

    fn view_of(&self, seat: Seat) -> Vec<&str> {
        let lines = self.state.view.iter().filter(|(whose, _)| whose.is_none_or(|it| it == seat));
        lines.map(|(_, line)| line.as_str()).collect()
    }

    /// The turn, if a seat is to move.
    pub(super) fn turn(&self) -> Option<&SeatTurn> {
        match &self.state.next {
            Next::Turn(turn) => Some(turn),
            Next::Nature(_) | Next::Over(_) => None,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        matches!(self.state.next, Next::Over(_))
    }

    /// The request for a move as far as it is not told as events, in lines: the view, the points and, if the seat
    /// is asked, the moves.
    pub(super) fn shown_to(&self, seat: Seat) -> Vec<String> {
        let mut lines: Vec<String> =
            self.view_of(seat).into_iter().map(|line| format!("view {line}")).collect();
        if let Some(points) = &self.state.points {
            lines.push(joined("points", points.values()));
        }
        if let Some(SeatTurn { seat: asked, moves, listing, forced, .. }) = self.turn()
            && *asked == seat
            && !forced
        {
            lines.extend(moves.iter().map(|mv| format!("move {mv}")));
            lines.extend((*listing == ListCompleteness::Cut).then(|| "more".to_owned()));
        }
        lines
    }
}

fn joined(key: &str, scores: &[Score]) -> String {
    let mut line = key.to_owned();
    scores.iter().for_each(|score| {
        // Writing to a string does not fail.
        let _ = write!(line, " {score}");
    });
    line
}

/// Rules that were started, and the calls since the last `new`.
pub(super) struct Instance {
    source: Arc<dyn RulesSource>,
    carrier: Box<dyn RulesInstance>,
    seats: usize,
    calls: Vec<String>,
}

pub(super) struct CallResult {
    /// The answer as it came.
    pub text: String,
    pub events: Vec<HistoryLine>,
    /// The state after it.
    pub state: State,
}

impl Instance {
    /// Starts the rules for games with this number of seats.
    pub(super) fn start(source: &Arc<dyn RulesSource>, seats: usize) -> Result<Instance, Problem> {
        let carrier = source.start().map_err(|why| Problem::new(RulesFault::not_started(why)))?;
        Ok(Instance { source: Arc::clone(source), carrier, seats, calls: Vec::new() })
    }

    pub(super) fn begin(&mut self, options: &str) -> Result<CallResult, Problem> {
        self.forget();
        match self.input(&format!("new {options}"))? {
            Ok(moment) => Ok(moment),
            Err(reason) => {
                let reason = text::printable(&reason);
                Err(self.problem(format!("`new {options}` was refused ({reason})")))
            }
        }
    }

    /// Gives an input, a call `new`, `happen` or `play`; the rules may refuse it for a reason.
    pub(super) fn input(&mut self, call: &str) -> Result<Result<CallResult, String>, Problem> {
        let text = self.answer(call)?;
        match RulesAnswer::read(&text, self.seats) {
            Ok(RulesAnswer::Refused(reason)) => Ok(Err(reason)),
            Ok(RulesAnswer::Played { events, state }) => {
                if let Some(broken) = names_nobody(&events, self.seats) {
                    return Err(self.problem(RulesFault::broken(call, &text, broken)));
                }
                Ok(Ok(CallResult { text, events, state }))
            }
            Err(broken) => Err(self.problem(RulesFault::broken(call, &text, broken))),
        }
    }

    /// Asks whether a move would be accepted; gives the reason if not.
    pub(super) fn check(&mut self, mv: &str) -> Result<Option<String>, Problem> {
        let call = format!("check {mv}");
        let text = self.answer(&call)?;
        answer::read_check(&text)
            .map_err(|broken| self.problem(RulesFault::broken(&call, &text, broken)))
    }

    /// Gives a call, and takes the answer as it is. Where the machine has ended the rules, others get all calls of the
    /// game.
    pub(super) fn answer(&mut self, call: &str) -> Result<String, Problem> {
        self.calls.push(call.to_owned());
        let mut answer = self.carrier.call(call);
        for _ in 0..RENEWALS {
            match answer {
                Err(NoAnswer::Machine(_)) => answer = self.answer_anew(),
                Ok(_) | Err(NoAnswer::Rules(_)) => break,
            }
        }
        answer.map_err(|why| self.problem(RulesFault::no_answer(call, why)))
    }

    /// Gives all calls of the game to another instance, and takes its last answer.
    fn answer_anew(&mut self) -> Result<String, NoAnswer> {
        self.carrier = self.source.start()?;
        let mut answer = String::new();
        for call in &self.calls {
            answer = self.carrier.call(call)?;
        }
        Ok(answer)
    }

    /// Begins to keep the calls of another game.
    pub(super) fn forget(&mut self) {
        self.calls.clear();
        if self.carrier.is_spent()
            && let Ok(carrier) = self.source.start()
        {
            self.carrier = carrier;
        }
    }

    /// A problem that the calls of this game show.
    pub(super) fn problem(&self, note: impl fmt::Display) -> Problem {
        let calls = CallList { title: "calls".to_owned(), lines: self.calls.clone() };
        Problem { note: note.to_string(), calls: vec![calls] }
    }

    /// A listed input that was refused.
    pub(super) fn refused(&self, call: &str, reason: &str) -> Problem {
        let listed = match call.starts_with("play ") {
            true => "a listed move",
            false => "a possible outcome",
        };
        let answer = format!("refused {reason}");
        let expected = format!("expected {listed} to be accepted");
        self.problem(RulesFault::broken(call, &answer, ProtocolError::of_answer(expected)))
    }

    pub(super) fn calls(&self) -> usize {
        self.calls.len()
    }
}

/// The line `tell` that names a seat that there is not, if there is one.
fn names_nobody(events: &[HistoryLine], seats: usize) -> Option<ProtocolError> {
    let tells = events.iter().flat_map(|HistoryLine { tell, secret, .. }| {
        [tell.as_deref(), secret.as_ref().and_then(|redacted| redacted.tell.as_deref())]
    });
    let tells = tells.flatten();
    let is_nobody = |place: &str| place.parse::<usize>().is_ok_and(|seat| seat >= seats);
    let mut wrong = tells.filter(|tell| {
        tell.split('{').skip(1).any(|rest| rest.split_once('}').is_some_and(|it| is_nobody(it.0)))
    });
    let expected = format!("expected names of seats from {{0}} to {{{}}}", seats - 1);
    wrong.next().map(|tell| ProtocolError::of_line(&format!("tell {tell}"), expected))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RulesStepName {
    /// The start, and the description of the game.
    Starts,
    /// Answers as the protocol of rules has them.
    Protocol,
    /// Listed moves and possible outcomes are taken.
    Inputs,
    /// The fallback is taken, also where it is not listed.
    Fallbacks,
    Ends,
    /// Scores are no greater than the description says.
    Scores,
    /// Equal inputs give equal text.
    SameText,
    /// Everything else is refused, and changes nothing.
    Refusals,
    /// `check` says what `play` does, and changes nothing.
    Checks,
    /// A chance event changes the state.
    Chances,
    /// No seat sees more than it was told.
    Leaks,
    /// Views tell what was told as events.
    Views,
    /// The keys in the manifest are those of views.
    Manifest,
    /// The games that the author has recorded are answered as before.
    Recorded,
}

/// Something that is not as it must be, with the calls that show it.
#[derive(Debug)]
pub(super) struct Problem {
    pub note: String,
    pub calls: Vec<CallList>,
}

impl Problem {
    /// A problem that no game shows.
    pub(super) fn new(note: impl fmt::Display) -> Problem {
        Problem { note: note.to_string(), calls: Vec::new() }
    }
}

impl fmt::Display for RulesStepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            RulesStepName::Starts => "starts",
            RulesStepName::Protocol => "protocol",
            RulesStepName::Inputs => "inputs are taken",
            RulesStepName::Fallbacks => "fallbacks are taken",
            RulesStepName::Ends => "games end",
            RulesStepName::Scores => "scores",
            RulesStepName::SameText => "same text",
            RulesStepName::Refusals => "refusals",
            RulesStepName::Checks => "check",
            RulesStepName::Chances => "chances",
            RulesStepName::Leaks => "leaks",
            RulesStepName::Views => "views",
            RulesStepName::Manifest => games::MANIFEST,
            RulesStepName::Recorded => "recorded games",
        })
    }
}

impl Serialize for RulesStepName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

pub(super) type Step = step::Step<RulesStepName>;

impl Step {
    pub(super) fn warning(name: RulesStepName, problem: Problem) -> Step {
        Step { status: Status::Warning, ..Step::failed(name, problem) }
    }

    pub(super) fn failed(name: RulesStepName, problem: Problem) -> Step {
        let Problem { note, calls } = problem;
        Step { calls, ..Step::new(name, Status::Failed, note) }
    }
}
