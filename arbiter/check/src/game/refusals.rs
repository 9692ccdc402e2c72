//! What is not listed is refused and changes nothing, and `check` says what `play` does.

use std::collections::BTreeSet;

use rules::custom::ChancePool;
use rules::custom::answer::{Next, SeatTurn};
use rules::{ListCompleteness, Nature};
use text::counted;

use super::context::{RulesCheck, excerpt};
use super::games::difference;
use super::run::{Instance, PlayedGame, Problem, RulesStepName, Step, StepFailure, below};
use crate::report::Listener;

/// The most calls.
const CALLS: u64 = 20_000;

/// The most states that are tried.
const STATES: u64 = 600;

/// The most moves, and the most items, of other states that are kept to be tried.
const STALE: usize = 2_000;

/// The most moves of other states that are tried in one.
const STALE_TRIED: usize = 3;

/// The most inputs after refusals that show whether anything has changed.
const AFTER: usize = 4;

/// The number of the stream of choices, apart from those of games.
const STREAM: u64 = 1 << 40;

/// Tries calls that must be refused in states of the games that were played.
struct RefusalTest<'a> {
    check: &'a RulesCheck<'a>,
    instance: &'a mut Instance,
    moves: BTreeSet<&'a str>,
    items: BTreeSet<&'a str>,
    nature: Nature,
    refused: u64,
    checked: u64,
}

/// Tries the states of games, and gives the two steps.
pub(super) fn refusals(
    check: &RulesCheck<'_>,
    runs: &[PlayedGame],
    instance: &mut Instance,
    follow: &mut dyn Listener<RulesStepName>,
) -> [Step; 2] {
    follow.begins("refusals");
    let mut trial = RefusalTest {
        check,
        instance,
        moves: BTreeSet::new(),
        items: BTreeSet::new(),
        nature: check.seed.order(STREAM),
        refused: 0,
        checked: 0,
    };
    trial.collect(runs);
    let failed = trial.states(runs, follow).err();
    let refused = counted(trial.refused, "call", "calls");
    let refusals = Step::passed(RulesStepName::Refusals, format!("{refused} refused"));
    let checks = match trial.checked {
        0 => Step::passed(RulesStepName::Checks, "not asked: no list of moves was cut by `more`"),
        count => Step::passed(RulesStepName::Checks, counted(count, "move", "moves")),
    };
    match failed {
        None => [refusals, checks],
        Some(StepFailure { name: RulesStepName::Checks, problem }) => {
            [refusals, Step::failed(RulesStepName::Checks, problem)]
        }
        Some(StepFailure { name, problem }) => {
            let skipped = "unlisted calls should be refused, but are not";
            [Step::failed(name, problem), Step::skipped(RulesStepName::Checks, skipped)]
        }
    }
}

impl<'a> RefusalTest<'a> {
    fn collect(&mut self, runs: &'a [PlayedGame]) {
        for moment in runs.iter().flat_map(|run| &run.moments) {
            match &moment.state.next {
                Next::Turn(turn) => turn.moves.iter().for_each(|mv| {
                    if self.moves.len() < STALE {
                        self.moves.insert(mv);
                    }
                }),
                Next::Nature(pool) => pool.items().for_each(|(item, _)| {
                    if self.items.len() < STALE {
                        self.items.insert(item);
                    }
                }),
                Next::Over(_) => {}
            }
        }
    }

    fn states(
        &mut self,
        runs: &[PlayedGame],
        follow: &mut dyn Listener<RulesStepName>,
    ) -> Result<(), StepFailure> {
        let mut calls = 0;
        let states = self.check.scaled(STATES);
        for number in 0..states {
            if self.check.pace.cuts(RulesStepName::Refusals) {
                break;
            }
            follow.begins(&format!("refusals, state {} of {states}", number + 1));
            let Some(run) = runs.get(number as usize % runs.len().max(1)) else { break };
            let at = below(&mut self.nature, run.moments.len() as u32) as usize;
            match &run.moments[at].state.next {
                Next::Over(_) => {}
                Next::Nature(pool) => {
                    let outcomes = self.strange_outcomes(pool);
                    calls += self.must_refuse(run, at, "happen", &outcomes)?;
                }
                Next::Turn(turn) => {
                    let moves = self.strange_moves(turn);
                    calls += match turn.listing {
                        ListCompleteness::Complete => self.must_refuse(run, at, "play", &moves)?,
                        ListCompleteness::Cut => self.must_agree(run, at, turn, &moves)?,
                    };
                }
            }
            if calls >= self.check.scaled(CALLS) {
                break;
            }
        }
        Ok(())
    }

