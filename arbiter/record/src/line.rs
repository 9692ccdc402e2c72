//! What a line of a log holds.

use rules::GameRecord;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use series::{End, FORMAT, Header};

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
