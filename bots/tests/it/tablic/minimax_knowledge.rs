//! The minimax player's knowledge of the cards of other seats, and its assumptions about them.

use bots::tablic::classes::{Class, ClassSet};
use bots::tablic::minimax::{Knowledge, SeatKnowledge};
use rules::Request;
use rules::tablic::{Deal, DealDestination, Event, Move, Options, SeatCount, Tablic};
use rules::{BotSeed, Card, CardSet, Entry, Game, Seat, Verdict};

use crate::in_process::{self, request_to};

/// The first deal of a game, and a move of each seat.
const TOLD: [&str; 5] = [
    "deal table 3H 4D 9S KC",
    "deal 0 2C 2D 5H 6H 8H 10D",
    "deal 1 3C 7C 7D 9D 9H JC",
    "2C",
    "9D 9S",
];

fn set(text: &str) -> CardSet {
    text.parse().expect("a set of cards")
}

fn classes(text: &str) -> ClassSet {
    text.split_ascii_whitespace().map(|card| Class::new(card.parse().expect("a card"))).collect()
}

/// The knowledge of seat 0 of two after these lines.
fn knowledge(told: &[&str]) -> Knowledge {
    Knowledge::read(&request(2, 0, told)).expect("a request without contradictions")
}

fn other() -> Seat {
    Seat::new(1).expect("a seat")
}

#[test]
fn no_other_seat_holds_the_first_table_the_own_hand_or_played_cards() {
    let known = knowledge(&TOLD);
    assert_eq!(known.unseen(), CardSet::PACK - set("3H 4D 9S KC 2C 2D 5H 6H 8H 10D 9D"));
    let may_hold = known.may_hold(other());
    assert!(!may_hold.contains(Class::TEN_OF_DIAMONDS) && !may_hold.contains(Class::TWO_OF_CLUBS));
    assert!(may_hold.contains(Class::TEN));
}

#[test]
fn nothing_is_assumed_before_a_move() {
    assert_eq!(knowledge(&TOLD[..3]).assumed(other()), ClassSet::EMPTY);
    assert_eq!(knowledge(&TOLD[..4]).assumed(other()), ClassSet::EMPTY, "the own move");
}

#[test]
fn cards_worth_more_than_the_move_made_are_assumed_not_to_be_held() {
    // On 2C 3H 4D 9S KC a 9 took only the 9, worth no point and one card. A 7 takes two cards, a
    // 5, a 6 or a 2 takes the 2 of clubs, and all others in the list are themselves worth points.
    // A 3 or a 4 takes one card as well, and a 10 or an 8 takes none. The 9 could have taken
    // four cards, but it is the class that was played.
    assert_eq!(knowledge(&TOLD).assumed(other()), classes("2H 5C 6C 7C JC QC KD AC"));
}

#[test]
fn a_move_that_nothing_betters_tells_nothing() {
    let told = [&TOLD[..4], &["9D 9S 2C 3H 4D"]].concat();
    // It is worth one point and four cards; kings and aces take two points, queens and jacks
    // one point with fewer cards.
    assert_eq!(knowledge(&told).assumed(other()), classes("KD AC"));
}

#[test]
fn laying_a_card_down_is_worth_nothing_even_if_the_card_has_points() {
    let told = [&TOLD[..4], &["JC"]].concat();
    // A jack takes 3H 9S, which does not matter for the class of the played card itself.
    assert_eq!(knowledge(&told).assumed(other()), classes("2H 3C 4C 5C 6C 7C 9D QC KD AC"));
}

#[test]
fn assumptions_stay_and_grow_until_the_class_is_played() {
    let told = [&TOLD[..], &["8H", "7C 3H 4D"]].concat();
    let assumed = knowledge(&told).assumed(other());
    assert!(!assumed.contains(Class::new("7D".parse::<Card>().expect("a card"))));
    // With the 8 on the table, a 9 and a 10 would have taken the 2 of clubs.
    assert_eq!(assumed, classes("2H 5C 6C 9C 10C JC QC KD AC"));
}

#[test]
fn a_class_that_is_wholly_known_is_not_assumed_any_more() {
    let told = [
        "deal table 2C 3H 9S KC",
        "deal 0 7H 7S 7D 4C 5H 6H",
        "deal 1 3C 7C 8D 9D 9H JC",
        "4C",
        "8D",
        "5H",
        "9D 9S",
    ];
    let seven = Class::new("7C".parse::<Card>().expect("a card"));
    assert!(knowledge(&told).assumed(other()).contains(seven));
    let told = [&told[..], &["6H", "7C 3H 4C"]].concat();
    let known = knowledge(&told);
    assert!(!known.assumed(other()).contains(seven) && !known.may_hold(other()).contains(seven));
}

#[test]
fn the_house_plays_without_telling_anything() {
    let told = [
        "deal table 3H 4D 9S KC",
        "deal 0 2C 2D 5H 6H 8H 10D",
        "deal 1 3C 7C 7D 9D 9H JC",
        "deal 2 3D 4C 4S 5C 5D 6S",
        "2C",
        "3C",
        "3D",
    ];
    let mut request = request(3, 0, &told);
    let without = Knowledge::read(&request).expect("a request without contradictions");
    assert_ne!(without.assumed(other()), ClassSet::EMPTY);
    request.history.insert(5, Entry::Out(other(), Verdict::Timeout));
    let with = Knowledge::read(&request).expect("a request without contradictions");
    assert_eq!(with.assumed(other()), ClassSet::EMPTY);
}

