//! Puzzles: decisions with one clearly best move, which the bot is asked for.

use bots::review::reviewer;
use review::{MistakeGrade, Puzzle};
use rules::{Ruling, Sample};

use crate::bot::asking::{Asker, RuledExchange};
use crate::bot::context::{Check, Puzzles, Stopped};
use crate::bot::evidence::{fault, shortened};
use crate::bot::step::{Step, StepName};
use crate::report::Listener;
use contest::reviewing::with_time;

/// The worlds by which moves that come to the same are found.
const WORLDS: u32 = 2;

/// Asks each puzzle once; one is solved by a move that is no mistake.
pub(super) fn puzzles(
    check: &Check<'_>,
    puzzles: &Puzzles,
    asker: &mut Asker,
    listener: &mut dyn Listener<StepName>,
) -> Result<(), Stopped> {
    let (mut solved, mut tried, mut given_away) = (0, 0, 0.0);
    for puzzle in &puzzles.list {
        let name = StepName::Request(format!("puzzle {}", puzzle.name));
        listener.begins(&name.to_string());
        asker.begin(&name);
        if let Some(skipped) = asker.gives_up(&name) {
            listener.found(skipped)?;
            continue;
        }
        let request = with_time(&puzzle.request, check.time_ms());
        let Ok(sample) = Sample::read(&request) else {
            listener.found(Step::skipped(name, "cannot read its request"))?;
            continue;
        };
        let dialect = asker.dialect();
        let Some(prompt) = sample.prompt(dialect) else {
            listener.found(Step::skipped(name, "the game does not have the bot's dialect"))?;
            continue;
        };
        let RuledExchange { exchange, ruling, .. } = asker.ask_afresh(&prompt, &sample)?;
        let Some(played) = sample.played(dialect, exchange.answer.clone()) else {
            let answer: (_, &Ruling) = (&exchange, &ruling);
            listener.found(fault(&name, "", answer, Some(&sample), check))?;
            continue;
        };
        let Some(lost) = given_up(puzzle, &sample, &played) else {
            let note = format!("the value of {} is not known", shortened(&played));
            listener.found(Step::skipped(name, note))?;
            continue;
        };
        tried += 1;
        given_away += lost;
        let played = shortened(&played);
        let step = match lost < MistakeGrade::Inaccuracy.threshold() {
            true => {
                solved += 1;
                Step::passed(name, played)
            }
            false => {
                let (best, lost) = (shortened(&puzzle.values.best), 100.0 * lost);
                Step::warning(name, format!("{played} loses {lost:.1}%, best {best}"))
            }
        };
        listener.found(step.taking(exchange.measured.ms))?;
    }
    let (all, mean) = (puzzles.list.len(), 100.0 * given_away / f64::from(tried.max(1)));
    let note = format!("{solved} of {all} solved, average loss {mean:.1}%");
    let step = match solved >= puzzles.at_least {
        true => Step::passed(StepName::Puzzles, note),
        false => {
            let note = format!("{note}; {} needed to pass", puzzles.at_least);
            Step::failed(StepName::Puzzles, note, None)
        }
    };
    Ok(listener.found(step)?)
}

/// Finds how much a legal move gives away. An unlisted move has the value of the listed one that comes to the same;
/// none if there is no such move.
fn given_up(puzzle: &Puzzle, sample: &Sample, played: &str) -> Option<f64> {
    if let Some(lost) = puzzle.given_away(played) {
        return Some(lost);
    }
    let opinion = reviewer(sample.kind())?.review(&puzzle.request, played, WORLDS).ok()?;
    let moves = opinion.reviewed.moves;
    let is_there = |listed: &str| moves.iter().any(|rated| rated.mv == listed);
    // The move played stands for those that come to the same, so the one that is missing is its equal. The best move
    // is listed with the cards that were played in the log, so it may be missing, too.
    let missing: Vec<&String> = puzzle.values.moves.keys().filter(|it| !is_there(it)).collect();
    let best = &puzzle.values.best;
    let equal = missing.iter().find(|listed| **listed != best).or(missing.first());
    equal.and_then(|equal| puzzle.given_away(equal))
}
