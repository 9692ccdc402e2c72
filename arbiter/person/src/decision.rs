//! What a person has decided.

use std::io;

use rules::wire::NotRequest;
use text::system_error;

/// The answer of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PersonDecision {
    /// The text of a legal move.
    Move(String),
    /// The person leaves the game.
    Quit,
}

/// The reason why a person gave no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DecisionError {
    #[error("the request cannot be read: {0}")]
    NotRequest(#[from] NotRequest),
    #[error("the person cannot be asked: {}", system_error(.0))]
    Console(#[from] io::Error),
    #[error("a person is asked by requests alone")]
    OtherDialect,
}
