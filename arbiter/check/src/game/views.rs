//! Views tell what was told as events, for those who see nothing else; and their keys are those of the manifest.

use std::collections::BTreeSet;

use rules::custom::answer::Next;
use rules::{Nature, Seat};
use text::counted;

use super::context::{Check, excerpt};
use super::run::{InputAnswer, InputResult, Instance, Problem, Run, Step, StepName, below};
use crate::report::Listener;
use crate::step::Calls;

/// The most calls.
const CALLS: u64 = 10_000;

/// The most states that are tried.
const STATES: u64 = 400;

/// The number of the stream of choices, apart from those of games.
const STREAM: u64 = 3 << 40;

/// Continues games in two ways: a view must differ where the events that a seat has seen differ.
pub(super) fn views(
    check: &Check<'_>,
    runs: &[Run],
    instance: &mut Instance,
    follow: &mut dyn Listener<StepName>,
) -> Step {
    follow.begins("views");
    let mut nature = check.seed.order(STREAM);
    let mut pairs = 0u64;
    let mut calls = 0;
    for number in 0..check.scaled(STATES) {
        let Some(run) = runs.get(number as usize % runs.len().max(1)) else { break };
        if calls >= check.scaled(CALLS) || run.inputs.is_empty() || check.pace.cuts(StepName::Views)
        {
            break;
        }
        follow.begins(&format!("views, pair {} of {}", number + 1, check.scaled(STATES)));
        let at = below(&mut nature, run.inputs.len() as u32) as usize;
        let Some(other) = other_input(run, at, &mut nature) else { continue };
        match played(check, run, at, &other, instance) {
            Err(problem) => return Step::failed(StepName::Views, problem),
            Ok(None) => {}
            Ok(Some(moment)) => {
                pairs += 1;
                if let Some(note) = hidden(&run.moments[at + 1], &moment, check.seats) {
                    let problem = Problem { note, calls: compared(check, run, at, &other) };
                    return Step::warning(StepName::Views, problem);
                }
            }
        }
        calls += instance.calls() as u64;
    }
    let note = format!("{} told apart by events and by views", counted(pairs, "pair", "pairs"));
    Step::passed(StepName::Views, note)
}

/// Problems with the keys of `[view]`: no view has the key, or its line does not fit the kind.
pub(super) fn keys(check: &Check<'_>, runs: &[Run]) -> Option<Step> {
    let view = check.files.view();
    let named =
        [&view.hand, &view.table, &view.pile, &view.back, &view.seat, &view.mark, &view.number];
    let lines = runs.iter().flat_map(|run| &run.moments).flat_map(|moment| &moment.state.view);
    let lines: BTreeSet<&str> = lines.map(|(_, line)| line.as_str()).collect();
    let key_of = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let seen: BTreeSet<String> = lines.iter().map(|line| key_of(line)).collect();
    let mut unknown = named.into_iter().flatten().filter(|key| !seen.contains(*key));
    let note = match unknown.next() {
        Some(key) => {
            format!("`view` names the key `{}`, which no view has had in these games", excerpt(key))
        }
        None => {
            let is_of_all = |line: &&&str| {
                let key = key_of(line);
                view.seat.contains(&key) || view.back.contains(&key)
            };
            let has_others = |line: &&&str| line.split(' ').count() != 1 + check.seats;
            let line = lines.iter().filter(is_of_all).find(has_others)?;
            format!(
                "`{}` does not have a word for each of {} seats, as its key in `view` says: use `mark` for \
                 a line that names a seat",
                excerpt(line),
                check.seats
            )
        }
    };
    Some(Step::warning(StepName::Manifest, Problem::new(note)))
}

fn other_input(run: &Run, at: usize, nature: &mut Nature) -> Option<String> {
    let call = match &run.moments[at].state.next {
        Next::Nature(pool) => format!("happen {}", pool.draw(nature)),
        Next::Turn(turn) => format!("play {}", nature.choose(&turn.moves)?),
        Next::Over(_) => return None,
    };
    (call != run.inputs[at]).then_some(call)
}

fn played(
    check: &Check<'_>,
    run: &Run,
    at: usize,
    other: &String,
    instance: &mut Instance,
) -> Result<Option<InputResult>, Problem> {
    let mut last = instance.begin(&check.options)?;
    for call in run.inputs[..at].iter().chain([other]) {
        match instance.input(call)? {
            InputAnswer::Played(moment) => last = moment,
            InputAnswer::Refused(reason) => return Err(instance.refused(call, &reason)),
        }
    }
    Ok((!last.is_over()).then_some(last))
}

/// An event that a seat was told in one of two moments alone, where it sees the same in both.
fn hidden(one: &InputResult, other: &InputResult, seats: usize) -> Option<String> {
    let turn = |moment: &InputResult| moment.turn().map(|turn| turn.seat);
    if one.is_over() || turn(one) != turn(other) {
        return None;
    }
    let mut blind = Seat::first(seats).filter(|seat| {
        !one.seen_by(*seat).eq(other.seen_by(*seat)) && one.shown_to(*seat) == other.shown_to(*seat)
    });
    let seat = blind.next()?;
    let mut events = one.seen_by(seat).chain(other.seen_by(seat));
    let event = events.find(|event| {
        one.seen_by(seat).any(|it| it == *event) != other.seen_by(seat).any(|it| it == *event)
    });
    let event = excerpt(event.unwrap_or_default());
    Some(format!(
        "seat {seat} received `{event}` in only one of two games, but its view is the same: late \
         spectators see only the view"
    ))
}

fn compared(check: &Check<'_>, run: &Run, at: usize, other: &str) -> Vec<Calls> {
    let game = |title: &str, last: &str| {
        let begin = format!("new {}", check.options);
        let before = run.inputs[..at].iter().cloned();
        let lines = std::iter::once(begin).chain(before).chain([last.to_owned()]).collect();
        Calls { title: title.to_owned(), lines }
    };
    vec![game("one game", &run.inputs[at]), game("the other", other)]
}
