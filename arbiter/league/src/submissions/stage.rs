//! The stages at which a league can refuse a bot.

use std::fmt;

use serde::{Deserialize, Serialize};

use check::bot::StepName;

/// Stage at which a league refused a bot; it is public.
///
/// The record of a submission holds only its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Stage {
    /// The token of its participant was revoked.
    Token,
    /// The server failed at it.
    Machine,
    /// Its files cannot be taken.
    Files,
    /// Its name is taken.
    Name,
    /// Its command has no place in a league.
    Command,
    /// It cannot be checked.
    Check,
    /// A step of its check failed, or would.
    Step(StepName),
}

impl Stage {
    /// All stages except the steps.
    const OTHERS: [Stage; 6] =
        [Stage::Token, Stage::Machine, Stage::Files, Stage::Name, Stage::Command, Stage::Check];
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stage::Token => f.write_str("token"),
            Stage::Machine => f.write_str("machine"),
            Stage::Files => f.write_str("files"),
            Stage::Name => f.write_str("name"),
            Stage::Command => f.write_str("command"),
            Stage::Check => f.write_str("check"),
            Stage::Step(step) => step.fmt(f),
        }
    }
}

impl From<String> for Stage {
    fn from(text: String) -> Stage {
        let other = Stage::OTHERS.into_iter().find(|stage| stage.to_string() == text);
        other.unwrap_or_else(|| Stage::Step(StepName::from_text(&text)))
    }
}

impl From<Stage> for String {
    fn from(stage: Stage) -> String {
        stage.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_stage_is_read_as_that_stage() {
        let steps = [
            StepName::Builds,
            StepName::Starts,
            StepName::Manifest,
            StepName::Games("tablic".to_owned()),
            StepName::Request("tablic long request".to_owned()),
        ];
        for stage in Stage::OTHERS.into_iter().chain(steps.map(Stage::Step)) {
            assert_eq!(Stage::from(stage.to_string()), stage);
        }
    }
}
