//! Games that an author has recorded: `> CALL`, then the lines of its answer.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sandbox::file;
use text::{counted, printable, system_error};

use super::instance::Instance;
use super::same_text::difference;
use super::step::{Problem, Step, StepName};
use super::{Check, excerpt};

/// The folder of recorded games, beside the rules.
pub(crate) const RECORDED: &str = "recorded";

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
    let folder = check.files.folder()?.join(RECORDED);
    let files = match files_in(&folder) {
        Ok(files) if files.is_empty() => return None,
        Ok(files) => files,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => return Some(Step::failed(StepName::Recorded, unreadable(&folder, &error))),
    };
    let played = check.start().and_then(|mut instance| {
        files.iter().try_for_each(|file| play(file, &mut instance)).map(|()| files.len())
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

fn play(file: &Path, instance: &mut Instance) -> Result<(), Problem> {
    let name = printable(&file.file_name().unwrap_or_default().to_string_lossy());
    let text = file::text(file, file::LONGEST_TEXT).map_err(|error| unreadable(file, &error))?;
    for Exchange { line, call, answer } in read(&text, &name)? {
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

fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let paths = entries.into_iter().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "txt")).collect();
    files.sort();
    Ok(files)
}

fn unreadable(path: &Path, error: &io::Error) -> Problem {
    let (path, problem) = (printable(&path.display().to_string()), system_error(error));
    Problem::of(format!("cannot read `{path}`: {problem}"))
}
