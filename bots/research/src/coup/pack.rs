//! From what was learnt to the table that the player has: see
//! [`packed`](bots::coup::expert::packed) for its format.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use bots::coup::expert::packed::{
    CHOICES, Chances, GROUP, KeyedMemory, LEVELS, MAGIC, PackedTable, key, symbol_bits,
};
use bots::coup::expert::situation::Situation;

use crate::coup::store::{Layout, Store, Table, place};

/// A situation to be written.
struct Entry {
    situation: Situation,
    sums: Vec<f32>,
    /// Number of times it was met.
    samples: f32,
}

/// Hands that have less than this share of a situation's weight are left to the mean of all
/// memories.
const RARE: f32 = 1e-4;

/// The table of a training run in at most `most_bytes`: the situations met most often are in it, and the
/// mean over all memories of everything. What was visited less than `least_visits` times is left out:
/// little was learnt of it, and the mean is better.
pub fn pack(store: &Store, most_bytes: usize, least_visits: f32) -> Vec<u8> {
    let mut means: BTreeMap<u32, Entry> = BTreeMap::new();
    let mut known = Vec::new();
    let records = store.shards.iter().flat_map(|shard| shard.iter());
    for (key_of_it, record) in records {
        let Some(situation) = Situation::of_key(key_of_it) else { continue };
        let layout = Layout::new(&situation);
        let sums = layout.sums(record);
        let mean = means.entry(key(&situation, KeyedMemory::Any)).or_insert_with(|| Entry {
            situation,
            sums: vec![0.0; sums.len()],
            samples: 0.0,
        });
        mean.sums.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
        mean.samples += record[1];
        if record[0] >= least_visits {
            known.push((record[1], key_of_it));
        }
    }
    known.sort_by(|first, second| second.0.total_cmp(&first.0).then(first.1.cmp(&second.1)));
    // As many of the most frequent ones as there is room for, found by bisection.
    let (mut few, mut many) = (0, known.len());
    let mut best = write(&means, store, &known[..0]);
    while few < many {
        let middle = (few + many).div_ceil(2);
        let bytes = write(&means, store, &known[..middle]);
        if bytes.len() <= most_bytes {
            few = middle;
            best = bytes;
        } else {
            many = middle - 1;
        }
        if many - few < known.len() / 500 {
            break;
        }
    }
    best
}

fn write(means: &BTreeMap<u32, Entry>, store: &Store, known: &[(f32, u64)]) -> Vec<u8> {
    let exact = known.iter().filter_map(|(_, key_of_it)| {
        let situation = Situation::of_key(*key_of_it)?;
        Some((key(&situation, KeyedMemory::This), situation))
    });
    let mut sorted: Vec<(u32, Situation, Option<&Entry>)> =
        exact.map(|(key, situation)| (key, situation, None)).collect();
    sorted.extend(means.iter().map(|(key, entry)| (*key, entry.situation, Some(entry))));
    sorted.sort_by_key(|(key, ..)| *key);
    let mut groups = Vec::new();
    let mut bits = Bits::default();
    let mut before = 0;
    for (number, (key, situation, mean)) in sorted.iter().enumerate() {
        if number % GROUP == 0 {
            bits.fill_byte();
            groups.extend_from_slice(&key.to_le_bytes());
            groups.extend_from_slice(&(bits.bytes.len() as u32).to_le_bytes());
            bits.put(0, 8);
        } else if key - before < 255 {
            bits.put(key - before, 8);
        } else {
            bits.put(255, 8);
            bits.put(key - before, 32);
        }
        before = *key;
        let layout = Layout::new(situation);
        let sums = match mean {
            Some(mean) => &mean.sums[..],
            None => match store.get(situation.key()) {
                Some(record) => layout.sums(record),
                None => continue,
            },
        };
        put_entry(situation, &layout, sums, mean.is_some(), &mut bits);
    }
    // So that the last bits can be read as whole bytes.
    bits.fill_byte();
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&((groups.len() / 8) as u32).to_le_bytes());
    bytes.append(&mut groups);
    bytes.append(&mut bits.bytes);
    bytes
}

