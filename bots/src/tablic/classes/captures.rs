//! The captures from one table, by counts of classes, and the moves of the search.
//!
//! Groups are formed once for a table: every choice of its cards that sums to 14 at most, sorted
//! by the sum. The captures of a card are then the unions of disjoint groups of its value.

use rules::CardSet;
use rules::tablic::Move;

use crate::tablic::capture::Captures;
use crate::tablic::classes::{CaptureWeight, Class, ClassCounts, ClassSet, Rating, Tabla, VALUES};

/// The most captures of one card that are listed, beside the one greedy takes.
///
/// Hardly any table that comes up has more; without a bound there would be tables with millions.
const MOST: usize = 128;

/// Unions of groups tried for one card before the rest is left.
const TRIES: u64 = 1024;

/// Work counted for a search for the best capture on a large table.
const HARD: u64 = 4096;

/// The greatest sum of a group, the value of a king.
const HIGHEST: usize = 14;

/// A group of cards, or several groups together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tablic) struct CapturedCards {
    pub(in crate::tablic) cards: ClassCounts,
    pub(in crate::tablic) weight: CaptureWeight,
}

impl CapturedCards {
    pub(in crate::tablic) fn new(cards: CardSet) -> CapturedCards {
        let weights = cards.iter().map(|card| CaptureWeight::new(Class::new(card)));
        CapturedCards {
            cards: ClassCounts::count(cards),
            weight: weights.fold(CaptureWeight::default(), CaptureWeight::plus),
        }
    }

    const fn plus(self, other: CapturedCards) -> CapturedCards {
        CapturedCards {
            cards: self.cards.plus(other.cards),
            weight: self.weight.plus(other.weight),
        }
    }
}

/// The captures from a table, with room to work out those from many tables in turn.
#[derive(Debug, Clone, Default)]
pub(in crate::tablic) struct TableCaptures {
    table: ClassCounts,
    /// Every choice of cards with its sum, an ace 1, and whether one ace may count 11.
    choices: Vec<CardSubset>,
    /// The groups of each sum.
    groups: [Vec<CapturedCards>; HIGHEST + 1],
    /// Room for the captures of one card.
    unions: Vec<CapturedCards>,
    work: u64,
}

#[derive(Debug, Clone, Copy)]
struct CardSubset {
    captured: CapturedCards,
    sum: u8,
    has_ace: bool,
}

impl TableCaptures {
    pub(in crate::tablic) fn set_table(&mut self, table: ClassCounts) {
        self.table = table;
        self.groups.iter_mut().for_each(Vec::clear);
        self.choices.clear();
        let nothing = CardSubset { captured: CapturedCards::default(), sum: 0, has_ace: false };
        self.choices.push(nothing);
        for class in table.classes().iter() {
            self.choose_of(class);
        }
        for choice in &self.choices[1..] {
            let sum = usize::from(choice.sum);
            self.groups[sum].push(choice.captured);
            if choice.has_ace && sum + 10 <= HIGHEST {
                self.groups[sum + 10].push(choice.captured);
            }
        }
        self.work += 16 + self.choices.len() as u64;
    }

    /// Adds the choices with cards of one more class.
    fn choose_of(&mut self, class: Class) {
        let value = VALUES[class.index()] as u8;
        let one =
            CapturedCards { cards: ClassCounts::one(class), weight: CaptureWeight::new(class) };
        let count = self.table.get(class);
        for place in 0..self.choices.len() {
            let mut choice = self.choices[place];
            if class == Class::ACE {
                choice.has_ace = true;
            }
            for _ in 0..count {
                choice.sum += value;
                if usize::from(choice.sum) > HIGHEST {
                    break;
                }
                choice.captured = choice.captured.plus(one);
                self.choices.push(choice);
            }
        }
    }

    /// The work done so far, in steps of a few nanoseconds.
    pub(in crate::tablic) fn work(&self) -> u64 {
        self.work
    }

    pub(in crate::tablic) fn table(&self) -> ClassCounts {
        self.table
    }

