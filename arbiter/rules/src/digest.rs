//! SHA-256 digests: of requests, of log lines, of programs, of seeds.

use sha2::{Digest as _, Sha256};

use crate::hex::hex_text;

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
