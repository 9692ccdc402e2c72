//! The store of all results: a record of numbers for each situation.

use bots::coup::expert::cards::{QUADS, TRIPLES};
use bots::coup::expert::situation::{Situation, Stage};

use crate::coup::block::{Shape, stride};
use crate::coup::random::mix;

/// Number of shards; a power of two.
pub const SHARDS: usize = 16;

/// Number of numbers that a chunk of memory has.
const CHUNK: usize = 1 << 20;

/// Layout of the numbers of a situation in its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    pub shape: Shape,
    /// Number of choices at most.
    pub choices: usize,
    /// Number of numbers for a choice: the hands of the side that decides, and padding.
    pub lanes: usize,
}

/// Number of numbers that come before the values: the visits.
pub const HEAD: usize = 4;

impl Layout {
    pub fn new(situation: &Situation) -> Layout {
        use bots::coup::expert::situation::TurnSide::{Actor, Other};
        let shape = Shape::new([situation.cards(Actor), situation.cards(Other)]);
        let cards = situation.cards(situation.stage.decides());
        let (choices, lanes) = match (situation.stage, cards) {
            (Stage::Exchange, 1) => (3, TRIPLES),
            (Stage::Exchange, _) => (6, QUADS),
            _ => (situation.choices().len(), stride(cards)),
        };
        Layout { shape, choices, lanes }
    }

    /// Number of numbers for all choices.
    pub fn strategy(&self) -> usize {
        self.choices * self.lanes
    }

    pub fn len(&self) -> usize {
        HEAD + self.shape.len() + 3 * self.strategy()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn values<'a>(&self, record: &'a [f32]) -> &'a [f32] {
        &record[HEAD..HEAD + self.shape.len()]
    }

    pub fn regrets<'a>(&self, record: &'a [f32]) -> &'a [f32] {
        &record[HEAD + self.shape.len()..][..self.strategy()]
    }

    pub fn forecasts<'a>(&self, record: &'a [f32]) -> &'a [f32] {
        &record[HEAD + self.shape.len() + 2 * self.strategy()..][..self.strategy()]
    }

    /// Number of numbers that a lesson has: values, and changes of regrets and sums.
    pub fn lesson(&self) -> usize {
        self.shape.len() + 2 * self.strategy()
    }

    pub fn sums<'a>(&self, record: &'a [f32]) -> &'a [f32] {
        &record[HEAD + self.shape.len() + self.strategy()..][..self.strategy()]
    }
}

/// All records, in shards that can be changed at the same time.
#[derive(Debug)]
pub struct Store {
    /// The shards, by the highest bits of the key's hash.
    pub shards: Vec<Shard>,
}

#[derive(Debug)]
pub struct Shard {
    /// An open-addressed table: a key plus 1, or 0, and where the record begins.
    slots: Vec<(u64, u32)>,
    chunks: Vec<Box<[f32]>>,
    /// The first number of the last chunk that is free.
    free: usize,
    records: usize,
}

pub fn shard_of(key: u64) -> usize {
    (mix(key) >> 60) as usize % SHARDS
}

impl Store {
    pub fn new() -> Store {
        Store { shards: (0..SHARDS).map(|_| Shard::new()).collect() }
    }

    pub fn get(&self, key: u64) -> Option<&[f32]> {
        self.shards[shard_of(key)].get(key)
    }

    pub fn records(&self) -> usize {
        self.shards.iter().map(|shard| shard.records).sum()
    }

    pub fn bytes(&self) -> usize {
        let shards = self.shards.iter();
        shards.map(|shard| shard.chunks.len() * CHUNK * 4 + shard.slots.len() * 16).sum()
    }
}

impl Default for Store {
    fn default() -> Self {
        Store::new()
    }
}

impl Shard {
    fn new() -> Shard {
        Shard { slots: vec![(0, 0); 1 << 10], chunks: Vec::new(), free: CHUNK, records: 0 }
    }

