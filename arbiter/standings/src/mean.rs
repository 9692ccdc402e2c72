//! A mean of observations, and how far it may be from the true one.

use super::distributions::StudentT;

/// The quantile at the upper end of a 95% interval.
const UPPER: f64 = 0.975;

/// The mean of observations that come one after the other, with its 95% interval.
///
/// The interval is Student's, for observations that are independent and either many or about
/// normally distributed. If all observations are equal there is none: a width of 0 would say that
/// nothing else can happen.
///
/// ```
/// use standings::Mean;
///
/// let mut mean = Mean::default();
/// [1.0, 2.0, 6.0].into_iter().for_each(|observation| mean.add(observation));
/// assert_eq!(mean.mean(), 3.0);
/// // 4.303, the quantile for 2 degrees of freedom, times √7, the standard deviation, over √3.
/// assert!(mean.plus_minus().is_some_and(|half| (half - 6.5724).abs() < 1e-4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    count: u64,
    /// Exact where observations are whole numbers or halves, as the running mean is not.
    sum: f64,
    running_mean: f64,
    /// The sum of squared deviations from the mean.
    squares: f64,
    first: f64,
    /// The greatest distance of an observation from the first one.
    spread: f64,
}

/// Observations that differ by less are equal up to rounding.
const EQUAL: f64 = 1e-9;

impl Mean {
    /// Adds an observation.
    ///
    /// The squares are taken around a running mean (Welford's method), since a difference of two
    /// great sums of squares would lose digits.
    pub fn add(&mut self, observation: f64) {
        if self.count == 0 {
            self.first = observation;
        }
        self.spread = self.spread.max((observation - self.first).abs());
        self.count += 1;
        self.sum += observation;
        let before = observation - self.running_mean;
        self.running_mean += before / self.count as f64;
        self.squares += before * (observation - self.running_mean);
    }

    /// The mean; 0 without an observation.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    /// Half the width of the 95% interval around the mean; none unless there are observations that
    /// differ.
    pub fn plus_minus(&self) -> Option<f64> {
        if self.spread < EQUAL {
            return None;
        }
        let freedom = self.count.checked_sub(1)? as f64;
        let quantile = StudentT::new(freedom)?.quantile(UPPER);
        let variance = self.squares / freedom;
        Some(quantile * (variance / self.count as f64).sqrt())
    }
}
