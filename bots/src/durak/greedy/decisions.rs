//! Decisions of the player, each by the values of the hands it would leave.

use rules::durak::{Pairs, beats};
use rules::{Card, CardSet};

use crate::durak::greedy::value::{Scale, Values};

/// Basis of a decision.
#[derive(Debug, Clone, Copy)]
pub struct Position<'a> {
    /// Values of hands.
    pub values: Values,
    /// The hand. Of cards that are equally good the first is played.
    pub hand: &'a [Card],
    /// The cards on the table.
    pub table: &'a Pairs,
}

/// Answer of a defender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It beats with this card.
    Beat(Card),
    /// It passes the attack on with this card.
    Transfer(Card),
    /// It takes.
    Take,
}

/// Bonus for playing one of several cards of a rank, in hundreds, since the others can
/// follow: by their number.
const FOLLOWED: [f64; 5] = [0.0, 0.0, 1.0, 1.5, 2.5];

/// Bonus of a beating card whose rank lies on the table, since it allows no more throws.
const SAME_RANK: i64 = 300;

impl Position<'_> {
    /// The card to lead; none from an empty hand.
    pub fn lead(&self) -> Option<Card> {
        self.best(|_| true).map(|(card, _)| card)
    }

    /// The card to throw in, also while the defender takes; none if that is better.
    pub fn throw(&self) -> Option<Card> {
        let (card, best) = self.best(|card| self.table.has_rank(card.rank()))?;
        let loss = self.values.hand(self.cards()) - best;
        (loss < 1200 - 50 * self.values.talon).then_some(card)
    }

    /// The answer to the first attack card that is not beaten; `passing` are the cards of the hand
    /// that may pass the attack on.
    pub fn defend(&self, passing: &[Card]) -> Answer {
        if let Some(card) = self.transfer(passing) {
            return Answer::Transfer(card);
        }
        self.beat().map_or(Answer::Take, Answer::Beat)
    }

    fn transfer(&self, passing: &[Card]) -> Option<Card> {
        let is_plain = |card: &&Card| card.suit() != self.values.trumps;
        let hand = self.cards();
        let without_all = hand - passing.iter().copied().collect();
        let without_plain = hand - passing.iter().filter(is_plain).copied().collect();
        let best = self.values.hand(without_all).max(self.values.hand(without_plain));
        let card = passing.iter().find(is_plain).or(passing.first())?;
        (best > self.values.hand(hand) - 400).then_some(*card)
    }

    fn beat(&self) -> Option<Card> {
        let Values { talon, trumps, .. } = self.values;
        let attack = self.table.unbeaten()?;
        let hand = self.cards();
        let score = |card: Card| {
            let same = if self.table.has_rank(card.rank()) { SAME_RANK } else { 0 };
            self.values.hand(hand - CardSet::one(card)) + same
        };
        let (card, best) = self.first_best(|card| beats(card, attack, trumps), score)?;
        let value = |hand| self.values.hand(hand);
        let is_cheap = value(hand) - best < 800;
        let is_better_than_taking = value(hand | self.table.cards()) - best < 2000 - 40 * talon;
        (is_cheap || is_better_than_taking || talon == 0).then_some(card)
    }

    fn cards(&self) -> CardSet {
        self.hand.iter().copied().collect()
    }

    /// The best of some cards to attack with, and what the hand is worth without it.
    fn best(&self, may: impl Fn(Card) -> bool) -> Option<(Card, i64)> {
        let score = |card: Card| {
            let alike = self.hand.iter().filter(|other| other.rank() == card.rank()).count();
            // The rank counts as in the article here, on any scale.
            let height = Scale::Article.doubled(card.rank(), self.values.deck) as f64 / 2.0;
            let followed = (FOLLOWED[alike.min(4)] * height * 100.0).round() as i64;
            self.values.hand(self.cards() - CardSet::one(card)) + followed
        };
        self.first_best(may, score)
    }

    /// The first of the cards with the highest score.
    fn first_best(
        &self,
        may: impl Fn(Card) -> bool,
        score: impl Fn(Card) -> i64,
    ) -> Option<(Card, i64)> {
        let cards = self.hand.iter().copied().filter(|card| may(*card));
        let scored = cards.map(|card| (card, score(card)));
        scored.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }
}
