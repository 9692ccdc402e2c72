//! Equal inputs give equal text: after other games, in a second instance, and with another order of hashes.

use std::sync::Arc;

use rules::own::{RulesKind, Source};
use text::counted;

use super::context::{Check, excerpt};
use super::instance::Instance;
use super::run::Run;
use super::step::{Problem, Step, StepName};
use crate::report::Listener;

/// The most calls of each repetition.
const CALLS: u64 = 40_000;

/// A value of `PYTHONHASHSEED` that gives sets another order.
const OTHER_HASH_SEED: &str = "1";

/// Plays the games again, in the instance that has played them and in new ones.
pub(super) fn same_text(
    check: &Check<'_>,
    runs: &[Run],
    mut instance: Instance,
    follow: &mut dyn Listener<StepName>,
) -> (Step, Option<Instance>) {
    follow.begins("same text");
    let mut tried = || -> Result<usize, Problem> {
        let games = again(check, runs, &mut instance, "after other games", follow)?;
        let mut second = check.start()?;
        again(check, runs, &mut second, "in a second instance", follow)?;
        if check.files.id().carrier == RulesKind::Program {
            let source = check.files.source_with(check.supervisor, OTHER_HASH_SEED);
            let source: Arc<dyn Source> = source.map_err(Problem::of)?.into();
            let mut other = Instance::start(&source, check.seats)?;
            let place = format!("with PYTHONHASHSEED={OTHER_HASH_SEED}");
            again(check, runs, &mut other, &place, follow)?;
        }
        Ok(games)
    };
    match tried() {
        Ok(games) => {
            let games = counted(games, "game", "games");
            let others = match check.files.id().carrier {
                RulesKind::Program => {
                    format!(", in other processes, with PYTHONHASHSEED={OTHER_HASH_SEED}")
                }
                RulesKind::Module => " and in a second instance".to_owned(),
            };
            let note = format!("{games} again, after other games{others}");
            (Step::passed(StepName::SameText, note), Some(instance))
        }
        Err(problem) => (Step::failed(StepName::SameText, problem), None),
    }
}

/// Plays games again until the calls are used up, and gives the number of them.
fn again(
    check: &Check<'_>,
    runs: &[Run],
    instance: &mut Instance,
    place: &str,
    follow: &mut dyn Listener<StepName>,
) -> Result<usize, Problem> {
    let mut calls = 0;
    let mut games = 0;
    for run in runs {
        if calls >= check.scaled(CALLS) || games > 0 && check.pace.cuts(StepName::SameText) {
            break;
        }
        follow.begins(&format!("same text, {place}, game {} of {}", games + 1, runs.len()));
        let begin = format!("new {}", check.options);
        let inputs = [&begin].into_iter().chain(&run.inputs);
        for (number, (call, moment)) in inputs.zip(&run.moments).enumerate() {
            if number == 0 {
                instance.forget();
            }
            let text = instance.answer(call)?;
            calls += 1;
            if let Some(difference) = difference(&moment.text, &text) {
                return Err(instance.problem(format!("{place}, `{}` {difference}", excerpt(call))));
            }
        }
        games += 1;
    }
    Ok(games)
}

/// The first line in which a second answer differs.
pub(super) fn difference(first: &str, second: &str) -> Option<String> {
    if first == second {
        return None;
    }
    let (mut before, mut now) = (first.lines(), second.lines());
    loop {
        let (before, now) = (before.next(), now.next());
        let shown = |line: Option<&str>| line.map_or("nothing".to_owned(), excerpt_line);
        match (before, now) {
            (None, None) => return Some("has other line ends".to_owned()),
            _ if before != now => {
                let (now, before) = (shown(now), shown(before));
                return Some(format!("is answered by {now} where it was {before}"));
            }
            _ => {}
        }
    }
}

fn excerpt_line(line: &str) -> String {
    format!("`{}`", excerpt(line))
}
