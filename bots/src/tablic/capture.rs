//! The best capture of a card: that of the greatest worth among all it may capture.
//! From a table of few cards every set that splits is formed; from one of many the lightest set to leave is searched.
//!
//! For one played card, the criteria by which captures compare are sums over the captured cards:
//! points, number of cards, the 10 of diamonds, the 2 of clubs, aces, and then the cards
//! themselves from the highest down. So each can be a digit of one number, and the best capture
//! is the set of the greatest weight that splits into groups. On a table of few cards all such
//! sets are formed; on a larger one, where there may be millions, the search is for the lightest
//! set to leave.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rules::tablic::capture::{TEN_OF_DIAMONDS, TWO_OF_CLUBS, points, values};
use rules::tablic::{CaptureGroups, RankCounts};
use rules::{Card, CardSet, Rank, Suit};

/// The best captures from one table.
#[derive(Debug, Clone)]
pub struct Captures {
    table: CardSet,
    few: Option<SmallTable>,
}

impl Captures {
    pub fn find(table: CardSet) -> Captures {
        Captures { table, few: (table.len() <= FEW).then(|| SmallTable::new(table)) }
    }

    /// The best that a card of this rank captures; no card where it can capture none.
    pub fn best(&self, played: Rank) -> CardSet {
        match &self.few {
            Some(few) => few.heaviest(played),
            None => best_from_many(played, self.table).captured,
        }
    }
}

/// The best capture, for a card of this rank, of those that hold all of the chosen cards of the
/// table; none if no capture holds them all.
///
/// ```
/// use bots::tablic::capture::best_including;
/// use rules::Rank;
///
/// let table = "2H 3H 4D 7C".parse()?;
/// assert_eq!(best_including(Rank::Seven, table, "3H".parse()?), Some("3H 4D 7C".parse()?));
/// assert_eq!(best_including(Rank::Seven, table, "2H".parse()?), None);
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn best_including(played: Rank, table: CardSet, chosen: CardSet) -> Option<CardSet> {
    if !table.contains_all(chosen) {
        return None;
    }
    // Of each rank, only so many cards are left as are not among the chosen ones.
    let (left, _) = lightest_left(played, table, chosen);
    left.map(|left| chosen | left.captured_cards(table - chosen))
}

/// The most cards that a table of few cards has.
const FEW: usize = 8;

/// Number of sets of cards of a small table.
const SETS: usize = 1 << FEW;

/// A table of few cards, with the sums of all sets of its cards.
///
/// A set is a number: bit `i` for the card that has `i` others before it in the order of cards. So
/// of two sets of equally many cards, the greater number is the higher set.
#[derive(Debug, Clone)]
struct SmallTable {
    cards: [CardSet; FEW],
    weights: [u32; FEW],
    count: usize,
    /// For each set, the numbers that its cards can sum to: bit `n` for the sum `n`.
    sums: [u16; SETS],
}

impl SmallTable {
    /// This table; of more than [`FEW`] cards, the lowest.
    pub(super) fn new(table: CardSet) -> SmallTable {
        let mut few = SmallTable {
            cards: [CardSet::EMPTY; FEW],
            weights: [0; FEW],
            count: 0,
            sums: [0; SETS],
        };
        few.sums[0] = 1;
        for (place, card) in ascending(table).take(FEW).enumerate() {
            few.cards[place] = CardSet::single(card);
            few.weights[place] = weight(card);
            few.count = place + 1;
            let (low, high) = match *values(card.rank()) {
                [low, high] => (low, high),
                [value, ..] => (value, value),
                [] => (0, 0),
            };
            let (without, with) = few.sums.split_at_mut(1 << place);
            for (with, without) in with.iter_mut().zip(without) {
                // Sums above 15 fall off the end; none is needed.
                *with = *without << low | *without << high;
            }
        }
        few
    }

