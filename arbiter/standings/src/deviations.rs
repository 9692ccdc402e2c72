//! How far strengths move with the deals.
//!
//! Each deal adds to the slope of the likelihood where it is greatest, and so moves the maximum, to
//! a first approximation by the covariance of the strengths times what it adds. The differences of
//! these moves between deals give the variance of any contrast of strengths, even if the games of a
//! deal are correlated: the sandwich estimator for clusters (Liang and Zeger 1986, "Longitudinal
//! data analysis using generalized linear models"). Where deals are not kept, the moves of the
//! replicates of the bootstrap, each a sum over deals, differ as much.

use super::account::Account;
use super::rating::{Likelihood, Peak};

/// How far strengths move with the deals, or with the replicates.
#[derive(Debug)]
pub(super) struct Deviations {
    /// For each deal or replicate, by parameter.
    moves: Vec<Vec<f64>>,
    /// What the sum of squares is to be multiplied by.
    factor: f64,
}

impl Deviations {
    /// Those from the place where the likelihood of all games is greatest.
    pub(super) fn new(account: &Account, peak: &Peak<Likelihood<'_>>) -> Deviations {
        let deals = account.deals.count() as f64;
        // One degree of freedom is that of the mean.
        let of_mean = deals / (deals - 1.0);
        match &account.few {
            Some(few) => {
                let mut columns: Vec<usize> = (0..few.deals.len()).collect();
                columns.sort_by_key(|column| few.deals[*column]);
                let columns = columns.into_iter().map(|column| few.sums.column(column));
                let moves =
                    columns.map(|column| peak.moved_by(&peak.likelihood().of_some(&column)));
                Deviations { moves: moves.collect(), factor: of_mean }
            }
            None => {
                let replicates = account.replicates.columns();
                let columns = (0..replicates).map(|column| account.replicates.column(column));
                let moves =
                    columns.map(|column| peak.moved_by(&peak.likelihood().of_some(&column)));
                Deviations { moves: moves.collect(), factor: of_mean / replicates as f64 }
            }
        }
    }

    /// The variance of a contrast, with this factor at each of these parameters.
    pub(super) fn variance(&self, contrast: &[(usize, f64)]) -> f64 {
        let value = |moves: &Vec<f64>| -> f64 {
            contrast.iter().map(|(place, factor)| factor * moves[*place]).sum()
        };
        let values: Vec<f64> = self.moves.iter().map(value).collect();
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        self.factor * values.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
    }
}
