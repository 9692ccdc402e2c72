//! The rules of Tablić, one test a rule.

use rules::tablic::capture::points;
use rules::tablic::{
    Deal, DealDestination, Event, IllegalMove, Move, Options, SeatCount, Tablic, Tally,
};
use rules::{
    Card, CardSet, Game, ListCompleteness, NotText, Rank, Score, Seat, Seed, Suit, Turn, seen_by,
};

use crate::tablic::properties;

fn seat(number: usize) -> Seat {
    Seat::new(number).unwrap()
}

fn set(text: &str) -> CardSet {
    text.parse().unwrap()
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// A game that nature has not begun.
fn new_game(seats: usize) -> Tablic {
    Tablic::new(&Options { seats: SeatCount::new(seats).unwrap() })
}

/// A game of two after the first deal, where the first seat holds these cards and others.
fn position(table: &str, hand: &str) -> Tablic {
    let (table, hand) = (set(table), set(hand));
    let mut others = (CardSet::PACK - table - hand).iter();
    let first = hand.iter().chain(&mut others).take(6).collect();
    let second = others.take(6).collect();
    let mut game = new_game(2);
    let places = [(DealDestination::Table, table), (DealDestination::Hand(seat(0)), first)];
    for (to, cards) in places.into_iter().chain([(DealDestination::Hand(seat(1)), second)]) {
        game.happen(&Deal { to, cards }, &mut Vec::new()).unwrap();
    }
    game
}

/// Asserts that a card takes these cards from a table, and that they go to the pile with it.
fn takes(table: &str, text: &str) {
    let mut game = position(table, text.split(' ').next().unwrap());
    assert_eq!(game.check(&mv(text)), Ok(()));
    let mut listed = Vec::new();
    assert_eq!(game.legal_moves(&mut listed), ListCompleteness::Complete);
    assert!(listed.contains(&mv(text)), "{text} is not listed");
    game.play(&mv(text), &mut Vec::new()).unwrap();
    assert_eq!(game.pile(seat(0)), set(text));
    assert_eq!(game.table(), set(table) - set(text));
}

/// Asserts that a card cannot take these cards, all of which lie on the table.
fn cannot_take(table: &str, text: &str) {
    let game = position(table, text.split(' ').next().unwrap());
    let Move { card, captured } = mv(text);
    assert_eq!(game.check(&mv(text)), Err(IllegalMove::NoSplit { card, captured }));
    let mut listed = Vec::new();
    assert_eq!(game.legal_moves(&mut listed), ListCompleteness::Complete);
    assert!(!listed.contains(&mv(text)), "{text} is listed");
}

/// Plays a game with this order of the deck to its end; `capture` says what each card takes.
fn play_out(
    seats: usize,
    deck: &[Card],
    capture: impl Fn(Seat, Card, CardSet) -> CardSet,
) -> (Tablic, Vec<Event>) {
    let mut game = new_game(seats);
    let mut events = Vec::new();
    let mut deals = properties::deals(seats, deck).into_iter();
    loop {
        match game.turn() {
            Turn::Nature => game.happen(&deals.next().unwrap(), &mut events).unwrap(),
            Turn::Seat(seat) => {
                let card = game.hand(seat).first().unwrap();
                let captured = capture(seat, card, game.table());
                game.play(&Move { card, captured }, &mut events).unwrap();
            }
            Turn::Over(_) => return (game, events),
        }
    }
}

fn lay_down(_: Seat, _: Card, _: CardSet) -> CardSet {
    CardSet::EMPTY
}

/// Takes one card of the same rank, if there is one.
fn take_one_alike(_: Seat, card: Card, table: CardSet) -> CardSet {
    table.iter().filter(|other| other.rank() == card.rank()).take(1).collect()
}

fn sorted_pack() -> Vec<Card> {
    CardSet::PACK.iter().collect()
}

/// A deck in which, from the first card of a hand on, two cards of a rank always follow each
/// other, with the partners of the first table before them.
fn deck_of_pairs() -> Vec<Card> {
    let start: Vec<Card> =
        ["2C", "3C", "4C", "5C", "2D", "3D", "4D", "5D"].map(|card| card.parse().unwrap()).into();
    let rest = CardSet::PACK - start.iter().copied().collect();
    start.into_iter().chain(rest).collect()
}

fn scores(game: &Tablic) -> Vec<Score> {
    match game.turn() {
        Turn::Over(scores) => scores.values().to_vec(),
        turn => panic!("not over: {turn:?}"),
    }
}

fn tallies(events: &[Event]) -> Vec<Tally> {
    let tally = |event: &Event| match event {
        Event::Score { tally, .. } => Some(*tally),
        _ => None,
    };
    events.iter().filter_map(tally).collect()
}

// Values.

#[test]
fn a_card_takes_cards_of_its_rank() {
    takes("7C 7D 7H KC", "7S 7C");
    takes("7C 7D 7H KC", "7S 7C 7D 7H");
    takes("JC QC KC KD", "KS KC KD");
    cannot_take("JC QC KC KD", "KS QC");
}

#[test]
fn numeric_values_are_as_printed_and_12_13_14_for_jack_queen_king() {
    takes("2C 10C 3C KC", "JS 2C 10C");
    takes("3C 10C 2C KC", "QS 3C 10C");
    takes("4C 10C 2C KC", "KS 4C 10C");
    takes("2C JC 3C 4C", "KS 2C JC");
    cannot_take("2C 9C 3C KC", "JS 2C 9C");
    cannot_take("9C 2C 3C 5C", "10S 9C 2C");
}

// Aces.

#[test]
fn a_jack_takes_two_aces() {
    takes("AH AC 2C 3C", "JS AH AC");
}

#[test]
fn an_ace_on_the_table_is_1_or_11() {
    takes("AH 5C 2C 9C", "6S AH 5C");
    takes("AH 3C 2D 9C", "KS AH 3C");
    takes("AH AD 2C 9C", "2S AH AD");
    takes("AH AD 2C 9C", "KS AH AD 2C");
    cannot_take("AH AD 2C 9C", "KS AH AD");
}

#[test]
fn aces_may_count_differently_from_group_to_group() {
    takes("AH 3C AD QC", "KS AH 3C AD QC");
    takes("AH 2C AD JC", "QS AH 2C AD JC");
}

#[test]
fn an_ace_takes_an_ace() {
    takes("AH 2C 3C 4C", "AS AH");
}

#[test]
fn an_ace_takes_a_ten_and_an_ace_as_11() {
    takes("AH 10C 3C 4C", "AS AH 10C");
}

#[test]
fn an_ace_takes_a_nine_and_two_aces() {
    takes("AH AD 9S 4C", "AC AH AD 9S");
}

#[test]
fn an_ace_takes_an_eight_and_three_aces() {
    takes("AH AD AC 8H", "AS AH AD AC 8H");
}

#[test]
fn an_ace_may_be_1_for_one_group_and_11_for_another() {
    takes("AH AD 10C 4C", "AS AH AD 10C");
    takes("AH 5C 6C 4C", "AS AH 5C 6C");
    takes("AH AD AC 9C", "AS AH AD AC 9C");
}

#[test]
fn an_ace_does_not_take_what_sums_to_another_value() {
    cannot_take("AH 9C 2C 4C", "AS AH 9C");
    cannot_take("QC JC KC 2C", "AS JC");
}

// Groups.

#[test]
fn a_seven_takes_two_groups_of_seven() {
    takes("3H 3S 4D 4C", "7S 3H 3S 4D 4C");
}

#[test]
fn groups_are_disjoint() {
    cannot_take("3H 4D 4C KC", "7S 3H 4D 4C");
}

#[test]
fn the_split_may_need_groups_of_different_sizes() {
    takes("10C 2C 3C 5C", "10S 10C 2C 3C 5C");
    takes("9C 5C 8C 6C", "KS 9C 5C 8C 6C");
}

#[test]
fn a_card_need_not_be_taken_when_it_could_be() {
    takes("3H 3S 4D 4C", "7S 3H 4C");
}

// Laying down.

#[test]
fn laying_down_is_always_legal_also_when_a_capture_is_possible() {
    let mut game = position("7C 7D 7H KC", "7S");
    assert_eq!(game.check(&mv("7S 7C")), Ok(()));
    assert_eq!(game.check(&mv("7S")), Ok(()));
    game.play(&mv("7S"), &mut Vec::new()).unwrap();
    assert_eq!(game.table(), set("7C 7D 7H 7S KC"));
    assert!(game.pile(seat(0)).is_empty());
    assert_eq!(game.last_capture(), None);
}

#[test]
fn the_house_lays_the_first_card_down() {
    assert_eq!(position("7C 7D 7H KC", "2H 3H 4H 5H 6H 7S").fallback(), Some(mv("2H")));
}

// Illegal moves name the rule.

#[test]
fn an_illegal_move_names_the_rule_it_breaks() {
    let game = position("3H 4D 4C KC", "7S 2C 2D 2H 2S 3C");
    let refused = [
        ("8S", "8S is not in the hand"),
        ("KC", "KC is not in the hand"),
        ("7S 5H", "not on the table: 5H"),
        ("7S 3H 5H 6H", "not on the table: 5H 6H"),
        ("7S 7S", "not on the table: 7S"),
        ("7S 3H", "7S cannot capture 3H: no split into groups that each sum to 7"),
        ("7S 3H 4C 4D", "7S cannot capture 3H 4C 4D: no split into groups that each sum to 7"),
    ];
    for (text, why) in refused {
        let mut game = game.clone();
        let mut events = Vec::new();
        let illegal = game.play(&mv(text), &mut events).unwrap_err();
        assert_eq!(illegal.to_string(), why);
        assert!(events.is_empty(), "{text} is told");
    }
    assert_eq!(game.check(&mv("8S 5H")), Err(IllegalMove::NotInHand("8S".parse().unwrap())));
    assert_eq!(game.check(&mv("7S 3H 5H")), Err(IllegalMove::NotOnTable(set("5H"))));
    let ace = position("3H 4D 4C KC", "AS").check(&mv("AS 3H")).unwrap_err();
    assert!(ace.to_string().ends_with("sum to 1 or 11"), "{ace}");
}

#[test]
fn no_seat_moves_out_of_turn() {
    let game = new_game(2);
    assert_eq!(game.check(&mv("7S")), Err(IllegalMove::NoTurn));
    assert_eq!(game.fallback(), None);
    let mut listed = Vec::new();
    assert_eq!(game.legal_moves(&mut listed), ListCompleteness::Complete);
    assert!(listed.is_empty());
    let (game, _) = play_out(2, &sorted_pack(), lay_down);
    assert_eq!(game.check(&mv("7S")), Err(IllegalMove::NoTurn));
}

// The deal.

#[test]
fn hands_are_six_cards_or_equal_shares_of_what_is_left() {
    let sizes: [(usize, &[usize]); 9] = [
        (2, &[6, 6, 6, 6]),
        (3, &[6, 6, 4]),
        (4, &[6, 6]),
        (6, &[6, 2]),
        (8, &[6]),
        (12, &[4]),
        (16, &[3]),
        (24, &[2]),
        (48, &[1]),
    ];
    assert_eq!(sizes.map(|(seats, _)| seats), SeatCount::ALL.map(SeatCount::get));
    for (seats, sizes) in sizes {
        let mut game = new_game(seats);
        let mut nature = Seed([1; 32]).nature(0);
        let mut dealt = Vec::new();
        loop {
            match game.turn() {
                Turn::Nature => {
                    let deal = game.sample(&mut nature).unwrap();
                    game.happen(&deal, &mut Vec::new()).unwrap();
                    dealt.push((deal.to, deal.cards.len()));
                }
                Turn::Seat(_) => {
                    game.play(&game.fallback().unwrap(), &mut Vec::new()).unwrap();
                }
                Turn::Over(_) => break,
            }
        }
        let round = |size: &usize| {
            let size = *size;
            Seat::first(seats).map(move |seat| (DealDestination::Hand(seat), size))
        };
        let expected: Vec<(DealDestination, usize)> =
            [(DealDestination::Table, 4)].into_iter().chain(sizes.iter().flat_map(round)).collect();
        assert_eq!(dealt, expected, "{seats} seats");
    }
}

#[test]
fn other_numbers_of_seats_are_refused() {
    for seats in (0..=100).filter(|seats| *seats < 2 || 48 % seats != 0) {
        let error = format!("seats={seats}").parse::<Options>().unwrap_err().to_string();
        let expected = "expected 2, 3, 4, 6, 8, 12, 16, 24 or 48 seats for tablic, found";
        assert_eq!(error, format!("{expected} `{seats}`"));
        assert_eq!(SeatCount::new(seats), None);
    }
    for text in ["seats=", "seats=two", "seats=-2", "seats", "2", "deck=36", "seats=2 deck=52"] {
        assert!(text.parse::<Options>().is_err(), "{text}");
    }
    assert_eq!("".parse(), Ok::<_, NotText>(Options::default()));
    assert_eq!(Options::default().to_string(), "seats=2");
}

#[test]
fn the_next_deal_comes_when_all_hands_are_empty_with_no_cards_to_the_table() {
    let mut game = new_game(3);
    let mut deals = properties::deals(3, &sorted_pack()).into_iter();
    for deal in deals.by_ref().take(4) {
        game.happen(&deal, &mut Vec::new()).unwrap();
    }
    for turn in 0..18 {
        assert_eq!(game.turn(), Turn::Seat(seat(turn % 3)), "turn {turn}");
        game.play(&game.fallback().unwrap(), &mut Vec::new()).unwrap();
    }
    assert_eq!(game.turn(), Turn::Nature);
    assert_eq!(game.table().len(), 22);
    for deal in deals.take(3) {
        game.happen(&deal, &mut Vec::new()).unwrap();
    }
    assert_eq!(game.table().len(), 22);
    assert_eq!(game.turn(), Turn::Seat(seat(0)), "the same seat leads");
}

#[test]
fn nature_cannot_deal_otherwise() {
    let mut game = new_game(2);
    let impossible = [
        "deal 0 2C 2D 2H 2S 3C 3D",
        "deal table 2C 2D 2H",
        "deal table 2C 2D 2H 2S 3C",
        "deal table ",
    ];
    for deal in impossible {
        assert!(game.happen(&deal.parse().unwrap(), &mut Vec::new()).is_err(), "{deal}");
    }
    game.happen(&"deal table 2C 2D 2H 2S".parse().unwrap(), &mut Vec::new()).unwrap();
    let impossible =
        ["deal 1 3C 3D 3H 3S 4C 4D", "deal 0 3C 3D 3H 3S 4C", "deal 0 2C 3D 3H 3S 4C 4D"];
    for deal in impossible {
        let before = game.clone();
        assert!(game.happen(&deal.parse().unwrap(), &mut Vec::new()).is_err(), "{deal}");
        assert_eq!(game, before);
    }
    let mut game = position("2C 2D 2H 2S", "3C");
    assert!(game.happen(&"deal 0 KC".parse().unwrap(), &mut Vec::new()).is_err());
}

#[test]
fn a_seat_sees_its_own_hand_the_table_and_every_move() {
    let (_, events) = play_out(2, &deck_of_pairs(), take_one_alike);
    for event in events {
        let seen = seen_by(&event, seat(0)).unwrap();
        match event {
            Event::Deal { to: DealDestination::Hand(to), cards } if to == seat(1) => {
                assert_eq!(
                    seen,
                    Event::Deal { to: DealDestination::Hand(to), cards: cards.face_down() }
                );
            }
            _ => assert_eq!(seen, event),
        }
    }
}

// Points.

#[test]
fn the_pack_is_worth_22_points() {
    assert_eq!(points(CardSet::PACK), 22);
}

#[test]
fn ten_to_ace_are_a_point_each_the_ten_of_diamonds_two_and_the_two_of_clubs_one() {
    for card in CardSet::PACK {
        let worth = match (card.rank(), card.suit()) {
            (Rank::Ten, Suit::Diamonds) => 2,
            (Rank::Ten | Rank::Jack | Rank::Queen | Rank::King | Rank::Ace, _)
            | (Rank::Two, Suit::Clubs) => 1,
            _ => 0,
        };
        assert_eq!(points(CardSet::single(card)), worth, "{card}");
    }
}

#[test]
fn strictly_the_most_cards_are_worth_three_points() {
    let (game, events) = play_out(48, &sorted_pack(), |seat, card, table| match seat.index() {
        1 => take_one_alike(seat, card, table),
        _ => CardSet::EMPTY,
    });
    assert_eq!(scores(&game)[1], Score::points(22 + 3));
    assert!(events.contains(&"score 1 25 cards 52 tablas 0 most".parse().unwrap()));
}

#[test]
fn a_tie_for_the_most_cards_gives_no_points() {
    let (game, events) = play_out(48, &deck_of_pairs(), take_one_alike);
    let tallies = tallies(&events);
    assert_eq!(tallies.iter().filter(|tally| tally.cards == 2).count(), 26);
    assert!(tallies.iter().all(|tally| !tally.most));
    let tablas: u32 = tallies.iter().map(|tally| tally.tablas).sum();
    assert_eq!(scores(&game).into_iter().sum::<Score>(), Score::points(22 + tablas as i32));
}

// Tabla and the end.

#[test]
fn a_capture_that_leaves_the_table_empty_is_a_tabla() {
    let mut game = position("3H 3S 4D 4C", "7S");
    let mut events = Vec::new();
    game.play(&mv("7S 3H 3S 4D 4C"), &mut events).unwrap();
    assert_eq!(events[1..], [Event::Tabla(seat(0))]);
    assert_eq!(game.tablas(seat(0)), 1);
    let mut game = position("3H 3S 4D 4C", "7S");
    game.play(&mv("7S 3H 4C"), &mut Vec::new()).unwrap();
    assert_eq!(game.tablas(seat(0)), 0);
}

#[test]
fn laying_a_card_on_the_empty_table_is_no_tabla() {
    let mut game = position("3H 3S 4D 4C", "7S");
    game.play(&mv("7S 3H 3S 4D 4C"), &mut Vec::new()).unwrap();
    game.play(&game.fallback().unwrap(), &mut Vec::new()).unwrap();
    assert_eq!(game.tablas(seat(1)), 0);
    assert_eq!(game.table().len(), 1);
}

#[test]
fn the_rest_of_the_table_goes_to_the_last_to_capture_and_is_no_tabla() {
    let (game, events) = play_out(48, &sorted_pack(), |seat, card, table| match seat.index() {
        1 | 5 => take_one_alike(seat, card, table),
        _ => CardSet::EMPTY,
    });
    let rest = CardSet::PACK - game.pile(seat(1)) - game.pile(seat(5));
    assert!(events.contains(&Event::Rest { to: Some(seat(5)), cards: rest }));
    let tallies = tallies(&events);
    assert_eq!((tallies[1].cards, tallies[1].tablas), (2, 0));
    assert_eq!((tallies[5].cards, tallies[5].tablas, tallies[5].most), (50, 0, true));
}

#[test]
fn all_score_0_if_no_seat_ever_captured() {
    for seats in SeatCount::ALL.map(SeatCount::get) {
        let (game, events) = play_out(seats, &sorted_pack(), lay_down);
        assert!(events.contains(&Event::Rest { to: None, cards: CardSet::PACK }));
        assert_eq!(scores(&game), vec![Score::ZERO; seats]);
        let nothing = Tally { points: 0, cards: 0, tablas: 0, most: false };
        assert_eq!(tallies(&events), vec![nothing; seats]);
    }
}

#[test]
fn a_capture_with_the_very_last_card_that_empties_the_table_is_a_tabla() {
    let (game, events) = play_out(48, &deck_of_pairs(), take_one_alike);
    assert_eq!(game.tablas(seat(47)), 1);
    let last_move = events.iter().rposition(|event| matches!(event, Event::Move { .. })).unwrap();
    assert_eq!(events[last_move + 1], Event::Tabla(seat(47)));
    assert!(!events.iter().any(|event| matches!(event, Event::Rest { .. })));
}

// Forfeit.

#[test]
fn the_last_seat_left_has_25_points_and_its_own_tablas() {
    let mut game = position("3H 3S 4D 4C", "7S");
    assert_eq!(game.walkover(seat(0)), Score::points(25));
    game.play(&mv("7S 3H 3S 4D 4C"), &mut Vec::new()).unwrap();
    assert_eq!(game.walkover(seat(0)), Score::points(26));
    assert_eq!(game.walkover(seat(1)), Score::points(25));
}
