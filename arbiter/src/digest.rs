//! SHA-256 digests: of log lines, of programs, of seeds.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::str::FromStr;

use rules::{NotText, Seed};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest, written as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// The digest of a file's content, read in pieces.
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Digest> {
        let mut hasher = Sha256::new();
        let mut file = File::open(path)?;
        let mut piece = vec![0; 64 * 1024];
        loop {
            match io::Read::read(&mut file, &mut piece)? {
                0 => return Ok(Digest(hasher.finalize().into())),
                length => hasher.update(&piece[..length]),
            }
        }
    }

    /// Its 32 bytes.
    pub fn bytes(self) -> [u8; 32] {
        self.0
    }

    /// What is published of a match's seed before the first game: the digest of its 32 bytes.
    pub fn commitment(seed: &Seed) -> Digest {
        Digest::of(&seed.0)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Digest {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        // A seed has the same shape, so its reader serves.
        let Seed(bytes) =
            text.parse().map_err(|_| NotText::new("a digest of 64 hexadecimal digits", text))?;
        Ok(Digest(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
