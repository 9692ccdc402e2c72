//! Memory of positions for the search of two hands.

use crate::durak::search::cards::Cards;
use crate::durak::search::outcome::{Horizon, Value};
use crate::durak::search::position::{Phase, Play, Position};

/// Memory of positions, the latest in place of older ones.
#[derive(Debug, Default)]
pub struct Memory {
    size: MemorySize,
    entries: Vec<Entry>,
    /// Tells the positions of one request from those of others.
    salt: u64,
}

/// Number of positions remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MemorySize {
    /// Enough for one long search: four megabytes. More of them save hardly a node.
    #[default]
    Large,
    /// Enough for many short searches, one after the other: so few that a processor has them at hand.
    Small,
}

impl MemorySize {
    const fn entries(self) -> usize {
        match self {
            MemorySize::Large => 1 << 18,
            MemorySize::Small => 1 << 12,
        }
    }
}

/// Knowledge of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    key: u64,
    /// The least that it is worth.
    pub least: Value,
    /// The most that it is worth.
    pub most: Value,
    /// Horizon of the search; the end of the game where the value holds for ever.
    pub horizon: Horizon,
    /// The move that was best, as a number.
    best: u8,
}

impl Entry {
    /// Makes an entry of the result for a key.
    pub fn new(key: u64, (least, most): (Value, Value), horizon: Horizon, best: Play) -> Entry {
        Entry { key, least, most, horizon, best: number(best) }
    }

    /// The move that was best.
    pub fn best(&self) -> Play {
        play(self.best)
    }
}

impl Memory {
    /// A memory of this size that is empty.
    pub fn new(size: MemorySize) -> Memory {
        Memory { size, ..Memory::default() }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
        if self.entries.is_empty() {
            let bounds = (Value::Loss, Value::Win);
            self.entries =
                vec![Entry::new(0, bounds, Horizon::END, Play::Pass); self.size.entries()];
        }
    }

    /// Looks a position up by its key.
    pub fn recall(&self, key: u64) -> Option<Entry> {
        let key = key ^ self.salt;
        self.entries
            .get(key as usize % self.size.entries())
            .copied()
            .filter(|entry| entry.key == key)
    }

    /// Remembers what was found.
    pub fn store(&mut self, entry: Entry) {
        let key = entry.key ^ self.salt;
        if let Some(slot) = self.entries.get_mut(key as usize % self.size.entries()) {
            *slot = Entry { key, ..entry };
        }
    }
}

/// Everything that the rest of a game between two seats depends on, as one number: equal for equal
/// positions, and for others hardly ever.
pub fn key(position: &Position) -> u64 {
    let mut hands = Cards(u64::from(position.players)).map(|seat| position.hand_at(seat).0);
    let one = hands.next().unwrap_or_default();
    let other = hands.next().unwrap_or_default();
    let phase = match position.phase {
        Phase::Lead => 0,
        Phase::Defend => 1,
        Phase::Throw => 2,
        Phase::Load => 3,
        Phase::Over(_) => 4,
    };
    let numbers = u64::from_le_bytes([
        phase,
        position.attacker,
        position.defender,
        position.first,
        position.attacks,
        position.limit,
        position.drawn,
        position.turn,
    ]);
    let key = fold(one ^ KEYS[0], other ^ KEYS[1]);
    let key = fold(key ^ position.table.0, u64::from(position.unbeaten.bits()) ^ KEYS[2]);
    fold(key ^ numbers, KEYS[3])
}

/// Numbers without a pattern: the first digits of π.
const KEYS: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d1, 0x082e_fa98_ec4e_6c89];

/// The two halves of a product, one over the other.
fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    product as u64 ^ (product >> 64) as u64
}

/// A move as a number.
fn number(play: Play) -> u8 {
    match play {
        Play::Card(place) => place,
        Play::Transfer(place) => 64 + place,
        Play::Pass => 128,
    }
}

/// The move behind a number.
fn play(number: u8) -> Play {
    match number {
        0..64 => Play::Card(number),
        64..128 => Play::Transfer(number - 64),
        _ => Play::Pass,
    }
}
