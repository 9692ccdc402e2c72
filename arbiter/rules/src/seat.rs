//! A seat at the table.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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