    /// The captures of a card of this class, each once and none empty: all of them, or some and
    /// among these the one that greedy takes.
    pub(in crate::tablic) fn with(&mut self, played: Class) -> &[CapturedCards] {
        let groups = &self.groups[number(played)];
        self.unions.clear();
        self.unions.push(CapturedCards::default());
        let mut tries = 0;
        'groups: for group in groups {
            let mut place = 0;
            // The list grows under way, so that one group is taken as often as its cards allow.
            while place < self.unions.len() {
                let union = self.unions[place];
                place += 1;
                tries += 1;
                if !self.table.minus(union.cards).holds(group.cards) {
                    continue;
                }
                let joined = union.plus(*group);
                if self.unions.iter().any(|known| known.cards == joined.cards) {
                    continue;
                }
                self.unions.push(joined);
                if self.unions.len() > MOST || tries > TRIES {
                    break 'groups;
                }
            }
        }
        self.work += tries;
        if self.unions.len() > MOST || tries > TRIES {
            let best = self.best_of_many(played);
            if !self.unions.contains(&best) {
                self.unions.push(best);
            }
        }
        &self.unions[1..]
    }

    /// The heaviest capture of a card of this class, if there is any.
    pub(in crate::tablic) fn heaviest(&mut self, played: Class) -> Option<CapturedCards> {
        let groups = &self.groups[number(played)];
        if groups.is_empty() {
            return None;
        }
        let mut search = HeaviestUnionSearch { found: groups[0], tries: 0 };
        search.join(CapturedCards::default(), self.table, groups);
        let HeaviestUnionSearch { found, tries, .. } = search;
        self.work += tries;
        Some(if tries > TRIES { self.best_of_many(played) } else { found })
    }

    fn best_of_many(&mut self, played: Class) -> CapturedCards {
        self.work += HARD;
        let table = self.table.highest_of(CardSet::PACK);
        CapturedCards::new(Captures::find(table).best(played.rank()))
    }
}

/// The search for the heaviest union of groups.
struct HeaviestUnionSearch {
    found: CapturedCards,
    tries: u64,
}

impl HeaviestUnionSearch {
    /// Joins groups from these on, which end the list, to a union that leaves this.
    fn join(&mut self, union: CapturedCards, left: ClassCounts, groups: &[CapturedCards]) {
        for (place, group) in groups.iter().enumerate() {
            self.tries += 1;
            if self.tries > TRIES {
                return;
            }
            if left.holds(group.cards) {
                let joined = union.plus(*group);
                if joined.weight > self.found.weight {
                    self.found = joined;
                }
                self.join(joined, left.minus(group.cards), &groups[place..]);
            }
        }
    }
}

/// The sum of the groups that a card takes. A single ace, which an ace takes as 1, is among the
/// groups of 11 as well.
fn number(played: Class) -> usize {
    match played {
        Class::ACE => 11,
        _ => VALUES[played.index()] as usize,
    }
}

/// A card of a class, and the cards of the table that it captures, by classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassMove {
    pub played: Class,
    /// The cards of the table that it takes, possibly none.
    pub captured: ClassCounts,
    pub rating: Rating,
}

impl ClassMove {
    pub const fn lay_down(played: Class) -> ClassMove {
        ClassMove { played, captured: ClassCounts::NONE, rating: Rating::lay_down(played) }
    }

    pub(in crate::tablic) fn capture(
        played: Class,
        captured: CapturedCards,
        table: ClassCounts,
    ) -> ClassMove {
        let tabla = if captured.cards == table { Tabla::Yes } else { Tabla::No };
        let rating = Rating::capture(played, captured.weight, tabla);
        ClassMove { played, captured: captured.cards, rating }
    }

    pub fn new(mv: Move, table: ClassCounts) -> ClassMove {
        let played = Class::new(mv.card);
        match CapturedCards::new(mv.captured) {
            nothing if nothing.cards.is_empty() => ClassMove::lay_down(played),
            captured => ClassMove::capture(played, captured, table),
        }
    }

    /// The move with the cards of this hand and this table that a greedy player would take;
    /// `None` if they are not there.
    pub fn with_cards(self, hand: CardSet, table: CardSet) -> Option<Move> {
        let card = ClassCounts::one(self.played).highest_of(hand).first()?;
        let captured = self.captured.highest_of(table);
        (captured.len() == self.captured.len() as usize).then_some(Move { card, captured })
    }
}

