//! A number with its 95% interval.

use serde::Serialize;

use super::bootstrap::BootstrapSeed;

/// A number with its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The interval; none where deals are too few to tell.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// Distance of the number from the farther end of the interval, which need not be symmetric.
    /// None if an end is missing.
    pub fn plus_minus(&self) -> Option<f64> {
        let Interval { low, high } = self.interval?;
        Some((high? - self.value).max(self.value - low?))
    }

    /// Returns `all` minus this.
    pub(super) fn from(self, all: f64) -> Estimate {
        let left = |number: f64| tidy(all - number);
        let interval = self.interval;
        let interval =
            interval.map(|it| Interval { low: it.high.map(left), high: it.low.map(left) });
        Estimate { value: left(self.value), interval }
    }
}

/// An interval, with one end or both.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end; none where it has none.
    pub low: Option<f64>,
    /// Its upper end; none where it has none.
    pub high: Option<f64>,
}

impl Interval {
    /// With both ends.
    pub(super) fn between(low: f64, high: f64) -> Interval {
        Interval { low: Some(low), high: Some(high) }
    }

    /// Applies a function to both ends.
    pub fn map(self, end: impl Fn(f64) -> f64) -> Interval {
        Interval { low: self.low.map(&end), high: self.high.map(&end) }
    }

    /// The part of it between these bounds, beyond which nothing is possible; none where it is all that is
    /// possible, which says nothing.
    pub(super) fn within(self, low: f64, high: f64) -> Option<Interval> {
        let is_all =
            self.low.is_none_or(|end| end <= low) && self.high.is_none_or(|end| end >= high);
        (!is_all).then(|| self.map(|end| end.clamp(low, high)))
    }

    /// Returns true if the number is in it.
    pub fn contains(&self, number: f64) -> bool {
        self.low.is_none_or(|low| low <= number) && self.high.is_none_or(|high| number <= high)
    }
}

/// Method behind the intervals of scores and margins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum Method {
    /// A jackknife over deals and Student's t, for fewer than [`Method::MANY_DEALS`].
    T,
    /// A bootstrap over deals.
    Bootstrap {
        /// Number of replicates.
        replicates: usize,
        /// Seed of its weights.
        seed: BootstrapSeed,
    },
}

impl Method {
    /// The fewest deals for a bootstrap.
    pub const MANY_DEALS: u64 = 30;

    /// The fewest deals for the interval of a rating, a rank and a probability.
    pub const FEWEST_DEALS: u64 = 5;
}

/// To six decimals: what is beyond them differs between processors.
pub(super) fn tidy(number: f64) -> f64 {
    // The sum makes 0 of -0.
    (number * 1e6).round() / 1e6 + 0.0
}
