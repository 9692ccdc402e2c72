//! How many states had a twin, by their depth in inputs.

use serde::Serialize;

/// The most buckets.
const BUCKETS: usize = 8;

/// Numbers of states, in buckets of depth.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct Depths(Vec<Bucket>);

/// The states of some depths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Bucket {
    /// The least number of inputs before a state.
    pub from: usize,
    /// The greatest one.
    pub to: usize,
    /// Number of states, each once for each seat.
    pub states: usize,
    /// Number of those that had a twin.
    pub twins: usize,
}

impl Depths {
    /// Buckets for games of this length.
    pub(super) fn new(longest: usize) -> Depths {
        let width = longest.div_ceil(BUCKETS).max(1);
        let bucket = |from: usize| Bucket { from, to: from + width - 1, states: 0, twins: 0 };
        Depths((1..=longest).step_by(width).map(bucket).collect())
    }

    pub(super) fn add_states(&mut self, depth: usize, seats: usize) {
        self.of(depth).into_iter().for_each(|bucket| bucket.states += seats);
    }

    pub(super) fn add_twin(&mut self, depth: usize) {
        self.of(depth).into_iter().for_each(|bucket| bucket.twins += 1);
    }

    fn of(&mut self, depth: usize) -> Option<&mut Bucket> {
        self.0.iter_mut().find(|bucket| (bucket.from..=bucket.to).contains(&depth))
    }

    /// The buckets that hold a state, from the beginning of games to their end.
    pub(super) fn buckets(&self) -> impl Iterator<Item = &Bucket> {
        self.0.iter().filter(|bucket| bucket.states > 0)
    }

    /// The number of states that had a twin.
    pub(super) fn twins(&self) -> usize {
        self.0.iter().map(|bucket| bucket.twins).sum()
    }

    pub(super) fn states(&self) -> usize {
        self.0.iter().map(|bucket| bucket.states).sum()
    }
}
