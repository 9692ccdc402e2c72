//! Faults of rules: what was called, what came back, and what was expected.

use std::fmt;

use text::printable;

use crate::cause::Void;

/// The most characters of a call or of an answer that a fault quotes.
const QUOTED: usize = 120;

/// A fault of rules, which ends the game and charges no bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(String);

/// A rule of the protocol that a line breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct BrokenRule {
    /// The line, where it is one line alone.
    pub(super) line: Option<String>,
    /// What was expected, and what was found instead.
    pub(super) problem: String,
}

impl BrokenRule {
    /// A rule that one line of an answer breaks.
    pub fn of_line(line: &str, problem: impl fmt::Display) -> BrokenRule {
        BrokenRule { line: Some(line.to_owned()), problem: problem.to_string() }
    }

    /// A rule that the whole answer breaks.
    pub fn of_answer(problem: impl fmt::Display) -> BrokenRule {
        BrokenRule { line: None, problem: problem.to_string() }
    }
}

impl Fault {
    /// Rules that do not start.
    pub fn not_started(problem: String) -> Fault {
        Fault(format!("the rules cannot be started: {}", printable(&problem)))
    }

    /// A call that was not answered.
    pub fn no_answer(call: &str, problem: String) -> Fault {
        Fault(format!("`{}` was not answered: {}", quoted(call), printable(&problem)))
    }

    /// An answer that breaks a rule.
    pub fn broken(call: &str, answer: &str, broken: BrokenRule) -> Fault {
        let BrokenRule { line, problem } = broken;
        let found = line.as_deref().unwrap_or(answer);
        Fault(format!("`{}` was answered by `{}`: {problem}", quoted(call), quoted(found)))
    }

    /// More of something than a game may have.
    pub fn beyond(limit: impl fmt::Display) -> Fault {
        Fault(format!("the game has {limit}"))
    }

    /// The reason of a game that is void for it.
    pub(crate) fn void(&self) -> Void {
        Void::Rules(self.0.clone())
    }
}

/// The beginning of a text, in one line.
fn quoted(text: &str) -> String {
    let text = printable(text.trim_end_matches('\n'));
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
