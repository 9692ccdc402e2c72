//! Whether what nature decides matters: rules that take something else than the outcome are not proven by the seed.
//!
//! # Theory of operation
//!
//! A chance of a game that was played is decided in another way, and the game goes on with the same inputs. If then
//! every event, view, move and score is the same to the end, that chance had no effect. A card that nobody ever sees
//! may have none in one game, so chances are counted by kind: those at the same place in games, and those with the
//! same pool. What only changes a later pool, as a burnt card does, has an effect if a later chance of that kind has.

use std::collections::{BTreeMap, BTreeSet};

use rules::Nature;
use rules::custom::ChancePool;
use rules::custom::answer::{Next, State};
use text::counted;

use super::context::{RulesCheck, excerpt};
use super::run::{CallResult, Instance, PlayedGame, Problem, RulesStepName, Step};
use crate::report::Listener;
use crate::step::CallList;

/// The most calls.
const CALLS: u64 = 6_000;

/// Other outcomes that are tried for one chance.
const OUTCOMES: usize = 3;

/// Draws among which another outcome is looked for.
const DRAWS: usize = 12;

/// The fewest chances of a kind without effect that are a fault, and the most that are tried.
const FEWEST: usize = 5;
const MOST: usize = 20;

/// The number of the stream of choices, apart from those of games.
const STREAM: u64 = 4 << 40;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum ChanceGroup<'a> {
    /// By the number of chances before it in its game, and of the items drawn.
    Place(usize, usize),
    /// By what can be drawn.
    Pool(&'a ChancePool),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ChancePlace {
    run: usize,
    /// The number of its input.
    at: usize,
}

/// What another outcome changes.
enum ChanceEffect {
    /// Something that a seat or a reader sees.
    Seen,
    /// What can be drawn at these later places, or nothing.
    Pools(BTreeSet<ChancePlace>),
}

struct ChanceSearch<'a> {
    check: &'a RulesCheck<'a>,
    runs: &'a [PlayedGame],
    instance: &'a mut Instance,
    nature: Nature,
    calls: u64,
    kinds: BTreeMap<ChancePlace, [ChanceGroup<'a>; 2]>,
}

/// Looks for chances whose outcomes never change anything.
pub(super) fn chances(
    check: &RulesCheck<'_>,
    runs: &[PlayedGame],
    instance: &mut Instance,
    follow: &mut dyn Listener<RulesStepName>,
) -> Step {
    follow.begins("chances");
    let kinds = kinds(runs);
    let nature = check.seed.order(STREAM);
    let mut search = ChanceSearch { check, runs, instance, nature, calls: 0, kinds };
    match search.tried() {
        Err(problem) => Step::failed(RulesStepName::Chances, problem),
        Ok(tried) => match search.without_effect(&tried) {
            Some(problem) => Step::failed(RulesStepName::Chances, problem),
            None if search.kinds.is_empty() => {
                Step::passed(RulesStepName::Chances, "nature decides nothing")
            }
            None => {
                let note = counted(tried.len(), "chance", "chances");
                Step::passed(RulesStepName::Chances, format!("{note} tried with other outcomes"))
            }
        },
    }
}

/// Every chance with more than one outcome, with its kinds.
fn kinds(runs: &[PlayedGame]) -> BTreeMap<ChancePlace, [ChanceGroup<'_>; 2]> {
    let mut kinds = BTreeMap::new();
    for (number, run) in runs.iter().enumerate() {
        let pools = run.moments.iter().zip(&run.inputs).enumerate();
        let pools = pools.filter_map(|(at, (moment, _))| Some((at, pool_of(&moment.state)?)));
        for (before, (at, pool)) in pools.enumerate() {
            if pool.items().count() > 1 {
                let kinds_of = [ChanceGroup::Place(before, pool.drawn()), ChanceGroup::Pool(pool)];
                kinds.insert(ChancePlace { run: number, at }, kinds_of);
            }
        }
    }
    kinds
}

fn pool_of(state: &State) -> Option<&ChancePool> {
    match &state.next {
        Next::Nature(pool) => Some(pool),
        Next::Turn(_) | Next::Over(_) => None,
    }
}

