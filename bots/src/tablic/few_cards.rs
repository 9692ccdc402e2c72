//! The best capture from a table of few cards: every set that splits is formed.

use rules::tablic::capture::{TEN_OF_DIAMONDS, TWO_OF_CLUBS, points, values};
use rules::{Card, CardSet, Rank};

use crate::tablic::card_order::ascending;

/// The most cards that a table of few cards has.
pub(super) const FEW: usize = 8;

/// Number of sets of cards of a small table.
const SETS: usize = 1 << FEW;

/// A table of few cards, with the sums of all sets of its cards.
///
/// A set is a number: bit `i` for the card that has `i` others before it in the order of cards. So
/// of two sets of equally many cards, the greater number is the higher set.
#[derive(Debug, Clone)]
pub(super) struct FewCards {
    cards: [CardSet; FEW],
    weights: [u32; FEW],
    count: usize,
    /// For each set, the numbers that its cards can sum to: bit `n` for the sum `n`.
    sums: [u16; SETS],
}

impl FewCards {
    /// This table; of more than [`FEW`] cards, the lowest.
    pub(super) fn new(table: CardSet) -> FewCards {
        let mut few =
            FewCards { cards: [CardSet::EMPTY; FEW], weights: [0; FEW], count: 0, sums: [0; SETS] };
        few.sums[0] = 1;
        for (place, card) in ascending(table).take(FEW).enumerate() {
            few.cards[place] = CardSet::one(card);
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
        (points(CardSet::one(card)), 0),
        (1, 4),
        ((card == TEN_OF_DIAMONDS).into(), 1),
        ((card == TWO_OF_CLUBS).into(), 1),
        ((card.rank() == Rank::Ace).into(), 3),
    ];
    digits.iter().fold(0, |weight, (digit, bits)| weight << bits | digit)
}
