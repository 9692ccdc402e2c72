//! The positions of the minimax player's search, on cases that are worked out by hand.

use bots::tablic::classes::{Class, ClassCounts, ClassMove, ClassSet, pair, unpair};
use bots::tablic::minimax::{DealPlace, Knowledge, SearchPosition, SeatKnowledge};
use rules::tablic::Move;
use rules::{CardSet, Seat};
use search::alpha_beta::Unlimited;
use search::position::plain_line;
use search::{Deepening, LineValue, Position};

use crate::tablic::minimax_knowledge::request;

const DEALS: [&str; 4] = [
    "deal table 3H 4D 9S KC",
    "deal 0 2C 2D 5H 6H 8H KD",
    "deal 1 3C 7C 7D 9D 9H JC",
    "deal 2 3D 4C 4S 5C 5D AC",
];

/// Start of a search by the first of some seats after the first deals.
fn start(seats: usize) -> SeatKnowledge {
    SeatKnowledge::read(&request(seats, 0, &DEALS[..=seats])).expect("no contradictions")
}

/// Plays this move as the search does, from the list.
fn play(situation: &mut SearchPosition, mv: &str) {
    let mv: Move = mv.parse().expect("a move");
    let (played, captured) = (Class::new(mv.card), ClassCounts::count(mv.captured));
    let mut moves = Vec::new();
    situation.moves(&mut moves);
    let is_this = |mv: &&ClassMove| mv.played == played && mv.captured == captured;
    situation.play(*moves.iter().find(is_this).expect("a move in the list"));
}

#[test]
fn below_the_root_the_same_is_assumed_as_in_the_game() {
    for (seats, moves) in [
        (2, &["2C", "9D 9S", "8H"][..]),
        (2, &["2C", "JC", "8H"]),
        (2, &["2C", "9D 9S", "8H", "9H 2C 3H 4D", "5H", "3C", "6H"]),
        (3, &["2C", "9D 9S", "3D 3H", "8H"]),
        (3, &["2C", "9D 9S", "3D 3H", "8H", "3C"]),
    ] {
        let mut situation = SearchPosition::new(&start(seats));
        moves.iter().for_each(|mv| play(&mut situation, mv));
        let told = [&DEALS[..=seats], moves].concat();
        let known = Knowledge::read(&request(seats, 0, &told)).expect("no contradictions");
        let mover = Seat::new(moves.len() % seats).expect("a seat");
        assert_ne!(known.assumed(mover), ClassSet::EMPTY);
        assert_eq!(situation.playable(), known.may_hold(mover), "after {moves:?}");
    }
}

#[test]
fn with_three_seats_the_value_is_twice_the_own_gain_less_the_gains_of_the_others() {
    let before = SeatKnowledge { points: vec![2, 1, 3], cards: vec![4, 0, 6], ..start(3) };
    let mut situation = SearchPosition::new(&before);
    // Twice 2 points and 4 cards, less 1 and 3 points and 6 cards.
    assert_eq!(unpair(situation.value()), (0, 2));
    for (mv, value) in [
        // Two kings, for the seat itself.
        ("KD KC", (4, 6)),
        // Two cards without points, and an ace laid down.
        ("9D 9S", (4, 4)),
        ("AC", (5, 4)),
    ] {
        play(&mut situation, mv);
        assert_eq!(unpair(situation.value()), value, "after {mv}");
    }
}

/// The last card is a 6, and the other seat may play a king alone.
///
/// - The 6 takes three 2s; the king takes 4D 10H, for two points and the tabla.
/// - The 6 takes a 2 and the 4; the king takes 2 2 10H for the same, and one card more.
/// - The 6 stays on the table; the king takes 2 2 10H for two points, but no tabla.
#[test]
fn the_last_card_is_tried_in_the_order_of_greed_only_until_the_value_gets_worse() {
    let counts = |cards: &str| ClassCounts::count(cards.parse::<CardSet>().expect("cards"));
    let start = SeatKnowledge {
        table: counts("2D 2H 2S 4D 10H"),
        hand: counts("6C"),
        unseen: counts("KC"),
        held: 2,
        deal: DealPlace::Earlier,
        ..start(2)
    };
    let mut situation = SearchPosition::new(&start);
    let mut moves = Vec::new();
    situation.moves(&mut moves);
    let values = moves.iter().map(|mv| {
        let undo = situation.play(*mv);
        let line = plain_line(&mut situation, 1);
        situation.take_back(undo);
        unpair(line.value)
    });
    assert_eq!(values.collect::<Vec<_>>(), [(-3, 1), (-3, -1), (-2, -4)]);
    let found = Deepening::new().best(&mut situation, start.growing_plies(1), &mut Unlimited);
    let found = found.expect("a move");
    assert_eq!(found.best.captured, counts("2D 2H 2S"), "not the 6 laid down");
    assert_eq!(found.line, Some(LineValue { plies: 2, value: pair(-3, 1) }));
}
