//! Whether a seat sees more than it was told, without help of the author.
//!
//! # Theory of operation
//!
//! A *twin* of a state, for one seat, is the state after other inputs that have told this seat exactly the same. What
//! the seat sees in both must be the same: its view, the points, its moves if it is asked, and whether another seat is
//! asked or its move is forced. Twins are found by
//! changes of the inputs that keep all that the seat was told; several changes are made one after the other. A seat
//! knows its own moves, the events as it sees them, and whose turn it is; moves of others and draws only as events.
//! The results of a game that is over are left out: what is hidden then is up to the rules.
//!
//! The other way round, views tell what was told as events, for those who see nothing else; and their keys are those of
//! the manifest.

use std::collections::BTreeSet;

use rules::custom::answer::Next;
use rules::{ListCompleteness, Nature, Seat};

use super::context::{RulesCheck, excerpt};
use super::run::{CallResult, Instance, PlayedGame, Problem, RulesStepName, Step, below};
use super::summary::DepthHistogram;
use crate::report::Listener;
use crate::step::CallList;
use text::counted;

/// The most calls.
const CALLS: u64 = 30_000;

/// The most rounds in which every seat of every game is tried once.
const ROUNDS: usize = 24;

/// Changes that are tried for one state.
const CHANGES: usize = 6;

/// The number of the stream of choices, apart from those of games.
const STREAM: u64 = 2 << 40;

/// Looks for twins in games that were played.
struct TwinSearch<'a> {
    check: &'a RulesCheck<'a>,
    instance: &'a mut Instance,
    seat: Seat,
    nature: Nature,
    calls: u64,
}

/// A game with changed inputs, as far as a seat was told the same.
struct TwinGame {
    run: PlayedGame,
    /// The number of the state in which it sees something else, and what that is.
    leak: Option<(usize, String)>,
}

/// Looks for leaks; gives how many states had a twin, and the first leak.
pub(super) fn leaks(
    check: &RulesCheck<'_>,
    runs: &[PlayedGame],
    instance: &mut Instance,
    follow: &mut dyn Listener<RulesStepName>,
) -> (DepthHistogram, Option<Problem>) {
    let mut tried: Vec<(usize, Seat, usize)> = Vec::new();
    let seats: Vec<Seat> = Seat::first(check.seats).collect();
    let nature = check.seed.order(STREAM);
    let mut search = TwinSearch { check, instance, seat: seats[0], nature, calls: 0 };
    let mut problem = None;
    'rounds: for round in 0..ROUNDS {
        for seat in &seats {
            follow.begins(&format!("leaks, seat {seat}, round {} of {ROUNDS}", round + 1));
            for (number, run) in runs.iter().enumerate() {
                if search.calls >= check.scaled(CALLS) || check.pace.cuts(RulesStepName::Leaks) {
                    break 'rounds;
                }
                search.seat = *seat;
                let mut twins = BTreeSet::new();
                problem = search.find_twins(run, &mut twins).err();
                tried.extend(twins.into_iter().map(|state| (number, *seat, state)));
                if problem.is_some() {
                    break 'rounds;
                }
            }
        }
    }
    let mut depths =
        DepthHistogram::new(runs.iter().map(|run| run.inputs.len()).max().unwrap_or(0));
    for run in runs {
        let states = run.moments.iter().enumerate().skip(1);
        let depth = states.filter(|(_, moment)| !moment.is_over()).map(|(state, _)| state);
        depth.for_each(|state| depths.add_states(state, seats.len()));
    }
    let twins: BTreeSet<(usize, Seat, usize)> = tried.into_iter().collect();
    twins.into_iter().for_each(|(.., state)| depths.add_twin(state));
    (depths, problem)
}

