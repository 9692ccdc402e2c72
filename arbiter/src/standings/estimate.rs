//! A number with its 95% interval.

use serde::Serialize;

use super::bootstrap::BootstrapSeed;

/// A number with its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The interval; none where deals are too few to tell, or where every deal came to the same: a
    /// width of 0 would say that nothing else can happen.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// How far the farther end of the interval is from the number: an interval need not be
    /// symmetric.
    pub fn plus_minus(&self) -> Option<f64> {
        self.interval.map(|interval| (interval.high - self.value).max(self.value - interval.low))
    }

    /// What is left of `all`.
    pub(super) fn from(self, all: f64) -> Estimate {
        let left = |number: f64| tidy(all - number);
        let interval = self.interval;
        let interval = interval.map(|it| Interval { low: left(it.high), high: left(it.low) });
        Estimate { value: left(self.value), interval }
    }
}

/// An interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Where intervals come from.
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
}

/// To six decimals: what is beyond them differs between processors.
pub(super) fn tidy(number: f64) -> f64 {
    // The sum makes 0 of -0.
    (number * 1e6).round() / 1e6 + 0.0
}
