//! The player that keeps the hand which is worth most now.
//!
//! A hand has a value ([`Values`]): high cards, trumps, pairs and few cards are good, suits of
//! unequal length are bad. Every decision compares the values of the hands that it would leave
//! ([`Position`]), and never looks ahead. Player and numbers are those of a published article on a
//! simple AI without memory, and of an app that came of it; they differ in how high a card counts
//! ([`Scale`]).

mod decisions;
mod value;

pub use decisions::{Answer, Position};
pub use value::{Scale, Values, read_scale};

use rules::durak::{Durak, Move, Phase};
use rules::{Card, Request};

use crate::player::{NoMove, Part, Player};

/// Plays what leaves it the most valuable hand, as [`Position`] says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Greedy {
    /// Scale of cards.
    pub scale: Scale,
}

impl Player<Durak> for Greedy {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        let view = &request.view;
        let bout = view.bout().ok_or(NoMove)?;
        let values = Values {
            scale: self.scale,
            deck: request.options.deck(),
            trumps: view.trump.ok_or(NoMove)?.suit(),
            talon: i64::from(view.talon),
            held: view.hands.values().iter().map(|held| i64::from(*held)).sum(),
        };
        let hand: Vec<Card> = view.hand.iter().collect();
        let position = Position { values, hand: &hand, table: bout.table() };
        let chosen = match bout.phase() {
            Phase::Lead => position.lead().map(Move::Lead),
            Phase::Throw(_) | Phase::Load(_) => {
                Some(position.throw().map_or(Move::Done, Move::Throw))
            }
            Phase::Defend => {
                // The rules know if the next hand is large enough.
                let may_transfer =
                    |card: &Card| request.legal.binary_search(&Move::Transfer(*card)).is_ok();
                let passing: Vec<Card> = hand.iter().copied().filter(may_transfer).collect();
                Some(match position.defend(&passing) {
                    Answer::Beat(card) => Move::Beat(card),
                    Answer::Transfer(card) => Move::Transfer(card),
                    Answer::Take => Move::Take,
                })
            }
        };
        chosen.ok_or(NoMove)
    }

    fn reads(&self) -> &'static [Part] {
        &[Part::LegalMoves]
    }
}