fn put_entry(situation: &Situation, layout: &Layout, sums: &[f32], is_mean: bool, bits: &mut Bits) {
    let weight: f32 = sums.iter().sum();
    for hand in 0..situation.hands() {
        let options = situation.options(hand);
        if options <= 1 {
            continue;
        }
        let own: Vec<f32> =
            (0..options).map(|choice| sums[place(situation, layout, choice, hand)]).collect();
        let total: f32 = own.iter().sum();
        let width = symbol_bits(options);
        if total <= 0.0 || !is_mean && total < RARE * weight {
            bits.put(options as u32 + 1, width);
            continue;
        }
        let chances = levels(&own.iter().map(|sum| sum / total).collect::<Vec<f32>>());
        match chances.iter().position(|chance| *chance == LEVELS) {
            Some(only) => bits.put(only as u32, width),
            None => {
                bits.put(options as u32, width);
                let made: Vec<usize> = (0..options).filter(|choice| chances[*choice] > 0).collect();
                bits.put(made.iter().fold(0, |mask, choice| mask | 1 << choice), options as u32);
                for choice in &made[..made.len() - 1] {
                    bits.put(u32::from(chances[*choice]), 4);
                }
            }
        }
    }
}

/// The chances as multiples of one in sixteen that sum to one, each as near as can be.
fn levels(chances: &[f32]) -> Chances {
    let mut levels = [0; CHOICES];
    let mut left = i32::from(LEVELS);
    for (level, chance) in levels.iter_mut().zip(chances) {
        *level = (chance * f32::from(LEVELS)).floor() as u8;
        left -= i32::from(*level);
    }
    // The remaining levels go where most was cut off.
    while left > 0 {
        let cut = |choice: usize| chances[choice] * f32::from(LEVELS) - f32::from(levels[choice]);
        let most = (0..chances.len().min(CHOICES))
            .max_by(|first, second| cut(*first).total_cmp(&cut(*second)).then(second.cmp(first)));
        levels[most.unwrap_or(0)] += 1;
        left -= 1;
    }
    levels
}

/// Writes bits, the lowest of a byte first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        for place in 0..count {
            if self.used == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value >> place & 1) as u8) << self.used;
            }
            self.used = (self.used + 1) % 8;
        }
    }

    fn fill_byte(&mut self) {
        self.used = 0;
    }
}

/// A packed table that is unpacked bit by bit, where it is asked again and again.
#[derive(Debug)]
pub struct Unpacked<'a> {
    packed: PackedTable<'a>,
    known: RefCell<HashMap<u64, Box<[f32]>>>,
}

impl<'a> Unpacked<'a> {
    pub fn new(packed: PackedTable<'a>) -> Unpacked<'a> {
        Unpacked { packed, known: RefCell::default() }
    }
}

impl Table for Unpacked<'_> {
    fn strategy(&self, situation: &Situation, to: &mut [f32]) {
        let mut known = self.known.borrow_mut();
        let unpack = || unpacked(&self.packed, situation);
        let strategy = known.entry(situation.key()).or_insert_with(unpack);
        to[..strategy.len()].copy_from_slice(strategy);
    }
}

fn unpacked(packed: &PackedTable<'_>, situation: &Situation) -> Box<[f32]> {
    let layout = Layout::new(situation);
    let mut strategy = vec![0.0; layout.strategy()].into_boxed_slice();
    for (hand, chances) in packed.all_chances(situation).into_iter().enumerate() {
        let total: f32 = chances.iter().map(|chance| f32::from(*chance)).sum();
        for choice in 0..situation.options(hand) {
            strategy[place(situation, &layout, choice, hand)] = f32::from(chances[choice]) / total;
        }
    }
    strategy
}
