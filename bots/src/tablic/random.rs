//! The player that plays at random.

use rules::tablic::{Move, Tablic};
use rules::{CardSet, Request};

use crate::player::{NoMove, Part, Player};

/// Chooses a card of the hand, each equally likely, and then one of the listed moves with it, each
/// equally likely.
///
/// The card comes first so that cards with many captures are not played sooner than others.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl Player<Tablic> for Random {
    fn choose(&mut self, request: &Request<Tablic>) -> Result<Move, NoMove> {
        let mut nature = request.heading.seed.nature();
        // Cards that no listed move plays cannot be chosen, though a whole request has none.
        let playable: CardSet = request.legal.iter().map(|mv| mv.card).collect();
        let mut hand = request.view.hand & playable;
        let card = nature.draw(&mut hand).ok_or(NoMove)?;
        let moves: Vec<Move> = request.legal.iter().copied().filter(|mv| mv.card == card).collect();
        nature.choose(&moves).copied().ok_or(NoMove)
    }

    fn reads(&self) -> &'static [Part] {
        &[Part::LegalMoves]
    }
}
