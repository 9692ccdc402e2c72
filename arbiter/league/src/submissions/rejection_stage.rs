//! The stages at which a league can refuse a bot.

use std::fmt;

use serde::{Deserialize, Serialize};

use check::bot::StepName;

/// Stage at which a league refused a bot; it is public.
///
/// The record of a submission holds only its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum RejectionStage {
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

impl RejectionStage {
    /// All stages except the steps.
    const OTHERS: [RejectionStage; 6] = [
        RejectionStage::Token,
        RejectionStage::Machine,
        RejectionStage::Files,
        RejectionStage::Name,
        RejectionStage::Command,
        RejectionStage::Check,
    ];
}

impl fmt::Display for RejectionStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RejectionStage::Token => f.write_str("token"),
            RejectionStage::Machine => f.write_str("machine"),
            RejectionStage::Files => f.write_str("files"),
            RejectionStage::Name => f.write_str("name"),
            RejectionStage::Command => f.write_str("command"),
            RejectionStage::Check => f.write_str("check"),
            RejectionStage::Step(step) => step.fmt(f),
        }
    }
}

impl From<String> for RejectionStage {
    fn from(text: String) -> RejectionStage {
        let other = RejectionStage::OTHERS.into_iter().find(|stage| stage.to_string() == text);
        other.unwrap_or_else(|| RejectionStage::Step(StepName::from_text(&text)))
    }
}

impl From<RejectionStage> for String {
    fn from(stage: RejectionStage) -> String {
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
        for stage in RejectionStage::OTHERS.into_iter().chain(steps.map(RejectionStage::Step)) {
            assert_eq!(RejectionStage::from(stage.to_string()), stage);
        }
    }
}
