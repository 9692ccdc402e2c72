//! A small generator of random numbers for sampling in training.

/// SplitMix64: fast, and good enough to choose paths.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The generator of one of many streams of a seed.
    pub fn new(seed: u64, stream: u64) -> Random {
        let mut random = Random(seed);
        let key = random.next();
        Random(key ^ stream.wrapping_mul(0xd134_2543_de82_ef95))
    }

    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    /// A number below `bound`, which is small.
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }
}

pub fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
