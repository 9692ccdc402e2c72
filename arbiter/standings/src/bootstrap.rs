//! The weights by which a deal counts in the replicates of the bootstrap.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rules::NotText;
use serde::{Deserialize, Serialize};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
