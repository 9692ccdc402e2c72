//! Games that an author has recorded: `> CALL`, then the lines of its answer.

use games::GameFiles;
use text::{counted, printable};

use super::context::{Check, excerpt};
use super::instance::Instance;
use super::same_text::difference;
use super::step::{Problem, Step, StepName};

/// The opening of a line with a call.
const CALL: &str = "> ";

/// The most bytes of a recorded game that is written.
const LONGEST: usize = 1 << 20;

/// A call of a recorded game.
struct Exchange {
    line: usize,
    call: String,
    answer: String,
}

/// Plays the recorded games of a folder again; without one, there is no step.
pub(super) fn recorded(check: &Check<'_>) -> Option<Step> {
    let names = match check.files.recorded() {
        Ok(names) if names.is_empty() => return None,
        Ok(names) => names,
        Err(error) => return Some(Step::failed(StepName::Recorded, Problem::of(error))),
    };
    let played = check.start().and_then(|mut instance| {
        let mut each = names.iter();
        each.try_for_each(|name| play(check.files, name, &mut instance)).map(|()| names.len())
    });
    Some(match played {
        Ok(games) => Step::passed(StepName::Recorded, counted(games, "game", "games")),
        Err(problem) => Step::failed(StepName::Recorded, problem),
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

fn play(files: &GameFiles, name: &str, instance: &mut Instance) -> Result<(), Problem> {
    let text = files.read_recorded(name);
    let name = printable(name);
    for Exchange { line, call, answer } in read(&text.map_err(Problem::of)?, &name)? {
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

fn read(text: &str, name: &str) -> Result<Vec<Exchange>, Problem> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        match (line.strip_prefix(CALL), exchanges.last_mut()) {
            (Some(call), _) => {
                let (line, answer) = (number + 1, String::new());
                exchanges.push(Exchange { line, call: call.to_owned(), answer });
            }
            (None, Some(exchange)) => {
                exchange.answer.push_str(line);
                exchange.answer.push('\n');
            }
            (None, None) => {
                let found = excerpt(line);
                let note = format!("{name}, line 1: `{found}`, expected `{CALL}CALL` first");
                return Err(Problem::of(note));
            }
        }
    }
    Ok(exchanges)
}
