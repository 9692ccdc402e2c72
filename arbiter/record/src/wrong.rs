//! Problems found in a log, with their place.

use std::fmt;
use std::io;

use rules::{Digest, GameRecord};
use text::system_error;
use thiserror::Error;

use crate::line::{LONGEST_LINE, Line};

/// A problem with a line of a log, independent of the game.
#[derive(Debug, Error)]
pub enum BadLine {
    /// The file cannot be read.
    #[error("cannot be read: {}", system_error(.0))]
    Unreadable(#[from] io::Error),
    /// The last line has no line feed.
    #[error("is truncated: no newline at the end")]
    Torn,
    /// The line ends as on another system.
    #[error("ends in a carriage return: line endings were converted to CRLF")]
    OtherLineEnd,
    /// The line is longer than any can be.
    #[error("is longer than {LONGEST_LINE} bytes")]
    TooLong,
    /// It does not end as every line does.
    #[error("does not end in `,\"previous\":\"…\",\"sha256\":\"…\"}}`")]
    NoChain,
    /// The line was changed after its digest was made.
    #[error("was modified: digest {actual}, recorded {logged}")]
    Changed {
        /// The digest of the line as it is.
        actual: Digest,
        /// The digest in the line.
        logged: Digest,
        /// The present content of the line, if it can be read.
        line: Option<Box<Line>>,
    },
    /// A line is missing before it, or came from elsewhere.
    #[error("does not follow the previous line: a line was removed, duplicated or moved")]
    OutOfChain,
    /// It is a header of a format that this program does not read.
    #[error("has format {found}, expected {expected}")]
    OtherFormat {
        /// The format that it has.
        found: u64,
        /// The one that is read.
        expected: u32,
    },
    /// It is no line of a log.
    #[error("is not a line of a log: {0}")]
    NotALine(String),
}

/// The first problem in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogProblem {
    /// The line, from 1.
    pub line: usize,
    /// The number of the game in that line, from 0, where it holds one that could be read.
    pub game: Option<u64>,
    /// The problem, in one line.
    pub problem: String,
}

impl LogProblem {
    /// A problem with a line.
    pub fn line(line: usize, problem: impl fmt::Display) -> LogProblem {
        LogProblem { line, game: None, problem: problem.to_string() }
    }

    /// A problem with the game in a line.
    pub fn game(line: usize, game: &GameRecord, problem: impl fmt::Display) -> LogProblem {
        LogProblem { line, game: Some(game.game), problem: problem.to_string() }
    }
}

impl fmt::Display for LogProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        match self.game {
            Some(game) => write!(f, ", game {game}, {}", self.problem),
            None => write!(f, " {}", self.problem),
        }
    }
}

impl std::error::Error for LogProblem {}

/// The reason why a log cannot be verified or resumed.
#[derive(Debug, Error)]
pub enum BadLog {
    /// It cannot be opened.
    #[error("cannot be opened: {}", system_error(.0))]
    Unreadable(#[from] io::Error),
    /// Something in it is wrong.
    #[error(transparent)]
    Wrong(#[from] LogProblem),
}
