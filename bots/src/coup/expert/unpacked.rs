//! A packed table that is asked again and again.

use crate::coup::expert::packed::{Chances, Packed, Remembered, even, key};
use crate::coup::expert::situation::Situation;

/// A table whose groups are unpacked once, each when it is first needed.
///
/// It says what the packed table says, many times as fast, and takes up to about ten times its memory.
#[derive(Debug, Clone)]
pub struct Unpacked<'a> {
    packed: Packed<'a>,
    groups: Vec<Option<Group>>,
}

/// The situations of a group.
#[derive(Debug, Clone, Default)]
struct Group {
    /// The key of each, and the place of its first hand.
    entries: Vec<(u32, usize)>,
    /// Chances of the hands, where they are known.
    hands: Vec<Option<Chances>>,
}

impl<'a> Unpacked<'a> {
    /// The same table.
    pub fn new(packed: Packed<'a>) -> Unpacked<'a> {
        Unpacked { packed, groups: vec![None; packed.groups()] }
    }

    /// The table as it is packed.
    pub fn packed(&self) -> Packed<'a> {
        self.packed
    }

    /// Frequencies of the choices in a situation with a hand, as [`Packed::chances`] says.
    pub fn chances(&mut self, situation: &Situation, hand: usize) -> Chances {
        let known = [Remembered::This, Remembered::Any]
            .into_iter()
            .find_map(|remembered| self.find(key(situation, remembered), hand));
        known.unwrap_or_else(|| even(situation, hand))
    }

    fn find(&mut self, wanted: u32, hand: usize) -> Option<Chances> {
        let place = self.packed.group_of(wanted)?;
        let group = self.groups.get_mut(place)?.get_or_insert_with(|| {
            let mut group = Group::default();
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
