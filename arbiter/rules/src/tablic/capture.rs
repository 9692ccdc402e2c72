//! Which sets of table cards may be captured.
//!
//! A set may be captured when it can be split into disjoint groups, each of which sums to a value
//! of the played card. The search takes the highest card that is not in a group yet (the king
//! first, the ace last), tries the groups that hold it, and remembers the counts of ranks from
//! which no split was found.
//!
//! Two cards that are a group by themselves (a 9 and a 5 for a king) can be put together at once:
//! if a split has them in two groups, the rest of each group sums to the other card, so the two
//! rests make a group. Aces, which count two ways, are left out of this. It keeps the search short:
//! `tests/it/tablic/bounded.rs` says how many steps the worst known sets take.

use std::collections::BTreeSet;

use crate::card::Rank;
use crate::card_set::CardSet;
use crate::tablic::groups::Groups;
use crate::tablic::rank_counts::RankCounts;

/// A search of this number of steps ends sooner than remembering its result would pay off.
const SHORT: u64 = 64;

/// Whether a card of this rank may capture this set; the empty set always.
///
/// ```
/// use rules::Rank;
/// use rules::tablic::capture::may_capture;
///
/// assert!(may_capture(Rank::Seven, "3H 3S 4D 4C".parse()?));
/// assert!(!may_capture(Rank::Seven, "3H 4D 4C".parse()?));
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn may_capture(played: Rank, captured: CardSet) -> bool {
    Splitter::new(played).splits(RankCounts::new(captured))
}

/// The search for splits of sets by one rank, which remembers what failed.
///
/// One splitter serves many sets with the same played rank.
#[derive(Debug)]
pub struct Splitter {
    groups: &'static Groups,
    failed: BTreeSet<(Rank, RankCounts)>,
    steps: u64,
}

impl Splitter {
    /// A splitter for a played card of this rank.
    pub fn new(played: Rank) -> Self {
        Splitter { groups: Groups::for_rank(played), failed: BTreeSet::new(), steps: 0 }
    }

    /// How many groups have been tried so far: the measure of its work.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether these cards can be split into groups.
    pub fn splits(&mut self, cards: RankCounts) -> bool {
        self.completes(cards, Rank::Two)
    }

    /// Whether the cards from `decided` up (the ace highest) can all be split into groups, with any
    /// of the cards below it.
    pub(crate) fn completes(&mut self, cards: RankCounts, decided: Rank) -> bool {
        let Some(highest) = cards.from_rank_up(decided).highest() else { return true };
        if self.steps > SHORT && self.failed.contains(&(decided, cards)) {
            return false;
        }
        // The pair is a group in some split if there is any, unless it would use up a free card.
        if let Some(partner) = self.groups.partner(highest)
            && partner >= decided
            && let Some(rest) =
                cards.without(RankCounts::only(highest, 1) + RankCounts::only(partner, 1))
        {
            self.steps += 1;
            return self.completes(rest, decided);
        }
        // No card counts more than this one, except that aces are decided before all others.
        for &group in self.groups.led_by(highest) {
            self.steps += 1;
            if let Some(rest) = cards.without(group)
                && self.completes(rest, decided)
            {
                return true;
            }
        }
        if self.steps > SHORT {
            self.failed.insert((decided, cards));
        }
        false
    }
}
