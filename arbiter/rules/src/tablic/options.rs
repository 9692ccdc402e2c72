//! The options of a game of Tablić: the number of seats.

use std::fmt;
use std::str::FromStr;

use crate::text::NotText;

/// A number of seats that Tablić can be played with: a divisor of 48 above 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeatCount(u8);

impl SeatCount {
    /// Every number of seats: 2, 3, 4, 6, 8, 12, 16, 24, 48.
    pub const ALL: [SeatCount; 9] = [
        SeatCount(2),
        SeatCount(3),
        SeatCount(4),
        SeatCount(6),
        SeatCount(8),
        SeatCount(12),
        SeatCount(16),
        SeatCount(24),
        SeatCount(48),
    ];

    /// This number of seats, if the game can be played with it.
    pub fn new(seats: usize) -> Option<SeatCount> {
        SeatCount::ALL.into_iter().find(|count| count.get() == seats)
    }

    /// The number.
    pub fn get(self) -> usize {
        usize::from(self.0)
    }
}

/// How a game of Tablić is set up, written `seats=2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many seats play.
    pub seats: SeatCount,
}

impl Default for Options {
    fn default() -> Self {
        Options { seats: SeatCount(2) }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seats={}", self.seats.get())
    }
}

impl FromStr for Options {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let mut options = Options::default();
        for word in text.split_ascii_whitespace() {
            let Some(value) = word.strip_prefix("seats=") else {
                return Err(NotText::new("`seats=N` as the options of tablic", word));
            };
            options.seats = value.parse().ok().and_then(SeatCount::new).ok_or_else(|| {
                NotText::new("2, 3, 4, 6, 8, 12, 16, 24 or 48 seats for tablic", value)
            })?;
        }
        Ok(options)
    }
}