impl TwinSearch<'_> {
    /// Looks for twins of one state of a game, which are twins of earlier states, too.
    fn find_twins(
        &mut self,
        base: &PlayedGame,
        twins: &mut BTreeSet<usize>,
    ) -> Result<(), Problem> {
        let target = 1 + below(&mut self.nature, base.inputs.len() as u32) as usize;
        let mut current: Option<PlayedGame> = None;
        for _ in 0..CHANGES {
            let from = current.as_ref().unwrap_or(base);
            let Some(inputs) = changed(from, target, self.seat, &mut self.nature) else { break };
            let twin = self.play(base, inputs)?;
            let first = first_change(base, &twin.run);
            let same = first + 1..twin.run.moments.len();
            twins.extend(same.filter(|state| !base.moments[*state].is_over()));
            if twin.leak.is_some() {
                return Err(self.problem(base, twin));
            }
            if twin.run.inputs.len() >= target && first < target {
                current = Some(with_rest(twin.run, base));
            }
        }
        Ok(())
    }

    /// Plays changed inputs, as long as they can be played and the seat sees the same events.
    fn play(&mut self, base: &PlayedGame, inputs: Vec<String>) -> Result<TwinGame, Problem> {
        let first = self.instance.begin(&self.check.options)?;
        let run = PlayedGame { inputs: Vec::new(), moments: vec![first], length: 0 };
        let mut twin = TwinGame { run, leak: None };
        let mut is_changed = false;
        for (number, input) in inputs.into_iter().enumerate() {
            let Some(last) = twin.run.moments.last() else { break };
            let Some(call) = self.possible(last, input) else { break };
            let moment = match self.instance.input(&call)? {
                Ok(moment) => moment,
                Err(_) if is_unlisted(last, &call) => break,
                Err(reason) => return Err(self.instance.refused(&call, &reason)),
            };
            let before = &base.moments[number + 1];
            let is_own = last.turn().is_some_and(|turn| {
                turn.seat == self.seat && !turn.forced && call != base.inputs[number]
            });
            if is_own || !is_told_the_same(before, &moment, self.seat) {
                break;
            }
            is_changed |= call != base.inputs[number];
            if is_changed && !before.is_over() {
                twin.leak = differently_shown(before, &moment, self.seat)
                    .map(|difference| (number + 1, difference));
            }
            twin.run.inputs.push(call);
            twin.run.moments.push(moment);
            if twin.leak.is_some() {
                break;
            }
        }
        self.calls += self.instance.calls() as u64;
        Ok(twin)
    }

    /// The call for an input that can be made in a state: another seat plays something else if it must.
    fn possible(&mut self, state: &CallResult, input: String) -> Option<String> {
        let (verb, word) = input.split_once(' ')?;
        match (&state.state.next, verb) {
            (Next::Nature(pool), "happen") => pool.holds(word).then_some(input),
            (Next::Turn(turn), "play") => {
                let is_listed = turn.moves.iter().any(|mv| mv == word);
                if is_listed || turn.seat == self.seat {
                    return (is_listed || turn.listing == ListCompleteness::Cut).then_some(input);
                }
                self.nature.choose(&turn.moves).map(|mv| format!("play {mv}"))
            }
            _ => None,
        }
    }

    /// Tells a leak by the two games, without changes that it does not need.
    fn problem(&mut self, base: &PlayedGame, twin: TwinGame) -> Problem {
        let mut twin = twin;
        while let Some(smaller) = self.with_fewer_changes(base, &twin) {
            twin = smaller;
        }
        let TwinGame { run, leak } = twin;
        let (state, difference) = leak.unwrap_or_default();
        let note =
            format!("seat {} received the same events in two games, but {difference}", self.seat);
        let calls = |title: &str, inputs: &[String]| {
            let begin = format!("new {}", self.check.options);
            let lines = std::iter::once(begin).chain(inputs.iter().take(state).cloned()).collect();
            CallList { title: title.to_owned(), lines }
        };
        let calls = vec![calls("one game", &base.inputs), calls("the other", &run.inputs)];
        Problem { note, calls }
    }

    /// The leak with one or two changed inputs as they were at first, if it is still there.
    fn with_fewer_changes(&mut self, base: &PlayedGame, twin: &TwinGame) -> Option<TwinGame> {
        let (state, _) = twin.leak.as_ref()?;
        let changes: Vec<usize> =
            (0..*state).filter(|at| base.inputs[*at] != twin.run.inputs[*at]).collect();
        let pairs = changes.iter().flat_map(|one| changes.iter().map(move |other| (*one, *other)));
        let tried = pairs.take(64).find_map(|(one, other)| {
            let mut inputs = twin.run.inputs.clone();
            inputs[one] = base.inputs[one].clone();
            inputs[other] = base.inputs[other].clone();
            let tried = self.play(base, inputs).ok()?;
            tried.leak.is_some().then_some(tried)
        });
        // What a seat had to play instead may change again, but it may not come back.
        tried.filter(|tried| {
            let left = tried.run.inputs.iter().zip(&base.inputs).filter(|(a, b)| a != b).count();
            left < changes.len()
        })
    }
}

