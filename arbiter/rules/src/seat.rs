//! A seat at the table.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Index, IndexMut};
use std::str::FromStr;

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};

use crate::text::NotText;

/// A place at the table, counted from 0 in the order of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Seat(u8);

impl Seat {
    /// The most seats that any game has.
    pub const MOST: usize = 48;

    /// The seat with this number, if any game has that many.
    pub fn new(number: usize) -> Option<Seat> {
        (number < Seat::MOST).then_some(Seat(number as u8))
    }

    /// The first `count` seats, in the order of turns; at most [`Seat::MOST`].
    pub fn first(
        count: usize,
    ) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        (0..count.min(Seat::MOST) as u8).map(Seat)
    }

    /// The number of this seat, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Seat {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let digits = matches!(text.as_bytes(), [b'0'..=b'9'] | [b'1'..=b'9', b'0'..=b'9']);
        let number = if digits { text.parse().ok() } else { None };
        number.and_then(Seat::new).ok_or_else(|| NotText::new("a seat from 0 to 47", text))
    }
}

impl TryFrom<u64> for Seat {
    type Error = NotText;

    fn try_from(number: u64) -> Result<Self, NotText> {
        usize::try_from(number)
            .ok()
            .and_then(Seat::new)
            .ok_or_else(|| NotText::new("a seat from 0 to 47", &number.to_string()))
    }
}

impl From<Seat> for u64 {
    fn from(seat: Seat) -> u64 {
        u64::from(seat.0)
    }
}

/// One value for each seat, indexed by [`Seat`].
///
/// Indexing panics for a seat that the game does not have, as a slice does; text from outside is
/// checked against the number of seats before it becomes an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerSeat<T>(Vec<T>);

impl<T> PerSeat<T> {
    /// The value that `make` gives for each of `count` seats.
    pub fn new(count: usize, make: impl FnMut(Seat) -> T) -> Self {
        PerSeat(Seat::first(count).map(make).collect())
    }

    /// Number of seats.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns true if the game has this seat.
    pub fn has(&self, seat: Seat) -> bool {
        seat.index() < self.0.len()
    }

    /// The seats, in the order of turns.
    pub fn seats(
        &self,
    ) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone + use<T> {
        Seat::first(self.0.len())
    }

    /// Every seat with its value.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        self.seats().zip(&self.0)
    }

    /// Only the values, in the order of seats.
    pub fn values(&self) -> &[T] {
        &self.0
    }

    /// Maps the values of all seats.
    pub fn map<U>(&self, mut make: impl FnMut(Seat, &T) -> U) -> PerSeat<U> {
        PerSeat(self.iter().map(|(seat, value)| make(seat, value)).collect())
    }
}

impl<T> From<Vec<T>> for PerSeat<T> {
    /// Takes the values in the order of seats; those beyond the last possible seat are dropped.
    fn from(mut values: Vec<T>) -> Self {
        values.truncate(Seat::MOST);
        PerSeat(values)
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

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
