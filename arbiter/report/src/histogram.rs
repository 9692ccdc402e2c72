//! Counts of numbers to two digits, in memory that does not grow with them.

use std::collections::BTreeMap;

/// The bits of a number that are kept, so that it is right to one part in 128.
const BITS: u32 = 8;

/// How often numbers occur.
#[derive(Debug, Clone, Default)]
pub(super) struct Histogram {
    /// By the greatest of the numbers that are counted together.
    counts: BTreeMap<u64, u64>,
}

impl Histogram {
    pub(super) fn add(&mut self, number: u64) {
        *self.counts.entry(number | beyond_digits(number)).or_default() += 1;
    }

    /// The numbers that occur, each the greatest of those that it stands for, and how often they do.
    pub(super) fn counts(&self) -> impl Iterator<Item = (u64, u64)> {
        self.counts.iter().map(|(number, count)| (*number, *count))
    }

    /// The least number, rounded down, and the greatest one, rounded up; none without numbers.
    pub(super) fn range(&self) -> Option<(u64, u64)> {
        let (least, _) = self.counts.first_key_value()?;
        let (greatest, _) = self.counts.last_key_value()?;
        Some((least & !beyond_digits(*least), *greatest))
    }

    /// The number, rounded up, that at least this share of all does not exceed; none without numbers.
    pub(super) fn quantile(&self, share: f64) -> Option<u64> {
        let all: u64 = self.counts.values().sum();
        let wanted = ((share * all as f64).ceil() as u64).max(1);
        let mut sum = 0;
        let mut reaches = |count: &u64| {
            sum += count;
            sum >= wanted
        };
        self.counts.iter().find(|(_, count)| reaches(count)).map(|(number, _)| *number)
    }
}

/// The bits of a number that are not kept.
fn beyond_digits(number: u64) -> u64 {
    let dropped = (u64::BITS - number.leading_zeros()).saturating_sub(BITS);
    (1 << dropped) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(numbers: impl IntoIterator<Item = u64>) -> Histogram {
        let mut histogram = Histogram::default();
        numbers.into_iter().for_each(|number| histogram.add(number));
        histogram
    }

    #[test]
    fn small_numbers_are_exact() {
        let histogram = histogram((0..256).chain([7, 7]));
        assert_eq!(histogram.range(), Some((0, 255)));
        assert_eq!(histogram.counts().count(), 256);
        assert_eq!(histogram.counts().nth(7), Some((7, 3)));
        assert_eq!([0.0, 0.5, 1.0].map(|share| histogram.quantile(share)), [0, 126, 255].map(Some));
    }

    #[test]
    fn large_numbers_are_right_to_two_digits() {
        let histogram = histogram([1_000, 1_001, 86_399_999_999, 1_004, u64::MAX]);
        let counts: Vec<_> = histogram.counts().collect();
        let day = 86_436_216_831;
        assert_eq!(counts, [(1_003, 2), (1_007, 1), (day, 1), (u64::MAX, 1)]);
        assert_eq!(histogram.range(), Some((1_000, u64::MAX)));
        let quantiles = [0.2, 0.4, 0.41, 0.6, 0.8, 1.0].map(|share| histogram.quantile(share));
        assert_eq!(quantiles, [1_003, 1_003, 1_007, 1_007, day, u64::MAX].map(Some));
    }

    #[test]
    fn without_numbers_there_is_nothing() {
        let none = Histogram::default();
        assert_eq!((none.range(), none.quantile(0.5), none.counts().next()), (None, None, None));
    }
}
