//! Bytes that a bot printed, in a form that is safe to show and to store.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::text::NotText;

/// Any bytes, shown as printable ASCII and read back without loss.
///
/// A backslash is written `\\`, a line feed `\n`, every other byte outside the printable ASCII
/// characters `\xNN`.
///
/// ```
/// use rules::Escaped;
///
/// let reply = Escaped(b"7S\n\x1b[2J".to_vec());
/// assert_eq!(reply.to_string(), r"7S\n\x1b[2J");
/// assert_eq!(reply.to_string().parse(), Ok(reply));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Escaped(pub Vec<u8>);

impl fmt::Display for Escaped {
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

impl FromStr for Escaped {
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
        Ok(Escaped(bytes))
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

impl Serialize for Escaped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Escaped {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
