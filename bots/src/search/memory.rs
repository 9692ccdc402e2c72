//! What a search remembers of positions that it may reach again by other moves.

/// How many positions are remembered: one megabyte, which the caches of processors hold.
const ENTRIES: usize = 1 << 16;

/// What a search remembers of positions, the latest in place of older ones.
#[derive(Debug)]
pub(super) struct Memory {
    entries: Vec<Entry>,
    /// Tells the positions of one search from those of others.
    salt: u64,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    /// How much the value of its full line is more than that of the position itself.
    pub(super) gain: i32,
    /// How many plies ahead that was looked.
    pub(super) plies: u16,
    pub(super) bound: Bound,
    /// The place of the best move in the order of its moves.
    pub(super) best: u8,
}

/// What a value says about the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// That it is so great at least.
    Lower,
    /// That it is so great at most.
    Upper,
    /// That it is this.
    Exact,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory { entries: Vec::new(), salt: 0 }
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
        if self.entries.is_empty() {
            let nothing = Entry { key: 0, gain: 0, plies: 0, bound: Bound::Lower, best: 0 };
            self.entries = vec![nothing; ENTRIES];
        }
    }

    /// What is known of the position with this key.
    pub(super) fn recall(&self, key: u64) -> Option<Entry> {
        let key = key ^ self.salt;
        self.entries.get(key as usize % ENTRIES).copied().filter(|entry| entry.key == key)
    }

    /// Remembers the position with this key.
    pub(super) fn store(&mut self, key: u64, gain: i32, plies: u32, bound: Bound, best: usize) {
        let key = key ^ self.salt;
        if let Some(entry) = self.entries.get_mut(key as usize % ENTRIES) {
            let plies = plies as u16;
            // A place beyond the first 255 is only a worse hint.
            let best = u8::try_from(best).unwrap_or_default();
            *entry = Entry { key, gain, plies, bound, best };
        }
    }
}