/// Returns true if a seat sees the same events in two moments: the events as it sees them, and who moves.
fn is_told_the_same(one: &CallResult, other: &CallResult, seat: Seat) -> bool {
    let next = |moment: &CallResult| match &moment.state.next {
        Next::Turn(turn) => (Some(turn.seat), false),
        Next::Nature(_) => (None, false),
        Next::Over(_) => (None, true),
    };
    next(one) == next(other) && one.seen_by(seat).eq(other.seen_by(seat))
}

/// The first line of what a seat is shown that is different in two moments; or another seat that is asked in only one
/// of them, which this seat notices by an answer without a question.
fn differently_shown(one: &CallResult, other: &CallResult, seat: Seat) -> Option<String> {
    let turns = one.turn().zip(other.turn()).filter(|(turn, _)| turn.seat != seat);
    if let Some((turn, _)) = turns.filter(|(one, other)| one.forced != other.forced) {
        return Some(format!(
            "seat {} is asked for a move in only one of them: omit `forced` unless all seats know \
             that only one move is legal",
            turn.seat
        ));
    }
    let (one, other) = (one.shown_to(seat), other.shown_to(seat));
    let at = (0..one.len().max(other.len())).find(|at| one.get(*at) != other.get(*at))?;
    let shown = |lines: &[String]| {
        lines.get(at).map_or("nothing more".to_owned(), |line| format!("`{}`", excerpt(line)))
    };
    let (one, other) = (shown(&one), shown(&other));
    Some(format!("its views differ ({one}, {other}): hide it, or announce it as an event"))
}

/// The number of the first input that is not the same.
fn first_change(base: &PlayedGame, twin: &PlayedGame) -> usize {
    let mut pairs = base.inputs.iter().zip(&twin.inputs);
    pairs.position(|(one, other)| one != other).unwrap_or(twin.inputs.len())
}

/// A move that was not listed, and may be refused.
fn is_unlisted(state: &CallResult, call: &str) -> bool {
    let mv = call.strip_prefix("play ").unwrap_or_default();
    state.turn().is_some_and(|turn| !turn.moves.iter().any(|listed| listed == mv))
}

/// The twin, and after it the inputs of the game, which are tried again.
fn with_rest(mut twin: PlayedGame, base: &PlayedGame) -> PlayedGame {
    let rest = base.inputs.iter().skip(twin.inputs.len()).cloned();
    twin.inputs.extend(rest.collect::<Vec<_>>());
    twin
}

/// The last items among which every second one is chosen: what was drawn long ago is often known.
const RECENT: usize = 60;

/// A way to change inputs so that a seat may not notice it.
#[derive(Clone, Copy)]
enum InputChange {
    /// Two items or outcomes change places.
    Swap,
    /// An item or outcome is another one that could be drawn there.
    Replace,
    /// Another seat plays another move.
    Move,
}

/// The place of an item: the number of the input, and of the word in it.
type Place = (usize, usize);

