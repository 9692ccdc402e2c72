//! What the cards that a seat has seen say about a claim.

use rules::Request;
use rules::coup::{Coup, Debt, Hand, Move, possible_hands};

use crate::history::events;

/// Whether the claim that can be challenged now is false for certain.
pub fn is_impossible(request: &Request<Coup>) -> bool {
    let Some((_, card)) = request.view.claim() else { return false };
    let hands: Vec<(Hand, f64)> = possible_hands(request.heading.seat, &events(request));
    !hands.is_empty() && hands.iter().all(|(hand, _)| !hand.contains(card))
}

/// Whether nothing is lost by a wrong challenge: an assassin is coming for the last card.
pub fn is_last_chance(request: &Request<Coup>) -> bool {
    let view = &request.view;
    let answers = matches!(view.owed.last(), Some(Debt::Answer(_)));
    answers && view.hand.len() == 1 && !request.legal.contains(&Move::Pass)
}
