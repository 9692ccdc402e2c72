//! The seed of all deals: as a person gives it, and as a log commits to it.

use std::fmt;
use std::str::FromStr;

use rules::{Digest, NotText, Seed};
use serde::{Deserialize, Serialize};

/// The secret of the organiser of a match or a tournament: 32 bytes, published at first as a digest
/// and revealed in the end.
///
/// All chance follows from the [`dealing`](CommittedSeed::dealing) seed, which is another one
/// where participants have put in words of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommittedSeed(pub Seed);

impl CommittedSeed {
    /// The digest of the 32 bytes, which is published before the first card.
    pub fn commitment(&self) -> Digest {
        Digest::hash(&self.0.0)
    }

    /// The seed that all chance follows from, where these words were mixed in after the commitment.
    ///
    /// Without words it is the committed seed itself, otherwise the SHA-256 digest of its 32 bytes
    /// and of the digests of the words, in order. The committed seed was chosen before the words
    /// were known, and the words without knowing the seed. So no one has chosen the deals, and each
    /// participant makes them unpredictable to the others.
    pub fn dealing(&self, entropy: &[String]) -> Seed {
        if entropy.is_empty() {
            return self.0.clone();
        }
        let mut bytes = self.0.0.to_vec();
        for words in entropy {
            bytes.extend(Digest::hash(words.as_bytes()).bytes());
        }
        Seed(Digest::hash(&bytes).bytes())
    }
}

impl fmt::Display for CommittedSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for CommittedSeed {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        text.parse().map(CommittedSeed)
    }
}

/// Text before the number, in the digest that is the seed.
const PREFIX: &str = "arbiter seed ";

/// A seed as it stands on a command line or in a plan.
///
/// A number stands for the SHA-256 digest of the text `arbiter seed ` and its decimal digits.
/// Anyone can try all short numbers against a commitment, so such a seed is for practice.
///
/// ```
/// use series::committed_seed::GivenSeed;
///
/// let short: GivenSeed = "42".parse()?;
/// assert!(short.can_be_guessed());
/// // printf 'arbiter seed 42' | sha256sum
/// let full = "eaf9840729d11f5733620e8464e47abca75fa99d21ca00655e62bf049e9a3dd5";
/// assert_eq!(short.seed().to_string(), full);
/// assert_eq!(full.parse::<GivenSeed>()?.seed(), short.seed());
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenSeed {
    /// All 32 bytes.
    Full(Seed),
    /// A number that stands for them.
    Short(u64),
}

impl GivenSeed {
    /// The seed itself.
    pub fn seed(&self) -> Seed {
        match self {
            GivenSeed::Full(seed) => seed.clone(),
            GivenSeed::Short(number) => {
                Seed(Digest::hash(format!("{PREFIX}{number}").as_bytes()).bytes())
            }
        }
    }

    /// Returns true if it is so short that it can be found by trying.
    pub fn can_be_guessed(&self) -> bool {
        matches!(self, GivenSeed::Short(_))
    }
}

impl FromStr for GivenSeed {
    type Err = NotText;

    fn from_str(text: &str) -> Result<GivenSeed, NotText> {
        // With leading zeros it is rather an incomplete full seed.
        let number: Option<u64> =
            text.parse().ok().filter(|number: &u64| number.to_string() == text);
        let number = number.map(GivenSeed::Short);
        let expected = "a seed of 64 hexadecimal digits, or a short number for practice";
        number
            .or_else(|| text.parse().ok().map(GivenSeed::Full))
            .ok_or_else(|| NotText::new(expected, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_order_make_another_seed() {
        let committed = CommittedSeed(Seed([7; 32]));
        let dealing = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            committed.dealing(&words).to_string()
        };
        // (head -c 32 /dev/zero | tr '\0' '\7'; printf ann | sha256sum | xxd -r -p;
        //  printf bob | sha256sum | xxd -r -p) | sha256sum
        assert_eq!(dealing(&[]), "07".repeat(32));
        assert_eq!(dealing(&["ann", "bob"]), EXPECTED);
        assert_ne!(dealing(&["bob", "ann"]), EXPECTED);
        assert_ne!(dealing(&["annbob"]), EXPECTED);
        // (head -c 32 /dev/zero | tr '\0' '\7'; printf 'žuta 黄' | sha256sum | xxd -r -p) | sha256sum
        assert_eq!(dealing(&["žuta 黄"]), IN_UTF_8);
        assert_ne!(dealing(&[""]), dealing(&[]));
    }

    const IN_UTF_8: &str = "98a656e43cd3a9a038c4aecdf48a3b6d7b2a92b5d62bdaae4927322b713ac668";
    const EXPECTED: &str = "14c8a7eb813b2600f8d4cf21dcfafbfa46dd1ddbf5c6814ed397e29ff79c9c18";

    #[test]
    fn one_number_is_one_seed_and_what_is_no_number_is_none() {
        let short = |text: &str| text.parse::<GivenSeed>();
        assert_eq!(short("0"), Ok(GivenSeed::Short(0)));
        assert_eq!(short(&u64::MAX.to_string()), Ok(GivenSeed::Short(u64::MAX)));
        assert_eq!(short(&"12".repeat(32)), Ok(GivenSeed::Full(Seed([0x12; 32]))));
        for text in ["", "-1", "+1", " 1", "1.5", "0x1", "ff", "007", "18446744073709551616"] {
            let problem = short(text).expect_err(text).to_string();
            assert!(problem.contains("or a short number for practice"), "{problem}");
        }
    }
}