impl<'a> ChanceSearch<'a> {
    /// Tries chances, as many of each kind as are needed.
    fn tried(&mut self) -> Result<BTreeMap<ChancePlace, ChanceEffect>, Problem> {
        let mut total: BTreeMap<&ChanceGroup<'a>, usize> = BTreeMap::new();
        let kinds = self.kinds.clone();
        kinds.values().flatten().for_each(|kind| *total.entry(kind).or_default() += 1);
        // The first chances of all games come first: they are cheap, and every game has them.
        let mut order: Vec<(&ChancePlace, &[ChanceGroup<'a>; 2])> = kinds.iter().collect();
        order.sort_by_key(|(place, _)| (place.at, place.run));
        let mut without: BTreeMap<&ChanceGroup<'a>, usize> = BTreeMap::new();
        let mut seen: BTreeSet<&ChanceGroup<'a>> = BTreeSet::new();
        let mut tried = BTreeMap::new();
        for (place, kinds) in order {
            let is_open = |kind: &&ChanceGroup<'a>| {
                total[*kind] >= FEWEST
                    && !seen.contains(*kind)
                    && without.get(*kind).is_none_or(|count| *count < MOST)
            };
            if !kinds.iter().any(|kind| is_open(&kind)) {
                continue;
            }
            if self.calls >= self.check.scaled(CALLS)
                || self.check.pace.cuts(RulesStepName::Chances)
            {
                break;
            }
            let Some(effect) = self.effect(*place)? else { continue };
            for kind in kinds {
                match effect {
                    ChanceEffect::Seen => drop(seen.insert(kind)),
                    ChanceEffect::Pools(_) => *without.entry(kind).or_default() += 1,
                }
            }
            tried.insert(*place, effect);
        }
        Ok(tried)
    }

    /// What other outcomes of a chance change; none if no other one was found.
    fn effect(&mut self, place: ChancePlace) -> Result<Option<ChanceEffect>, Problem> {
        let others = self.other_inputs(place);
        let mut pools = BTreeSet::new();
        for other in &others {
            match self.effect_of(place, other)? {
                ChanceEffect::Seen => return Ok(Some(ChanceEffect::Seen)),
                ChanceEffect::Pools(places) => pools.extend(places),
            }
        }
        Ok((!others.is_empty()).then_some(ChanceEffect::Pools(pools)))
    }

    fn other_inputs(&mut self, ChancePlace { run, at }: ChancePlace) -> BTreeSet<String> {
        let run = &self.runs[run];
        let mut others = BTreeSet::new();
        if let Some(pool) = pool_of(&run.moments[at].state) {
            for _ in 0..DRAWS {
                let input = format!("happen {}", pool.draw(&mut self.nature));
                if input != run.inputs[at] && others.len() < OUTCOMES {
                    others.insert(input);
                }
            }
        }
        others
    }

    fn effect_of(
        &mut self,
        ChancePlace { run: number, at }: ChancePlace,
        other: &str,
    ) -> Result<ChanceEffect, Problem> {
        let run = &self.runs[number];
        let mut last = self.instance.begin(&self.check.options)?;
        let mut pools = BTreeSet::new();
        for (place, input) in run.inputs.iter().enumerate() {
            let call = match input.strip_prefix("happen ").zip(pool_of(&last.state)) {
                _ if place == at => other.to_owned(),
                Some((word, pool)) if place > at && !pool.holds(word) => {
                    // Where one outcome is left, it follows from those before.
                    if pool.items().count() > 1 {
                        break;
                    }
                    format!("happen {}", pool.draw(&mut self.nature))
                }
                _ => input.clone(),
            };
            last = match self.instance.input(&call)? {
                Ok(moment) => moment,
                Err(reason) => return Err(self.instance.refused(&call, &reason)),
            };
            if place < at {
                continue;
            }
            let before = &run.moments[place + 1];
            if !is_seen_the_same(before, &last) {
                self.calls += self.instance.calls() as u64;
                return Ok(ChanceEffect::Seen);
            }
            if pool_of(&before.state) != pool_of(&last.state) {
                pools.insert(ChancePlace { run: number, at: place + 1 });
            }
        }
        self.calls += self.instance.calls() as u64;
        Ok(ChanceEffect::Pools(pools))
    }

    /// A kind of which enough chances were tried, and none has an effect.
    fn without_effect(&mut self, tried: &BTreeMap<ChancePlace, ChanceEffect>) -> Option<Problem> {
        let mut effective: BTreeSet<&ChanceGroup<'a>> = BTreeSet::new();
        loop {
            let known = effective.len();
            for (place, effect) in tried {
                let is_one = match effect {
                    ChanceEffect::Seen => true,
                    ChanceEffect::Pools(places) => places.iter().any(|later| {
                        let mut kinds = self.kinds.get(later).into_iter().flatten();
                        kinds.any(|kind| effective.contains(kind))
                    }),
                };
                if is_one {
                    effective.extend(&self.kinds[place]);
                }
            }
            if effective.len() == known {
                break;
            }
        }
        let mut counts: BTreeMap<&ChanceGroup<'a>, Vec<ChancePlace>> = BTreeMap::new();
        for place in tried.keys() {
            for kind in &self.kinds[place] {
                counts.entry(kind).or_default().push(*place);
            }
        }
        let (_, places) = counts
            .into_iter()
            .find(|(kind, places)| places.len() >= FEWEST && !effective.contains(kind))?;
        let place = *places.first()?;
        let run = &self.runs[place.run];
        let other = self.other_inputs(place).pop_first()?;
        let note = format!(
            "whatever `{}` decides, the events, views, moves and scores are the same, in {}: use the OUTCOME of \
             `{}`",
            pool_of(&run.moments[place.at].state).map(|pool| excerpt(&pool.to_string()))?,
            counted(places.len(), "game", "games"),
            excerpt(&run.inputs[place.at]),
        );
        let calls = |title: &str, last: &str| {
            let begin = format!("new {}", self.check.options);
            let before = run.inputs[..place.at].iter().cloned();
            let lines = std::iter::once(begin).chain(before).chain([last.to_owned()]).collect();
            CallList { title: title.to_owned(), lines }
        };
        let calls = vec![calls("one game", &run.inputs[place.at]), calls("the other", &other)];
        Some(Problem { note, calls })
    }
}

/// Returns true if two moments differ at most in what can be drawn next.
fn is_seen_the_same(one: &CallResult, other: &CallResult) -> bool {
    let (one_state, other_state) = (&one.state, &other.state);
    let is_next_the_same = match (&one_state.next, &other_state.next) {
        (Next::Nature(_), Next::Nature(_)) => true,
        (one, other) => one == other,
    };
    is_next_the_same
        && one.events == other.events
        && one_state.view == other_state.view
        && one_state.points == other_state.points
        && one_state.gone == other_state.gone
        && one_state.walkover == other_state.walkover
}
