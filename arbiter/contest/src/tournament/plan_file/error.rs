//! Why a file is not a plan.

use std::fmt;

use thiserror::Error;

use crate::tournament::plan::BadPlan;
use bot::BadBot;
use bot::manifest::NotBot;

/// Reason why a file is not a plan of a tournament; one line.
#[derive(Debug, Error)]
pub enum BadPlanFile {
    /// It is not TOML, or has other keys.
    #[error("{0}")]
    Toml(String),
    /// A value is not valid.
    #[error("`{key}`: {problem}")]
    Value {
        /// The key.
        key: &'static str,
        /// The problem with its value.
        problem: String,
    },
    /// A bot is not valid.
    #[error(transparent)]
    Bot(#[from] BadBot),
    /// The folder of a bot is not valid.
    #[error(transparent)]
    Folder(#[from] NotBot),
    /// The plan is not valid.
    #[error(transparent)]
    Plan(#[from] BadPlan),
}

/// The problem with the value of a key.
pub(super) fn value<E: fmt::Display>(key: &'static str) -> impl FnOnce(E) -> BadPlanFile {
    move |error| BadPlanFile::Value { key, problem: error.to_string() }
}
