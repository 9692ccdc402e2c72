//! Running text about a player: in the second person for one called `you`, and in the third for
//! all others.
//!
//! A person at a terminal is called `you` unless they choose another name. The name decides, not who
//! reads: a log reads alike for everybody.

use std::borrow::Cow;
use std::fmt::{self, Display, Write};
use std::str::FromStr;

use crate::seat::{PerSeat, Seat};
use crate::text::NotText;

/// The subject of a sentence about a player.
///
/// ```
/// use rules::subject::SentenceSubject;
///
/// let told = |name| {
///     let narrator = SentenceSubject::new(name);
///     format!("{} {} duke and {} tax", narrator.subject(), narrator.verb("claim"), narrator.verb("take"))
/// };
/// assert_eq!(told("you"), "You claim duke and take tax");
/// assert_eq!(told("greedy"), "greedy claims duke and takes tax");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentenceSubject<'a> {
    name: &'a str,
}

impl<'a> SentenceSubject<'a> {
    /// The narrator for the player with this name.
    pub fn new(name: &'a str) -> SentenceSubject<'a> {
        SentenceSubject { name }
    }

    /// The player as the first word of a sentence.
    pub fn subject(self) -> &'a str {
        if self.is_second_person() { "You" } else { self.name }
    }

    /// A verb in the present tense, from the form that stands behind `to`.
    pub fn verb(self, infinitive: &str) -> Cow<'_, str> {
        match (infinitive, self.is_second_person()) {
            ("be", true) => "are".into(),
            ("be", false) => "is".into(),
            ("have", false) => "has".into(),
            (verb, true) => Cow::Owned(verb.to_owned()),
            (verb, false) => Cow::Owned(third(verb)),
        }
    }

    /// A sentence that begins with the player, from the rest of it in the third person, with the blank in front.
    ///
    /// ```
    /// use rules::subject::SentenceSubject;
    ///
    /// assert_eq!(SentenceSubject::new("you").sentence(" passes 2C"), "You pass 2C");
    /// assert_eq!(SentenceSubject::new("greedy").sentence(" passes 2C"), "greedy passes 2C");
    /// ```
    pub fn sentence(self, rest: &str) -> String {
        let verb = rest.strip_prefix(' ').map(|rest| rest.split_once(' ').unwrap_or((rest, "")));
        match verb.filter(|_| self.is_second_person()) {
            Some((verb, object)) => {
                let gap = if object.is_empty() { "" } else { " " };
                format!("{} {}{gap}{object}", self.subject(), second(verb))
            }
            None => format!("{}{rest}", self.name),
        }
    }

    fn is_second_person(self) -> bool {
        self.name.eq_ignore_ascii_case("you")
    }
}

/// A regular verb in the third person.
fn third(verb: &str) -> String {
    let hisses = ["s", "sh", "ch", "x", "z", "o"].iter().any(|end| verb.ends_with(end));
    format!("{verb}{}", if hisses { "es" } else { "s" })
}

/// A verb in the second person, from its third person.
fn second(verb: &str) -> &str {
    let hisses = ["sses", "shes", "ches", "xes", "zzes", "oes"];
    match verb {
        "is" => "are",
        "has" => "have",
        verb if hisses.iter().any(|end| verb.ends_with(end)) => &verb[..verb.len() - 2],
        verb => verb.strip_suffix('s').unwrap_or(verb),
    }
}

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
pub(crate) struct ViewLines<'a>(pub(crate) &'a str);

impl<'a> ViewLines<'a> {
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
