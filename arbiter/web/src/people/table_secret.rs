//! The secret of a table, known only to the browser of its person: the last part of its address.

use std::fmt;
use std::io;
use std::str::FromStr;

use rand::TryRng;
use rand::rngs::SysRng;
use rules::NotText;

/// A random number of 128 bits, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableSecret(u128);

impl TableSecret {
    /// Draws a new secret; fails if the system gives no random numbers.
    pub(super) fn draw() -> io::Result<TableSecret> {
        let mut bytes = [0; 16];
        SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
        Ok(TableSecret(u128::from_be_bytes(bytes)))
    }
}

impl fmt::Display for TableSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Keeps it out of messages.
impl fmt::Debug for TableSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl FromStr for TableSecret {
    type Err = NotText;

    fn from_str(text: &str) -> Result<TableSecret, NotText> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let number = match text.len() == 32 && text.bytes().all(is_digit) {
            true => u128::from_str_radix(text, 16).ok(),
            false => None,
        };
        number.map(TableSecret).ok_or_else(|| NotText::new("32 hexadecimal digits", text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_one_spelling_and_is_told_in_no_message() {
        let secret = TableSecret(0xf0);
        let text = "000000000000000000000000000000f0";
        assert_eq!((secret.to_string().as_str(), text.parse()), (text, Ok(secret)));
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        for wrong in ["", "f0", &text.to_uppercase(), &format!("{text}0"), &text.replace('f', "+")]
        {
            assert!(wrong.parse::<TableSecret>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn no_two_are_the_same() {
        let drawn = [(); 3].map(|()| TableSecret::draw().expect("random numbers"));
        assert!(drawn[0] != drawn[1] && drawn[1] != drawn[2]);
    }
}
