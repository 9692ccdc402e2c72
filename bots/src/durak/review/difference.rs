//! The difference of two moves in words.

use rules::durak::{Durak, Move};
use rules::{Card, Request, Suit};

/// How the move played differs from a better one.
pub(super) fn words(request: &Request<Durak>, played: Move, better: Move) -> String {
    let trumps = request.view.trump.map(Card::suit);
    let kind = |card: Card| kind(card, trumps);
    let is_taken = request.view.bout().is_some_and(|bout| bout.is_taken());
    let instead = |does: &str, other: &str| format!("{does} instead of {other}");
    match (played, better) {
        (Move::Take, Move::Beat(card)) => {
            instead("takes the table", &format!("beating with {}", kind(card)))
        }
        (Move::Take, _) => instead("takes the table", "passing the attack on"),
        (Move::Beat(card), Move::Take) => {
            instead(&format!("beats with {}", kind(card)), "taking the table")
        }
        (Move::Transfer(card), Move::Take) => {
            instead(&format!("passes the attack on with {}", kind(card)), "taking the table")
        }
        (Move::Beat(card), Move::Transfer(_)) => {
            instead(&format!("beats with {}", kind(card)), "passing the attack on")
        }
        (Move::Transfer(_), Move::Beat(card)) => {
            instead("passes the attack on", &format!("beating with {}", kind(card)))
        }
        (Move::Throw(card), Move::Done) if is_taken => {
            instead(&format!("gives {} to the taker", kind(card)), "being done")
        }
        (Move::Throw(card), _) if better.card().is_none() => {
            instead(&format!("throws in {}", kind(card)), "being done")
        }
        (Move::Done, Move::Throw(card)) if is_taken => {
            instead("is done", &format!("giving {} to the taker", kind(card)))
        }
        (Move::Done, Move::Throw(card)) => {
            instead("is done", &format!("throwing in {}", kind(card)))
        }
        (Move::Lead(card), other) => two("attacks with", card, other, trumps),
        (Move::Beat(card), other) => two("beats with", card, other, trumps),
        (Move::Transfer(card), other) => two("passes the attack on with", card, other, trumps),
        (Move::Throw(card), other) if is_taken => two("gives the taker", card, other, trumps),
        (Move::Throw(card), other) => two("throws in", card, other, trumps),
        (Move::Done, _) => "is done too early".to_owned(),
    }
}

/// The same is done with one card and another.
fn two(does: &str, card: Card, better: Move, trumps: Option<Suit>) -> String {
    let own = kind(card, trumps);
    let Some(other) = better.card() else { return format!("{does} {own}") };
    if kind(other, trumps) != own {
        return format!("{does} {own} instead of {}", kind(other, trumps));
    }
    let than = match card.rank().cmp(&other.rank()) {
        std::cmp::Ordering::Less => "a higher one",
        std::cmp::Ordering::Equal => "one of another suit",
        std::cmp::Ordering::Greater => "a lower one",
    };
    format!("{does} {own} instead of {than}")
}

fn kind(card: Card, trumps: Option<Suit>) -> &'static str {
    if Some(card.suit()) == trumps { "a trump" } else { "a plain card" }
}
