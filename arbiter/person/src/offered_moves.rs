//! The choices of a person who is asked elsewhere than at a terminal.
//!
//! As there, all of it comes from the request alone, and a wrong answer never reaches the referee.

use rules::{Answer, Dialect, Sample};
use text::excerpt;

/// The longest text that can be a move, in bytes: a capture of Tablić with all cards of the table stays far
/// below.
const LONGEST_MOVE: usize = 1000;

/// A question to a person, with the legal moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedMoves {
    /// The question, a line; empty where it is a matter of course.
    pub question: String,
    /// The legal moves that the request lists, in its order.
    pub moves: Vec<OfferedMove>,
    /// True if there are more.
    pub has_more: bool,
}

/// A legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedMove {
    pub text: String,
    /// The move as a sentence; of a custom game its text.
    pub words: String,
}

/// A move that a built-in bot would play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveHint {
    pub text: String,
    /// Why, in a few words.
    pub reason: String,
}

/// The text of the legal move that an answer to a request means, in its one spelling. Where a custom game
/// has cut the list, only its rules know whether a move that is not listed is legal: it is taken as it is.
pub fn judged(request: &str, answer: &str) -> Result<String, String> {
    let answer = answer.trim();
    if answer.is_empty() || answer.len() > LONGEST_MOVE {
        return Err(format!("expected a move of 1 to {LONGEST_MOVE} letters"));
    }
    if let Some(odd) = answer.chars().find(|letter| !matches!(letter, ' '..='~')) {
        return Err(format!("no move has a `{}`", odd.escape_debug()));
    }
    let sample = Sample::read(request).map_err(|error| error.to_string())?;
    let answer = || Answer::Output(answer.as_bytes().to_vec());
    let native = Dialect::Native;
    let wrong = || excerpt::line(&sample.rule(native, answer()).detail);
    sample.played(native, answer()).ok_or_else(wrong)
}
