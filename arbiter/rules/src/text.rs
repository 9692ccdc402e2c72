//! The text form that every move, card, chance and event has, and the one error for any other text.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::str::FromStr;

/// A value with exactly one text form, which reads back to an equal value.
///
/// Reading is more tolerant than writing: letter case, spare blanks and the order of a set of
/// cards do not matter.
pub trait Text: Display + FromStr<Err = NotText> {}

impl<T: Display + FromStr<Err = NotText>> Text for T {}

/// Text that is not what it was read as.
///
/// This is the error of every `FromStr` here: *not a move at all*, as opposed to a move that is
/// illegal in some position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotText {
    expected: Cow<'static, str>,
    found: String,
}

/// How many characters of the offending text an error quotes.
const QUOTED: usize = 60;

impl NotText {
    /// Says what was `expected` (with its article: `a card`), and what was found instead.
    pub fn new(expected: impl Into<Cow<'static, str>>, found: &str) -> Self {
        NotText { expected: expected.into(), found: found.chars().take(QUOTED + 1).collect() }
    }

    /// What was expected, with its article.
    pub fn expected(&self) -> &str {
        &self.expected
    }
}

impl Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.found.is_empty() {
            return write!(f, "expected {}, found nothing", self.expected);
        }
        let quoted: String = self.found.chars().take(QUOTED).collect();
        let cut = if self.found.chars().count() > QUOTED { "…" } else { "" };
        write!(f, "expected {}, found `{}{cut}`", self.expected, quoted.escape_debug())
    }
}

impl std::error::Error for NotText {}
