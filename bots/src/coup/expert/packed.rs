//! The table as bytes: found by bisection, and never read as a whole.
//!
//! ```text
//! coupexp1        8 bytes
//! groups          u32, little-endian as all numbers
//! per group       u32 key of its first situation, u32 where its bits begin in the rest
//! bits            per situation of a group: 8 bits what its key is more than that before
//!                 (255: 32 bits follow), then for every hand with a choice:
//!                   a symbol: a choice that is always made, "mixed", or "unknown"
//!                   if mixed, a bit for each choice: whether it is ever made, and four bits for
//!                   each of these but the last: how many of 16 times, 1 to 15
//! ```

use crate::coup::expert::cards::ClaimMemory;
use crate::coup::expert::situation::{Situation, Stage};

/// First bytes of a table.
pub const MAGIC: [u8; 8] = *b"coupexp1";

/// Number of situations that a group has; the last may have fewer.
pub const GROUP: usize = 32;

/// Number of steps from a chance of 0 to one of 1.
pub const LEVELS: u8 = 16;

/// The most choices.
pub const CHOICES: usize = 7;

/// Frequency of each choice, out of [`LEVELS`].
pub type Chances = [u8; CHOICES];

/// A table of chances in bytes.
#[derive(Debug, Clone, Copy)]
pub struct PackedTable<'a> {
    groups: &'a [[u8; 8]],
    bits: &'a [u8],
}

/// Memory of an entry of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyedMemory {
    /// The memory of its situation.
    This,
    /// All memories.
    Any,
}

/// The number of an entry, by which the table is sorted.
pub fn key(situation: &Situation, remembered: KeyedMemory) -> u32 {
    let memory = |side: usize| match remembered {
        KeyedMemory::This => situation.memory[side].index(),
        KeyedMemory::Any => ClaimMemory::COUNT,
    };
    let fields = [
        (situation.stage as usize, Stage::ALL.len()),
        (usize::from(situation.lost[0]), 6),
        (usize::from(situation.lost[1]), 6),
        (usize::from(situation.coins[0]), 13),
        (usize::from(situation.coins[1]), 13),
        (usize::from(situation.missing), 6),
        (memory(0), ClaimMemory::COUNT + 1),
        (memory(1), ClaimMemory::COUNT + 1),
    ];
    let number =
        |key: u32, (field, count): (usize, usize)| key * count as u32 + field.min(count - 1) as u32;
    fields.into_iter().fold(0, number)
}

/// Number of bits that a symbol takes, by the number of choices.
pub fn symbol_bits(options: usize) -> u32 {
    (options + 2).next_power_of_two().trailing_zeros()
}

impl<'a> PackedTable<'a> {
    /// The table in these bytes; `None` if they are none.
    pub fn new(bytes: &'a [u8]) -> Option<PackedTable<'a>> {
        let (magic, rest) = bytes.split_first_chunk::<8>()?;
        let (count, rest) = rest.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count) as usize;
        let (groups, bits) = rest.split_at_checked(count.checked_mul(8)?)?;
        (*magic == MAGIC).then_some(PackedTable { groups: groups.as_chunks().0, bits })
    }

    /// Frequencies of the choices in a situation with a hand; outside the table, the mean of all
    /// memories, or else the same for all.
    pub fn chances(&self, situation: &Situation, hand: usize) -> Chances {
        let known = [KeyedMemory::This, KeyedMemory::Any].into_iter().find_map(|remembered| {
            let mut found = None;
            self.find(situation, remembered, |other, chances| {
                if other == hand {
                    found = chances;
                }
            })?;
            found
        });
        known.unwrap_or_else(|| even(situation, hand))
    }

    /// Frequencies for every hand, which takes hardly longer.
    pub fn all_chances(&self, situation: &Situation) -> Vec<Chances> {
        let mut all = vec![None; situation.hands()];
        for remembered in [KeyedMemory::This, KeyedMemory::Any] {
            self.find(situation, remembered, |hand, chances| all[hand] = all[hand].or(chances));
            if all.iter().all(Option::is_some) {
                break;
            }
        }
        let even = |(hand, known): (usize, Option<Chances>)| {
            known.unwrap_or_else(|| even(situation, hand))
        };
        all.into_iter().enumerate().map(even).collect()
    }

    /// Number of groups.
    pub(super) fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The group in which the entry of this key is, if it is there.
    pub(super) fn group_of(&self, wanted: u32) -> Option<usize> {
        let first = |group: &[u8; 8]| {
            let [a, b, c, d, ..] = *group;
            u32::from_le_bytes([a, b, c, d])
        };
        self.groups.partition_point(|group| first(group) <= wanted).checked_sub(1)
    }

    /// Gives the key of each entry of a group, with what it says of each hand; `None` if the group ends
    /// early.
    pub(super) fn each_of_group(
        &self,
        place: usize,
        mut give: impl FnMut(u32, &[Option<Chances>]),
    ) -> Option<()> {
        let [a, b, c, d, start @ ..] = *self.groups.get(place)?;
        let mut key = u32::from_le_bytes([a, b, c, d]);
        let mut bits = BitReader { bytes: self.bits, next: u32::from_le_bytes(start) as usize * 8 };
        let mut hands = Vec::new();
        for place in 0..GROUP {
            let more = bits.take(8)?;
            let more = if more == 255 { bits.take(32)? } else { more };
            if place > 0 {
                key = key.checked_add(more)?;
            }
            let entry = of_key(key)?;
            hands.clear();
            for hand in 0..entry.hands() {
                hands.push(bits.chances(entry.options(hand))?);
            }
            give(key, &hands);
        }
        Some(())
    }

