//! The kinds of move of Tablić that a sample request should offer.

use rules::tablic::capture::values;
use rules::tablic::{Move, Tablic};
use rules::{CardSet, Rank, Request};

/// There are cards on the table, and none of them can be captured.
pub(crate) fn only_lays_down(request: &Request<Tablic>) -> bool {
    !request.view.table.is_empty() && captures(request).next().is_none()
}

/// There are captures, all of one card.
pub(crate) fn captures_one(request: &Request<Tablic>) -> bool {
    captures(request).next().is_some() && captures(request).all(|mv| mv.captured.len() == 1)
}

/// Some cards make up one card, without an ace, and no card can be captured alone.
pub(crate) fn captures_a_sum(request: &Request<Tablic>) -> bool {
    captures(request).all(|mv| mv.captured.len() > 1) && captures(request).any(|mv| makes(mv, 0, 1))
}

/// Some cards make up one card three times over, without an ace.
pub(crate) fn captures_groups(request: &Request<Tablic>) -> bool {
    captures(request).any(|mv| mv.captured.len() > 4 && makes(mv, 0, 3))
        && !captures_with_an_ace(request)
}

/// An ace and others make up one card, the ace as 1 and never as 11.
pub(crate) fn takes_an_ace_as_1(request: &Request<Tablic>) -> bool {
    captures(request).any(|mv| makes(mv, 1, 1)) && !captures(request).any(makes_with_11)
}

/// An ace and others make up one card, the ace as 11 and never as 1.
pub(crate) fn takes_an_ace_as_11(request: &Request<Tablic>) -> bool {
    captures(request).any(makes_with_11) && !captures(request).any(|mv| makes(mv, 1, 1))
}

/// Some cards make up an ace.
pub(crate) fn captures_with_an_ace(request: &Request<Tablic>) -> bool {
    captures(request).any(|mv| mv.card.rank() == Rank::Ace && mv.captured.len() > 1)
}

/// A capture brings this card to the pile.
pub(crate) fn gains(request: &Request<Tablic>, card: &str) -> bool {
    let card = card.parse().expect("a card");
    captures(request).any(|mv| mv.gained().contains(card))
}

/// A capture of several cards leaves none.
pub(crate) fn empties_the_table(request: &Request<Tablic>) -> bool {
    captures(request).any(|mv| mv.captured == request.view.table && mv.captured.len() > 1)
}

fn captures(request: &Request<Tablic>) -> impl Iterator<Item = Move> {
    request.legal.iter().copied().filter(|mv| !mv.captured.is_empty())
}

/// Returns true if the captured cards, with `aces` aces, each as 1, make up the card `times` times.
fn makes(mv: Move, aces: usize, times: u32) -> bool {
    takes_aces(mv, aces) && sum(mv.captured) == times * lowest(mv.card.rank())
}

/// Returns true if the captured cards, with one ace, make up the card with the ace as 11.
fn makes_with_11(mv: Move) -> bool {
    takes_aces(mv, 1) && sum(mv.captured) + 10 == lowest(mv.card.rank())
}

fn takes_aces(mv: Move, aces: usize) -> bool {
    let captured = mv.captured.iter().filter(|card| card.rank() == Rank::Ace).count();
    mv.card.rank() != Rank::Ace && captured == aces
}

fn sum(cards: CardSet) -> u32 {
    cards.iter().map(|card| lowest(card.rank())).sum()
}

fn lowest(rank: Rank) -> u32 {
    values(rank).first().copied().unwrap_or_default()
}
