//! Memory of both seats about one: claims that were not challenged, or one that was false.

use crate::coup::expert::cards::{CARDS, Card};

/// Memory of a seat.
///
/// Of a seat with two cards: up to two different claims that were let pass. A third one cannot be
/// true together with both, and takes their place alone. Of a seat with one card: the last claim
/// that was let pass since it has one, or else the card that it was caught without. A card that was
/// shown is replaced, and so forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Memory(u8);

/// The first number of a memory of a card that is missing.
const MISSING: u8 = 16;

/// By number: the one or two claims that are remembered, the places of the cards counted from 1.
const CLAIMS: [[u8; 2]; 16] = {
    let mut claims = [[0; 2]; 16];
    let (mut next, mut first) = (1, 0);
    while first <= CARDS as u8 {
        let mut second = first + 1;
        while second <= CARDS as u8 {
            claims[next] = [first, second];
            next += 1;
            second += 1;
        }
        first += 1;
    }
    claims
};

impl Memory {
    /// Nothing.
    pub const NONE: Memory = Memory(0);

    /// Number of memories.
    pub const COUNT: usize = MISSING as usize + CARDS;

    /// The number of this memory, below [`COUNT`](Self::COUNT).
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The memory of this number.
    pub fn of_index(index: usize) -> Option<Memory> {
        (index < Self::COUNT).then_some(Memory(index as u8))
    }

    /// These claims, counted from 1, 0 for none.
    fn pack(first: u8, second: u8) -> Memory {
        let claims = [first.min(second), first.max(second)];
        let place = CLAIMS.iter().position(|other| *other == claims);
        Memory(place.unwrap_or_default() as u8)
    }

    /// The claims that are remembered, counted from 1, in ascending order after 0 for each that is
    /// missing.
    pub fn claims(self) -> [u8; 2] {
        CLAIMS.get(self.index()).copied().unwrap_or_default()
    }

    /// The card that the seat was caught without, counted from 1; 0 for none.
    pub fn missing(self) -> u8 {
        self.0.checked_sub(MISSING).map_or(0, |card| card + 1)
    }

    /// A claim was let pass.
    #[must_use]
    pub fn claimed(self, card: Card, has_two: HasTwo) -> Memory {
        match (has_two, self.claims()) {
            (HasTwo::No, _) => Memory::pack(0, card + 1),
            (_, claims) if claims.contains(&(card + 1)) => self,
            (_, [0, claim]) => Memory::pack(claim, card + 1),
            _ => Memory::pack(0, card + 1),
        }
    }

    /// A card was shown and has been replaced by an unknown one.
    #[must_use]
    pub fn after_reveal(self, card: Card, has_two: HasTwo) -> Memory {
        match has_two {
            HasTwo::Yes => self.without(card + 1),
            HasTwo::No => Memory::NONE,
        }
    }

    /// One of two cards is lost, after the seat was caught without `missing`, counted from 1, or
    /// without being caught (0).
    #[must_use]
    pub fn lost(self, card: Card, missing: u8) -> Memory {
        match (self.without(card + 1).without(missing).claims(), missing) {
            ([0, 0], 0) => Memory::NONE,
            ([0, 0], _) => Memory(MISSING + missing - 1),
            ([0, claim], _) => Memory::pack(0, claim),
            // Two claims and one card: either of them may be left.
            ([_, _], 0) => self,
            ([_, _], _) => Memory(MISSING + missing - 1),
        }
    }

    /// An exchange is over: what was missing may be there now.
    #[must_use]
    pub fn exchanged(self) -> Memory {
        if self.0 >= MISSING { Memory::NONE } else { self }
    }

    fn without(self, card: u8) -> Memory {
        match self.claims() {
            _ if card == 0 => self,
            [first, second] if first == card => Memory::pack(0, second),
            [first, second] if second == card => Memory::pack(0, first),
            _ => self,
        }
    }
}

/// Number of cards of a seat: both or one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HasTwo {
    /// It has lost none.
    Yes,
    /// It has lost one.
    No,
}