    /// The heaviest set that a card of this rank may capture.
    pub(super) fn heaviest(&self, played: Rank) -> CardSet {
        let wanted: u16 = values(played).iter().map(|value| 1 << value).sum();
        let sums = self.sums[..1 << self.count].iter().enumerate();
        let mut groups = sums.filter(|(_, sums)| *sums & wanted != 0).map(|(set, _)| set as u8);
        let Some(first) = groups.next() else { return CardSet::EMPTY };
        let mut unions = Unions::new(first);
        groups.for_each(|group| unions.join(group));
        let heaviest = unions.all().iter().max_by_key(|set| (self.weight(**set), **set));
        let members = self.members(heaviest.copied().unwrap_or(first));
        members.fold(CardSet::EMPTY, |set, place| set | self.cards[place])
    }

    fn weight(&self, set: u8) -> u32 {
        self.members(set).map(|place| self.weights[place]).sum()
    }

    /// The places of the cards of a set.
    fn members(&self, set: u8) -> impl Iterator<Item = usize> {
        (0..self.count).filter(move |place| set >> place & 1 == 1)
    }
}

/// The sets that can be put together from disjoint groups, each once.
struct Unions {
    sets: [u8; SETS],
    count: usize,
    seen: [bool; SETS],
}

impl Unions {
    /// The empty set and the first group.
    fn new(group: u8) -> Unions {
        let mut unions = Unions { sets: [0; SETS], count: 1, seen: [false; SETS] };
        unions.join(group);
        unions
    }

    /// Joins a further group to every set that it shares no card with.
    fn join(&mut self, group: u8) {
        for place in 0..self.count {
            let set = self.sets[place];
            let joined = set | group;
            if set & group == 0 && !self.seen[usize::from(joined)] {
                self.seen[usize::from(joined)] = true;
                self.sets[self.count] = joined;
                self.count += 1;
            }
        }
    }

    fn all(&self) -> &[u8] {
        &self.sets[..self.count]
    }
}

/// Weight of a captured card: points, then the number of cards, then
/// the 10 of diamonds, the 2 of clubs, and aces, as digits.
fn weight(card: Card) -> u32 {
    let digits = [
        (points(CardSet::single(card)), 0),
        (1, 4),
        ((card == TEN_OF_DIAMONDS).into(), 1),
        ((card == TWO_OF_CLUBS).into(), 1),
        ((card.rank() == Rank::Ace).into(), 3),
    ];
    digits.iter().fold(0, |weight, (digit, bits)| weight << bits | digit)
}

/// A best capture, and the work that it took to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestCapture {
    pub captured: CardSet,
    /// Number of groups tried and states reached: the measure of the search's work.
    pub steps: u64,
}

/// The best capture from a table of any size, by the search that is meant for large ones: what stays when the
/// lightest set of cards is left.
pub fn best_from_many(played: Rank, table: CardSet) -> BestCapture {
    let (left, steps) = lightest_left(played, table, CardSet::EMPTY);
    BestCapture { captured: left.unwrap_or_default().captured_cards(table), steps }
}

/// The lightest set of cards that a capture with the chosen cards leaves, and the work that it took to find.
///
/// A uniform-cost search over the cards not decided yet, as counts of ranks. The highest rank of
/// them is decided first: how many of its cards to leave, which costs their weight, and then which
/// groups the others are in, which costs nothing. The first state in which nothing is undecided is
/// reached with the least weight there is. Since few different counts come up, as in the check of
/// one set, this takes less than a hundred thousand steps on the hardest tables that hill-climbing
/// finds.
fn lightest_left(played: Rank, table: CardSet, chosen: CardSet) -> (Option<LeftoverWeight>, u64) {
    let Some(mut search) = CaptureSearch::new(played, table, chosen) else { return (None, 0) };
    (search.run(), search.steps)
}

/// A set of cards not decided yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct UndecidedCards {
    cards: RankCounts,
    /// True if the cards of the highest rank are all to be captured; else some may be left. Cards
    /// are left before others of their rank are captured, so that no order is tried twice, and it
    /// is known whether the last of the rank is among them.
    settled: bool,
}