/// The inputs of a game with one more change before its state `before`, if there is one that can be made.
pub(super) fn changed(
    run: &PlayedGame,
    before: usize,
    seat: Seat,
    nature: &mut Nature,
) -> Option<Vec<String>> {
    let ways = [InputChange::Swap, InputChange::Replace, InputChange::Move];
    let first = below(nature, ways.len() as u32) as usize;
    (0..ways.len()).find_map(|turn| match ways[(first + turn) % ways.len()] {
        InputChange::Swap => swapped(run, before, nature),
        InputChange::Replace => replaced(run, before, nature),
        InputChange::Move => other_move(run, before, seat, nature),
    })
}

fn swapped(run: &PlayedGame, before: usize, nature: &mut Nature) -> Option<Vec<String>> {
    let places = places(run, before);
    let (one, word) = recent(&places, nature)?;
    let others: Vec<Place> =
        places.iter().filter(|(_, other)| other != word).map(|(place, _)| *place).collect();
    let other = nature.choose(&others)?;
    let (_, other_word) = places.iter().find(|(place, _)| place == other)?;
    let mut inputs = run.inputs.clone();
    set(&mut inputs, *one, other_word);
    set(&mut inputs, *other, word);
    Some(inputs)
}

fn replaced(run: &PlayedGame, before: usize, nature: &mut Nature) -> Option<Vec<String>> {
    let places = places(run, before);
    let (place, word) = recent(&places, nature)?;
    let Next::Nature(pool) = &run.moments.get(place.0)?.state.next else { return None };
    let items: Vec<&str> = pool.items().map(|(item, _)| item).filter(|it| it != word).collect();
    let item = nature.choose(&items)?;
    let mut inputs = run.inputs.clone();
    set(&mut inputs, *place, item);
    Some(inputs)
}

fn other_move(
    run: &PlayedGame,
    before: usize,
    seat: Seat,
    nature: &mut Nature,
) -> Option<Vec<String>> {
    let turns: Vec<usize> = (0..before.min(run.inputs.len()))
        .filter(|at| {
            run.moments[*at]
                .turn()
                .is_some_and(|turn| turn.seat != seat && turn.moves.len() > 1 && !turn.forced)
        })
        .collect();
    let at = *nature.choose(&turns)?;
    let turn = run.moments[at].turn()?;
    let played = run.inputs[at].strip_prefix("play ")?;
    let others: Vec<&String> = turn.moves.iter().filter(|mv| *mv != played).collect();
    let mv = nature.choose(&others)?;
    let mut inputs = run.inputs.clone();
    inputs[at] = format!("play {mv}");
    Some(inputs)
}

/// The items that nature has drawn before a state, with their places.
fn places(run: &PlayedGame, before: usize) -> Vec<(Place, &str)> {
    let drawn = run.inputs.iter().take(before).enumerate().filter_map(|(number, input)| {
        let outcome = input.strip_prefix("happen ")?;
        Some(outcome.split(' ').enumerate().map(move |(word, item)| ((number, word), item)))
    });
    drawn.flatten().collect()
}

fn recent<'a, 'b>(
    places: &'a [(Place, &'b str)],
    nature: &mut Nature,
) -> Option<&'a (Place, &'b str)> {
    let from = match below(nature, 2) {
        0 => places.len().saturating_sub(RECENT),
        _ => 0,
    };
    nature.choose(&places[from..])
}

/// Puts a word into the place of another one.
fn set(inputs: &mut [String], (number, word): Place, item: &str) {
    let Some(outcome) = inputs[number].strip_prefix("happen ") else { return };
    let words = outcome.split(' ').enumerate().map(|(at, old)| if at == word { item } else { old });
    inputs[number] = format!("happen {}", words.collect::<Vec<_>>().join(" "));
}

/// The most calls.
const VIEW_CALLS: u64 = 10_000;

/// The most states that are tried.
const STATES: u64 = 400;

