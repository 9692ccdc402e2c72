//! Deals of Tablić that follow from an order of the deck.

use rules::tablic::{Deal, Place};
use rules::{Card, CardSet, Seat};

/// Four cards to the table, then the rest one card at a time round the seats: six to each, or
/// equal shares of what is left.
pub(crate) fn deals(seats: usize, deck: &[Card]) -> Vec<Deal> {
    let (table, mut rest) = deck.split_at(4);
    let mut deals = vec![Deal { to: Place::Table, cards: set(table) }];
    while !rest.is_empty() {
        let (round, later) = rest.split_at(rest.len().min(6 * seats));
        rest = later;
        for seat in Seat::first(seats) {
            let cards: Vec<Card> =
                round.iter().copied().skip(seat.index()).step_by(seats).collect();
            deals.push(Deal { to: Place::Hand(seat), cards: set(&cards) });
        }
    }
    deals
}

fn set(cards: &[Card]) -> CardSet {
    cards.iter().copied().collect()
}
