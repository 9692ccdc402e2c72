//! Beliefs of one side about the other: its cards, as a small number to look things up by, and its style.
//!
//! Every holding that it may have has a weight, and cards that come and go move the weights about.
//! They start from the beliefs that an `Observer` read out of the history.
//!
//! The play of an opponent is unknown, so it is taken to have one of a few styles, each a way to
//! [act](ActionStyle) and a way to [answer](AnswerStyle). The history says which styles and which hands
//! are likely, at the same time: a seat that was caught twice may hold anything.

use rules::Seat;
use rules::coup::{Action, Character, Counts, Hand};

use crate::coup::table::{best, worth};

pub type Weights = [f64; UnorderedHand::COUNT];

/// Chance that an exchange keeps the cards of the greatest worth, and not any.
const KEEPS_BEST: f64 = 0.7;

#[derive(Debug, Clone, PartialEq)]
pub struct Belief {
    pub hands: Weights,
    pub styles: [f64; Style::COUNT],
}

/// Cards that cannot be in the other hand or the deck: one's own, and all that are lost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExcludedCards {
    pub own: Counts,
    /// The lost ones of both sides.
    pub lost: Counts,
}

impl ExcludedCards {
    /// Number of cards of this character in the deck, if the other side has this holding.
    pub fn deck(&self, other: UnorderedHand, card: Character) -> f64 {
        let out = self.own.count(card) + self.lost.count(card) + other.count(card);
        f64::from(Counts::PACK.count(card).saturating_sub(out))
    }

    /// Number of cards that the deck has, if the other side has this holding; at least 1.
    pub fn size(&self, other: UnorderedHand) -> f64 {
        let out = self.own.len() + self.lost.len() + other.size() as u32;
        f64::from(Counts::PACK.len().saturating_sub(out).max(1))
    }

    /// Number of cards of this character that another side with this holding does not see.
    pub fn unseen_by(&self, other: UnorderedHand, card: Character) -> u32 {
        let seen = self.lost.count(card) + other.count(card);
        Counts::PACK.count(card).saturating_sub(seen)
    }
}

