//! What Python gives, as values: games, seeds, players.

use conditions::series::given_seed::GivenSeed;
use learning::{Failed, Opponent};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rules::{GameKind, Seed};

/// The error of a value that is not as it must be.
pub(crate) fn wrong(problem: impl ToString) -> PyErr {
    PyValueError::new_err(problem.to_string())
}

/// The error of an episode.
pub(crate) fn failed(failed: Failed) -> PyErr {
    wrong(failed)
}

/// The game of this name.
pub(crate) fn game(name: &str) -> PyResult<GameKind> {
    let known = GameKind::ALL.iter().find(|kind| kind.name() == name);
    known.cloned().ok_or_else(|| {
        let names: Vec<&str> = GameKind::ALL.iter().map(GameKind::name).collect();
        wrong(format!("no game `{}`, expected one of {}", name.escape_debug(), names.join(", ")))
    })
}

/// The seed that a text stands for: 64 hexadecimal digits, or a number as on the command line.
pub(crate) fn seed(text: &str) -> PyResult<Seed> {
    text.parse::<GivenSeed>().map(|given| given.seed()).map_err(wrong)
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

    pub(crate) fn against(self, learner: Option<usize>) -> Opponent {
        let Command { program, options } = self;
        Opponent { program, options, learner }
    }
}
