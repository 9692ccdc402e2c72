//! The groups of cards that sum to a value of one card, worked out once.

use std::sync::LazyLock;

use crate::card::Rank;
use crate::tablic::points::values;
use crate::tablic::rank_counts::RankCounts;

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

    /// The rank that makes up a group of two with this one; none where one of the two is an ace.
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
