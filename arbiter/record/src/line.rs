//! What a line of a log holds, and problems found in a log, with their place.

use std::{fmt, io};

use rules::{Digest, GameRecord};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use series::{End, FORMAT, Header};
use text::system_error;
use thiserror::Error;

/// The longest line that is read, in bytes: more than any game can fill.
pub(crate) const LONGEST_LINE: u64 = 64 * 1024 * 1024;

/// One line of a log, without its place in the chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// The first line.
    Header(Box<Header>),
    Game(Box<GameRecord>),
    /// The last line of a match that was played to its end.
    End(End),
}

/// Content of a line of a chained log. The lines of matches and tournaments are [`Line`]; other logs
/// have lines of their own in the same chain.
pub trait Content: Serialize + DeserializeOwned {
    /// The version of the format that is read.
    const FORMAT: u32;

    /// The key of the line that says which version a log has.
    const FIRST: &'static str;

    /// Returns true if the line is a game.
    fn is_game(&self) -> bool;

    /// Returns true if no line comes after it.
    fn is_last(&self) -> bool;
}

impl Content for Line {
    const FORMAT: u32 = FORMAT;
    const FIRST: &'static str = "header";

    fn is_game(&self) -> bool {
        matches!(self, Line::Game(_))
    }

    fn is_last(&self) -> bool {
        matches!(self, Line::End(_))
    }
}

/// A problem with a line of a log, independent of the game.
#[derive(Debug, Error)]
pub enum BadLine {
    #[error("cannot be read: {}", system_error(.0))]
    Unreadable(#[from] io::Error),
    #[error("is truncated: no newline at the end")]
    Torn,
    #[error("ends in a carriage return: line endings were converted to CRLF")]
    OtherLineEnd,
    #[error("is longer than {LONGEST_LINE} bytes")]
    TooLong,
    #[error("does not end in `,\"previous\":\"…\",\"sha256\":\"…\"}}`")]
    NoChain,
    #[error("was modified: digest {actual}, recorded {logged}")]
    Changed { actual: Digest, logged: Digest, line: Option<Box<Line>> },
    #[error("does not follow the previous line: a line was removed, duplicated or moved")]
    OutOfChain,
    #[error("has format {found}, expected {expected}")]
    OtherFormat { found: u64, expected: u32 },
    #[error("is not a line of a log: {0}")]
    NotALine(String),
}

/// The first problem in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogProblem {
    pub line: usize,
    /// The number of the game in that line, from 0, where it holds one that could be read.
    pub game: Option<u64>,
    /// The problem, in one line.
    pub problem: String,
}

impl LogProblem {
    pub fn line(line: usize, problem: impl fmt::Display) -> LogProblem {
        LogProblem { line, game: None, problem: problem.to_string() }
    }

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
    #[error("cannot be opened: {}", system_error(.0))]
    Unreadable(#[from] io::Error),
    #[error(transparent)]
    Wrong(#[from] LogProblem),
}
