//! The words of which answers of rules are made.

use crate::score::Score;
use crate::seat::{PerSeat, Seat};

use super::fault::BrokenRule;

/// The longest text of a move, in characters.
pub(super) const LONGEST_MOVE: usize = 200;

/// Returns true for printable ASCII without blanks at the ends or two blanks in a row.
pub(super) fn is_text(text: &str) -> bool {
    !text.is_empty() && text.split(' ').all(is_word)
}

/// Returns true for printable ASCII without blanks.
pub(super) fn is_word(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Returns true for letters, digits, `-` and `_`, a letter first.
pub(super) fn is_key(key: &str) -> bool {
    key.starts_with(|first: char| first.is_ascii_lowercase())
        && key.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'))
}

/// The words of a line: its first one, and what comes after a blank.
pub(super) fn split(line: &str) -> (&str, &str) {
    line.split_once(' ').unwrap_or((line, ""))
}

pub(super) fn seat(line: &str, word: &str, seats: usize) -> Result<Seat, BrokenRule> {
    let seat = word.parse::<Seat>().ok().filter(|seat| seat.index() < seats);
    seat.ok_or_else(|| {
        BrokenRule::of_line(
            line,
            format_args!("expected a seat from 0 to {}", seats.saturating_sub(1)),
        )
    })
}

pub(super) fn text<'a>(line: &str, text: &'a str) -> Result<&'a str, BrokenRule> {
    match is_text(text) {
        true => Ok(text),
        false => Err(BrokenRule::of_line(
            line,
            "expected printable ASCII, without blanks at the ends and without two in a row",
        )),
    }
}

/// The score of each seat.
pub(super) fn scores(line: &str, text: &str, seats: usize) -> Result<PerSeat<Score>, BrokenRule> {
    let read: Option<Vec<Score>> = text.split(' ').map(score).collect();
    match read.filter(|scores| scores.len() == seats) {
        Some(scores) => Ok(scores.into()),
        None => {
            let expected = format_args!("expected {seats} scores of at least 0, one for each seat");
            Err(BrokenRule::of_line(line, expected))
        }
    }
}

pub(super) fn score(word: &str) -> Option<Score> {
    word.parse().ok().filter(|score: &Score| *score >= Score::ZERO)
}
