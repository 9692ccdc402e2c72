//! A step of the check of a game, and its result.

use std::fmt;

use serde::{Serialize, Serializer};
use text::terminal::Colours;

/// One step of a check, and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its name.
    pub name: StepName,
    /// The result.
    pub status: Status,
    /// Findings in one line; may be empty if all is well.
    pub note: String,
    /// The calls that show a fault, of one game or of two that are compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Calls>,
}

/// Subject of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepName {
    /// The start, and the description of the game.
    Starts,
    /// Answers as the protocol of rules has them.
    Protocol,
    /// Listed moves and possible outcomes are taken.
    Inputs,
    /// The fallback is taken, also where it is not listed.
    Fallbacks,
    /// Every game ends.
    Ends,
    /// Scores are no greater than the description says.
    Scores,
    /// Equal inputs give equal text.
    SameText,
    /// Everything else is refused, and changes nothing.
    Refusals,
    /// `check` says what `play` does, and changes nothing.
    Checks,
    /// What nature decides changes something.
    Chances,
    /// No seat sees more than it was told.
    Leaks,
    /// Views tell what was told as events.
    Views,
    /// The keys in the manifest are those of views.
    Manifest,
    /// The games that the author has recorded are answered as before.
    Recorded,
}

/// Result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it must be.
    Passed,
    /// Allowed, but worth the author's attention.
    Warning,
    /// Not as it must be.
    Failed,
    /// Not tried, since an earlier step failed.
    Skipped,
}

impl Status {
    /// Its word at the beginning of a line, in a column of seven characters.
    pub fn word(self, colours: Colours) -> String {
        let (word, colour) = match self {
            Status::Passed => ("ok", "32"),
            Status::Warning => ("warning", "33"),
            Status::Failed => ("FAILED", "31"),
            Status::Skipped => ("skipped", "2"),
        };
        match colours {
            Colours::Ansi => format!("\x1b[{colour}m{word:7}\x1b[0m"),
            Colours::Plain => format!("{word:7}"),
        }
    }
}

/// The calls of a game, to be typed or compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Calls {
    /// Which game it is.
    pub title: String,
    /// A call a line.
    pub lines: Vec<String>,
}

/// Something that is not as it must be, with the calls that show it.
#[derive(Debug)]
pub(super) struct Problem {
    pub note: String,
    pub calls: Vec<Calls>,
}

impl Problem {
    /// A problem that no game shows.
    pub(super) fn of(note: impl fmt::Display) -> Problem {
        Problem { note: note.to_string(), calls: Vec::new() }
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            StepName::Starts => "starts",
            StepName::Protocol => "protocol",
            StepName::Inputs => "inputs are taken",
            StepName::Fallbacks => "fallbacks are taken",
            StepName::Ends => "games end",
            StepName::Scores => "scores",
            StepName::SameText => "same text",
            StepName::Refusals => "refusals",
            StepName::Checks => "check",
            StepName::Chances => "chances",
            StepName::Leaks => "leaks",
            StepName::Views => "views",
            StepName::Manifest => games::MANIFEST,
            StepName::Recorded => "recorded games",
        })
    }
}

impl Serialize for StepName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Step {
    pub(super) fn passed(name: StepName, note: impl Into<String>) -> Step {
        Step { name, status: Status::Passed, note: note.into(), calls: Vec::new() }
    }

    pub(super) fn skipped(name: StepName, note: impl Into<String>) -> Step {
        Step { status: Status::Skipped, ..Step::passed(name, note) }
    }

    pub(super) fn warning(name: StepName, problem: Problem) -> Step {
        Step { status: Status::Warning, ..Step::failed(name, problem) }
    }

    pub(super) fn failed(name: StepName, problem: Problem) -> Step {
        let Problem { note, calls } = problem;
        Step { name, status: Status::Failed, note, calls }
    }
}
