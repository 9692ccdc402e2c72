//! Sets of table cards that may be captured, with the values and the counts of cards behind them.

use std::collections::BTreeSet;
use std::ops::{Add, BitOr, Range, Sub};
use std::sync::LazyLock;

use crate::card::{Card, CardSet, Rank, Suit};

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
    CaptureSplitter::new(played, captured).splits(captured)
}

/// The search for splits of sets by one rank, which remembers what failed.
///
/// A set may be captured when it can be split into disjoint groups, each of which sums to a value of the played card.
/// The search takes the highest card that is not in a group yet (the king first, the ace last), tries the groups that
/// hold it, and remembers the counts of ranks from which no split was found.
///
/// Two cards that alone are a group (a 9 and a 5 for a king) can be put together at once: if a split has them in two
/// groups, the rest of each group sums to the other card, so the two rests make a group. Aces, which count two ways,
/// are left out of this. It keeps the search short: `tests/it/tablic/bounded.rs` says how many steps the worst known
/// sets take.
///
/// One splitter serves many sets of the same cards with the same played rank.
#[derive(Debug)]
pub struct CaptureSplitter {
    groups: &'static CaptureGroups,
    /// The groups that there are among the cards.
    among: Vec<RankCounts>,
    /// Places of the groups that a rank leads.
    led_by: [Range<usize>; 13],
    failed: BTreeSet<(Rank, RankCounts)>,
    steps: u64,
}

impl CaptureSplitter {
    /// A splitter for a played card of this rank, of sets that are all among these cards.
    pub fn new(played: Rank, cards: RankCounts) -> Self {
        let groups = CaptureGroups::for_rank(played);
        let mut among = Vec::with_capacity(32);
        let led_by = Rank::ALL.map(|rank| {
            let begin = among.len();
            if cards.get(rank) > 0 {
                let led = groups.led_by(rank).iter().copied();
                among.extend(led.filter(|group| cards.without(*group).is_some()));
            }
            begin..among.len()
        });
        CaptureSplitter { groups, among, led_by, failed: BTreeSet::new(), steps: 0 }
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
pub struct CaptureGroups {
    with: [Vec<RankCounts>; 13],
    led_by: [Vec<RankCounts>; 13],
    partners: [Option<Rank>; 13],
}

static GROUPS: LazyLock<[CaptureGroups; 13]> =
    LazyLock::new(|| Rank::ALL.map(CaptureGroups::work_out));

impl CaptureGroups {
    /// The groups for a played card of this rank.
    pub fn for_rank(played: Rank) -> &'static CaptureGroups {
        &GROUPS[played as usize]
    }

    /// The groups that hold a card of this rank.
    pub fn with(&self, rank: Rank) -> &[RankCounts] {
        &self.with[rank as usize]
    }

    /// The groups that hold a card of this rank and none that counts more; for the ace, which counts
    /// least, all that hold one.
    fn led_by(&self, rank: Rank) -> &[RankCounts] {
        &self.led_by[rank as usize]
    }

    /// The rank that makes up a group of two with this one; none if one of the two is an ace.
    fn partner(&self, rank: Rank) -> Option<Rank> {
        self.partners[rank as usize]
    }

    fn work_out(played: Rank) -> CaptureGroups {
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
        CaptureGroups { with, led_by, partners }
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

/// The points for strictly the most cards.
pub const MOST_CARDS: u32 = 3;

/// The 10 of diamonds, worth two points.
pub const TEN_OF_DIAMONDS: Card = Card::new(Rank::Ten, Suit::Diamonds);

/// The 2 of clubs, worth one point.
pub const TWO_OF_CLUBS: Card = Card::new(Rank::Two, Suit::Clubs);

/// The cards worth a point: all of 10, jack, queen, king and ace, and the 2 of clubs.
const ONE_EACH: CardSet =
    CardSet::from_bits((0xf_ffff << (4 * Rank::Ten as u64)) | CardSet::single(TWO_OF_CLUBS).bits());

/// The points of a set of cards: 10, J, Q, K, A and 2C one each, 10D two, others none.
///
/// ```
/// use rules::{CardSet, tablic::capture::points};
///
/// assert_eq!(points(CardSet::PACK), 22);
/// ```
pub const fn points(cards: CardSet) -> u32 {
    let ones = (cards.bits() & ONE_EACH.bits()).count_ones();
    if cards.contains(TEN_OF_DIAMONDS) { ones + 1 } else { ones }
}

/// The numbers that a card of this rank counts as when capturing: 2 to 10 as printed, J 12, Q 13,
/// K 14, and for an ace 1 or 11, chosen afresh for every use.
pub const fn values(rank: Rank) -> &'static [u32] {
    match rank {
        Rank::Two => &[2],
        Rank::Three => &[3],
        Rank::Four => &[4],
        Rank::Five => &[5],
        Rank::Six => &[6],
        Rank::Seven => &[7],
        Rank::Eight => &[8],
        Rank::Nine => &[9],
        Rank::Ten => &[10],
        Rank::Jack => &[12],
        Rank::Queen => &[13],
        Rank::King => &[14],
        Rank::Ace => &[1, 11],
    }
}

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
