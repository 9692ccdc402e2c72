//! Why a file is not a plan.

use std::fmt;

use thiserror::Error;

use crate::tournament::plan::BadPlan;
use bot::BadBot;
use bot::manifest::NotBot;

/// Reason why a file is not a plan of a tournament; one line.
#[derive(Debug, Error)]
pub enum BadPlanFile {
    #[error("{0}")]
    Toml(String),
    #[error("`{key}`: {problem}")]
    Value { key: &'static str, problem: String },
    #[error(transparent)]
    Bot(#[from] BadBot),
    #[error(transparent)]
    Folder(#[from] NotBot),
    #[error(transparent)]
    Plan(#[from] BadPlan),
}

/// The problem with the value of a key.
pub(super) fn value<E: fmt::Display>(key: &'static str) -> impl FnOnce(E) -> BadPlanFile {
    move |error| BadPlanFile::Value { key, problem: error.to_string() }
}
