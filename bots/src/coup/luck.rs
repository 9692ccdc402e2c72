//! The luck of games that are played out.

use rules::{BotSeed, Digest};

/// A stream of random numbers by SplitMix64: fast, and good enough for games that are played out.
#[derive(Debug, Clone)]
pub(in crate::coup) struct Luck(u64);

impl Luck {
    /// The luck that belongs to a seed and a purpose: another one than that of the players for whom the
    /// seed is, whose choices it would foresee.
    pub(in crate::coup) fn new(purpose: &str, seed: BotSeed) -> Luck {
        let digest = Digest::hash(&[purpose.as_bytes(), &seed.0[..]].concat()).bytes();
        Luck(digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = self.0;
        let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    /// Another stream.
    pub(in crate::coup) fn split(&mut self) -> Luck {
        // Neighbours in the same sequence would overlap, and so the key is mixed once more.
        let mut key = Luck(self.next() ^ 0x5851_f42d_4c95_7f2d);
        Luck(key.next())
    }

    /// A number from 0 up to 1.
    pub(in crate::coup) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A place, as often as its weight says; the first if there is no weight.
    pub(in crate::coup) fn place(&mut self, weights: &[u8]) -> usize {
        let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
        let mut left = ((self.next() >> 32) * total) >> 32;
        for (place, weight) in weights.iter().enumerate() {
            match left.checked_sub(u64::from(*weight)) {
                Some(rest) => left = rest,
                None => return place,
            }
        }
        0
    }
}
