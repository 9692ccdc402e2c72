//! A number with its 95% interval.
//!
//! As long as there are few deals, each has its part, and a replicate of the bootstrap is a sum over
//! these. The replicates themselves are kept beyond that: their number does not grow with deals.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rules::NotText;
use serde::{Deserialize, Serialize};

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
pub enum IntervalMethod {
    /// A jackknife over deals and Student's t, for fewer than [`IntervalMethod::MANY_DEALS`].
    T,
    /// A bootstrap over deals.
    Bootstrap {
        /// Number of replicates.
        replicates: usize,
        /// Seed of its weights.
        seed: BootstrapSeed,
    },
}

impl IntervalMethod {
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

/// The seed of the weights of a bootstrap.
///
/// It is not a secret and has nothing to do with the cards. Another one gives other intervals, by a
/// little.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BootstrapSeed(pub u64);

impl fmt::Display for BootstrapSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for BootstrapSeed {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let number = text.parse().map_err(|_| NotText::new("a whole number from 0", text))?;
        Ok(BootstrapSeed(number))
    }
}

/// The weights of deals, one for each of some replicates.
///
/// In each replicate a deal counts as often as a Poisson distribution of mean 1 says, independently
/// of all others. For many deals this is the same as drawing with replacement (Chamandy and others
/// 2012, "Estimating uncertainty for massive data streams"), and it needs neither their number nor
/// their order. A weight is a function of seed, deal and replicate.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    seed: BootstrapSeed,
    /// The first of the replicates.
    first: usize,
    /// The deal that `weights` are for: its games mostly come one after the other.
    deal: Option<u64>,
    weights: Vec<u8>,
    words: Vec<u8>,
}

impl Weights {
    pub(super) fn new(seed: BootstrapSeed, replicates: Range<usize>) -> Weights {
        let (first, count) = (replicates.start, replicates.len());
        Weights { seed, first, deal: None, weights: vec![0; count], words: vec![0; 4 * count] }
    }

    /// Number of replicates.
    pub(super) fn count(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn for_deal(&mut self, deal: u64) -> &[u8] {
        if self.deal != Some(deal) {
            self.deal = Some(deal);
            let mut generator = ChaCha8Rng::seed_from_u64(self.seed.0);
            generator.set_stream(deal);
            generator.set_word_pos(self.first as u128);
            generator.fill_bytes(&mut self.words);
            let (words, _) = self.words.as_chunks::<4>();
            for (weight, word) in self.weights.iter_mut().zip(words) {
                *weight = poisson(u32::from_le_bytes(*word));
            }
        }
        &self.weights
    }
}

/// 2³² times the distribution function of a Poisson distribution of mean 1, at 0, 1, 2, ….
const BELOW: [u32; 12] = [
    1_580_030_169,
    3_160_060_337,
    3_950_075_422,
    4_213_413_783,
    4_279_248_374,
    4_292_415_292,
    4_294_609_778,
    4_294_923_276,
    4_294_962_463,
    4_294_966_817,
    4_294_967_253,
    4_294_967_292,
];

/// The value at which the distribution function passes the word, which is uniform.
fn poisson(word: u32) -> u8 {
    BELOW.iter().map(|below| u8::from(word >= *below)).sum()
}

/// The most deals that have their parts: a jackknife needs each of those that it leaves out.
const MOST_DEALS: usize = 32;

const _: () = assert!(MOST_DEALS as u64 >= IntervalMethod::MANY_DEALS - 1);

/// `N` numbers summed over games.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound(serialize = "[i64; N]: Serialize", deserialize = "[i64; N]: Deserialize<'de>"))]
pub(super) struct WeightedSum<const N: usize> {
    total: [i64; N],
    parts: PartialSums<N>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound(serialize = "[i64; N]: Serialize", deserialize = "[i64; N]: Deserialize<'de>"))]
enum PartialSums<const N: usize> {
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
        WeightedSum { total: [0; N], parts: PartialSums::Deals(Vec::new()) }
    }
}

impl<const N: usize> WeightedSum<N> {
    /// Returns true if it can be a sum with this number of replicates; a file may hold anything.
    pub(super) fn is_of(&self, replicates: usize) -> bool {
        match &self.parts {
            PartialSums::Deals(deals) => {
                deals.len() <= MOST_DEALS && deals.is_sorted_by(|one, other| one.0 < other.0)
            }
            PartialSums::Replicates(numbers) => numbers.len() == N * replicates,
        }
    }