struct CaptureSearch {
    /// The cards of the table that may be left, of each rank in the order in which they are.
    free: CardSet,
    /// The groups on this table, by the rank that counts most in them.
    groups: [Vec<RankCounts>; 13],
    /// The least weight known to lead to each state.
    reached: HashMap<UndecidedCards, LeftoverWeight>,
    /// The states to go on from: the lightest first, of these those with the fewest cards, so that
    /// a whole table that splits is found straight away.
    open: BinaryHeap<(Reverse<LeftoverWeight>, Reverse<u32>, UndecidedCards)>,
    steps: u64,
}

impl CaptureSearch {
    /// The search on this table; none if one of the chosen cards is in no group.
    fn new(played: Rank, table: CardSet, chosen: CardSet) -> Option<CaptureSearch> {
        let free = table - chosen;
        let counts = RankCounts::new(table);
        let groups = Rank::ALL.map(|rank| {
            let with = CaptureGroups::for_rank(played).with(rank).iter().copied();
            with.filter(|group| group.highest() == Some(rank) && counts.without(*group).is_some())
                .collect()
        });
        let mut search = CaptureSearch {
            free,
            groups,
            reached: HashMap::new(),
            open: BinaryHeap::new(),
            steps: 0,
        };
        // A card that is in no group must be left, and need not be decided again in every state.
        let (mut start, mut left) = (counts, LeftoverWeight::default());
        for rank in Rank::ALL {
            let count = counts.get(rank);
            let hopeless = !search.groups.iter().flatten().any(|group| group.get(rank) > 0);
            if hopeless && count > 0 {
                if RankCounts::new(free).get(rank) < count {
                    return None;
                }
                start = start - RankCounts::only(rank, count);
                left = left.with(rank, count, free);
            }
        }
        search.reach(UndecidedCards { cards: start, settled: false }, left);
        Some(search)
    }

    fn run(&mut self) -> Option<LeftoverWeight> {
        while let Some((Reverse(left), _, state)) = self.open.pop() {
            if self.reached.get(&state).is_some_and(|least| *least < left) {
                continue;
            }
            let Some(rank) = state.cards.highest() else { return Some(left) };
            if state.settled {
                self.capture(state.cards, rank, left);
            } else {
                self.leave(state.cards, rank, left);
            }
        }
        None
    }

    /// Leaves none, some or all of the cards of the highest rank, as far as they may be left.
    fn leave(&mut self, cards: RankCounts, rank: Rank, left: LeftoverWeight) {
        let there = cards.get(rank);
        for count in 0..=there.min(RankCounts::new(self.free).get(rank)) {
            let state = UndecidedCards {
                cards: cards - RankCounts::only(rank, count),
                settled: count < there,
            };
            self.reach(state, left.with(rank, count, self.free));
        }
    }

    /// Captures a card of the highest rank in every possible group.
    fn capture(&mut self, cards: RankCounts, rank: Rank, left: LeftoverWeight) {
        for place in 0..self.groups[rank as usize].len() {
            self.steps += 1;
            if let Some(rest) = cards.without(self.groups[rank as usize][place]) {
                self.reach(UndecidedCards { cards: rest, settled: rest.get(rank) > 0 }, left);
            }
        }
    }

    fn reach(&mut self, state: UndecidedCards, left: LeftoverWeight) {
        self.steps += 1;
        let least = self.reached.entry(state).or_insert(LeftoverWeight::MOST);
        if left < *least {
            *least = left;
            let cards = cards_of(state.cards);
            self.open.push((Reverse(left), Reverse(cards), state));
        }
    }
}

fn cards_of(counts: RankCounts) -> u32 {
    Rank::ALL.iter().map(|rank| counts.get(*rank)).sum()
}

/// The weight of the cards left on the table: the lightest set is best to leave.
///
/// Its digits are, from the highest: points, number of cards, the 10 of diamonds, the 2 of clubs,
/// aces, kings, queens, and so on down to the 2s. Cards of one rank are left in a fixed order, the
/// lowest first and those worth more last, so the weight alone tells which cards they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct LeftoverWeight(u64);

