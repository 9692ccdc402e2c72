//! A step of a check, and its result.

use std::borrow::Cow;
use std::path::Path;

use contest::tournament::plan::GamePace;
use rules::Escaped;
use serde::Serialize;
use text::shell::for_author;
use text::terminal::Colours;

use crate::times::StartTimes;

/// One step of a check, by its name, and its result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step<N> {
    pub name: N,
    pub status: Status,
    /// Findings in one line; may be empty if all is well.
    pub note: String,
    /// Time of the program in milliseconds, if it was asked once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Times of a start, in the step `time` of a bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<StartTimes>,
    /// Pace of its games, in the step of the games of a bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<GamePace>,
    /// Evidence of a bot's fault, if anything was printed or asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The calls that show a fault of rules, of one game or of two that are compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Calls>,
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

/// The calls of a game, to be typed or compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Calls {
    pub title: String,
    /// A call a line.
    pub lines: Vec<String>,
}

impl<N> Step<N> {
    pub(crate) fn passed(name: impl Into<N>, note: impl Into<String>) -> Step<N> {
        Step::new(name, Status::Passed, note)
    }

    /// Makes a step that was not tried.
    pub fn skipped(name: impl Into<N>, note: impl Into<String>) -> Step<N> {
        Step::new(name, Status::Skipped, note)
    }

    /// Makes a step without evidence.
    pub(crate) fn new(name: impl Into<N>, status: Status, note: impl Into<String>) -> Step<N> {
        let (name, note) = (name.into(), note.into());
        let (ms, start, pace, evidence, calls) = (None, None, None, None, Vec::new());
        Step { name, status, note, ms, start, pace, evidence, calls }
    }

    /// Adds the time of the step's only answer, in milliseconds.
    pub(crate) fn taking(self, ms: f64) -> Step<N> {
        Step { ms: Some(ms), ..self }
    }

    /// Adds the pace of the step's games.
    pub(crate) fn at_pace(self, pace: GamePace) -> Step<N> {
        Step { pace: Some(pace), ..self }
    }

    /// Leaves out the paths of this machine, for the author of the bot in this folder. What a bot prints for a request
    /// is its own, and stays as it is.
    pub(crate) fn for_author(self, folder: &Path) -> Step<N> {
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
}
