//! One instance of the rules under check, and the calls of its game.

use std::sync::Arc;

use rules::own::answer::{self, Answer, Event, Line, State};
use rules::own::{BrokenRule, Fault, NoAnswer, RENEWALS, RulesInstance, Source};

use super::step::Problem;
use crate::step::Calls;

/// Rules that were started, and the calls since the last `new`.
pub(super) struct Instance {
    source: Arc<dyn Source>,
    carrier: Box<dyn RulesInstance>,
    seats: usize,
    calls: Vec<String>,
}

/// The result of an input.
pub(super) struct Moment {
    /// The answer as it came.
    pub text: String,
    pub events: Vec<Event>,
    /// The state after it.
    pub state: State,
}

/// The answer to an input.
pub(super) enum Taken {
    /// The game has gone on.
    Played(Moment),
    /// It was refused for this reason.
    Refused(String),
}

impl Instance {
    /// Starts the rules for games with this number of seats.
    pub(super) fn start(source: &Arc<dyn Source>, seats: usize) -> Result<Instance, Problem> {
        let carrier = source.start().map_err(|why| Problem::of(Fault::not_started(why)))?;
        Ok(Instance { source: Arc::clone(source), carrier, seats, calls: Vec::new() })
    }

    /// Begins a game with options that are spelt.
    pub(super) fn begin(&mut self, options: &str) -> Result<Moment, Problem> {
        self.forget();
        match self.input(&format!("new {options}"))? {
            Taken::Played(moment) => Ok(moment),
            Taken::Refused(reason) => {
                let reason = text::printable(&reason);
                Err(self.problem(format!("`new {options}` was refused ({reason})")))
            }
        }
    }

    /// Gives an input, a call `new`, `happen` or `play`.
    pub(super) fn input(&mut self, call: &str) -> Result<Taken, Problem> {
        let text = self.answer(call)?;
        match Answer::read(&text, self.seats) {
            Ok(Answer::Refused(reason)) => Ok(Taken::Refused(reason)),
            Ok(Answer::Played { events, state }) => {
                if let Some(broken) = names_nobody(&events, self.seats) {
                    return Err(self.problem(Fault::broken(call, &text, broken)));
                }
                Ok(Taken::Played(Moment { text, events, state }))
            }
            Err(broken) => Err(self.problem(Fault::broken(call, &text, broken))),
        }
    }

    /// Asks whether a move would be accepted; gives the reason if not.
    pub(super) fn check(&mut self, mv: &str) -> Result<Option<String>, Problem> {
        let call = format!("check {mv}");
        let text = self.answer(&call)?;
        answer::read_check(&text)
            .map_err(|broken| self.problem(Fault::broken(&call, &text, broken)))
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
        answer.map_err(|why| self.problem(Fault::no_answer(call, why)))
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
    pub(super) fn problem(&self, note: impl std::fmt::Display) -> Problem {
        let calls = Calls { title: "calls".to_owned(), lines: self.calls.clone() };
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
        self.problem(Fault::broken(call, &answer, BrokenRule::of_answer(expected)))
    }

    pub(super) fn calls(&self) -> usize {
        self.calls.len()
    }
}

/// The line `tell` that names a seat that there is not, if there is one.
fn names_nobody(events: &[Event], seats: usize) -> Option<BrokenRule> {
    let lines = events.iter().flat_map(|Event { full, secret }| {
        [Some(full), secret.as_ref().and_then(|covered| covered.public.as_ref())]
    });
    let tells = lines.flatten().filter_map(|Line { tell, .. }| tell.as_deref());
    let is_nobody = |place: &str| place.parse::<usize>().is_ok_and(|seat| seat >= seats);
    let mut wrong = tells.filter(|tell| {
        tell.split('{').skip(1).any(|rest| rest.split_once('}').is_some_and(|it| is_nobody(it.0)))
    });
    let expected = format!("expected names of seats from {{0}} to {{{}}}", seats - 1);
    wrong.next().map(|tell| BrokenRule::of_line(&format!("tell {tell}"), expected))
}
