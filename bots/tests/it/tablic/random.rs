//! The player of Tablić that plays at random.

use std::collections::BTreeMap;

use bots::tablic::Random;
use bots::{NoMove, Player};
use rules::Request;
use rules::tablic::{Move, Tablic};
use rules::{BotSeed, CardSet};

use crate::samples;

const TRIES: u32 = 8000;

/// A request with a hand of two cards, one of which has one move and the other four.
fn request() -> Request<Tablic> {
    let (_, first) = samples::all().swap_remove(0);
    let mut request: Request<Tablic> = first.parse().expect("a request");
    request.view.hand = "3C 7D".parse().expect("cards");
    request.view.table = "3H 4C 4D 4H".parse().expect("cards");
    let legal = ["3C", "7D", "7D 3H 4C", "7D 3H 4D", "7D 3H 4H"];
    request.legal = legal.iter().map(|mv| mv.parse().expect("a move")).collect();
    request
}

fn choose(request: &mut Request<Tablic>, seed: u32) -> Move {
    request.heading.seed = BotSeed(u64::from(seed).to_be_bytes());
    Random.choose(request).expect("a move")
}

#[test]
fn the_card_is_drawn_first_and_then_the_move() {
    let mut request = request();
    let mut drawn: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..TRIES {
        *drawn.entry(choose(&mut request, seed).to_string()).or_default() += 1;
    }
    assert_eq!(drawn.len(), 5);
    for (mv, count) in &drawn {
        let expected = if mv == "3C" { TRIES / 2 } else { TRIES / 8 };
        // Five standard deviations of the likelier move.
        assert!(count.abs_diff(expected) < 225, "{mv} was drawn {count} times");
    }
}

#[test]
fn the_request_alone_decides() {
    let mut request = request();
    for seed in 0..50 {
        assert_eq!(choose(&mut request, seed), choose(&mut request, seed));
    }
}

#[test]
fn without_a_card_there_is_no_move() {
    let mut request = request();
    request.view.hand = CardSet::EMPTY;
    assert_eq!(Random.choose(&request), Err(NoMove));
}