/// Number of bits that the count of one rank takes.
const COUNT: u32 = 3;

impl LeftoverWeight {
    /// More than any set of cards weighs.
    pub(super) const MOST: LeftoverWeight = LeftoverWeight(u64::MAX);

    /// With more cards of a rank, of which none was left before. They are the first to be
    /// left on this table.
    pub(super) fn with(self, rank: Rank, count: u32, table: CardSet) -> LeftoverWeight {
        LeftoverWeight(
            first_left(rank, count, table).fold(self.0, |sum, card| sum + weight_of_many(card)),
        )
    }

    /// The cards of the table that are not left.
    pub(super) fn captured_cards(self, table: CardSet) -> CardSet {
        Rank::ALL.iter().fold(table, |others, &rank| {
            let count = (self.0 >> digit(rank)) as u32 & 0b111;
            others - first_left(rank, count, table).collect()
        })
    }
}

/// The cards of a rank that are left when so many are: from the lowest suit up, but the 10 of
/// diamonds last.
fn first_left(rank: Rank, count: u32, table: CardSet) -> impl Iterator<Item = Card> {
    let suits = match rank {
        Rank::Ten => [Suit::Hearts, Suit::Spades, Suit::Clubs, Suit::Diamonds],
        _ => [Suit::Hearts, Suit::Spades, Suit::Diamonds, Suit::Clubs],
    };
    let cards = suits.map(|suit| Card::new(rank, suit));
    cards.into_iter().filter(move |card| table.contains(*card)).take(count as usize)
}

fn weight_of_many(card: Card) -> u64 {
    let above_counts = [
        (points(CardSet::single(card)), 0),
        (1, 6),
        ((card == TEN_OF_DIAMONDS).into(), 1),
        ((card == TWO_OF_CLUBS).into(), 1),
    ];
    let digits = above_counts.iter().fold(0, |sum, (digit, bits)| sum << bits | u64::from(*digit));
    digits << (COUNT * Rank::ALL.len() as u32) | 1 << digit(card.rank())
}

/// The bit where the count of a rank begins.
fn digit(rank: Rank) -> u32 {
    COUNT * rank as u32
}

/// The lowest bit of every rank's four.
const LOWEST: u64 = 0x1_1111_1111_1111;

/// A set of cards as bits in the order of cards: the ace lowest, then the 2 up to the king; within
/// a rank hearts, spades, diamonds, clubs.
///
/// Of two sets of equally many cards, both sorted from the highest and compared card by card, the
/// higher is the one with the greater bits.
///
/// ```
/// use bots::tablic::capture::in_order;
///
/// assert!(in_order("2H".parse()?) > in_order("AC".parse()?));
/// assert!(in_order("KC 3H".parse()?) > in_order("KD 4C".parse()?));
/// # Ok::<(), rules::NotText>(())
/// ```
pub const fn in_order(cards: CardSet) -> u64 {
    let bits = cards.bits();
    let clubs_and_diamonds = (bits & LOWEST) << 3 | (bits & LOWEST << 1) << 1;
    let suits = clubs_and_diamonds | bits >> 2 & (LOWEST | LOWEST << 1);
    (suits << 4 | suits >> 48) & CardSet::PACK.bits()
}

/// The set of cards that [`in_order`] gives these bits for.
pub const fn from_order(bits: u64) -> CardSet {
    let suits = (bits >> 4 | bits << 48) & CardSet::PACK.bits();
    let clubs_and_diamonds = suits >> 3 & LOWEST | suits >> 1 & LOWEST << 1;
    CardSet::from_bits(clubs_and_diamonds | (suits & (LOWEST | LOWEST << 1)) << 2)
}

/// The cards of a set, from the lowest to the highest.
pub fn ascending(cards: CardSet) -> impl Iterator<Item = Card> {
    let mut left = in_order(cards);
    std::iter::from_fn(move || {
        let lowest = left & left.wrapping_neg();
        left ^= lowest;
        from_order(lowest).first()
    })
}