/// Replaces the list by the moves with these classes, the one that a greedy player prefers first.
pub(in crate::tablic) fn list(
    playable: ClassSet,
    captures: &mut TableCaptures,
    moves: &mut Vec<ClassMove>,
) {
    moves.clear();
    let table = captures.table();
    for played in playable.iter() {
        moves.push(ClassMove::lay_down(played));
        let captures = captures.with(played).iter();
        moves.extend(captures.map(|captured| ClassMove::capture(played, *captured, table)));
    }
    moves.sort_unstable_by(|one, other| {
        (other.rating, other.captured).cmp(&(one.rating, one.captured))
    });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rules::BotSeed;
    use rules::tablic::captures;

    use super::*;
    use crate::tablic::greedy::{MoveWorth, best_move};

    /// Some tables of a number of cards.
    fn tables(cards: usize) -> impl Iterator<Item = CardSet> {
        let mut nature = BotSeed([cards as u8; 8]).nature();
        (0..60).map(move |_| nature.draw_many(&mut CardSet::PACK.clone(), cards))
    }

    /// Calls `check` with the captures of every class from every table.
    fn on_tables(cards: usize, mut check: impl FnMut(&mut TableCaptures, Class, CardSet)) {
        let mut table_captures = TableCaptures::default();
        for table in tables(cards) {
            table_captures.set_table(ClassCounts::count(table));
            Class::all().for_each(|played| check(&mut table_captures, played, table));
        }
    }

    #[test]
    fn they_are_those_of_the_rules() {
        for cards in 0..=9 {
            on_tables(cards, |found, played, table| {
                let (sets, _) = captures(played.rank(), table, usize::MAX);
                let expected: BTreeSet<_> =
                    sets.iter().map(|set| ClassCounts::count(*set)).collect();
                let count = found.with(played).len();
                let mut all: BTreeSet<_> = found.with(played).iter().map(|set| set.cards).collect();
                assert_eq!(all.len(), count, "each once");
                all.insert(ClassCounts::NONE);
                assert_eq!(all, expected, "{} on {table}", played.rank().name());
            });
        }
    }

    #[test]
    fn the_heaviest_is_the_one_that_greedy_takes() {
        for cards in [0, 1, 3, 5, 8, 12, 20, 34, 51] {
            on_tables(cards, |found, played, table| {
                let best = CapturedCards::new(Captures::find(table).best(played.rank()));
                let heaviest = found.heaviest(played).unwrap_or_default();
                assert_eq!(heaviest.weight, best.weight);
                if !best.cards.is_empty() {
                    assert!(found.with(played).contains(&best), "on {table}");
                    assert!(found.with(played).len() <= MOST + 1);
                }
            });
        }
    }

    #[test]
    fn the_work_on_any_table_is_bounded() {
        for cards in [12, 20, 30, 40, 51] {
            let mut most = 0;
            let mut before = 0;
            on_tables(cards, |found, played, _| {
                before = before.min(found.work());
                found.with(played);
                most = most.max(found.work() - before);
                before = found.work();
            });
            assert!(most < HARD + 8 * TRIES, "{most} steps for one card");
        }
    }

    #[test]
    fn they_come_in_the_order_of_greed() {
        let mut nature = BotSeed([4; 8]).nature();
        let (mut captures, mut moves) = (TableCaptures::default(), Vec::new());
        for case in 0..400 {
            let mut pack = CardSet::PACK;
            let hand = nature.draw_many(&mut pack, 1 + case % 6);
            let table = nature.draw_many(&mut pack, case % 11);
            captures.set_table(ClassCounts::count(table));
            list(ClassCounts::count(hand).classes(), &mut captures, &mut moves);
            let with_cards = moves.iter().map(|mv| mv.with_cards(hand, table).expect("the cards"));
            let with_cards: Vec<Move> = with_cards.collect();
            let worth: Vec<MoveWorth> =
                with_cards.iter().map(|mv| MoveWorth::new(*mv, table)).collect();
            assert!(worth.is_sorted_by(|one, other| one > other), "{hand} on {table}");
            assert_eq!(with_cards.first().copied(), best_move(hand, table));
            for (mv, worth) in moves.iter().zip(worth) {
                let points = worth.points + i32::from(worth.tabla);
                let found = (mv.rating.points(), mv.rating.captured());
                assert_eq!(found, (points, worth.captured));
            }
        }
    }
}
