//! The steps of the check of a bot.

use std::fmt;

use ::bot::manifest::MANIFEST;
use serde::{Serialize, Serializer};

use crate::step::{self, Evidence, Status};

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

/// One step of the check of a bot, and its result.
pub type Step = step::Step<StepName>;

impl Step {
    /// Makes a step that the author should look at.
    pub fn warning(name: impl Into<StepName>, note: impl Into<String>) -> Step {
        Step::new(name, Status::Warning, note)
    }

    pub fn failed(
        name: impl Into<StepName>,
        note: impl Into<String>,
        evidence: Option<Evidence>,
    ) -> Step {
        Step { evidence, ..Step::new(name, Status::Failed, note) }
    }
}
