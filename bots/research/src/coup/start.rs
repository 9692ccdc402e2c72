//! Where games begin: at the first turn, or in an end game that is dealt.

use bots::coup::expert::cards::{CARDS, Card, DECK, PAIR};
use bots::coup::expert::position::{Drawing, Position};
use bots::coup::expert::situation::{Side, Situation};

use crate::coup::block::{Block, normalise};
use crate::coup::deck::dealt;

/// How many coins end a game at once: a seat that has them makes a coup.
const COUP: u8 = 7;

/// What lies open when a game begins; the hands are dealt from all cards that are not lost.
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

    /// What lies open.
    pub fn situation(&self) -> &Situation {
        &self.situation
    }

    /// How likely each pair of hands is dealt.
    pub fn joint(&self) -> Block {
        let mut joint = dealt(self.situation.lost);
        normalise(&mut joint);
        joint
    }

    /// A position as it is dealt, with seat 0 to act.
    pub fn deal(&self, drawing: &mut impl Drawing) -> Position {
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
        let hands = [Side::Actor, Side::Other].map(|side| {
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
