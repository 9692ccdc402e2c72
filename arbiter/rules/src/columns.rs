//! How wide a text is on a terminal, for aligning names in a column.

use unicode_width::UnicodeWidthStr;

use crate::per_seat::PerSeat;

/// How many cells of a terminal a text takes: two for `李`, none for an accent.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The width of the widest name.
pub fn widest(names: &PerSeat<String>) -> usize {
    names.values().iter().map(|name| width(name)).max().unwrap_or(0)
}

/// A text with blanks behind it, as many as it lacks to a width.
///
/// ```
/// use rules::columns::padded;
///
/// assert_eq!(padded("ab", 4), "ab  ");
/// assert_eq!(padded("李", 4), "李  ");
/// ```
pub fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}
