//! Intervals of scores and margins, found by weighing the deals differently.
//!
//! The deal is the unit: games of one deal share their cards. With many deals the bootstrap takes
//! the distribution over replicates for that of the error (Efron 1979, "Bootstrap methods: another
//! look at the jackknife"). An interval is from percentile to percentile, somewhat beyond 2.5% and
//! 97.5%: for a mean of normal numbers the ends are then Student's (the expanded percentile interval
//! of Hesterberg 2015, "What teachers should know about the bootstrap"). His factor for a variance
//! that is too small by one part in n is left out. With weights of Poisson a replicate has W
//! deals, and the mean of 1/W, about 1/n + 1/n², makes up for it.
//!
//! With few deals the numbers are computed without each deal in turn. Their variance makes a standard
//! error (Tukey's jackknife; Efron and Tibshirani 1993, *An Introduction to the Bootstrap*, chapter
//! 11), and Student's t with a degree of freedom less than deals makes the interval. For a mean over
//! deals this is the usual interval, exactly.

use super::column::Numbers;
use super::distributions::{StudentT, normal_cdf};
use super::estimate::Interval;
use super::ratings::FEWEST_DEALS;
use super::resamples::Kind;

/// The quantile at the upper end of a 95% interval.
const UPPER: f64 = 0.975;

/// Numbers that differ by less are equal up to rounding.
const EQUAL: f64 = 1e-9;

/// Values of all numbers, had deals weighed otherwise.
#[derive(Debug)]
pub(super) struct Spread {
    kind: Kind,
    resamples: usize,
    /// Number by number.
    values: Vec<f64>,
}

impl Spread {
    /// Takes `count` numbers of each resample.
    pub(super) fn new(
        kind: Kind,
        [count, resamples]: [usize; 2],
        resampled: impl Iterator<Item = Numbers>,
    ) -> Spread {
        let mut values = vec![f64::NAN; count * resamples];
        for (resample, numbers) in resampled.enumerate().take(resamples) {
            let of_resample = values.iter_mut().skip(resample).step_by(resamples);
            of_resample.zip(numbers).for_each(|(value, number)| *value = number);
        }
        Spread { kind, resamples, values }
    }

    /// The 95% interval of a number that depends on about this number of deals.
    pub(super) fn interval(&self, number: usize, value: f64, deals: f64) -> Option<Interval> {
        let values = &self.values[number * self.resamples..][..self.resamples];
        let values: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        let freedom = deals - 1.0;
        if freedom < 1.0 || is_constant(&values) {
            return None;
        }
        match self.kind {
            Kind::Jackknife => {
                let half = StudentT::new(freedom)?.quantile(UPPER) * self.error(&values)?;
                Some(Interval::between(value - half, value + half))
            }
            Kind::Bootstrap => percentiles(values, freedom),
        }
    }

    /// The 95% interval of a share, which is from 0 to 1.
    pub(super) fn interval_of_share(
        &self,
        number: usize,
        value: f64,
        deals: f64,
    ) -> Option<Interval> {
        let found = self.interval(number, value, deals);
        found.or_else(|| always_the_same(value, deals))
    }

    /// The standard error of a number that has these values without each deal.
    fn error(&self, values: &[f64]) -> Option<f64> {
        if values.len() < self.resamples {
            return None;
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some((squares * (count - 1.0) / count).sqrt())
    }
}

fn is_constant(values: &[f64]) -> bool {
    let (low, high) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(*it), high.max(*it)));
    // Also if there are none.
    high - low < EQUAL
}

/// The interval of a share that was the same in this number of deals.
fn always_the_same(value: f64, deals: f64) -> Option<Interval> {
    if deals < FEWEST_DEALS {
        return None;
    }
    // A share of all or nothing can be wrong in one way only.
    let missed: f64 = if value <= 0.0 || value >= 1.0 { 0.05 } else { 0.025 };
    let same = missed.powf(1.0 / deals);
    Some(Interval::between(value * same, 1.0 - (1.0 - value) * same))
}

/// The expanded percentile interval.
fn percentiles(mut values: Vec<f64>, freedom: f64) -> Option<Interval> {
    let tail = normal_cdf(-StudentT::new(freedom)?.quantile(UPPER));
    values.sort_by(f64::total_cmp);
    Some(Interval::between(at(&values, tail)?, at(&values, 1.0 - tail)?))
}

/// The value below which this share of sorted values lies, interpolated between two of them.
fn at(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = (share * (sorted.len() + 1) as f64 - 1.0).clamp(0.0, last as f64);
    let (before, part) = (place.floor() as usize, place.fract());
    let after = (before + 1).min(last);
    Some(sorted[before] + part * (sorted[after] - sorted[before]))
}
