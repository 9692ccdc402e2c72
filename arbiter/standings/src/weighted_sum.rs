//! Numbers summed over games, whose deals can be given other weights afterwards.
//!
//! As long as there are few deals, each has its part, and a replicate of the bootstrap is a sum over
//! these. The replicates themselves are kept beyond that: their number does not grow with deals.

use serde::{Deserialize, Serialize};

use super::bootstrap::Weights;
use super::estimate::Method;

/// The most deals that have their parts: a jackknife needs each of those that it leaves out.
const MOST_DEALS: usize = 32;

const _: () = assert!(MOST_DEALS as u64 >= Method::MANY_DEALS - 1);

/// `N` numbers summed over games.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound(serialize = "[i64; N]: Serialize", deserialize = "[i64; N]: Deserialize<'de>"))]
pub(super) struct WeightedSum<const N: usize> {
    total: [i64; N],
    parts: SumParts<N>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound(serialize = "[i64; N]: Serialize", deserialize = "[i64; N]: Deserialize<'de>"))]
enum SumParts<const N: usize> {
    /// Of each deal, in ascending order.
    Deals(Vec<(u64, [i64; N])>),
    /// All replicates of the first number, then of the next one.
    Replicates(Box<[i64]>),
}

/// A way to weigh the deals.
#[derive(Debug, Clone)]
pub(super) enum Weighting<'t> {
    /// All alike.
    Alike,
    /// This one alone, where deals have their parts.
    Alone(u64),
    /// As in a replicate of the bootstrap.
    Replicate {
        number: usize,
        /// By the place of a deal.
        weights: &'t [u8],
        /// The places of the deals of all sums, one sum after the other.
        places: std::slice::Iter<'t, usize>,
    },
}

impl<const N: usize> Default for WeightedSum<N> {
    fn default() -> WeightedSum<N> {
        WeightedSum { total: [0; N], parts: SumParts::Deals(Vec::new()) }
    }
}

impl<const N: usize> WeightedSum<N> {
    /// Returns true if it can be a sum with this number of replicates; a file may hold anything.
    pub(super) fn is_of(&self, replicates: usize) -> bool {
        match &self.parts {
            SumParts::Deals(deals) => {
                deals.len() <= MOST_DEALS && deals.is_sorted_by(|one, other| one.0 < other.0)
            }
            SumParts::Replicates(numbers) => numbers.len() == N * replicates,
        }
    }

    /// Adds the numbers of a game of this deal.
    pub(super) fn add(&mut self, numbers: [i64; N], deal: u64, weights: &mut Weights) {
        add(&mut self.total, 1, &numbers);
        match &mut self.parts {
            SumParts::Replicates(sums) => add_to_replicates(sums, &numbers, weights.for_deal(deal)),
            SumParts::Deals(deals) => match deals.binary_search_by_key(&deal, |(deal, _)| *deal) {
                Ok(place) => add(&mut deals[place].1, 1, &numbers),
                Err(place) if deals.len() < MOST_DEALS => deals.insert(place, (deal, numbers)),
                Err(_) => {
                    let mut sums = vec![0; N * weights.count()].into_boxed_slice();
                    for (deal, numbers) in deals.iter().chain([&(deal, numbers)]) {
                        add_to_replicates(&mut sums, numbers, weights.for_deal(*deal));
                    }
                    self.parts = SumParts::Replicates(sums);
                }
            },
        }
    }

    /// The deals that have their parts.
    pub(super) fn deals(&self) -> impl Iterator<Item = u64> {
        let deals = match &self.parts {
            SumParts::Deals(deals) => deals.as_slice(),
            SumParts::Replicates(_) => &[],
        };
        deals.iter().map(|(deal, _)| *deal)
    }

    /// The numbers with deals weighed in this way.
    pub(super) fn weighed(&self, weighing: &mut Weighting<'_>) -> [i64; N] {
        let mut sum = [0; N];
        match (weighing, &self.parts) {
            (Weighting::Alike, _) => sum = self.total,
            (Weighting::Alone(alone), SumParts::Deals(deals)) => {
                if let Ok(place) = deals.binary_search_by_key(alone, |(deal, _)| *deal) {
                    sum = deals[place].1;
                }
            }
            (Weighting::Alone(_), SumParts::Replicates(_)) => {}
            (Weighting::Replicate { weights, places, .. }, SumParts::Deals(deals)) => {
                for ((_, numbers), place) in deals.iter().zip(places) {
                    add(&mut sum, weights[*place], numbers);
                }
            }
            (Weighting::Replicate { number, .. }, SumParts::Replicates(numbers)) => {
                let replicates = numbers.len() / N;
                sum = std::array::from_fn(|place| numbers[place * replicates + *number]);
            }
        }
        sum
    }
}

/// Adds the numbers, times a weight.
///
/// Sums that no tournament reaches wrap around, since saturated ones would depend on the order.
fn add(sums: &mut [i64], weight: impl Into<i64> + Copy, numbers: &[i64]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum = sum.wrapping_add(number.wrapping_mul(weight.into()));
    }
}

fn add_to_replicates(sums: &mut [i64], numbers: &[i64], weights: &[u8]) {
    for (sums, number) in sums.chunks_exact_mut(weights.len()).zip(numbers) {
        if *number != 0 {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = sum.wrapping_add(number.wrapping_mul(i64::from(*weight)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bootstrap::BootstrapSeed;

    /// Each deal counts as its weight says, before the replicates are kept and after.
    #[test]
    fn replicates_are_the_weighed_sums_of_deals() {
        const REPLICATES: usize = 20;
        let mut weights = Weights::new(BootstrapSeed(3), 0..REPLICATES);
        let mut sum = WeightedSum::<2>::default();
        let mut expected = [[0i64; 2]; REPLICATES];
        let mut total = [0; 2];
        for game in 0..120 {
            // Deals come in any order, and most of them twice.
            let deal = game * 37 % 61;
            let numbers = [i64::from(game % 3 == 0), game as i64 - 50];
            sum.add(numbers, deal, &mut weights);
            add(&mut total, 1, &numbers);
            for (expected, weight) in expected.iter_mut().zip(weights.for_deal(deal)) {
                add(expected, *weight, &numbers);
            }
            assert_eq!(sum.weighed(&mut Weighting::Alike), total);
            assert!(sum.is_of(REPLICATES));
            let deals: Vec<u64> = sum.deals().collect();
            assert_eq!(deals.is_empty(), game >= MOST_DEALS as u64);
            let places: Vec<usize> = (0..deals.len()).collect();
            for (number, expected) in expected.iter().enumerate() {
                let of_deal = |deal: &u64| weights.for_deal(*deal)[number];
                let weights: Vec<u8> = deals.iter().map(of_deal).collect();
                let (weights, places) = (weights.as_slice(), places.iter());
                let mut weighing = Weighting::Replicate { number, weights, places };
                assert_eq!(sum.weighed(&mut weighing), *expected, "{number} after {game}");
            }
        }
        assert!(!sum.is_of(REPLICATES + 1));
    }
}
