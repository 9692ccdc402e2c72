//! A seed as a person gives it: in full, or as a short number for practice.

use std::str::FromStr;

use rules::{Digest, NotText, Seed};

/// Text before the number, in the digest that is the seed.
const PREFIX: &str = "arbiter seed ";

/// A seed as it stands on a command line or in a plan.
///
/// A number stands for the SHA-256 digest of the text `arbiter seed ` and its decimal digits.
/// Anyone can try all short numbers against a commitment, so such a seed is for practice.
///
/// ```
/// use series::given_seed::GivenSeed;
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
