//! SHA-256 digests, and bytes as lower-case hexadecimal digits.

use sha2::{Digest as _, Sha256};

/// A SHA-256 digest (FIPS 180-4), written as 64 lower-case hexadecimal digits.
///
/// ```
/// use rules::Digest;
///
/// let digest = Digest::hash(b"abc").to_string();
/// assert!(digest.starts_with("ba7816bf8f01cfea"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of some bytes.
    pub fn hash(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// Its 32 bytes.
    pub fn bytes(self) -> [u8; 32] {
        self.0
    }
}

hex_text!(Digest, "a digest of 64 hexadecimal digits");

/// Two digits for each byte.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value & 15)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// Exactly `N` bytes, from twice as many digits of either case.
pub(crate) fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let high = char::from(pair[0]).to_digit(16)?;
        let low = char::from(pair[1]).to_digit(16)?;
        *byte = (high * 16 + low) as u8;
    }
    Some(bytes)
}

/// Gives a newtype over a byte array its text and its JSON form: lower-case hexadecimal digits.
macro_rules! hex_text {
    ($name:ident, $expected:literal) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$crate::digest::to_hex(&self.0))
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::text::NotText;

            fn from_str(text: &str) -> Result<Self, $crate::text::NotText> {
                $crate::digest::from_hex(text)
                    .map($name)
                    .ok_or_else(|| $crate::text::NotText::new($expected, text))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use hex_text;
