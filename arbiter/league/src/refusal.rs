//! Reasons why a request of a participant or of an organiser is refused.

use std::io;

use text::failure::Failure;
use text::system_error;
use thiserror::Error;

use crate::folder::LeagueError;

/// Reason why a request is refused, with nothing changed; one line.
#[derive(Debug, Error)]
pub enum Refusal {
    /// The request is wrong, or comes at the wrong time.
    #[error("{message}")]
    Request {
        kind: RefusalKind,
        /// The culprit, and what to do next.
        message: String,
    },
    /// The league cannot be read or changed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// A name or a choice in it is not valid.
    Invalid,
    /// It has no valid code.
    Unauthorised,
    /// The league allows it at no time.
    Forbidden,
    /// The league does not allow it at this time.
    Closed,
    /// The request names something that does not exist.
    Missing,
    /// The state of the league is against it: a name is taken, a submission decided.
    Conflict,
    /// A day allows no more.
    DailyLimit {
        /// Seconds until the next one.
        wait: u64,
    },
    /// Others have to be served first.
    Busy {
        /// Seconds after which another try is of use.
        wait: u64,
    },
    /// The disk is nearly full.
    NoDisk,
}

impl Refusal {
    /// A refusal of this kind, with a message in one line.
    pub fn new(kind: RefusalKind, message: impl Into<String>) -> Refusal {
        Refusal::Request { kind, message: message.into() }
    }

    /// Returns what is wrong with the request, unless the league itself failed.
    pub fn kind(&self) -> Option<RefusalKind> {
        match self {
            Refusal::Request { kind, .. } => Some(*kind),
            Refusal::Failed(_) => None,
        }
    }
}

impl From<LeagueError> for Refusal {
    fn from(problem: LeagueError) -> Refusal {
        Refusal::Failed(problem.into())
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        let said = system_error(error);
        Refusal::Failed(Failure::Ours(format!("cannot use the files of the league: {said}")))
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let (kind, message) = match refusal {
            Refusal::Request { kind, message } => (kind, message),
            Refusal::Failed(failure) => return failure,
        };
        match kind {
            RefusalKind::Invalid
            | RefusalKind::Unauthorised
            | RefusalKind::Forbidden
            | RefusalKind::Missing
            | RefusalKind::Conflict => Failure::Usage(message),
            RefusalKind::Closed | RefusalKind::DailyLimit { .. } | RefusalKind::Busy { .. } => {
                Failure::Later(message)
            }
            RefusalKind::NoDisk => Failure::Ours(message),
        }
    }
}
