//! The lines of a view, written and read.

use std::fmt::{self, Display, Write};
use std::str::FromStr;

use crate::seat::{PerSeat, Seat};
use crate::text::NotText;

/// Writes a line of values behind a key; only the key if they have no text.
pub(crate) fn write_line<T: Display>(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    values: impl IntoIterator<Item = T>,
) -> fmt::Result {
    let mut text = String::with_capacity(80);
    text.push_str(key);
    for value in values {
        let before = text.len();
        write!(text, " {value}")?;
        // One without text, as the set of no cards, takes no room.
        if text.len() == before + 1 {
            text.truncate(before);
        }
    }
    writeln!(f, "{text}")
}

/// The text of a value that may be missing.
pub(crate) fn or_none(value: Option<impl Display>) -> String {
    value.map_or("none".to_owned(), |value| value.to_string())
}

/// The lines of a view, by their keys.
pub(crate) struct Lines<'a>(pub(crate) &'a str);

impl<'a> Lines<'a> {
    fn values(&self, key: &'static str) -> impl Iterator<Item = &'a str> {
        self.0
            .lines()
            .map(|line| line.split_once(' ').unwrap_or((line, "")))
            .filter_map(move |(found, value)| (found == key).then_some(value))
    }

    pub(crate) fn value(&self, key: &'static str) -> Result<&'a str, NotText> {
        let missing = || NotText::new(format!("a line `{key}` in the view"), "");
        self.values(key).next().ok_or_else(missing)
    }

    pub(crate) fn read<T: FromStr<Err = NotText>>(&self, key: &'static str) -> Result<T, NotText> {
        self.value(key)?.parse()
    }

    /// Reads a value that may be `none`.
    pub(crate) fn read_or_none<T: FromStr<Err = NotText>>(
        &self,
        key: &'static str,
    ) -> Result<Option<T>, NotText> {
        match self.value(key)? {
            "none" => Ok(None),
            value => value.parse().map(Some),
        }
    }

    pub(crate) fn number(&self, key: &'static str) -> Result<u32, NotText> {
        number(self.value(key)?)
    }

    pub(crate) fn numbers(&self, key: &'static str) -> Result<PerSeat<u32>, NotText> {
        let words = self.value(key)?.split_ascii_whitespace();
        words.map(number).collect::<Result<Vec<u32>, NotText>>().map(PerSeat::from)
    }

    /// Reads the lines `KEY SEAT VALUE`, one for each seat in turn; `expected` names such a value,
    /// up to its seat.
    pub(crate) fn per_seat<T: FromStr<Err = NotText>>(
        &self,
        key: &'static str,
        expected: &str,
    ) -> Result<PerSeat<T>, NotText> {
        let mut read = Vec::new();
        for value in self.values(key) {
            let (seat, text) = value.split_once(' ').unwrap_or((value, ""));
            if seat.parse::<Seat>()?.index() != read.len() {
                return Err(NotText::new(format!("{expected} seat {}", read.len()), value));
            }
            read.push(text.parse()?);
        }
        Ok(read.into())
    }
}

fn number(text: &str) -> Result<u32, NotText> {
    text.parse().map_err(|_| NotText::new("a number", text))
}
