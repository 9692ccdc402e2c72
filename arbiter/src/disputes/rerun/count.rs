//! What was compared so far, added up.

use std::collections::BTreeMap;

use rules::Seat;
use serde::Serialize;

use super::Compared;

/// What all comparisons come to.
#[derive(Debug, Default)]
pub struct Count {
    /// How many answers were compared.
    pub answers: u64,
    /// How many were not as they were.
    pub different: u64,
    /// Where the first of these was.
    pub first: Option<Place>,
    /// How often each of them was another one, by their places.
    pub places: BTreeMap<Place, u64>,
}

/// Where an answer was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The game, from 0.
    pub game: u64,
    /// The move, from 0.
    #[serde(rename = "move")]
    pub number: u32,
    /// Which chance it was: 0 for the first one.
    pub retry: u32,
    /// Who was asked.
    pub seat: Seat,
}

impl Count {
    /// Adds a comparison.
    pub fn add(&mut self, compared: &Compared<'_>) {
        self.answers += 1;
        if !compared.are_same() {
            let place = compared.place();
            self.different += 1;
            self.first.get_or_insert(place);
            *self.places.entry(place).or_default() += 1;
        }
    }
}
