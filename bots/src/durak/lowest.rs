//! The player that plays the lowest card.

use rules::durak::{Durak, Move};
use rules::{Card, Request};

use crate::player::{NoMove, Part, Player};

/// Plays the legal move with the lowest card, trumps after all others; one without a card only
/// where no card is legal.
///
/// So it always beats when it can and always throws when it can. Simple as it is, it is hard to
/// beat for players that do not look ahead.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lowest;

impl Player<Durak> for Lowest {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        let trumps = request.view.trump.map(Card::suit);
        let height = |mv: &Move| {
            // `None` would come before every card.
            let card = mv.card();
            (card.is_none(), card.map(|card| (Some(card.suit()) == trumps, card)))
        };
        request.legal.iter().copied().min_by_key(height).ok_or(NoMove)
    }

    fn reads(&self) -> &'static [Part] {
        &[Part::LegalMoves]
    }
}
