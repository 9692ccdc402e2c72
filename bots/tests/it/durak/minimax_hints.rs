//! What minimax of Durak takes for a hint at a hand, and what not.

use bots::durak::search::cards::Layout;
use bots::durak::search::knowledge::Knowledge;
use rules::durak::Durak;
use rules::{Entry, Request};

/// A game in which seat 2 is put out, and the house takes for it.
const SEAT_OUT: &str = include_str!("../../../../examples/requests/durak/seat-out.txt");

fn weights(request: &Request<Durak>) -> [f32; 64] {
    let trump = request.view.trump.expect("it is turned up").suit();
    Knowledge::read(request, Layout::new(trump)).weights[2]
}

/// It was: the cards that beat the attack were thought unlikely in the hand of a seat that was never
/// asked.
#[test]
fn what_the_house_plays_tells_nothing_of_the_hand() {
    let request: Request<Durak> = SEAT_OUT.parse().expect("a request");
    let mut before = request.clone();
    before.history.pop();
    assert!(matches!(before.history.last(), Some(Entry::Out(seat, _)) if seat.index() == 2));
    assert_eq!(weights(&request), weights(&before));
    // Where it takes by itself, that is a hint.
    let mut by_itself = request;
    by_itself.history.retain(|entry| matches!(entry, Entry::Event(_)));
    assert_ne!(weights(&by_itself), weights(&before));
}