#[test]
fn a_class_that_the_house_plays_is_no_longer_assumed_not_to_be_held() {
    let told = [
        "deal table 3H 4D 9S KC",
        "deal 0 2C 2D 5H 6H 8H 10D",
        "deal 1 3C 7C 7D 9D 9H JC",
        "deal 2 3D 4C 4S 5C 5D 6S",
        "2C",
        "3C",
        "3D",
        "2D",
    ];
    let seven = Class::new("7D".parse::<Card>().expect("a card"));
    let knowledge = |told: &[&str]| {
        let mut request = request(3, 0, told);
        // After the deals and three moves.
        request.history.insert(7, Entry::Out(other(), Verdict::Timeout));
        Knowledge::read(&request).expect("a request without contradictions").assumed(other())
    };
    let before = knowledge(&told);
    assert!(before.contains(seven));
    let after = knowledge(&[&told[..], &["7C"]].concat());
    assert_eq!(after, before.without(ClassSet::one(seven)));
}

/// Calls `check` for every request of some games between greedy players, with the moves made since
/// the last deal.
fn in_games(seats: usize, mut check: impl FnMut(&Request<Tablic>, usize)) {
    for deal in 0..6 {
        let mut players: Vec<_> = (0..seats).map(|_| in_process::player("greedy")).collect();
        in_process::play(deal, &mut players, |request| {
            let is_deal = |entry: &Entry<Event>| {
                matches!(entry, Entry::Event(Event::Deal { to: DealDestination::Hand(_), .. }))
            };
            let since = request.history.iter().rev().take_while(|entry| !is_deal(entry));
            let moves = since.filter(|entry| matches!(entry, Entry::Event(Event::Move { .. })));
            check(request, moves.count());
        });
    }
}

#[test]
fn assumptions_begin_anew_with_each_deal_and_end_with_the_last() {
    for seats in [2, 3, 4, 6] {
        let (mut assumed, mut anew) = (0, 0);
        in_games(seats, |request, moves| {
            let known = Knowledge::read(request).expect("a request without contradictions");
            let any = Seat::first(seats).any(|seat| known.assumed(seat) != ClassSet::EMPTY);
            assert!(!(any && (moves == 0 || request.view.talon == 0)));
            assumed += u32::from(any);
            anew += u32::from(moves == 0);
            assert_eq!(known.assumed(request.heading.seat), ClassSet::EMPTY);
        });
        assert!(assumed > 10 && anew > 5, "{assumed} requests with assumptions, {anew} new deals");
    }
}

#[test]
fn with_two_seats_the_other_hand_is_known_in_the_last_deal() {
    let mut checked = 0;
    in_games(2, |request, _| {
        if request.view.talon == 0 {
            let known = Knowledge::read(request).expect("a request without contradictions");
            let other = Seat::first(2).find(|seat| *seat != request.heading.seat);
            let count = request.view.hands[other.expect("another seat")];
            assert_eq!(known.unseen().len(), count as usize);
            checked += 1;
        }
    });
    assert_eq!(checked, 6 * 12);
}

#[test]
fn contradictions_are_noticed() {
    let asked_third = || request(2, 0, &TOLD[..3]);
    assert!(SeatKnowledge::read(&asked_third()).is_some());
    let mut table = asked_third();
    table.view.table = set("3H 4D");
    assert_eq!(SeatKnowledge::read(&table), None);
    let mut hand = asked_third();
    hand.view.hand = set("2C 2D KC");
    assert_eq!(SeatKnowledge::read(&hand), None);
    let mut seats = asked_third();
    seats.view.points = vec![0].into();
    assert_eq!(SeatKnowledge::read(&seats), None);
    let mut cards = asked_third();
    cards.view.cards = vec![u32::MAX, 1].into();
    assert_eq!(SeatKnowledge::read(&cards), None);
    let mut seat = asked_third();
    seat.heading.seat = Seat::new(2).expect("a seat");
    assert_eq!(SeatKnowledge::read(&seat), None);
    let mut move_of_nobody = request(2, 0, &TOLD);
    if let Some(Entry::Event(Event::Move { seat, .. })) = move_of_nobody.history.last_mut() {
        *seat = Seat::new(40).expect("a seat");
    }
    assert_eq!(SeatKnowledge::read(&move_of_nobody), None);
}

/// The request to this seat after these deals and moves: `deal table 3H …`, `7S 3H 4D`.
pub(crate) fn request(seats: usize, seat: usize, told: &[&str]) -> Request<Tablic> {
    let options = Options { seats: SeatCount::new(seats).expect("a number of seats") };
    let mut game = Tablic::new(&options);
    let mut events = Vec::new();
    for line in told {
        match line.strip_prefix("deal ") {
            Some(_) => {
                let deal: Deal = line.parse().expect("a deal");
                game.happen(&deal, &mut events).expect("cards to be dealt");
            }
            None => {
                let mv: Move = line.parse().expect("a move");
                game.play(&mv, &mut events).expect("a legal move");
            }
        }
    }
    request_to(&game, options, Seat::new(seat).expect("a seat"), &events, BotSeed([1; 8]))
}
