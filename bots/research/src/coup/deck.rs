//! Decks, and where games begin: at the first turn, or in an end game that is dealt.

use bots::coup::expert::cards::{CARDS, Card, DECK, PAIR, PAIR_CARDS, count};
use bots::coup::expert::position::{CardSource, Position};
use bots::coup::expert::situation::{Situation, TurnSide};

use crate::coup::block::{Block, Shape, ZERO, normalise};

/// All that follows from the cards alone.
#[derive(Debug)]
pub struct Decks {
    /// By the lost cards of the actor and of the other: for each character its share of the deck.
    shares: Vec<[Block; CARDS]>,
    /// Probability of each pair of hands at the start.
    pub start: Block,
}

impl Decks {
    pub fn new() -> Decks {
        let pairs = (0..36).map(|pair| [pair / 6, pair % 6].map(|lost| lost as u8));
        Decks { shares: pairs.map(shares).collect(), start: start() }
    }

    /// For each character the share of the deck that it has.
    pub fn shares(&self, situation: &Situation) -> &[Block; CARDS] {
        let [actor, other] = situation.lost.map(usize::from);
        &self.shares[actor * 6 + other]
    }
}

impl Default for Decks {
    fn default() -> Self {
        Decks::new()
    }
}

fn shares(lost: [u8; 2]) -> [Block; CARDS] {
    let shape = Shape::new(lost.map(|lost| 2 - usize::from(lost != 0)));
    let mut shares = [ZERO; CARDS];
    for (card, share) in shares.iter_mut().enumerate() {
        let gone = lost.iter().filter(|lost| usize::from(**lost) == card + 1).count() as i32;
        for row in 0..shape.rows {
            for column in 0..shape.columns {
                let held = count(shape.cards[0], row, card as Card)
                    + count(shape.cards[1], column, card as Card);
                let left = (3 - gone - i32::from(held)).max(0);
                share[row * shape.stride + column] = left as f32 / DECK as f32;
            }
        }
    }
    shares
}

fn start() -> Block {
    let mut start = dealt([0, 0]);
    let total: f32 = start.iter().sum();
    start.iter_mut().for_each(|value| *value /= total);
    start
}

/// Number of ways to deal each pair of hands when each seat has lost this card, its place counted
/// from 1, or none (0).
pub fn dealt(lost: [u8; 2]) -> Block {
    let sides = lost.map(|lost| 2 - usize::from(lost != 0));
    let shape = Shape::new(sides);
    let mut all = [3.0f32; CARDS];
    for lost in lost.into_iter().filter(|lost| *lost != 0) {
        all[usize::from(lost) - 1] -= 1.0;
    }
    let mut ways = ZERO;
    for row in 0..shape.rows {
        for column in 0..shape.columns {
            let mut left = all;
            let mut product = 1.0;
            for (cards, hand) in sides.into_iter().zip([row, column]) {
                let pair = PAIR_CARDS[hand];
                let held = if cards == 1 { &[hand as Card][..] } else { &pair[..] };
                for card in held {
                    let left = &mut left[usize::from(*card)];
                    product *= *left;
                    *left -= 1.0;
                }
                product *= if cards == 2 && pair[0] != pair[1] { 2.0 } else { 1.0 };
            }
            ways[row * shape.stride + column] = product;
        }
    }
    ways
}

/// Number of coins that end a game at once: a seat that has them makes a coup.
const COUP: u8 = 7;

/// Open part of a game at its start; the hands are dealt from all cards that are not lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    situation: Situation,
}

impl Start {
    /// The first turn of a game.
    pub const GAME: Start = Start { situation: Situation::START };

    /// An end game: each seat has lost this card, is dealt another one, and has these coins. The seat
    /// that acts comes first. Nothing where a seat has seven coins, which win at once, or where there
    /// is no such card.
    pub fn endgame(lost: [Card; 2], coins: [u8; 2]) -> Option<Start> {
        let is_card = |card: Card| usize::from(card) < CARDS;
        let fits = lost.into_iter().all(is_card) && coins.into_iter().all(|coins| coins < COUP);
        let situation = Situation { coins, lost: lost.map(|card| card + 1), ..Situation::START };
        fits.then_some(Start { situation })
    }

    pub fn situation(&self) -> &Situation {
        &self.situation
    }

    /// Probability of each pair of hands.
    pub fn joint(&self) -> Block {
        let mut joint = dealt(self.situation.lost);
        normalise(&mut joint);
        joint
    }

    pub fn deal(&self, drawing: &mut impl CardSource) -> Position {
        let situation = self.situation;
        let mut deck = [0; CARDS];
        for (card, left) in deck.iter_mut().enumerate() {
            let gone = situation.lost.iter().filter(|lost| usize::from(**lost) == card + 1);
            *left = 3 - gone.count() as u8;
        }
        let mut draw = || {
            let card = drawing.draw(deck);
            deck[usize::from(card)] -= 1;
            card
        };
        let hands = [TurnSide::Actor, TurnSide::Other].map(|side| {
            let first = draw();
            match situation.cards(side) {
                1 => first,
                _ => PAIR[usize::from(first)][usize::from(draw())],
            }
        });
        Position { situation, hands, together: 0, actor: 0, decisions: 0, end: None }
    }
}

const _: () = assert!(DECK == 11, "each seat holds or has lost two of 15 cards");
