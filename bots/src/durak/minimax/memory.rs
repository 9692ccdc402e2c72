//! What the exact search remembers of positions.

/// How many positions are remembered: four megabytes.
const ENTRIES: usize = 1 << 18;

/// What is remembered of positions, the latest in place of older ones.
#[derive(Debug, Default)]
pub struct Memory {
    entries: Vec<Entry>,
    /// Tells the positions of one request from those of others.
    salt: u64,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    key: u64,
    /// The least that it is worth.
    pub least: i8,
    /// The most that it is worth.
    pub most: i8,
    /// How many bouts ahead that was looked; [`PROVEN`] where it holds however far one looks.
    pub bouts: u8,
    /// The move that was best, as a number.
    pub best: u8,
}

/// Stands for bouts without end.
pub const PROVEN: u8 = u8::MAX;

impl Memory {
    /// Forgets everything.
    pub fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
        if self.entries.is_empty() {
            let nothing = Entry { key: 0, least: 0, most: 0, bouts: 0, best: 0 };
            self.entries = vec![nothing; ENTRIES];
        }
    }

    /// What is known of the position with this key.
    pub fn recall(&self, key: u64) -> Option<Entry> {
        let key = key ^ self.salt;
        self.entries.get(key as usize % ENTRIES).copied().filter(|entry| entry.key == key)
    }

    /// Remembers the position with this key.
    pub fn store(&mut self, key: u64, (least, most): (i8, i8), bouts: u8, best: u8) {
        let key = key ^ self.salt;
        if let Some(entry) = self.entries.get_mut(key as usize % ENTRIES) {
            *entry = Entry { key, least, most, bouts, best };
        }
    }
}
