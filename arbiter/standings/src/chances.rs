//! The probabilities that of two bots the first is better.

use std::sync::Arc;

/// For every two of so many bots, the probability that the first is better. A copy shares them: they
/// are there for bots that never met, too, and so grow with the square of their number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chances {
    bots: usize,
    /// The first against all behind it, and so on.
    values: Arc<Vec<f64>>,
}

/// In the place of a probability that is not told; a NaN would not be equal to itself.
const UNTOLD: f64 = -1.0;

impl Chances {
    /// From a function of two places, the first below the second.
    pub(super) fn new(bots: usize, of: impl Fn(usize, usize) -> Option<f64>) -> Chances {
        let mut values = Vec::with_capacity(bots * bots.saturating_sub(1) / 2);
        for first in 0..bots {
            values.extend((first + 1..bots).map(|second| of(first, second).unwrap_or(UNTOLD)));
        }
        Chances { bots, values: Arc::new(values) }
    }

    /// The probability that the bot in one place is better than that in the other; none for a place
    /// that is not there, for the same twice, and where it is not told.
    pub(super) fn better(&self, one: usize, other: usize) -> Option<f64> {
        let (first, second) = (one.min(other), one.max(other));
        if first == second || second >= self.bots {
            return None;
        }
        // Each of those before has this number of bots behind it.
        let place = first * (2 * self.bots - first - 1) / 2 + second - first - 1;
        let value = self.values.get(place).copied().filter(|value| *value != UNTOLD)?;
        Some(if one < other { value } else { 1.0 - value })
    }
}
