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
    /// How far the farther end of the interval is from the number: an interval need not be
    /// symmetric. None where an end is missing.
    pub fn plus_minus(&self) -> Option<f64> {
        let Interval { low, high } = self.interval?;
        Some((high? - self.value).max(self.value - low?))
    }

    /// What is left of `all`.
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

    /// The same with each end as the function has it.
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

    /// Whether the number is in it.
    pub fn contains(&self, number: f64) -> bool {
        self.low.is_none_or(|low| low <= number) && self.high.is_none_or(|high| number <= high)
    }
}

/// Where intervals of scores and margins come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum Method {
    /// A jackknife over deals and Student's t, for fewer than [`Method::MANY_DEALS`].
    T,
    /// A bootstrap over deals.
    Bootstrap {
        /// How many replicates it has.
        replicates: usize,
        /// What its weights follow from.
        seed: BootstrapSeed,
    },
}

impl Method {
    /// How many deals a bootstrap needs.
    pub const MANY_DEALS: u64 = 30;

    /// How many deals the interval of a rating needs, a rank and a probability.
    pub const FEWEST_DEALS: u64 = 5;
}

/// To six decimals: what is beyond them differs between processors.
pub(super) fn tidy(number: f64) -> f64 {
    // The sum makes 0 of -0.
    (number * 1e6).round() / 1e6 + 0.0
}