    /// Gives what the table says of each hand in a situation; `None` if it is not in the table.
    fn find(
        &self,
        situation: &Situation,
        remembered: KeyedMemory,
        mut say: impl FnMut(usize, Option<Chances>),
    ) -> Option<()> {
        let wanted = key(situation, remembered);
        let [a, b, c, d, start @ ..] = *self.groups.get(self.group_of(wanted)?)?;
        let mut bits = BitReader { bytes: self.bits, next: u32::from_le_bytes(start) as usize * 8 };
        let mut found = u32::from_le_bytes([a, b, c, d]);
        for place in 0..GROUP {
            let more = bits.take(8)?;
            let more = if more == 255 { bits.take(32)? } else { more };
            if place > 0 {
                found = found.checked_add(more)?;
            }
            if found > wanted {
                return None;
            }
            // An entry must be read to find its end.
            let entry = of_key(found)?;
            for hand in 0..entry.hands() {
                let chances = bits.chances(entry.options(hand))?;
                if found == wanted {
                    say(hand, chances);
                }
            }
            if found == wanted {
                return Some(());
            }
        }
        None
    }
}

/// All choices alike.
pub(super) fn even(situation: &Situation, hand: usize) -> Chances {
    let options = situation.options(hand).min(CHOICES);
    let mut even = [0; CHOICES];
    even[..options].fill(1);
    even
}

/// A situation of this number; what it remembers is left out.
fn of_key(key: u32) -> Option<Situation> {
    let mut rest = key as usize;
    let mut field = |count: usize| {
        let field = rest % count;
        rest /= count;
        field as u8
    };
    field(ClaimMemory::COUNT + 1);
    field(ClaimMemory::COUNT + 1);
    let missing = field(6);
    let coins = [field(13), field(13)];
    let lost = [field(6), field(6)];
    let stage = *Stage::ALL.get(usize::from(field(Stage::ALL.len())))?;
    let swap = |[second, first]: [u8; 2]| [first, second];
    let (coins, lost) = (swap(coins), swap(lost));
    Some(Situation { stage, coins, lost, missing, memory: [ClaimMemory::NONE; 2] })
}

/// Reads bits, the lowest of a byte first.
struct BitReader<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl BitReader<'_> {
    fn take(&mut self, count: u32) -> Option<u32> {
        let rest = self.bytes.get(self.next / 8..)?;
        let (shift, end) = (self.next % 8, self.next + count as usize);
        if end > self.bytes.len() * 8 {
            return None;
        }
        let mut window = [0; 8];
        let length = rest.len().min(8);
        window[..length].copy_from_slice(&rest[..length]);
        self.next = end;
        let mask = (1 << count) - 1;
        Some((u64::from_le_bytes(window) >> shift & mask) as u32)
    }

    /// The chances of a hand that has this number of choices; the inner `None` if they are unknown.
    fn chances(&mut self, options: usize) -> Option<Option<Chances>> {
        let mut chances = [0; CHOICES];
        if options <= 1 {
            chances[0] = LEVELS;
            return Some(Some(chances));
        }
        let symbol = self.take(symbol_bits(options))? as usize;
        if symbol < options {
            chances[symbol] = LEVELS;
            return Some(Some(chances));
        }
        if symbol > options {
            return Some(None);
        }
        let made = self.take(options as u32)?;
        let mut left = LEVELS;
        let mut last = None;
        for choice in (0..options.min(CHOICES)).filter(|choice| made >> choice & 1 == 1) {
            if let Some(before) = last.replace(choice) {
                let level = (self.take(4)? as u8).min(left);
                chances[before] = level;
                left -= level;
            }
        }
        chances[last.unwrap_or_default()] = left;
        Some(Some(chances))
    }
}

/// A table whose groups are unpacked once, each when it is first needed.
///
/// It says what the packed table says, many times as fast, and takes up to about ten times its memory.
#[derive(Debug, Clone)]
pub struct UnpackedTable<'a> {
    packed: PackedTable<'a>,
    groups: Vec<Option<UnpackedGroup>>,
}

/// The situations of a group.
#[derive(Debug, Clone, Default)]
struct UnpackedGroup {
    /// The key of each, and the place of its first hand.
    entries: Vec<(u32, usize)>,
    /// Chances of the hands, where they are known.
    hands: Vec<Option<Chances>>,
}

impl<'a> UnpackedTable<'a> {
    /// The same table.
    pub fn new(packed: PackedTable<'a>) -> UnpackedTable<'a> {
        UnpackedTable { packed, groups: vec![None; packed.groups()] }
    }

    /// The table as it is packed.
    pub fn packed(&self) -> PackedTable<'a> {
        self.packed
    }

    /// Frequencies of the choices in a situation with a hand, as [`PackedTable::chances`] says.
    pub fn chances(&mut self, situation: &Situation, hand: usize) -> Chances {
        let known = [KeyedMemory::This, KeyedMemory::Any]
            .into_iter()
            .find_map(|remembered| self.find(key(situation, remembered), hand));
        known.unwrap_or_else(|| even(situation, hand))
    }

    fn find(&mut self, wanted: u32, hand: usize) -> Option<Chances> {
        let place = self.packed.group_of(wanted)?;
        let group = self.groups.get_mut(place)?.get_or_insert_with(|| {
            let mut group = UnpackedGroup::default();
            // What is damaged ends there.
            let _ = self.packed.each_of_group(place, |key, hands| {
                group.entries.push((key, group.hands.len()));
                group.hands.extend_from_slice(hands);
            });
            group
        });
        let place = group.entries.binary_search_by_key(&wanted, |(key, _)| *key).ok()?;
        let (_, start) = *group.entries.get(place)?;
        let end = group.entries.get(place + 1).map_or(group.hands.len(), |(_, end)| *end);
        group.hands.get(start..end)?.get(hand).copied().flatten()
    }
}
