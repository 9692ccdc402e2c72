//! Sets of table cards that may be captured.
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
use std::ops::Range;
use std::sync::LazyLock;

use crate::card::Rank;
use crate::card_set::CardSet;
use crate::tablic::points::values;
use crate::tablic::rank_counts::RankCounts;

/// Searches of this number of steps in all end sooner than remembering what failed would pay off.
const SHORT: u64 = 12_000;

/// Returns true if a card of this rank may capture this set; the empty set always.
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
    let captured = RankCounts::new(captured);
    Splitter::new(played, captured).splits(captured)
}

/// The search for splits of sets by one rank, which remembers what failed.
///
/// One splitter serves many sets of the same cards with the same played rank.
#[derive(Debug)]
pub struct Splitter {
    groups: &'static Groups,
    /// The groups that there are among the cards.
    among: Vec<RankCounts>,
    /// Places of the groups that a rank leads.
    led_by: [Range<usize>; 13],
    failed: BTreeSet<(Rank, RankCounts)>,
    steps: u64,
}

impl Splitter {
    /// A splitter for a played card of this rank, of sets that are all among these cards.
    pub fn new(played: Rank, cards: RankCounts) -> Self {
        let groups = Groups::for_rank(played);
        let mut among = Vec::with_capacity(128);
        let led_by = Rank::ALL.map(|rank| {
            let begin = among.len();
            if cards.get(rank) > 0 {
                let led = groups.led_by(rank).iter().copied();
                among.extend(led.filter(|group| cards.without(*group).is_some()));
            }
            begin..among.len()
        });
        Splitter { groups, among, led_by, failed: BTreeSet::new(), steps: 0 }
    }

    /// Number of groups tried so far: the measure of its work.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns true if these cards can be split into groups.
    pub fn splits(&mut self, cards: RankCounts) -> bool {
        self.complete(cards, Rank::Two).is_some()
    }

    /// Splits all cards from `decided` up (the ace highest) into groups, with any of the cards below
    /// it, and gives those that it leaves; `None` if there is no split.
    pub(crate) fn complete(&mut self, cards: RankCounts, decided: Rank) -> Option<RankCounts> {
        let Some(highest) = cards.from_rank_up(decided).highest() else { return Some(cards) };
        if self.steps > SHORT && self.failed.contains(&(decided, cards)) {
            return None;
        }
        // The pair is a group in some split if there is any, unless it would use up a free card.
        if let Some(partner) = self.groups.partner(highest)
            && partner >= decided
            && let Some(rest) =
                cards.without(RankCounts::only(highest, 1) + RankCounts::only(partner, 1))
        {
            self.steps += 1;
            return self.complete(rest, decided);
        }
        // No card counts more than this one, except that aces are decided before all others.
        for place in self.led_by[highest as usize].clone() {
            self.steps += 1;
            let rest = cards.without(self.among[place]);
            if let Some(left) = rest.and_then(|rest| self.complete(rest, decided)) {
                return Some(left);
            }
        }
        if self.steps > SHORT {
            self.failed.insert((decided, cards));
        }
        None
    }
}

/// Every group of cards that a card of one rank can capture as one.
///
/// An ace in a group counts 1 or 11 as suits the group, and an ace that captures takes groups of
/// 1 and of 11.
#[derive(Debug)]
pub struct Groups {
    with: [Vec<RankCounts>; 13],
    led_by: [Vec<RankCounts>; 13],
    partners: [Option<Rank>; 13],
}

static GROUPS: LazyLock<[Groups; 13]> = LazyLock::new(|| Rank::ALL.map(Groups::work_out));

impl Groups {
    /// The groups for a played card of this rank.
    pub fn for_rank(played: Rank) -> &'static Groups {
        &GROUPS[played as usize]
    }

    /// The groups that hold a card of this rank.
    pub fn with(&self, rank: Rank) -> &[RankCounts] {
        &self.with[rank as usize]
    }

    /// The groups that hold a card of this rank and none that counts more; for the ace, which counts
    /// least, all that hold one.
    pub(crate) fn led_by(&self, rank: Rank) -> &[RankCounts] {
        &self.led_by[rank as usize]
    }

    /// The rank that makes up a group of two with this one; none if one of the two is an ace.
    pub(crate) fn partner(&self, rank: Rank) -> Option<Rank> {
        self.partners[rank as usize]
    }

    fn work_out(played: Rank) -> Groups {
        let mut groups = Vec::new();
        for &sum in values(played) {
            collect(&Rank::ALL, RankCounts::NONE, sum, &mut groups);
        }
        // An ace can be 1 and 11 in the same group in either order.
        groups.sort_unstable();
        groups.dedup();
        let with = Rank::ALL
            .map(|rank| groups.iter().copied().filter(|group| group.get(rank) > 0).collect());
        let is_led = |group: &RankCounts, rank| {
            group.get(rank) > 0 && (rank == Rank::Ace || group.highest() == Some(rank))
        };
        let led_by = Rank::ALL
            .map(|rank| groups.iter().copied().filter(|group| is_led(group, rank)).collect());
        let partners = Rank::ALL.map(|rank| {
            let mut others = Rank::ALL.into_iter().filter(|other| *other != Rank::Ace);
            others.find(|&other| {
                rank != Rank::Ace
                    && groups.contains(&(RankCounts::only(rank, 1) + RankCounts::only(other, 1)))
            })
        });
        Groups { with, led_by, partners }
    }
}

/// Appends every way to make up what is left of a sum with up to four cards of each of these
/// ranks.
fn collect(ranks: &[Rank], chosen: RankCounts, left: u32, groups: &mut Vec<RankCounts>) {
    let Some((&rank, others)) = ranks.split_first() else {
        if left == 0 {
            groups.push(chosen);
        }
        return;
    };
    for count in 0..=4 {
        let with = chosen + RankCounts::only(rank, count);
        match *values(rank) {
            [low, high] => {
                for highs in 0..=count {
                    if let Some(left) = left.checked_sub((count - highs) * low + highs * high) {
                        collect(others, with, left, groups);
                    }
                }
            }
            [value, ..] => {
                if let Some(left) = left.checked_sub(count * value) {
                    collect(others, with, left, groups);
                }
            }
            [] => {}
        }
    }
}
