//! How far numbers may be from the true ones, from what they would be had deals weighed otherwise.
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

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::estimate::Interval;
use super::quantities::Numbers;

/// Where 95% of a distribution lie below it on both sides of 0.
const UPPER: f64 = 0.975;

/// Numbers that differ by less are equal but for rounding.
const EQUAL: f64 = 1e-9;

/// What numbers would be, had deals weighed otherwise.
#[derive(Debug)]
pub(super) struct Spread {
    kind: Kind,
    /// For each number all it would be.
    values: Vec<Vec<f64>>,
    resamples: usize,
}

/// How deals weighed otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One of them did not count, each in turn.
    Jackknife,
    /// They counted as often as chance would have it.
    Bootstrap,
}

impl Spread {
    /// From so many numbers as they would be each time.
    pub(super) fn new(kind: Kind, count: usize, resampled: &[Numbers]) -> Spread {
        let values = |number| resampled.iter().map(|numbers| numbers[number]).collect();
        Spread { kind, values: (0..count).map(values).collect(), resamples: resampled.len() }
    }

    /// The 95% interval of a number that about so many deals have to do with.
    pub(super) fn interval(&self, number: usize, value: f64, deals: f64) -> Option<Interval> {
        let values: Vec<f64> =
            self.values[number].iter().copied().filter(|value| !value.is_nan()).collect();
        let freedom = deals - 1.0;
        if freedom < 1.0 || is_constant(&values) {
            return None;
        }
        match self.kind {
            Kind::Jackknife => {
                let half = student(freedom)?.inverse_cdf(UPPER) * self.error(&values)?;
                Some(Interval { low: value - half, high: value + half })
            }
            Kind::Bootstrap => percentiles(values, freedom),
        }
    }

    /// The probability that one number is greater than another, which differ by `difference` and
    /// which about so many deals have to do with.
    pub(super) fn greater(
        &self,
        one: usize,
        other: usize,
        difference: f64,
        deals: f64,
    ) -> Option<f64> {
        let pairs = self.values[one].iter().zip(&self.values[other]);
        let differences: Vec<f64> = pairs.map(|(one, other)| one - other).collect();
        match self.kind {
            Kind::Jackknife => {
                if is_constant(&differences) {
                    return (deals > 1.0 && difference.abs() < EQUAL).then_some(0.5);
                }
                Some(student(deals - 1.0)?.cdf(difference / self.error(&differences)?))
            }
            Kind::Bootstrap => {
                let half = |difference: &f64| {
                    1.0 + f64::from(*difference > 0.0) - f64::from(*difference < 0.0)
                };
                Some(differences.iter().map(half).sum::<f64>() / (2 * differences.len()) as f64)
            }
        }
    }

    /// The ranks among these numbers, of which the greatest is the first, that each of them has in
    /// 95% of the replicates; none where there are no replicates.
    pub(super) fn ranks(&self, numbers: &[usize], deals: f64) -> Option<Vec<(usize, usize)>> {
        if self.kind != Kind::Bootstrap {
            return None;
        }
        let mut ranks = vec![(Vec::new(), Vec::new()); numbers.len()];
        for resample in 0..self.resamples {
            let value = |number: &usize| self.values[*number][resample];
            let mut sorted: Vec<f64> = numbers.iter().map(value).collect();
            sorted.sort_by(|one, other| other.total_cmp(one));
            for ((best, worst), number) in ranks.iter_mut().zip(numbers) {
                let value = value(number);
                best.push(1.0 + sorted.partition_point(|other| *other > value) as f64);
                worst.push(sorted.partition_point(|other| *other >= value) as f64);
            }
        }
        let range = |(best, worst)| {
            let ends = (percentiles(best, deals - 1.0)?, percentiles(worst, deals - 1.0)?);
            Some((ends.0.low.round() as usize, ends.1.high.round() as usize))
        };
        ranks.into_iter().map(range).collect()
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
    // Also where there are none.
    high - low < EQUAL
}

fn student(freedom: f64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, freedom).ok()
}

/// The expanded percentile interval.
fn percentiles(mut values: Vec<f64>, freedom: f64) -> Option<Interval> {
    let tail = Normal::standard().cdf(-student(freedom)?.inverse_cdf(UPPER));
    values.sort_by(f64::total_cmp);
    Some(Interval { low: at(&values, tail)?, high: at(&values, 1.0 - tail)? })
}

/// The value below which such a share of sorted values lies, between two of them by proportion.
fn at(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = (share * (sorted.len() + 1) as f64 - 1.0).clamp(0.0, last as f64);
    let (before, part) = (place.floor() as usize, place.fract());
    let after = (before + 1).min(last);
    Some(sorted[before] + part * (sorted[after] - sorted[before]))
}
