//! The best capture from a table of many cards: the search for the lightest set to leave.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rules::tablic::capture::{TEN_OF_DIAMONDS, TWO_OF_CLUBS, points};
use rules::tablic::{Groups, RankCounts};
use rules::{Card, CardSet, Rank, Suit};

/// A best capture, and the work that it took to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The captured cards.
    pub captured: CardSet,
    /// Number of groups tried and states reached: the measure of the search's work.
    pub steps: u64,
}

/// The best capture: what stays when the lightest set of cards is left.
///
/// A uniform-cost search over the cards not decided yet, as counts of ranks. The highest rank of
/// them is decided first: how many of its cards to leave, which costs their weight, and then which
/// groups the others are in, which costs nothing. The first state in which nothing is undecided is
/// reached with the least weight there is. Since few different counts come up, as in the check of
/// one set, this takes less than a hundred thousand steps on the hardest tables that hill-climbing
/// finds.
pub(super) fn lightest_left(played: Rank, table: CardSet) -> Found {
    let (left, steps) = lightest_left_but(played, table, CardSet::EMPTY);
    Found { captured: left.unwrap_or_default().others(table), steps }
}

/// The best capture that holds all of these cards of the table, if there is one: of each rank, only
/// so many cards are left as are not among them.
pub(super) fn best_with(played: Rank, table: CardSet, chosen: CardSet) -> Option<CardSet> {
    let (left, _) = lightest_left_but(played, table, chosen);
    left.map(|left| chosen | left.others(table - chosen))
}

fn lightest_left_but(played: Rank, table: CardSet, chosen: CardSet) -> (Option<Left>, u64) {
    let Some(mut search) = Search::new(played, table, chosen) else { return (None, 0) };
    (search.run(), search.steps)
}

/// A set of cards not decided yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    cards: RankCounts,
    /// True if the cards of the highest rank are all to be captured; else some may be left. Cards
    /// are left before others of their rank are captured, so that no order is tried twice, and it
    /// is known whether the last of the rank is among them.
    settled: bool,
}

struct Search {
    /// The cards of the table that may be left, of each rank in the order in which they are.
    free: CardSet,
    /// The groups on this table, by the rank that counts most in them.
    groups: [Vec<RankCounts>; 13],
    /// The least weight known to lead to each state.
    reached: HashMap<State, Left>,
    /// The states to go on from: the lightest first, of these those with the fewest cards, so that
    /// a whole table that splits is found straight away.
    open: BinaryHeap<(Reverse<Left>, Reverse<u32>, State)>,
    steps: u64,
}

impl Search {
    /// The search on this table; none if one of the chosen cards is in no group.
    fn new(played: Rank, table: CardSet, chosen: CardSet) -> Option<Search> {
        let free = table - chosen;
        let counts = RankCounts::new(table);
        let groups = Rank::ALL.map(|rank| {
            let with = Groups::for_rank(played).with(rank).iter().copied();
            with.filter(|group| group.highest() == Some(rank) && counts.without(*group).is_some())
                .collect()
        });
        let mut search =
            Search { free, groups, reached: HashMap::new(), open: BinaryHeap::new(), steps: 0 };
        // A card that is in no group must be left, and need not be decided again in every state.
        let (mut start, mut left) = (counts, Left::default());
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
        search.reach(State { cards: start, settled: false }, left);
        Some(search)
    }

    fn run(&mut self) -> Option<Left> {
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
    fn leave(&mut self, cards: RankCounts, rank: Rank, left: Left) {
        let there = cards.get(rank);
        for count in 0..=there.min(RankCounts::new(self.free).get(rank)) {
            let state =
                State { cards: cards - RankCounts::only(rank, count), settled: count < there };
            self.reach(state, left.with(rank, count, self.free));
        }
    }

    /// Captures a card of the highest rank in every possible group.
    fn capture(&mut self, cards: RankCounts, rank: Rank, left: Left) {
        for place in 0..self.groups[rank as usize].len() {
            self.steps += 1;
            if let Some(rest) = cards.without(self.groups[rank as usize][place]) {
                self.reach(State { cards: rest, settled: rest.get(rank) > 0 }, left);
            }
        }
    }

    fn reach(&mut self, state: State, left: Left) {
        self.steps += 1;
        let least = self.reached.entry(state).or_insert(Left::MOST);
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
pub(super) struct Left(u64);

/// Number of bits that the count of one rank takes.
const COUNT: u32 = 3;

impl Left {
    /// More than any set of cards weighs.
    pub(super) const MOST: Left = Left(u64::MAX);

    /// With more cards of a rank, of which none was left before. They are the first to be
    /// left on this table.
    pub(super) fn with(self, rank: Rank, count: u32, table: CardSet) -> Left {
        Left(first_left(rank, count, table).fold(self.0, |sum, card| sum + weight(card)))
    }

    /// The cards of the table that are not left.
    pub(super) fn others(self, table: CardSet) -> CardSet {
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

fn weight(card: Card) -> u64 {
    let above_counts = [
        (points(CardSet::one(card)), 0),
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
