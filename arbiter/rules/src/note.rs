//! Notes: numbers and words about its own thinking that a bot writes to standard error, a line for each.
//!
//! A log keeps standard error as it is, so notes need no place of their own in it, and logs of every age
//! have them. They never decide anything: a line that is no note stays a line of standard error.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::ser::{Serialize, Serializer};

use crate::text::NotText;

/// The notes of one answer, in the order in which their keys were first written.
///
/// A note is a line `note KEY VALUE`. The last value of a key counts.
///
/// ```
/// use rules::Notes;
///
/// let stderr = b"thinking\nnote eval 0.4\nnote depth 3\nnote eval 0.61\nnote best 4H 4C\n";
/// let notes = Notes::read(stderr, 0);
/// let all: Vec<String> = notes.iter().map(ToString::to_string).collect();
/// assert_eq!(all, ["eval 0.61", "depth 3", "best 4H 4C"]);
/// assert_eq!(notes.get(&"eval".parse()?).and_then(|value| value.number()), Some(0.61));
/// assert_eq!(notes.get(&"best".parse()?).and_then(|value| value.number()), None);
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes(Vec<Note>);

/// A line that a bot wrote about its own thinking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The name of the value.
    pub key: NoteKey,
    /// The value.
    pub value: NoteValue,
}

/// The key of a note: 1 to 32 letters, digits and `_`, `-`, `.`, all of them ASCII.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NoteKey(String);

/// The value of a note: 1 to 100 printable ASCII characters, without blanks around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteValue(String);

impl Notes {
    /// The most keys that one answer has: the first ones.
    pub const MOST: usize = 16;

    /// Reads the notes in standard error, of which this number of bytes was dropped at the end.
    ///
    /// It is never an error: all other lines are for the author of the bot, and a last line that was cut
    /// off would have a wrong value.
    pub fn read(stderr: &[u8], dropped: u64) -> Notes {
        let whole = match (dropped, stderr.iter().rposition(|byte| *byte == b'\n')) {
            (0, _) => stderr,
            (_, Some(end)) => &stderr[..end],
            (_, None) => &[],
        };
        let mut notes = Notes::default();
        for line in whole.split(|byte| *byte == b'\n') {
            if let Some(note) = Note::read(line) {
                notes.put(note);
            }
        }
        notes
    }

    fn put(&mut self, note: Note) {
        if let Some(known) = self.0.iter_mut().find(|known| known.key == note.key) {
            known.value = note.value;
        } else if self.0.len() < Notes::MOST {
            self.0.push(note);
        }
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, a note for each key.
    pub fn iter(&self) -> impl Iterator<Item = &Note> {
        self.0.iter()
    }

    /// The value of a key.
    pub fn get(&self, key: &NoteKey) -> Option<&NoteValue> {
        self.0.iter().find(|note| note.key == *key).map(|note| &note.value)
    }
}

impl Serialize for Notes {
    /// An object with a number or a text for each key.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|note| (note.key.as_str(), &note.value)))
    }
}

impl Note {
    /// The note that a line is, without its line end; none if it is another line.
    pub fn read(line: &[u8]) -> Option<Note> {
        let line = line.strip_prefix(b"note ")?;
        let line = std::str::from_utf8(line).ok()?;
        let (key, value) = line.trim_start_matches(' ').split_once(' ')?;
        Some(Note { key: key.parse().ok()?, value: value.trim_ascii().parse().ok()? })
    }
}

impl Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.key, self.value)
    }
}

impl NoteKey {
    const LONGEST: usize = 32;

    /// The key as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for NoteKey {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        match (1..=NoteKey::LONGEST).contains(&text.len()) && text.bytes().all(is_allowed) {
            true => Ok(NoteKey(text.to_owned())),
            false => Err(NotText::new("a key of 1 to 32 letters, digits and `_`, `-`, `.`", text)),
        }
    }
}

impl Display for NoteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl NoteValue {
    const LONGEST: usize = 100;

    /// The value as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The finite number that the value is, if it is one.
    pub fn number(&self) -> Option<f64> {
        self.0.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

impl FromStr for NoteValue {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let is_printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        let is_value = (1..=NoteValue::LONGEST).contains(&text.len())
            && is_printable
            && text.trim_ascii().len() == text.len();
        match is_value {
            true => Ok(NoteValue(text.to_owned())),
            false => Err(NotText::new("a value of 1 to 100 printable characters", text)),
        }
    }
}

impl Display for NoteValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The whole numbers below this one are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Serialize for NoteValue {
    /// A number if the value is one, without a fraction if that is zero; otherwise a text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.number() {
            Some(number) if number.fract() == 0.0 && number.abs() < EXACT => {
                serializer.serialize_i64(number as i64)
            }
            Some(number) => serializer.serialize_f64(number),
            None => serializer.serialize_str(&self.0),
        }
    }
}
