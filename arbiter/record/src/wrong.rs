//! What is wrong with a log, and where.

use std::fmt;
use std::io;

use rules::GameRecord;
use text::system_error;

/// The first thing in a log that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The line, from 1.
    pub line: usize,
    /// The number of the game in that line, from 0, where it holds one that could be read.
    pub game: Option<u64>,
    /// What is wrong, in one line.
    pub problem: String,
}

impl Wrong {
    /// Something wrong with a line.
    pub fn line(line: usize, problem: impl fmt::Display) -> Wrong {
        Wrong { line, game: None, problem: problem.to_string() }
    }

    /// Something wrong with the game in a line.
    pub fn game(line: usize, game: &GameRecord, problem: impl fmt::Display) -> Wrong {
        Wrong { line, game: Some(game.game), problem: problem.to_string() }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        match self.game {
            Some(game) => write!(f, ", game {game}, {}", self.problem),
            None => write!(f, " {}", self.problem),
        }
    }
}

impl std::error::Error for Wrong {}

/// Why a log is not verified.
#[derive(Debug, thiserror::Error)]
pub enum NotVerified {
    /// It cannot be opened.
    #[error("cannot be opened: {}", system_error(.0))]
    Unreadable(#[from] io::Error),
    /// Something in it is wrong.
    #[error(transparent)]
    Wrong(#[from] Wrong),
}
