//! How strong the best five of seven cards are.
//!
//! A set of ranks is a number with a bit for each rank: bit 0 for a 2, bit 12 for an ace. Of two sets of the same size,
//! the greater number has the higher cards, compared from the highest card down: just as poker compares them. So a
//! hand is its category and two sets, the ranks that make the category and then the kickers.

use crate::card::Card;

/// The categories of poker hands, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    HighCard,
    Pair,
    TwoPair,
    ThreeOfAKind,
    Straight,
    Flush,
    FullHouse,
    FourOfAKind,
    StraightFlush,
}

impl Category {
    pub fn name(self) -> &'static str {
        match self {
            Category::HighCard => "high card",
            Category::Pair => "a pair",
            Category::TwoPair => "two pair",
            Category::ThreeOfAKind => "three of a kind",
            Category::Straight => "a straight",
            Category::Flush => "a flush",
            Category::FullHouse => "a full house",
            Category::FourOfAKind => "four of a kind",
            Category::StraightFlush => "a straight flush",
        }
    }
}

/// The strength of a hand. The greater one wins, equal ones tie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Strength {
    pub category: Category,
    /// The ranks that make the category; of a straight the highest one alone.
    made: u16,
    /// The ranks that decide where the others are equal.
    kickers: u16,
}

impl Strength {
    /// The strength of the best five of these cards.
    pub fn of(cards: impl IntoIterator<Item = Card>) -> Strength {
        let mut suits = [0_u16; 4];
        for card in cards {
            suits[card.suit()] |= 1 << card.rank();
        }
        let [a, b, c, d] = suits;
        // The ranks of which there are at least so many cards.
        let one = a | b | c | d;
        let two = a & b | c & d | (a | b) & (c | d);
        let three = a & b & (c | d) | c & d & (a | b);
        let four = a & b & c & d;
        // Two suits cannot both have five of seven cards.
        let flush = suits.into_iter().find(|suit| suit.count_ones() >= 5);

        let hand = |category, made, kickers| Strength { category, made, kickers };
        if let Some(high) = flush.and_then(straight) {
            return hand(Category::StraightFlush, high, 0);
        }
        if four != 0 {
            return hand(Category::FourOfAKind, four, highest(1, one & !four));
        }
        let triple = highest(1, three);
        let other_pairs = two & !triple;
        if triple != 0 && other_pairs != 0 {
            return hand(Category::FullHouse, triple, highest(1, other_pairs));
        }
        if let Some(suit) = flush {
            return hand(Category::Flush, highest(5, suit), 0);
        }
        if let Some(high) = straight(one) {
            return hand(Category::Straight, high, 0);
        }
        if triple != 0 {
            return hand(Category::ThreeOfAKind, triple, highest(2, one & !triple));
        }
        // Seven cards can have three pairs; the third can still be the kicker.
        let pairs = highest(2, two);
        match pairs.count_ones() {
            2 => hand(Category::TwoPair, pairs, highest(1, one & !pairs)),
            1 => hand(Category::Pair, pairs, highest(3, one & !pairs)),
            _ => hand(Category::HighCard, 0, highest(5, one)),
        }
    }
}

/// The highest ranks of a set, so many of them.
fn highest(number: u32, mut ranks: u16) -> u16 {
    while ranks.count_ones() > number {
        ranks &= ranks - 1; // This takes the lowest one out.
    }
    ranks
}

/// The highest rank of the highest straight in a set.
fn straight(ranks: u16) -> Option<u16> {
    // The ace also stands below the 2, so all ranks move up by one bit.
    let ladder = ranks << 1 | ranks >> 12;
    // A bit stays where the four bits above it are set too: the lowest card of a straight.
    let lowest = ladder & ladder >> 1 & ladder >> 2 & ladder >> 3 & ladder >> 4;
    (lowest != 0).then(|| highest(1, lowest) << 3)
}