    /// Texts that are not among the moves.
    fn strange_moves(&mut self, turn: &SeatTurn) -> Vec<String> {
        let first = turn.moves.first().map_or("", String::as_str);
        let made_up = ["no-such-move".to_owned(), "0".to_owned(), "-1".to_owned()];
        let like_first = [format!("{first} x"), first.to_uppercase(), first.to_lowercase()];
        let moves =
            made_up.into_iter().chain(like_first).chain(stale(&mut self.nature, &self.moves));
        moves.filter(|mv| !turn.moves.contains(mv)).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn strange_outcomes(&mut self, pool: &ChancePool) -> Vec<String> {
        let drawn = pool.draw(&mut self.nature);
        let (first, rest) = drawn.split_once(' ').unwrap_or((&drawn, ""));
        let with_first = |item: &str| format!("{item} {rest}").trim_end().to_owned();
        let stale = stale(&mut self.nature, &self.items);
        let fewest = pool.items().min_by_key(|(_, count)| *count);
        let too_many = fewest.filter(|(_, count)| (*count as usize) < pool.drawn());
        let too_many = too_many.map(|(item, count)| {
            let others = drawn.split(' ').skip(count as usize + 1);
            let items = std::iter::repeat_n(item, count as usize + 1).chain(others);
            items.collect::<Vec<_>>().join(" ")
        });
        let mut outcomes: BTreeSet<String> = stale.iter().map(|item| with_first(item)).collect();
        outcomes.extend([with_first("no-such-outcome"), format!("{drawn} {first}")]);
        outcomes.extend((!rest.is_empty()).then(|| rest.to_owned()));
        outcomes.extend(too_many);
        outcomes.into_iter().filter(|outcome| !pool.holds(outcome)).collect()
    }

    /// Tries inputs that must be refused in a state, then goes on; gives the number of calls.
    fn must_refuse(
        &mut self,
        run: &PlayedGame,
        at: usize,
        verb: &str,
        inputs: &[String],
    ) -> Result<u64, StepFailure> {
        let failed = |problem| StepFailure { name: RulesStepName::Refusals, problem };
        self.go_to(run, at)?;
        for input in inputs {
            let call = format!("{verb} {input}");
            if self.instance.input(&call).map_err(failed)?.is_ok() {
                let what = match verb {
                    "play" => "it is not listed",
                    _ => "it is not in the pool",
                };
                let note = format!(
                    "`{}` was accepted, but should have been refused: {what}",
                    excerpt(&call)
                );
                return Err(failed(self.instance.problem(note)));
            }
            self.refused += 1;
        }
        self.goes_on(run, at, "refused calls").map_err(failed)
    }

    /// Asks for moves by `check` where a list is cut, then plays those that are not listed; gives the number of
    /// calls.
    fn must_agree(
        &mut self,
        run: &PlayedGame,
        at: usize,
        turn: &SeatTurn,
        strange: &[String],
    ) -> Result<u64, StepFailure> {
        let failed = |problem| StepFailure { name: RulesStepName::Checks, problem };
        self.go_to(run, at)?;
        let listed = self.nature.choose(&turn.moves).cloned();
        if let Some(mv) = &listed
            && let Some(reason) = self.instance.check(mv).map_err(failed)?
        {
            let reason = excerpt(&reason);
            let note = format!("`check {mv}` was refused ({reason}), but the move is listed");
            return Err(failed(self.instance.problem(note)));
        }
        let mut answers = Vec::new();
        for mv in strange {
            answers.push((mv, self.instance.check(mv).map_err(failed)?));
            self.checked += 1;
        }
        let mut calls = self.goes_on(run, at, "calls of `check`").map_err(failed)?;
        self.go_to(run, at)?;
        for (mv, checked) in answers {
            let call = format!("play {mv}");
            match (checked, self.instance.input(&call).map_err(failed)?) {
                (None, Ok(_)) => {
                    calls += self.instance.calls() as u64;
                    self.go_to(run, at)?;
                }
                (Some(_), Err(_)) => self.refused += 1,
                (None, Err(reason)) => {
                    let reason = excerpt(&reason);
                    let note =
                        format!("`check {mv}` returned `ok`, but `{call}` was refused ({reason})");
                    return Err(failed(self.instance.problem(note)));
                }
                (Some(_), Ok(_)) => {
                    let note = format!("`check {mv}` was refused, but `{call}` was accepted");
                    return Err(failed(self.instance.problem(note)));
                }
            }
        }
        let after = self.goes_on(run, at, "refused calls");
        Ok(calls
            + after.map_err(|problem| StepFailure { name: RulesStepName::Refusals, problem })?)
    }

    /// Plays a game again up to one of its states.
    fn go_to(&mut self, run: &PlayedGame, at: usize) -> Result<(), StepFailure> {
        let failed = |problem| StepFailure { name: RulesStepName::Refusals, problem };
        self.instance.begin(&self.check.options).map_err(failed)?;
        for call in &run.inputs[..at] {
            if let Err(reason) = self.instance.input(call).map_err(failed)? {
                return Err(failed(self.instance.refused(call, &reason)));
            }
        }
        Ok(())
    }

    /// Goes on with a game as it was played, which shows that nothing has changed; gives the number of calls.
    fn goes_on(&mut self, run: &PlayedGame, at: usize, after: &str) -> Result<u64, Problem> {
        for (call, moment) in run.inputs.iter().zip(&run.moments[1..]).skip(at).take(AFTER) {
            let text = self.instance.answer(call)?;
            if let Some(difference) = difference(&moment.text, &text) {
                let note = format!("after {after}, `{}` {difference}", excerpt(call));
                return Err(self.instance.problem(note));
            }
        }
        Ok(self.instance.calls() as u64)
    }
}

/// Some words that were listed in other states.
fn stale(nature: &mut Nature, words: &BTreeSet<&str>) -> Vec<String> {
    let words: Vec<&str> = words.iter().copied().collect();
    let chosen = (0..STALE_TRIED).filter_map(|_| nature.choose(&words));
    chosen.map(|word| (*word).to_owned()).collect()
}
