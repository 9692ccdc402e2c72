//! A step of a check and its result.

pub use crate::game::Status;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use crate::bot::start::StartTimes;
use ::bot::manifest::MANIFEST;
use contest::tournament::estimate::GamePace;
use rules::Escaped;
use serde::{Serialize, Serializer};
use text::shell::for_author;

/// One step of a check, and its result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// Its name.
    pub name: StepName,
    /// The result.
    pub status: Status,
    /// Findings in one line; may be empty if all is well.
    pub note: String,
    /// Time of the program in milliseconds, if it was asked once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Times of a start, in the step `time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<StartTimes>,
    /// Pace of its games, in the step of the games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<GamePace>,
    /// Evidence of a fault, if anything was printed or asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// Subject of a step.
///
/// Reports, JSON and the records of submissions hold only its text, which [`from_text`](StepName::from_text)
/// reads back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepName {
    /// The bot's build.
    Builds,
    /// A trial start.
    Starts,
    /// The games that its manifest lists.
    Manifest,
    /// The start of its interpreter.
    Interpreter,
    /// A sample request, or a comparison of answers; the text begins with the name of the game or with `puzzle`.
    Request(String),
    /// Whole games of a kind, by its name.
    Games(String),
    /// Positions that it was asked for.
    Puzzles,
    /// Times of its answers.
    Time,
    /// Its output to standard error.
    StandardError,
    /// Things that it left behind.
    LeftBehind,
}

const GAMES: &str = " games";

impl StepName {
    /// Steps that have a fixed text.
    const FIXED: [StepName; 8] = [
        StepName::Builds,
        StepName::Starts,
        StepName::Manifest,
        StepName::Interpreter,
        StepName::Puzzles,
        StepName::Time,
        StepName::StandardError,
        StepName::LeftBehind,
    ];

    /// Returns the step with this text.
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
            StepName::Puzzles => f.pad("puzzles"),
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

/// A request and the reply to it that show a fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The expected answer.
    pub expected: String,
    /// The request; in the classic dialect, the contents of the file and the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The file after an answer in the classic dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Escaped>,
    /// Output of the program, from its beginning.
    pub stdout: Escaped,
    /// Its standard error, from its beginning.
    pub stderr: Escaped,
    /// Advice, if the fault looks like a common one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Cow<'static, str>>,
}

impl Step {
    /// Leaves out the paths of this machine, for the author of the bot in this folder. What a bot prints for a request
    /// is its own, and stays as it is.
    pub(crate) fn for_author(self, folder: &Path) -> Step {
        let stream = |Escaped(bytes)| {
            Escaped(for_author(&String::from_utf8_lossy(&bytes), folder).into_bytes())
        };
        let evidence = self.evidence.map(|evidence| Evidence {
            stdout: match evidence.request {
                Some(_) => evidence.stdout,
                None => stream(evidence.stdout),
            },
            stderr: stream(evidence.stderr),
            hint: evidence.hint.map(|hint| Cow::Owned(for_author(&hint, folder))),
            ..evidence
        });
        Step { note: for_author(&self.note, folder), evidence, ..self }
    }

    /// Makes a step that passed.
    pub(crate) fn passed(name: impl Into<StepName>, note: impl Into<String>) -> Step {
        Step::new(name, Status::Passed, note)
    }

    /// Makes a step that the author should look at.
    pub fn warning(name: impl Into<StepName>, note: impl Into<String>) -> Step {
        Step::new(name, Status::Warning, note)
    }

    /// Makes a step that was not tried.
    pub fn skipped(name: impl Into<StepName>, note: impl Into<String>) -> Step {
        Step::new(name, Status::Skipped, note)
    }

    /// Makes a step that failed.
    pub fn failed(
        name: impl Into<StepName>,
        note: impl Into<String>,
        evidence: Option<Evidence>,
    ) -> Step {
        Step { evidence, ..Step::new(name, Status::Failed, note) }
    }

    /// Adds the time of the step's only answer, in milliseconds.
    pub(crate) fn taking(self, ms: f64) -> Step {
        Step { ms: Some(ms), ..self }
    }

    /// Adds the pace of the step's games.
    pub(crate) fn at_pace(self, pace: GamePace) -> Step {
        Step { pace: Some(pace), ..self }
    }

    fn new(name: impl Into<StepName>, status: Status, note: impl Into<String>) -> Step {
        let (name, note) = (name.into(), note.into());
        Step { name, status, note, ms: None, start: None, pace: None, evidence: None }
    }
}
