//! Why a program gives no answer.

use std::io;

use rules::wire::NotRequest;
use text::system_error;

use crate::options::BadOption;
use crate::player::NoMove;

/// Why a program gives no answer, in one line for its standard error.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// What was read is no request of a game that the program plays.
    #[error(transparent)]
    NotRequest(#[from] NotRequest),
    /// What was read goes on and on.
    #[error("the request has more than {0} bytes, expected a line `end` before")]
    TooLong(usize),
    /// There is no such player, or its options are not as they must be.
    #[error(transparent)]
    BadOption(#[from] BadOption),
    /// The player had nothing to play.
    #[error(transparent)]
    NoMove(#[from] NoMove),
    /// Standard input or output failed.
    #[error("standard input or output failed: {}", system_error(.0))]
    Stream(#[from] io::Error),
}
