//! The text form that every move, card, chance and event has, and the one error for any other text.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

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

/// Most characters of the offending text that an error quotes.
const QUOTED: usize = 60;

impl NotText {
    /// Says what was `expected` (with its article: `a card`), and what was found instead.
    pub fn new(expected: impl Into<Cow<'static, str>>, found: &str) -> Self {
        NotText { expected: expected.into(), found: found.chars().take(QUOTED + 1).collect() }
    }

    /// The expectation, with its article.
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

/// Any bytes, shown as printable ASCII and read back without loss.
///
/// A backslash is written `\\`, a line feed `\n`, every other byte outside the printable ASCII
/// characters `\xNN`.
///
/// ```
/// use rules::EscapedBytes;
///
/// let reply = EscapedBytes(b"7S\n\x1b[2J".to_vec());
/// assert_eq!(reply.to_string(), r"7S\n\x1b[2J");
/// assert_eq!(reply.to_string().parse(), Ok(reply));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EscapedBytes(pub Vec<u8>);

impl Display for EscapedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &byte in &self.0 {
            match byte {
                b'\\' => f.write_str("\\\\")?,
                b'\n' => f.write_str("\\n")?,
                b' '..=b'~' => write!(f, "{}", char::from(byte))?,
                _ => write!(f, "\\x{byte:02x}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for EscapedBytes {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let not_escaped = || NotText::new("escaped bytes", text);
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            bytes.push(match byte {
                b'\\' => {
                    let (value, after) = unescape(after).ok_or_else(not_escaped)?;
                    rest = after;
                    value
                }
                b' '..=b'~' => byte,
                _ => return Err(not_escaped()),
            });
        }
        Ok(EscapedBytes(bytes))
    }
}

/// The byte that stands behind a backslash, and what follows it.
fn unescape(text: &[u8]) -> Option<(u8, &[u8])> {
    match text {
        [b'\\', rest @ ..] => Some((b'\\', rest)),
        [b'n', rest @ ..] => Some((b'\n', rest)),
        [b'x', high, low, rest @ ..] => {
            let digit = |digit: &u8| char::from(*digit).to_digit(16);
            Some(((digit(high)? * 16 + digit(low)?) as u8, rest))
        }
        _ => None,
    }
}

impl Serialize for EscapedBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for EscapedBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
