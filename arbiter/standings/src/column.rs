//! Sums over games with the deals weighed in one way.

use super::game::Entrant;

/// The sums in one column; whole numbers, as floating point ones.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column<'a> {
    pub(super) meetings: Vec<Meeting>,
    /// In [`PARTS`](super::choices::PARTS).
    pub(super) chosen: Vec<(Entrant, f64)>,
    /// In [`PARTS`](super::choices::PARTS).
    pub(super) among: Vec<(&'a [Entrant], f64)>,
}

/// Sums over the games of two bots, from the view of the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Meeting {
    pub(super) first: Entrant,
    pub(super) second: Entrant,
    pub(super) won: f64,
    pub(super) drawn: f64,
    pub(super) lost: f64,
    /// In sixtieths of a point.
    pub(super) margin: f64,
}

impl Meeting {
    pub(super) fn games(&self) -> f64 {
        self.won + self.drawn + self.lost
    }

    /// The meeting from the view of the second.
    pub(super) fn reversed(&self) -> Meeting {
        Meeting {
            first: self.second,
            second: self.first,
            won: self.lost,
            drawn: self.drawn,
            lost: self.won,
            margin: -self.margin,
        }
    }

    /// Adds games of the same two, from the same view.
    pub(super) fn add(&mut self, other: &Meeting) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.margin += other.margin;
    }
}

impl Column<'_> {
    /// Subtracts those games, which are among these.
    pub(super) fn without(mut self, those: &Column<'_>) -> Self {
        for (all, those) in self.meetings.iter_mut().zip(&those.meetings) {
            all.won -= those.won;
            all.drawn -= those.drawn;
            all.lost -= those.lost;
            all.margin -= those.margin;
        }
        let chosen = self.chosen.iter_mut().zip(&those.chosen);
        chosen.for_each(|((_, all), (_, those))| *all -= those);
        let among = self.among.iter_mut().zip(&those.among);
        among.for_each(|((_, all), (_, those))| *all -= those);
        self
    }
}