/// The weights after each other side has shown this card and drawn another.
pub fn replaced(hands: &Weights, out: &ExcludedCards, shown: Character) -> Weights {
    let mut after = [0.0; UnorderedHand::COUNT];
    for holding in UnorderedHand::all().filter(|holding| holding.contains(shown)) {
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

pub fn exchanged(hands: &Weights, out: &ExcludedCards) -> Weights {
    let mut after = [0.0; UnorderedHand::COUNT];
    for holding in UnorderedHand::all() {
        let weight = hands[holding.index()];
        if weight == 0.0 {
            continue;
        }
        let all: f64 = Character::ALL.iter().map(|card| out.deck(holding, *card)).sum();
        for drawn in UnorderedHand::of_size(2) {
            let ways = ways(drawn, |card| out.deck(holding, card)) / (all * (all - 1.0)).max(1.0);
            if ways > 0.0 {
                keep(holding, drawn, weight * ways, &mut after);
            }
        }
    }
    after
}

/// Number of ways to draw two cards one after the other, from this number of each.
pub fn ways(drawn: UnorderedHand, count: impl Fn(Character) -> f64) -> f64 {
    match *drawn.cards() {
        [one, other] if one == other => count(one) * (count(one) - 1.0).max(0.0),
        [one, other] => 2.0 * count(one) * count(other),
        _ => 0.0,
    }
}

/// Spreads a weight over what a side may keep.
fn keep(holding: UnorderedHand, drawn: UnorderedHand, weight: f64, after: &mut Weights) {
    let cards = [drawn.cards(), holding.cards()].concat();
    let kept = Hand::new(&cards).and_then(|cards| UnorderedHand::new(best(cards, holding.size())));
    if let Some(kept) = kept {
        after[kept.index()] += weight * KEEPS_BEST;
    }
    let choices = choices(&cards, holding.size());
    for kept in &choices {
        after[kept.index()] += weight * (1.0 - KEEPS_BEST) / choices.len() as f64;
    }
}

/// Every choice of one or two of these cards, by place.
pub fn choices(cards: &[Character], count: usize) -> Vec<UnorderedHand> {
    if count == 1 {
        return cards.iter().map(|card| UnorderedHand::single(*card)).collect();
    }
    let mut choices = Vec::new();
    for (place, one) in cards.iter().enumerate() {
        choices.extend(cards[place + 1..].iter().map(|other| UnorderedHand::pair(*one, *other)));
    }
    choices
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ActionStyle {
    /// By what its cards and coins make good; the number is the worth of a false claim, in true ones.
    Bluffing(f64),
    Random,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AnswerStyle {
    /// By chances of its own.
    Sensible {
        /// Blocks without the card.
        bluff: f64,
        /// Challenges an action.
        challenge: f64,
        /// Challenges a block.
        doubt: f64,
    },
    Random,
}

/// A style, and how likely an opponent has it before anything is known of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    pub acting: ActionStyle,
    pub answering: AnswerStyle,
    /// Its probability.
    pub chance: f64,
}

/// Rate of making a true block, unless the claim is challenged.
const HONEST_BLOCK: f64 = 0.97;

const HONEST: ActionStyle = ActionStyle::Bluffing(0.03);
const SLY: ActionStyle = ActionStyle::Bluffing(0.35);
const TRUSTING: AnswerStyle = AnswerStyle::Sensible { bluff: 0.02, challenge: 0.02, doubt: 0.05 };
const CAREFUL: AnswerStyle = AnswerStyle::Sensible { bluff: 0.2, challenge: 0.15, doubt: 0.3 };
const DOUBTS_BLOCKS: AnswerStyle =
    AnswerStyle::Sensible { bluff: 0.02, challenge: 0.1, doubt: 0.95 };
const DOUBTS_ALL: AnswerStyle = AnswerStyle::Sensible { bluff: 0.1, challenge: 0.95, doubt: 0.95 };

const STYLES: [(ActionStyle, AnswerStyle, f64); Style::COUNT] = [
    (HONEST, TRUSTING, 0.15),
    (HONEST, DOUBTS_BLOCKS, 0.1),
    (SLY, TRUSTING, 0.1),
    (SLY, CAREFUL, 0.2),
    (SLY, DOUBTS_BLOCKS, 0.15),
    (HONEST, DOUBTS_ALL, 0.05),
    (ActionStyle::Random, DOUBTS_ALL, 0.1),
    (ActionStyle::Random, AnswerStyle::Random, 0.15),
];

impl Style {
    pub const COUNT: usize = 8;

    pub fn all() -> [Style; Style::COUNT] {
        STYLES.map(|(acting, answering, chance)| Style { acting, answering, chance })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AnswerChances {
    pub pass: f64,
    pub challenge: f64,
    /// Probability that it blocks with each of the characters that can.
    pub block: [f64; 2],
}

/// The legal actions of a side, by its coins and those of the other.
///
/// With two seats it does not matter whom they are aimed at.
pub fn legal_actions(coins: u32, purse: u32) -> impl Iterator<Item = Action> + Clone {
    let is_legal = move |action: &Action| action.check_coins(coins, purse).is_ok();
    Seat::first(1).flat_map(Action::all).filter(is_legal)
}

impl ActionStyle {
    /// Weight of an action for an opponent with these cards.
    pub fn weight(self, action: Action, holding: UnorderedHand, purse: u32) -> f64 {
        let ActionStyle::Bluffing(bluff) = self else { return 1.0 };
        let good = match action {
            Action::Coup(_) => 20.0,
            Action::Assassinate(_) => 8.0,
            Action::Tax => 4.0,
            Action::Steal(_) if purse > 1 => 3.0,
            Action::Steal(_) => 1.0,
            Action::Exchange => 1.5,
            Action::ForeignAid => 1.0,
            Action::Income => 0.2,
        };
        match action.claim() {
            Some(claim) if !holding.contains(claim) => good * bluff,
            _ => good,
        }
    }
}

impl AnswerStyle {
    /// Answers of an opponent with these cards to an action; of the claimed character it cannot see this number of cards,
    /// neither lost nor in its hand.
    pub fn answers(self, action: Action, unseen: u32, holding: UnorderedHand) -> AnswerChances {
        let blockers = action.blockers();
        let claimed = action.claim().is_some();
        let mut answers = AnswerChances { pass: 1.0, challenge: 0.0, block: [0.0; 2] };
        let AnswerStyle::Sensible { bluff, challenge, .. } = self else {
            let count = 1 + usize::from(claimed) + blockers.len();
            answers.pass = 1.0 / count as f64;
            answers.challenge = if claimed { answers.pass } else { 0.0 };
            blockers.iter().zip(&mut answers.block).for_each(|(_, block)| *block = answers.pass);
            return answers;
        };
        let deadly = matches!(action, Action::Assassinate(_));
        // To give up the last card is no answer at all.
        let last = deadly && holding.size() == 1;
        let held = blockers.iter().filter(|card| holding.contains(**card)).count();
        answers.challenge = match unseen {
            _ if !claimed => 0.0,
            0 => 1.0,
            _ => challenge,
        };
        let left = 1.0 - answers.challenge;
        let blocks = match held {
            _ if blockers.is_empty() => 0.0,
            0 if last => left * (0.3 + bluff).min(1.0),
            0 if deadly => left * (2.0 * bluff).min(1.0),
            0 => left * bluff,
            _ => left * HONEST_BLOCK,
        };
        for (card, block) in blockers.iter().zip(&mut answers.block) {
            *block = match held {
                0 => blocks / blockers.len() as f64,
                _ if holding.contains(*card) => blocks / held as f64,
                _ => 0.0,
            };
        }
        answers.pass = left - blocks;
        if last {
            answers.challenge += answers.pass;
            answers.pass = 0.0;
        }
        answers
    }

    /// Chance that an opponent challenges a block, with `unseen` cards of its character out of its
    /// sight.
    pub fn doubt(self, unseen: u32) -> f64 {
        match self {
            AnswerStyle::Random => 0.5,
            AnswerStyle::Sensible { .. } if unseen == 0 => 1.0,
            AnswerStyle::Sensible { doubt, .. } => doubt,
        }
    }
}

/// Probability that an opponent that must lose a card gives up this one.
pub fn gives_up(holding: UnorderedHand, card: Character) -> f64 {
    match holding.without(card) {
        _ if !holding.contains(card) => 0.0,
        None => 1.0,
        Some(rest) if rest.contains(card) => 1.0,
        Some(rest) => {
            let better = rest.cards().iter().any(|other| worth(*other) > worth(card));
            if better { 0.7 } else { 0.3 }
        }
    }
}

const CHARACTERS: usize = Character::ALL.len();

const PAIRS: usize = CHARACTERS * (CHARACTERS + 1) / 2;

/// One or two cards in no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnorderedHand(u8);

impl UnorderedHand {
    pub const COUNT: usize = PAIRS + CHARACTERS;

    /// Every holding, those of two cards first.
    pub fn all() -> impl Iterator<Item = UnorderedHand> + Clone {
        (0..UnorderedHand::COUNT as u8).map(UnorderedHand)
    }

    pub fn of_size(count: usize) -> impl Iterator<Item = UnorderedHand> + Clone {
        UnorderedHand::all().filter(move |holding| holding.size() == count)
    }

    pub fn single(card: Character) -> UnorderedHand {
        UnorderedHand((PAIRS + card as usize) as u8)
    }

    pub fn pair(one: Character, other: Character) -> UnorderedHand {
        let (low, high) = (one.min(other) as usize, one.max(other) as usize);
        // Rows of the triangle grow shorter by one.
        UnorderedHand((low * CHARACTERS - low * low.saturating_sub(1) / 2 + high - low) as u8)
    }

    /// The cards of a hand, if they are one or two.
    pub fn new(hand: Hand) -> Option<UnorderedHand> {
        match *hand.cards() {
            [card] => Some(UnorderedHand::single(card)),
            [one, other] => Some(UnorderedHand::pair(one, other)),
            _ => None,
        }
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn cards(self) -> &'static [Character] {
        const HOLDINGS: [([Character; 2], usize); UnorderedHand::COUNT] = holdings();
        let (cards, count) = &HOLDINGS[self.index()];
        &cards[..*count]
    }

    pub fn size(self) -> usize {
        if self.index() < PAIRS { 2 } else { 1 }
    }

    pub fn count(self, card: Character) -> u32 {
        self.cards().iter().filter(|other| **other == card).count() as u32
    }

    pub fn contains(self, card: Character) -> bool {
        self.cards().contains(&card)
    }

    /// Removes one card of this character; `None` if it is the only card, or
    /// is not there.
    pub fn without(self, card: Character) -> Option<UnorderedHand> {
        match *self.cards() {
            [one, other] if one == card => Some(UnorderedHand::single(other)),
            [one, other] if other == card => Some(UnorderedHand::single(one)),
            _ => None,
        }
    }

    /// The holding with another card for one of this character, which it has.
    pub fn replacing(self, old: Character, new: Character) -> UnorderedHand {
        match self.without(old) {
            Some(rest) => UnorderedHand::pair(rest.cards()[0], new),
            None => UnorderedHand::single(new),
        }
    }

    pub fn different(self) -> impl Iterator<Item = Character> {
        let cards = self.cards();
        let doubled = cards.len() == 2 && cards[0] == cards[1];
        cards.iter().copied().skip(usize::from(doubled))
    }
}

const fn holdings() -> [([Character; 2], usize); UnorderedHand::COUNT] {
    let mut all = [([Character::Ambassador; 2], 1); UnorderedHand::COUNT];
    let (mut low, mut next) = (0, 0);
    while low < CHARACTERS {
        let mut high = low;
        while high < CHARACTERS {
            all[next] = ([Character::ALL[low], Character::ALL[high]], 2);
            next += 1;
            high += 1;
        }
        all[PAIRS + low] = ([Character::ALL[low]; 2], 1);
        low += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_holding_has_a_place_of_its_own() {
        for (place, holding) in UnorderedHand::all().enumerate() {
            let again = match *holding.cards() {
                [one, other] => UnorderedHand::pair(other, one),
                [card] => UnorderedHand::single(card),
                _ => panic!("one or two cards"),
            };
            assert_eq!((again, again.index()), (holding, place));
            assert_eq!(UnorderedHand::new(Hand::new(holding.cards()).unwrap()), Some(holding));
            for card in holding.different() {
                let left = holding.without(card).map_or(0, UnorderedHand::size);
                assert_eq!(left + 1, holding.size());
                assert!(holding.replacing(card, Character::Duke).contains(Character::Duke));
            }
        }
    }
}