    /// Adds the numbers of a game of this deal.
    pub(super) fn add(&mut self, numbers: [i64; N], deal: u64, weights: &mut Weights) {
        add(&mut self.total, 1, &numbers);
        match &mut self.parts {
            PartialSums::Replicates(sums) => {
                add_to_replicates(sums, &numbers, weights.for_deal(deal))
            }
            PartialSums::Deals(deals) => match deals.binary_search_by_key(&deal, |(deal, _)| *deal)
            {
                Ok(place) => add(&mut deals[place].1, 1, &numbers),
                Err(place) if deals.len() < MOST_DEALS => deals.insert(place, (deal, numbers)),
                Err(_) => {
                    let mut sums = vec![0; N * weights.count()].into_boxed_slice();
                    for (deal, numbers) in deals.iter().chain([&(deal, numbers)]) {
                        add_to_replicates(&mut sums, numbers, weights.for_deal(*deal));
                    }
                    self.parts = PartialSums::Replicates(sums);
                }
            },
        }
    }

    /// The deals that have their parts.
    pub(super) fn deals(&self) -> impl Iterator<Item = u64> {
        let deals = match &self.parts {
            PartialSums::Deals(deals) => deals.as_slice(),
            PartialSums::Replicates(_) => &[],
        };
        deals.iter().map(|(deal, _)| *deal)
    }

    /// The numbers with deals weighed in this way.
    pub(super) fn weighed(&self, weighing: &mut Weighting<'_>) -> [i64; N] {
        let mut sum = [0; N];
        match (weighing, &self.parts) {
            (Weighting::Alike, _) => sum = self.total,
            (Weighting::Alone(alone), PartialSums::Deals(deals)) => {
                if let Ok(place) = deals.binary_search_by_key(alone, |(deal, _)| *deal) {
                    sum = deals[place].1;
                }
            }
            (Weighting::Alone(_), PartialSums::Replicates(_)) => {}
            (Weighting::Replicate { weights, places, .. }, PartialSums::Deals(deals)) => {
                for ((_, numbers), place) in deals.iter().zip(places) {
                    add(&mut sum, weights[*place], numbers);
                }
            }
            (Weighting::Replicate { number, .. }, PartialSums::Replicates(numbers)) => {
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
    use crate::estimate::BootstrapSeed;

    #[test]
    fn the_table_is_the_distribution_function() {
        let mut term = (-1.0f64).exp();
        let mut sum = 0.0;
        for (value, below) in BELOW.iter().enumerate() {
            sum += term;
            term /= value as f64 + 1.0;
            let expected = (sum * 4_294_967_296.0).round();
            assert!((f64::from(*below) - expected).abs() <= 1.0, "{value}: {below}, {expected}");
        }
    }

    #[test]
    fn weights_are_those_of_the_deal_whatever_came_before() {
        let mut weights = Weights::new(BootstrapSeed(7), 0..100);
        let first = weights.for_deal(3).to_vec();
        assert_ne!(weights.for_deal(4), first);
        assert_eq!(weights.for_deal(3), first);
        for some in [0..50, 1..2, 37..100] {
            assert_eq!(Weights::new(BootstrapSeed(7), some.clone()).for_deal(3), &first[some]);
        }
        assert_ne!(Weights::new(BootstrapSeed(8), 0..100).for_deal(3), first);
    }

    #[test]
    fn weights_have_mean_and_variance_of_1_and_do_not_go_together() {
        let mut weights = Weights::new(BootstrapSeed(1), 0..2);
        let drawn: Vec<(f64, f64)> = (0..40_000)
            .map(|deal| <[u8; 2]>::try_from(weights.for_deal(deal)).unwrap())
            .map(|[one, other]| (f64::from(one) - 1.0, f64::from(other) - 1.0))
            .collect();
        let mean =
            |of: fn(&(f64, f64)) -> f64| drawn.iter().map(of).sum::<f64>() / drawn.len() as f64;
        assert!(mean(|(one, _)| *one).abs() < 0.02);
        assert!((mean(|(one, _)| one * one) - 1.0).abs() < 0.04);
        assert!(mean(|(one, other)| one * other).abs() < 0.02);
    }

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
