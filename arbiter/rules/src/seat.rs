//! A seat at the table.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text::NotText;

/// One of the places at the table, counted from 0 in the order of turns.
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
