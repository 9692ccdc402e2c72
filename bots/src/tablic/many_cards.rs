//! The best capture from a table of many cards: the search for the lightest set to leave.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rules::tablic::{Groups, RankCounts};
use rules::{CardSet, Rank};

use crate::tablic::capture::Found;
use crate::tablic::left::Left;

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
    /// Whether the cards of the highest rank are all to be captured; else some may be left. Cards
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
    /// The search on this table; none where one of the chosen cards is in no group.
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
