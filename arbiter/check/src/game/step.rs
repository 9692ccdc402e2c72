//! The steps of the check of a game.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::step::{self, Calls, Status};

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

/// Something that is not as it must be, with the calls that show it.
#[derive(Debug)]
pub(super) struct Problem {
    pub note: String,
    pub calls: Vec<Calls>,
}

impl Problem {
    /// A problem that no game shows.
    pub(super) fn new(note: impl fmt::Display) -> Problem {
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

/// One step of the check of a game, and its result.
pub(super) type Step = step::Step<StepName>;

impl Step {
    pub(super) fn warning(name: StepName, problem: Problem) -> Step {
        Step { status: Status::Warning, ..Step::failed(name, problem) }
    }

    pub(super) fn failed(name: StepName, problem: Problem) -> Step {
        let Problem { note, calls } = problem;
        Step { calls, ..Step::new(name, Status::Failed, note) }
    }
}
