//! Random games, which show whether answers keep to the protocol, games end, and scores are within their bound.

use std::io;

use rules::Score;
use rules::own::answer::Next;
use text::counted;

use super::context::Check;
use super::instance::Instance;
use super::run::{self, Failed, Run};
use super::step::{Problem, Step, StepName};
use crate::report::Listener;

/// The most calls of all games; those that do not fit are not played.
const CALLS: u64 = 200_000;

/// The most bytes of answers that are kept of all games; later games are not kept.
const KEPT: usize = 64 << 20;

/// The steps that random games show.
const SHOWN: [StepName; 5] =
    [StepName::Protocol, StepName::Inputs, StepName::Fallbacks, StepName::Ends, StepName::Scores];

pub(super) struct Games {
    /// Those that are kept.
    pub runs: Vec<Run>,
    /// The instance that has played them; none if one of them failed.
    pub instance: Option<Instance>,
}

/// Plays random games up to the first one that fails, and reports what they show.
pub(super) fn play(
    check: &Check<'_>,
    mut instance: Instance,
    follow: &mut dyn Listener<StepName>,
) -> io::Result<Games> {
    let mut runs: Vec<Run> = Vec::new();
    let (mut games, mut inputs, mut longest, mut kept) = (0, 0, 0, 0);
    let mut failed = None;
    let mut above = None;
    while games < check.games && inputs < check.scaled(CALLS) && failed.is_none() {
        if games > 0 && check.pace.cuts(StepName::Protocol) {
            break;
        }
        follow.begins(&format!("game {} of {}", games + 1, check.games));
        let (mut draws, mut choices) = (check.seed.nature(games), check.seed.order(games));
        match run::random(&mut instance, &check.options, &mut draws, &mut choices) {
            Ok(run) => {
                games += 1;
                inputs += run.length as u64;
                longest = longest.max(run.length);
                above = above.or_else(|| above_most(&run, check.about.most, &instance));
                kept += run.moments.iter().map(|moment| moment.text.len()).sum::<usize>();
                if kept <= KEPT || runs.is_empty() {
                    runs.push(run);
                }
            }
            Err(found) => failed = Some(found),
        }
    }
    let games_played = counted(games, "game", "games");
    let has_failed = failed.is_some();
    let (at, mut problem) = match failed {
        Some(Failed { name, problem }) => (Some(name), Some(problem)),
        None => (None, None),
    };
    for name in SHOWN {
        let note = match name {
            StepName::Protocol => format!("{games_played}, {}", counted(inputs, "input", "inputs")),
            StepName::Ends => format!("{longest} inputs at most"),
            _ => String::new(),
        };
        let fails = at == Some(name);
        follow.found(match (problem.take_if(|_| fails), &mut above) {
            (Some(problem), _) => Step::failed(name, problem),
            (None, Some(_)) if name == StepName::Scores => {
                above.take().map_or_else(|| Step::passed(name, ""), |it| Step::failed(name, it))
            }
            (None, _) if has_failed => Step::skipped(name, "a game could not be played to its end"),
            (None, _) => Step::passed(name, note),
        })?;
    }
    Ok(Games { runs, instance: (!has_failed).then_some(instance) })
}

/// A score at the end of a game, or of a walkover, that is above the most that the description states.
fn above_most(run: &Run, most: Option<Score>, instance: &Instance) -> Option<Problem> {
    let most = most?;
    let mut lines = run.moments.iter().flat_map(|moment| {
        let over = match &moment.state.next {
            Next::Over(scores) => Some(("over", scores)),
            Next::Nature(_) | Next::Turn(_) => None,
        };
        over.into_iter().chain(moment.state.walkover.as_ref().map(|it| ("walkover", it)))
    });
    lines.find_map(|(line, scores)| {
        let score = scores.values().iter().find(|score| **score > most)?;
        let note =
            format!("`{line}` has a score of {score}, above `most {most}` of the description");
        Some(instance.problem(note))
    })
}
