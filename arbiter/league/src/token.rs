//! Secrets that identify participants and the organiser of a league.

use std::fmt;
use std::io;
use std::path::Path;

use rand::TryRng;
use rand::rngs::SysRng;
use rules::Digest;

use crate::folder::{LeagueError, unusable};

/// A secret that identifies a participant. It is written as 64 hexadecimal digits.
pub struct Token([u8; 32]);

impl Token {
    /// Draws a new one from the randomness of the system.
    pub(crate) fn drawn() -> Result<Token, LeagueError> {
        let mut bits = [0; 32];
        fill(&mut bits)?;
        Ok(Token(bits))
    }

    /// Returns the digest of its text, which is all that a league keeps.
    pub(crate) fn digest(&self) -> Digest {
        Digest::hash(self.to_string().as_bytes())
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Hides the token, which must not stand in an error or in a log.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Fills bytes from the randomness of the system.
fn fill(bytes: &mut [u8]) -> Result<(), LeagueError> {
    let randomness = Path::new("the randomness of the system");
    SysRng.try_fill_bytes(bytes).map_err(|error| unusable(randomness, io::Error::other(error)))
}

/// A code that a class shares, by which people register themselves. It is written as three groups of four letters.
pub struct RegistrationCode([u8; 12]);

/// Letters of a code: none of them looks like another one or like a digit.
const LETTERS: &[u8; 23] = b"abcdefghjkmnpqrstuvwxyz";

impl RegistrationCode {
    pub(crate) fn drawn() -> Result<RegistrationCode, LeagueError> {
        let mut code = [0; 12];
        for letter in &mut code {
            *letter = loop {
                let mut byte = [0];
                fill(&mut byte)?;
                // Each letter is as likely as any other.
                if usize::from(byte[0]) < 10 * LETTERS.len() {
                    break LETTERS[usize::from(byte[0]) % LETTERS.len()];
                }
            };
        }
        Ok(RegistrationCode(code))
    }

    pub(crate) fn digest(&self) -> Digest {
        RegistrationCode::digest_of(&self.to_string())
    }

    /// Returns the digest of a code as people type it: blanks, hyphens and letter case do not count.
    pub(crate) fn digest_of(typed: &str) -> Digest {
        let letters = typed.chars().filter(|it| it.is_ascii_alphanumeric());
        Digest::hash(letters.collect::<String>().to_ascii_lowercase().as_bytes())
    }
}

impl fmt::Display for RegistrationCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, letter) in self.0.iter().enumerate() {
            if place > 0 && place % 4 == 0 {
                f.write_str("-")?;
            }
            write!(f, "{}", char::from(*letter))?;
        }
        Ok(())
    }
}

/// Hides the code.
impl fmt::Debug for RegistrationCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = RegistrationCode::drawn().expect("randomness");
        let text = code.to_string();
        assert_eq!(text.len(), 14);
        let typed =
            [text.clone(), text.to_uppercase(), text.replace('-', " "), format!(" {text} ")];
        for typed in typed {
            assert_eq!(RegistrationCode::digest_of(&typed), code.digest(), "{typed}");
        }
    }
}