/// The number of the stream of choices, apart from those of games.
const VIEW_STREAM: u64 = 3 << 40;

/// Continues games in two ways: a view must differ where the events that a seat has seen differ.
pub(super) fn views(
    check: &RulesCheck<'_>,
    runs: &[PlayedGame],
    instance: &mut Instance,
    follow: &mut dyn Listener<RulesStepName>,
) -> Step {
    follow.begins("views");
    let mut nature = check.seed.order(VIEW_STREAM);
    let mut pairs = 0u64;
    let mut calls = 0;
    for number in 0..check.scaled(STATES) {
        let Some(run) = runs.get(number as usize % runs.len().max(1)) else { break };
        if calls >= check.scaled(VIEW_CALLS)
            || run.inputs.is_empty()
            || check.pace.cuts(RulesStepName::Views)
        {
            break;
        }
        follow.begins(&format!("views, pair {} of {}", number + 1, check.scaled(STATES)));
        let at = below(&mut nature, run.inputs.len() as u32) as usize;
        let Some(other) = other_input(run, at, &mut nature) else { continue };
        match played(check, run, at, &other, instance) {
            Err(problem) => return Step::failed(RulesStepName::Views, problem),
            Ok(None) => {}
            Ok(Some(moment)) => {
                pairs += 1;
                if let Some(note) = hidden(&run.moments[at + 1], &moment, check.seats) {
                    let problem = Problem { note, calls: compared(check, run, at, &other) };
                    return Step::warning(RulesStepName::Views, problem);
                }
            }
        }
        calls += instance.calls() as u64;
    }
    let note = format!("{} told apart by events and by views", counted(pairs, "pair", "pairs"));
    Step::passed(RulesStepName::Views, note)
}

/// Problems with the keys of `[view]`: no view has the key, or its line does not fit the kind.
pub(super) fn keys(check: &RulesCheck<'_>, runs: &[PlayedGame]) -> Option<Step> {
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
                "`{}` does not have one word for each of {} seats, although `view` has its key in \
                 `seat` or `back`: use `mark` for a line that names a seat",
                excerpt(line),
                check.seats
            )
        }
    };
    Some(Step::warning(RulesStepName::Manifest, Problem::new(note)))
}

fn other_input(run: &PlayedGame, at: usize, nature: &mut Nature) -> Option<String> {
    let call = match &run.moments[at].state.next {
        Next::Nature(pool) => format!("happen {}", pool.draw(nature)),
        Next::Turn(turn) => format!("play {}", nature.choose(&turn.moves)?),
        Next::Over(_) => return None,
    };
    (call != run.inputs[at]).then_some(call)
}

fn played(
    check: &RulesCheck<'_>,
    run: &PlayedGame,
    at: usize,
    other: &String,
    instance: &mut Instance,
) -> Result<Option<CallResult>, Problem> {
    let mut last = instance.begin(&check.options)?;
    for call in run.inputs[..at].iter().chain([other]) {
        match instance.input(call)? {
            Ok(moment) => last = moment,
            Err(reason) => return Err(instance.refused(call, &reason)),
        }
    }
    Ok((!last.is_over()).then_some(last))
}

/// An event that a seat was told in one of two moments alone, where it sees the same in both.
fn hidden(one: &CallResult, other: &CallResult, seats: usize) -> Option<String> {
    let turn = |moment: &CallResult| moment.turn().map(|turn| turn.seat);
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

fn compared(check: &RulesCheck<'_>, run: &PlayedGame, at: usize, other: &str) -> Vec<CallList> {
    let game = |title: &str, last: &str| {
        let begin = format!("new {}", check.options);
        let before = run.inputs[..at].iter().cloned();
        let lines = std::iter::once(begin).chain(before).chain([last.to_owned()]).collect();
        CallList { title: title.to_owned(), lines }
    };
    vec![game("one game", &run.inputs[at]), game("the other", other)]
}
