//! Bounds on the worth of a game.

use std::fmt;
use std::ops::{Add, AddAssign, Mul};

/// The least and the most that something can be worth, in wins.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounds {
    pub low: f64,
    pub high: f64,
}

impl Bounds {
    pub const ZERO: Bounds = Bounds::exactly(0.0);

    pub const fn exactly(worth: f64) -> Bounds {
        Bounds { low: worth, high: worth }
    }

    /// Between nothing and this.
    pub const fn up_to(most: f64) -> Bounds {
        Bounds { low: 0.0, high: most }
    }

    /// Worth of the better of two choices.
    #[must_use]
    pub fn or(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    pub fn width(self) -> f64 {
        self.high - self.low
    }
}

impl Add for Bounds {
    type Output = Bounds;

    fn add(self, other: Bounds) -> Bounds {
        Bounds { low: self.low + other.low, high: self.high + other.high }
    }
}

impl AddAssign for Bounds {
    fn add_assign(&mut self, other: Bounds) {
        *self = *self + other;
    }
}

impl Mul<f64> for Bounds {
    type Output = Bounds;

    fn mul(self, factor: f64) -> Bounds {
        Bounds { low: self.low * factor, high: self.high * factor }
    }
}

/// In per cent, rounded outwards.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let low = (self.low * 1e4).floor() / 1e2;
        let high = (self.high * 1e4).ceil() / 1e2;
        write!(f, "{low:.2} to {high:.2}")
    }
}
