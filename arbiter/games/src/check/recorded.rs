//! Games that an author has recorded: `> CALL`, then the lines of its answer.

use std::path::Path;

use sandbox::file;
use text::{counted, printable};

use super::instance::Instance;
use super::same_text::difference;
use super::step::{Problem, Step, StepName};
use super::{Check, excerpt};
use crate::contents::Within;
use crate::error::NotGame;
use crate::game_files::RECORDED;

/// The opening of a line with a call.
const CALL: &str = "> ";

/// The most bytes of a recorded game that is written.
const LONGEST: usize = 1 << 20;

/// A call of a recorded game.
struct Exchange {
    /// The number of its line.
    line: usize,
    call: String,
    answer: String,
}

/// Plays the recorded games of a folder again; without one, there is no step.
pub(super) fn recorded(check: &Check<'_>) -> Option<Step> {
    let folder = check.files.folder()?;
    folder.join(RECORDED).symlink_metadata().ok()?;
    let (within, names) = match names_in(folder) {
        Ok((_, names)) if names.is_empty() => return None,
        Ok(found) => found,
        Err(error) => return Some(Step::failed(StepName::Recorded, Problem::of(error))),
    };
    let played = check.start().and_then(|mut instance| {
        let mut each = names.iter();
        each.try_for_each(|name| play(&within, name, &mut instance)).map(|()| names.len())
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

fn play(within: &Within, name: &str, instance: &mut Instance) -> Result<(), Problem> {
    let text = within.text(&format!("{RECORDED}/{name}"), file::LONGEST_TEXT);
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

/// The folder of a game, and the names of the recorded games in it, in order.
fn names_in(folder: &Path) -> Result<(Within, Vec<String>), NotGame> {
    let within = Within::folder(folder)?;
    let entries = within.entries(RECORDED)?.flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".txt")).collect();
    names.sort();
    Ok((within, names))
}
