//! Moves that are tried in sampled worlds, and worlds that are drawn by their weights.

/// A move that is tried.
#[derive(Debug, Clone)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// Its part of a win in each world, from 0 to 1.
    pub shares: Vec<f32>,
}

impl<M> Candidate<M> {
    /// A move before its first world.
    pub fn new(mv: M) -> Candidate<M> {
        Candidate { mv, shares: Vec::new() }
    }

    /// The sum of its parts of a win.
    pub fn sum(&self) -> f64 {
        self.shares.iter().copied().map(f64::from).sum()
    }
}

/// Draws values by their weights.
///
/// ```
/// let sampler = search::WeightedSampler::new([("seldom", 1.0), ("often", 3.0)]);
/// assert_eq!(sampler.sum(), 4.0);
/// assert_eq!(sampler.at(0.9), Some(&"seldom"));
/// assert_eq!(sampler.at(1.0), Some(&"often"));
/// ```
#[derive(Debug, Clone)]
pub struct WeightedSampler<T> {
    /// Each value with the sum of the weights up to its own.
    values: Vec<(T, f64)>,
    sum: f64,
}

impl<T> WeightedSampler<T> {
    /// A sampler of these values with their weights, which are finite and not negative.
    pub fn new(weighted: impl IntoIterator<Item = (T, f64)>) -> WeightedSampler<T> {
        let mut sum = 0.0;
        let values = weighted.into_iter().map(|(value, weight)| {
            sum += weight;
            (value, sum)
        });
        let values = values.collect();
        WeightedSampler { values, sum }
    }

    /// The sum of all weights.
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// The value at this point, from 0 to the sum of the weights; the last one beyond it, and `None` if
    /// there is no value.
    pub fn at(&self, point: f64) -> Option<&T> {
        let place = self.values.partition_point(|(_, until)| *until <= point);
        self.values.get(place).or(self.values.last()).map(|(value, _)| value)
    }
}
