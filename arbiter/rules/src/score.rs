//! The score of a seat at the end of a game.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};

use crate::text::NotText;

/// A number of points, exact.
///
/// It is kept in sixtieths, so that a point can be shared between two to six seats without
/// rounding. As text it is `15` or `1/2`; in JSON a number, whole where it is whole.
///
/// ```
/// use rules::Score;
///
/// assert_eq!(Score::points(15).to_string(), "15");
/// assert_eq!("1/3".parse::<Score>()? + "1/6".parse()?, "1/2".parse()?);
/// assert!("1/7".parse::<Score>().is_err());
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Score(i64);

/// Number of parts that a point has.
const PARTS: i64 = 60;

impl Score {
    /// No point.
    pub const ZERO: Score = Score(0);

    /// This number of whole points.
    pub const fn points(points: i32) -> Score {
        Score(points as i64 * PARTS)
    }

    /// The score of `above / below` points; `None` if that is not a whole number of sixtieths.
    pub fn ratio(above: i32, below: i32) -> Option<Score> {
        let below = i64::from(below);
        (below > 0 && PARTS % below == 0).then(|| Score(i64::from(above) * (PARTS / below)))
    }

    /// The score in sixtieths of a point, for sums that must be exact.
    pub const fn sixtieths(self) -> i64 {
        self.0
    }

    /// The score in points, as near as a floating point number comes.
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / PARTS as f64
    }
}

impl Score {
    /// The score for people, as a decimal number: `34.5`, with two digits at most where it has more.
    pub fn decimal(self) -> String {
        let text = format!("{:.2}", self.as_f64());
        match text.trim_end_matches('0').trim_end_matches('.') {
            // Less than half of a hundredth.
            "-0" => "0".to_owned(),
            text => text.to_owned(),
        }
    }
}

impl Add for Score {
    type Output = Score;

    fn add(self, other: Score) -> Score {
        Score(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Score>>(scores: I) -> Score {
        scores.fold(Score::ZERO, Add::add)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let divisor = [60, 30, 20, 15, 12, 10, 6, 5, 4, 3, 2, 1]
            .into_iter()
            .find(|divisor| self.0 % divisor == 0)
            .unwrap_or(1);
        match PARTS / divisor {
            1 => f.pad(&(self.0 / PARTS).to_string()),
            parts => f.pad(&format!("{}/{parts}", self.0 / divisor)),
        }
    }
}

impl FromStr for Score {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let parts = above.parse().ok().zip(below.parse().ok());
        parts
            .and_then(|(above, below)| Score::ratio(above, below))
            .ok_or_else(|| NotText::new("a score", text))
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % PARTS == 0 {
            serializer.serialize_i64(self.0 / PARTS)
        } else {
            serializer.serialize_f64(self.as_f64())
        }
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points = f64::deserialize(deserializer)?;
        let parts = points * PARTS as f64;
        let whole = parts.round();
        if (parts - whole).abs() > 1e-6 || whole.abs() > 1e12 {
            return Err(de::Error::custom(format!("expected a score, found {points}")));
        }
        Ok(Score(whole as i64))
    }
}