    pub fn records(&self) -> usize {
        self.records
    }

    /// The place of a key, or the empty place where it would be.
    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = mix(key) as usize & mask;
        while self.slots[place].0 != key + 1 && self.slots[place].0 != 0 {
            place = (place + 1) & mask;
        }
        place
    }

    pub fn get(&self, key: u64) -> Option<&[f32]> {
        let (found, start) = self.slots[self.place(key)];
        let (chunk, start) = (start as usize / CHUNK, start as usize % CHUNK);
        (found != 0).then(|| &self.chunks[chunk][start..])
    }

    /// The record of a key, new where there was none, with zeros in `len` numbers.
    pub fn get_or_new(&mut self, key: u64, len: usize) -> &mut [f32] {
        let mut place = self.place(key);
        if self.slots[place].0 == 0 {
            if self.records * 2 >= self.slots.len() {
                self.grow();
                place = self.place(key);
            }
            if self.free + len > CHUNK {
                self.chunks.push(vec![0.0; CHUNK].into_boxed_slice());
                self.free = 0;
            }
            let start = (self.chunks.len() - 1) * CHUNK + self.free;
            self.slots[place] = (key + 1, start as u32);
            self.free += len;
            self.records += 1;
        }
        let start = self.slots[place].1 as usize;
        &mut self.chunks[start / CHUNK][start % CHUNK..][..len]
    }

    fn grow(&mut self) {
        let larger = vec![(0, 0); self.slots.len() * 2];
        for (key, start) in std::mem::replace(&mut self.slots, larger) {
            if key != 0 {
                let place = self.place(key - 1);
                self.slots[place] = (key, start);
            }
        }
    }

    /// All keys with their records, those that were made first before others.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &[f32])> {
        let mut made: Vec<(u32, u64)> = self
            .slots
            .iter()
            .filter(|(key, _)| *key != 0)
            .map(|(key, start)| (*start, key - 1))
            .collect();
        made.sort_unstable();
        made.into_iter().map(|(start, key)| {
            let start = start as usize;
            (key, &self.chunks[start / CHUNK][start % CHUNK..])
        })
    }
}

pub trait Table {
    /// The chances of the choices, laid out as the records are; of each hand they sum to 1.
    fn strategy(&self, situation: &Situation, to: &mut [f32]);
}

/// The average of a training run.
impl Table for Store {
    fn strategy(&self, situation: &Situation, to: &mut [f32]) {
        let layout = Layout::new(situation);
        let sums =
            |situation: &Situation| self.get(situation.key()).map(|record| layout.sums(record));
        let (known, coarse) = (sums(situation), sums(&situation.forgotten()));
        to[..layout.strategy()].fill(0.0);
        for hand in 0..situation.hands() {
            let options = situation.options(hand);
            let at = |choice| place(situation, &layout, choice, hand);
            let total = |sums: &[f32]| (0..options).map(|choice| sums[at(choice)]).sum::<f32>();
            let known = [known, coarse].into_iter().flatten().find(|sums| total(sums) > 0.0);
            for choice in 0..options {
                to[at(choice)] = match known {
                    Some(sums) => sums[at(choice)] / total(sums),
                    None => 1.0 / options as f32,
                };
            }
        }
    }
}

/// The place of a choice with a hand among the numbers of a strategy.
pub fn place(situation: &Situation, layout: &Layout, choice: usize, hand: usize) -> usize {
    match situation.stage {
        Stage::Exchange => hand * layout.choices + choice,
        _ => choice * layout.lanes + hand,
    }
}

/// The place of the choice of the greatest worth; of equals, the first.
pub fn best(options: usize, worth: impl Fn(usize) -> f32) -> usize {
    let best = (0..options)
        .max_by(|first, second| worth(*first).total_cmp(&worth(*second)).then(second.cmp(first)));
    best.unwrap_or(0)
}
