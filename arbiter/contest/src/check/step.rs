//! A step of a check and what was found.

use std::borrow::Cow;
use std::fmt;

use conditions::bot::manifest::MANIFEST;
use rules::Escaped;
use serde::{Serialize, Serializer};

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// What was looked at.
    pub name: StepName,
    /// The outcome.
    pub status: Status,
    /// What was found, in one line; it may be empty if all is well.
    pub note: String,
    /// How long the program took, in milliseconds, where it was asked once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// What shows a fault, where something was printed or asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// What a step looks at.
///
/// Reports, JSON and the records of submissions hold its text alone, which [`from_text`](StepName::from_text)
/// reads back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepName {
    /// Whether it can be built.
    Builds,
    /// Whether it can be started.
    Starts,
    /// Whether its manifest says the same as the user.
    Manifest,
    /// How fast its interpreter starts.
    Interpreter,
    /// A sample request, or a comparison of answers; the text begins with the name of the game.
    Request(String),
    /// Whole games of the game of this name.
    Games(String),
    /// How long its answers took.
    Time,
    /// What it wrote to standard error.
    StandardError,
    /// What it left behind.
    LeftBehind,
}

const GAMES: &str = " games";

impl StepName {
    /// The steps whose text is always the same.
    const FIXED: [StepName; 7] = [
        StepName::Builds,
        StepName::Starts,
        StepName::Manifest,
        StepName::Interpreter,
        StepName::Time,
        StepName::StandardError,
        StepName::LeftBehind,
    ];

    /// The step that has this text.
    pub fn from_text(text: &str) -> StepName {
        let fixed = StepName::FIXED.into_iter().find(|step| step.to_string() == text);
        fixed.unwrap_or_else(|| match text.strip_suffix(GAMES) {
            Some(game) => StepName::Games(game.to_owned()),
            None => StepName::Request(text.to_owned()),
        })
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepName::Builds => f.pad("builds"),
            StepName::Starts => f.pad("starts"),
            StepName::Manifest => f.pad(MANIFEST),
            StepName::Interpreter => f.pad("interpreter"),
            StepName::Request(text) => f.pad(text),
            StepName::Games(game) => f.pad(&format!("{game}{GAMES}")),
            StepName::Time => f.pad("time"),
            StepName::StandardError => f.pad("standard error"),
            StepName::LeftBehind => f.pad("left behind"),
        }
    }
}

impl Serialize for StepName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<&StepName> for StepName {
    fn from(name: &StepName) -> StepName {
        name.clone()
    }
}

/// What came of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it must be.
    Passed,
    /// Allowed, and yet something that the author should know.
    Warning,
    /// Not as it must be.
    Failed,
    /// It cannot be looked at, since something before it failed.
    Skipped,
}

/// What was asked and what came back, where something is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// What was expected instead.
    pub expected: String,
    /// The request; in the classic dialect, what the file held and the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// What the file holds after an answer in the classic dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Escaped>,
    /// What the program printed, from its beginning.
    pub stdout: Escaped,
    /// What it wrote to standard error, from its beginning.
    pub stderr: Escaped,
    /// What may help, where the fault looks like a common one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Cow<'static, str>>,
}

impl Step {
    /// A step that is as it must be.
    pub fn passed(name: impl Into<StepName>, note: impl Into<String>) -> Step {
        Step::new(name, Status::Passed, note)
    }

    /// A step with something that the author should know.
    pub fn warning(name: impl Into<StepName>, note: impl Into<String>) -> Step {
        Step::new(name, Status::Warning, note)
    }

    /// A step that could not be made.
    pub fn skipped(name: impl Into<StepName>, note: impl Into<String>) -> Step {
        Step::new(name, Status::Skipped, note)
    }

    /// A step with something wrong.
    pub fn failed(
        name: impl Into<StepName>,
        note: impl Into<String>,
        evidence: Option<Evidence>,
    ) -> Step {
        Step { evidence, ..Step::new(name, Status::Failed, note) }
    }

    /// The same step with the time of its only answer, in milliseconds.
    pub fn taking(self, ms: f64) -> Step {
        Step { ms: Some(ms), ..self }
    }

    fn new(name: impl Into<StepName>, status: Status, note: impl Into<String>) -> Step {
        Step { name: name.into(), status, note: note.into(), ms: None, evidence: None }
    }
}
