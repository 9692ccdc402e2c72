//! One value for each seat of a game.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

use crate::seat::Seat;

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

    /// How many seats there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Whether the game has this seat.
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

    /// The same seats with other values.
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
