//! A step of a check and what was found.

use std::borrow::Cow;

use rules::Escaped;
use serde::Serialize;

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// What was looked at, with the name of the game before it if there is one.
    pub name: String,
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
    pub fn passed(name: impl Into<String>, note: impl Into<String>) -> Step {
        Step::new(name, Status::Passed, note)
    }

    /// A step with something that the author should know.
    pub fn warning(name: impl Into<String>, note: impl Into<String>) -> Step {
        Step::new(name, Status::Warning, note)
    }

    /// A step that could not be made.
    pub fn skipped(name: impl Into<String>, note: impl Into<String>) -> Step {
        Step::new(name, Status::Skipped, note)
    }

    /// A step with something wrong.
    pub fn failed(
        name: impl Into<String>,
        note: impl Into<String>,
        evidence: Option<Evidence>,
    ) -> Step {
        Step { evidence, ..Step::new(name, Status::Failed, note) }
    }

    /// The same step with the time of its only answer, in milliseconds.
    pub fn taking(self, ms: f64) -> Step {
        Step { ms: Some(ms), ..self }
    }

    fn new(name: impl Into<String>, status: Status, note: impl Into<String>) -> Step {
        Step { name: name.into(), status, note: note.into(), ms: None, evidence: None }
    }
}
