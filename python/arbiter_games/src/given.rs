//! What Python gives, as values: games, seeds, players.

use std::ffi::OsStr;
use std::path::Path;

use games::GameFiles;
use learning::{EpisodeError, Opponent};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use rules::custom::CustomRulesKind;
use rules::{GameKind, Seed};
use sandbox::Supervisor;
use sandbox::isolation::Isolation;
use series::header::SeedText;

/// The error of a value that is not as it must be.
pub(crate) fn wrong(problem: impl ToString) -> PyErr {
    PyValueError::new_err(problem.to_string())
}

pub(crate) fn failed(failed: EpisodeError) -> PyErr {
    wrong(failed)
}

/// A whole number from 0 on. `TypeError` for anything else, also for truths and fractions.
#[pyfunction]
pub(crate) fn whole(value: &Bound<'_, PyAny>, what: &str) -> PyResult<usize> {
    let expected = "expected a whole number, 0 or more";
    let no_number = || PyTypeError::new_err(format!("{what} {value:?}, {expected}"));
    // Truths of Python and NumPy would be numbers, too.
    if !value.is_exact_instance_of::<PyInt>() && value.extract::<bool>().is_ok() {
        return Err(no_number());
    }
    match value.extract::<i64>() {
        Ok(number) => {
            usize::try_from(number).map_err(|_| wrong(format!("{what} {number}, {expected}")))
        }
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Err(wrong(format!("{what} {value}, {expected}")))
        }
        Err(_) => Err(no_number()),
    }
}

/// The built-in game of this name, or the custom game at this path, which must be a module: a program of
/// rules is kept apart by a process of `arbiter`, which is not here.
pub(crate) fn game(name: &str) -> PyResult<GameKind> {
    let known = GameKind::ALL.iter().find(|kind| kind.name() == name);
    if let Some(kind) = known {
        return Ok(kind.clone());
    }
    if !Path::new(name).exists() {
        let names: Vec<&str> = GameKind::ALL.iter().map(GameKind::name).collect();
        return Err(wrong(format!(
            "no game `{}`, expected one of {}, or a path of a module",
            name.escape_debug(),
            names.join(", ")
        )));
    }
    let files = GameFiles::named(name).map_err(wrong)?;
    if files.id().carrier != CustomRulesKind::Module {
        return Err(wrong(format!(
            "game `{}` is a program, expected a WebAssembly module",
            name.escape_debug()
        )));
    }
    // A module starts no program, so nothing is asked of the supervisor.
    let supervisor = Supervisor::named(OsStr::new("portable"), Isolation::Off).map_err(wrong)?;
    games::open(name, supervisor).map_err(wrong)
}

/// The seed that a text stands for: 64 hexadecimal digits, or a number as on the command line.
pub(crate) fn seed(text: &str) -> PyResult<Seed> {
    text.parse::<SeedText>().map(|given| given.seed()).map_err(wrong)
}

/// A built-in player with its options, as on the command line: `expert --time 10ms`.
pub(crate) struct Command {
    pub(crate) program: String,
    pub(crate) options: Vec<String>,
}

impl Command {
    pub(crate) fn new(text: &str) -> PyResult<Command> {
        let mut words = text.split_whitespace().map(str::to_owned);
        let program =
            words.next().ok_or_else(|| wrong("no name of a player, expected `greedy`"))?;
        Ok(Command { program, options: words.collect() })
    }

    /// The player of an opponent, as it is given.
    pub(crate) fn text(opponent: &Opponent) -> String {
        let words = [&opponent.program].into_iter().chain(&opponent.options);
        words.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn against(self, learner: Option<usize>) -> Opponent {
        let Command { program, options } = self;
        Opponent { program, options, learner }
    }
}
