//! Means over games whose unit is the deal.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The fewest deals of an interval, as in standings.
const LEAST_DEALS: usize = 5;

/// The quantile at the upper end of a 95% interval.
const UPPER: f64 = 0.975;

/// A mean over games. The games of a deal share their cards, so a deal counts as one observation.
#[derive(Debug, Clone, Default)]
pub struct DealMean {
    /// The sum of the values in each deal, and its number of games.
    deals: BTreeMap<(usize, u64), (f64, f64)>,
}

impl DealMean {
    /// Adds the value of a game of this deal of this log.
    pub(crate) fn add(&mut self, deal: (usize, u64), value: f64) {
        let (sum, games) = self.deals.entry(deal).or_default();
        *sum += value;
        *games += 1.0;
    }

    /// The sum of all values.
    pub fn sum(&self) -> f64 {
        self.deals.values().map(|(sum, _)| sum).sum()
    }

    /// The number of games.
    pub fn games(&self) -> f64 {
        self.deals.values().map(|(_, games)| games).sum()
    }

    /// The mean; 0 without games.
    pub fn mean(&self) -> f64 {
        self.sum() / self.games().max(1.0)
    }

    /// Half of the 95% interval of the mean, by Student's t over deals; none for fewer than five deals.
    ///
    /// The mean is a ratio of two sums over deals; its variance follows from the residuals (Cochran, Sampling
    /// Techniques, 6.4).
    pub fn interval(&self) -> Option<f64> {
        let deals = self.deals.len() as f64;
        let student = StudentsT::new(0.0, 1.0, deals - 1.0)
            .ok()
            .filter(|_| self.deals.len() >= LEAST_DEALS)?;
        let mean = self.mean();
        let residuals = self.deals.values().map(|(sum, games)| (sum - mean * games).powi(2));
        let variance = residuals.sum::<f64>() * deals / (deals - 1.0);
        Some(student.inverse_cdf(UPPER) * variance.sqrt() / self.games())
    }
}
