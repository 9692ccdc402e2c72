//! The text form that every move, card, chance and event has, and the one error for any other text.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::str::FromStr;

use unicode_normalization::char::is_combining_mark;

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

/// A text in one line that is fit for a terminal, from any source: line ends, escape sequences and
/// other characters that are not printed become `\n`, `\u{1b}` and the like.
///
/// ```
/// assert_eq!(rules::text::printable("`7Š` \u{1b}[2J\n"), r"`7Š` \u{1b}[2J\n");
/// ```
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    // How many marks a letter can still take: a heap of them would cover the lines around it.
    let mut room = 0;
    for letter in text.chars() {
        let is_mark = is_combining_mark(letter);
        match letter {
            '"' | '\'' | '\\' => shown.push(letter),
            _ if is_mark && room > 0 => shown.push(letter),
            _ => shown.extend(letter.escape_debug()),
        }
        room = match is_mark {
            true => usize::saturating_sub(room, 1),
            false if letter.is_alphanumeric() => MOST_MARKS,
            false => 0,
        };
    }
    shown
}

/// How many marks on one letter are shown as they are.
const MOST_MARKS: usize = 2;

/// What the system says of an error, as a part of a message: without its number, which adds
/// nothing, and with a small first letter.
///
/// ```
/// let said = "Permission denied (os error 13)";
/// assert_eq!(rules::text::system_error(said), "permission denied");
/// ```
pub fn system_error(error: impl Display) -> String {
    const NUMBER: &str = " (os error ";
    let said = error.to_string();
    let mut parts = said.split(NUMBER);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.parse::<i32>().is_ok() => text.push_str(rest),
            _ => text.extend([NUMBER, part]),
        }
    }
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        // `I/O error` and what is all in capitals stay as they are.
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text,
    }
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
