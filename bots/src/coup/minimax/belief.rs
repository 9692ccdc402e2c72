//! Beliefs of one side about the other: its cards, and its style.
//!
//! Every holding that it may have has a weight, and cards that come and go move the weights about.
//! They start from the beliefs that an `Observer` read out of the history.

use rules::coup::{Character, Counts, Hand};

use crate::coup::minimax::holding::Holding;
use crate::coup::minimax::style::Style;
use crate::coup::worth::best;

/// A weight for each holding of the other side.
pub type Weights = [f64; Holding::COUNT];

/// Chance that an exchange keeps the cards of the greatest worth, and not any.
const KEEPS_BEST: f64 = 0.7;

/// Knowledge and assumptions of one side about the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Belief {
    /// Probability of each holding.
    pub hands: Weights,
    /// Probability of each style.
    pub styles: [f64; Style::COUNT],
}

/// Cards that cannot be in the other hand or the deck: one's own, and all that are lost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Out {
    /// One's own cards.
    pub own: Counts,
    /// The lost ones of both sides.
    pub lost: Counts,
}

impl Out {
    /// Number of cards of this character in the deck, if the other side has this holding.
    pub fn deck(&self, other: Holding, card: Character) -> f64 {
        let out = self.own.count(card) + self.lost.count(card) + other.count(card);
        f64::from(Counts::PACK.count(card).saturating_sub(out))
    }

    /// Number of cards that the deck has, if the other side has this holding; at least 1.
    pub fn size(&self, other: Holding) -> f64 {
        let out = self.own.len() + self.lost.len() + other.size() as u32;
        f64::from(Counts::PACK.len().saturating_sub(out).max(1))
    }

    /// Number of cards of this character that another side with this holding does not see.
    pub fn unseen_by(&self, other: Holding, card: Character) -> u32 {
        let seen = self.lost.count(card) + other.count(card);
        Counts::PACK.count(card).saturating_sub(seen)
    }
}

/// The weights after each other side has shown this card and drawn another.
pub fn replaced(hands: &Weights, out: &Out, shown: Character) -> Weights {
    let mut after = [0.0; Holding::COUNT];
    for holding in Holding::all().filter(|holding| holding.contains(shown)) {
        let weight = hands[holding.index()];
        if weight == 0.0 {
            continue;
        }
        let cards = Character::ALL.map(|card| out.deck(holding, card));
        let all: f64 = cards.iter().sum();
        for (card, count) in Character::ALL.into_iter().zip(cards) {
            after[holding.replacing(shown, card).index()] += weight * count / all.max(1.0);
        }
    }
    after
}

/// The weights after the other side has exchanged cards.
pub fn exchanged(hands: &Weights, out: &Out) -> Weights {
    let mut after = [0.0; Holding::COUNT];
    for holding in Holding::all() {
        let weight = hands[holding.index()];
        if weight == 0.0 {
            continue;
        }
        let all: f64 = Character::ALL.iter().map(|card| out.deck(holding, *card)).sum();
        for drawn in Holding::of_size(2) {
            let ways = ways(drawn, |card| out.deck(holding, card)) / (all * (all - 1.0)).max(1.0);
            if ways > 0.0 {
                keep(holding, drawn, weight * ways, &mut after);
            }
        }
    }
    after
}

/// Number of ways to draw two cards one after the other, from this number of each.
pub fn ways(drawn: Holding, count: impl Fn(Character) -> f64) -> f64 {
    match *drawn.cards() {
        [one, other] if one == other => count(one) * (count(one) - 1.0).max(0.0),
        [one, other] => 2.0 * count(one) * count(other),
        _ => 0.0,
    }
}

/// Spreads a weight over what a side may keep.
fn keep(holding: Holding, drawn: Holding, weight: f64, after: &mut Weights) {
    let cards = [drawn.cards(), holding.cards()].concat();
    let kept = Hand::new(&cards).and_then(|cards| Holding::new(best(cards, holding.size())));
    if let Some(kept) = kept {
        after[kept.index()] += weight * KEEPS_BEST;
    }
    let choices = choices(&cards, holding.size());
    for kept in &choices {
        after[kept.index()] += weight * (1.0 - KEEPS_BEST) / choices.len() as f64;
    }
}

/// Every choice of one or two of these cards, by place.
pub fn choices(cards: &[Character], count: usize) -> Vec<Holding> {
    if count == 1 {
        return cards.iter().map(|card| Holding::single(*card)).collect();
    }
    let mut choices = Vec::new();
    for (place, one) in cards.iter().enumerate() {
        choices.extend(cards[place + 1..].iter().map(|other| Holding::pair(*one, *other)));
    }
    choices
}
