//! Number of cards of each rank, in one word.

use std::ops::{Add, BitOr, Sub};

use crate::card::Rank;
use crate::card_set::CardSet;

/// Number of cards of each rank, 0 to 4: four bits a rank, the 2 lowest.
///
/// For captures the suits are of no account, and this is all that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RankCounts(u64);

/// The highest bit of every rank's four, which a count never uses.
const GUARDS: u64 = 0x8_8888_8888_8888;

impl RankCounts {
    /// No card.
    pub const NONE: RankCounts = RankCounts(0);

    /// The counts of a set of cards.
    pub const fn new(cards: CardSet) -> RankCounts {
        // A rank's four bits in a set are its four suits; this adds them up in place.
        let bits = cards.bits();
        let pairs = bits - ((bits >> 1) & 0x5_5555_5555_5555);
        RankCounts((pairs & 0x3_3333_3333_3333) + ((pairs >> 2) & 0x3_3333_3333_3333))
    }

    /// This number of cards of one rank; `count` is at most 4.
    pub const fn only(rank: Rank, count: u32) -> RankCounts {
        debug_assert!(count <= 4);
        RankCounts((count as u64) << (4 * rank as u32))
    }

    /// Number of cards of this rank.
    pub const fn get(self, rank: Rank) -> u32 {
        (self.0 >> (4 * rank as u32)) as u32 & 0xf
    }

    /// Returns true if there is no card.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Takes the others away, if they are all there.
    pub const fn without(self, others: RankCounts) -> Option<RankCounts> {
        let rest = (self.0 | GUARDS) - others.0;
        if rest & GUARDS == GUARDS { Some(RankCounts(rest & !GUARDS)) } else { None }
    }

    /// The counts of this rank and the ranks above it in the order of the pack, the ace highest.
    pub const fn from_rank_up(self, rank: Rank) -> RankCounts {
        RankCounts(self.0 >> (4 * rank as u32) << (4 * rank as u32))
    }

    /// The counts of the ranks below this one in the order of the pack, the ace highest.
    pub const fn below_rank(self, rank: Rank) -> RankCounts {
        RankCounts(self.0 & !(u64::MAX << (4 * rank as u32)))
    }

    /// The rank there is that counts most when capturing: the king first, the ace last.
    pub fn highest(self) -> Option<Rank> {
        let without_aces = self.below_rank(Rank::Ace).0;
        match without_aces.checked_ilog2() {
            Some(bit) => Some(Rank::ALL[bit as usize / 4]),
            None if self.0 == 0 => None,
            None => Some(Rank::Ace),
        }
    }

    /// The counts as bits, four a rank.
    pub const fn bits(self) -> u64 {
        self.0
    }
}

impl Add for RankCounts {
    type Output = RankCounts;

    /// The counts of both; the sum must not exceed 4 of a rank.
    fn add(self, other: RankCounts) -> RankCounts {
        RankCounts(self.0 + other.0)
    }
}

impl Sub for RankCounts {
    type Output = RankCounts;

    /// Takes the others away; they must all be there.
    fn sub(self, other: RankCounts) -> RankCounts {
        RankCounts(self.0 - other.0)
    }
}

impl BitOr for RankCounts {
    type Output = RankCounts;

    /// The counts of both, which must share no rank.
    fn bitor(self, other: RankCounts) -> RankCounts {
        RankCounts(self.0 | other.0)
    }
}
