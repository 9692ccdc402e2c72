//! Why an answer in the classic dialect is not a move.

use crate::verdict::Verdict;

/// Why an answer is not a move; the text says what was expected, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// FILE is as it was.
    #[error("nothing was appended to the file: expected exactly one of {legal}")]
    Nothing {
        /// What could have been appended.
        legal: String,
    },
    /// FILE does not begin with what it was.
    #[error("the file was changed: expected its old text and exactly one of {legal}")]
    Changed {
        /// What could have been appended.
        legal: String,
    },
    /// Something else was appended.
    #[error("expected exactly one of {legal} appended to the file, found `{found}`")]
    NotLegal {
        /// What could have been appended.
        legal: String,
        /// What was.
        found: String,
    },
    /// Standard output is not a choice from the cards.
    #[error("expected {count} of the cards `{cards}` on standard output, found `{found}`")]
    NotCards {
        /// How many cards must be kept.
        count: usize,
        /// The cards to choose from.
        cards: String,
        /// What was printed.
        found: String,
    },
}

impl Unread {
    /// The verdict that a referee gives for it.
    pub fn verdict(&self) -> Verdict {
        match self {
            Unread::Nothing { .. } => Verdict::NoAnswer,
            Unread::Changed { .. } => Verdict::Malformed,
            Unread::NotLegal { .. } | Unread::NotCards { .. } => Verdict::Illegal,
        }
    }
}
