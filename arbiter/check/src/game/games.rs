//! Whole games: random ones, equal inputs again, which must give equal text, and those that an author has recorded.

use std::sync::Arc;

use games::GameFiles;
use rules::Score;
use rules::custom::answer::Next;
use rules::custom::{CustomRulesKind, RulesSource};
use text::failure::Failure;
use text::{counted, printable};

use super::context::{RulesCheck, excerpt};
use super::run::{self, Instance, PlayedGame, Problem, RulesStepName, Step, StepFailure};
use crate::report::Listener;

/// The most calls of all games; those that do not fit are not played.
const CALLS: u64 = 200_000;

/// The most bytes of answers that are kept of all games; later games are not kept.
const KEPT: usize = 64 << 20;

/// The steps that random games show.
const SHOWN: [RulesStepName; 5] = [
    RulesStepName::Protocol,
    RulesStepName::Inputs,
    RulesStepName::Fallbacks,
    RulesStepName::Ends,
    RulesStepName::Scores,
];

pub(super) struct PlayedGames {
    /// Those that are kept.
    pub runs: Vec<PlayedGame>,
    /// The instance that has played them; none if one of them failed.
    pub instance: Option<Instance>,
}

/// Plays random games up to the first one that fails, and reports what they show.
pub(super) fn play(
    check: &RulesCheck<'_>,
    mut instance: Instance,
    follow: &mut dyn Listener<RulesStepName>,
) -> Result<PlayedGames, Failure> {
    let mut runs: Vec<PlayedGame> = Vec::new();
    let (mut games, mut inputs, mut longest, mut kept) = (0, 0, 0, 0);
    let mut failed = None;
    let mut above = None;
    while games < check.games && inputs < check.scaled(CALLS) && failed.is_none() {
        if games > 0 && check.pace.cuts(RulesStepName::Protocol) {
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
        Some(StepFailure { name, problem }) => (Some(name), Some(problem)),
        None => (None, None),
    };
    for name in SHOWN {
        let note = match name {
            RulesStepName::Protocol => {
                format!("{games_played}, {}", counted(inputs, "input", "inputs"))
            }
            RulesStepName::Ends => format!("{longest} inputs at most"),
            _ => String::new(),
        };
        let fails = at == Some(name);
        follow.on_step(match (problem.take_if(|_| fails), &mut above) {
            (Some(problem), _) => Step::failed(name, problem),
            (None, Some(_)) if name == RulesStepName::Scores => {
                above.take().map_or_else(|| Step::passed(name, ""), |it| Step::failed(name, it))
            }
            (None, _) if has_failed => Step::skipped(name, "a game could not be played to its end"),
            (None, _) => Step::passed(name, note),
        })?;
    }
    Ok(PlayedGames { runs, instance: (!has_failed).then_some(instance) })
}

/// A score at the end of a game, or of a walkover, that is above the most that the description states.
fn above_most(run: &PlayedGame, most: Option<Score>, instance: &Instance) -> Option<Problem> {
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

/// The most calls of each repetition.
const CALLS_AGAIN: u64 = 40_000;

/// A value of `PYTHONHASHSEED` that gives sets another order.
const OTHER_HASH_SEED: &str = "1";

/// Plays the games again, in the instance that has played them and in a new one, and a program also with another order
/// of hashes: equal inputs must give equal text.
pub(super) fn same_text(
    check: &RulesCheck<'_>,
    runs: &[PlayedGame],
    mut instance: Instance,
    follow: &mut dyn Listener<RulesStepName>,
) -> (Step, Option<Instance>) {
    follow.begins("same text");
    let mut tried = || -> Result<usize, Problem> {
        let games = replay_games(check, runs, &mut instance, "after other games", follow)?;
        let mut second = check.start()?;
        replay_games(check, runs, &mut second, "in a second instance", follow)?;
        if check.files.id().carrier == CustomRulesKind::Program {
            let source = check.files.source_with(check.supervisor, OTHER_HASH_SEED);
            let source: Arc<dyn RulesSource> = source.map_err(Problem::new)?.into();
            let mut other = Instance::start(&source, check.seats)?;
            let place = format!("with PYTHONHASHSEED={OTHER_HASH_SEED}");
            replay_games(check, runs, &mut other, &place, follow)?;
        }
        Ok(games)
    };
    match tried() {
        Ok(games) => {
            let games = counted(games, "game", "games");
            let others = match check.files.id().carrier {
                CustomRulesKind::Program => {
                    format!(", in other processes, with PYTHONHASHSEED={OTHER_HASH_SEED}")
                }
                CustomRulesKind::Module => " and in a second instance".to_owned(),
            };
            let note = format!("{games} again, after other games{others}");
            (Step::passed(RulesStepName::SameText, note), Some(instance))
        }
        Err(problem) => (Step::failed(RulesStepName::SameText, problem), None),
    }
}

/// Plays games again until the calls are used up, and gives the number of them.
fn replay_games(
    check: &RulesCheck<'_>,
    runs: &[PlayedGame],
    instance: &mut Instance,
    place: &str,
    follow: &mut dyn Listener<RulesStepName>,
) -> Result<usize, Problem> {
    let mut calls = 0;
    let mut games = 0;
    for run in runs {
        if calls >= check.scaled(CALLS_AGAIN)
            || games > 0 && check.pace.cuts(RulesStepName::SameText)
        {
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
            (None, None) => return Some("has different line endings".to_owned()),
            _ if before != now => {
                let (now, before) = (shown(now), shown(before));
                return Some(format!("was answered with {before} before, but with {now} now"));
            }
            _ => {}
        }
    }
}

fn excerpt_line(line: &str) -> String {
    format!("`{}`", excerpt(line))
}

/// The opening of a line with a call.
const CALL: &str = "> ";

/// The most bytes of a recorded game that is written.
const LONGEST: usize = 1 << 20;

/// A call of a recorded game: a line `> CALL`, then the lines of its answer.
struct RecordedCall {
    line: usize,
    call: String,
    answer: String,
}

/// Plays the recorded games of a folder again; without one, there is no step.
pub(super) fn recorded(check: &RulesCheck<'_>) -> Option<Step> {
    let names = match check.files.recorded() {
        Ok(names) if names.is_empty() => return None,
        Ok(names) => names,
        Err(error) => return Some(Step::failed(RulesStepName::Recorded, Problem::new(error))),
    };
    let played = check.start().and_then(|mut instance| {
        let mut each = names.iter();
        each.try_for_each(|name| play_recorded(check.files, name, &mut instance))
            .map(|()| names.len())
    });
    Some(match played {
        Ok(games) => Step::passed(RulesStepName::Recorded, counted(games, "game", "games")),
        Err(problem) => Step::failed(RulesStepName::Recorded, problem),
    })
}

/// The text of a recorded game, and of as many calls as fit.
pub(super) fn written<'a>(exchanges: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = String::new();
    for (call, answer) in exchanges {
        let exchange = format!("{CALL}{call}\n{answer}");
        if text.len() + exchange.len() > LONGEST {
            break;
        }
        text.push_str(&exchange);
    }
    text
}

fn play_recorded(files: &GameFiles, name: &str, instance: &mut Instance) -> Result<(), Problem> {
    let text = files.read_recorded(name);
    let name = printable(name);
    for RecordedCall { line, call, answer } in read(&text.map_err(Problem::new)?, &name)? {
        if call.starts_with("new ") {
            instance.forget();
        }
        let now = instance.answer(&call)?;
        if let Some(difference) = difference(&answer, &now) {
            let note = format!("{name}, line {line}: `{}` {difference}", excerpt(&call));
            return Err(instance.problem(note));
        }
    }
    Ok(())
}

fn read(text: &str, name: &str) -> Result<Vec<RecordedCall>, Problem> {
    let mut exchanges: Vec<RecordedCall> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        match (line.strip_prefix(CALL), exchanges.last_mut()) {
            (Some(call), _) => {
                let (line, answer) = (number + 1, String::new());
                exchanges.push(RecordedCall { line, call: call.to_owned(), answer });
            }
            (None, Some(exchange)) => {
                exchange.answer.push_str(line);
                exchange.answer.push('\n');
            }
            (None, None) => {
                let found = excerpt(line);
                let note = format!("{name}, line 1: `{found}`, expected `{CALL}CALL` first");
                return Err(Problem::new(note));
            }
        }
    }
    Ok(exchanges)
}
