//! The greedy player of Tablić: its order, its search, and the suit it plays.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use bots::tablic::best_move;
use bots::tablic::capture::{
    Captures, ascending, best_from_many, best_including, from_order, in_order,
};
use bots::tablic::classes::hide_suit;
use bots::tablic::greedy::MoveWorth;
use proptest::prelude::*;
use rules::tablic::{Move, captures};
use rules::{BotSeed, Card, CardSet, Rank, Suit};

fn set(text: &str) -> CardSet {
    text.parse().expect("a set of cards")
}

/// Every legal move.
fn moves(hand: CardSet, table: CardSet) -> Vec<Move> {
    let with = |card: Card| {
        let (sets, _) = captures(card.rank(), table, usize::MAX);
        sets.into_iter().map(move |captured| Move { card, captured })
    };
    hand.iter().flat_map(with).collect()
}

/// The seven numbers that moves are compared by, written down from the rules of the player alone.
fn tuple(mv: Move, table: CardSet) -> [i32; 7] {
    let captured: Vec<Card> = mv.captured.iter().collect();
    let captures = !captured.is_empty();
    let gained: Vec<Card> = captured.iter().copied().chain([mv.card]).collect();
    let value = |card: &Card| match card.to_string().as_str() {
        "10D" => 2,
        "2C" => 1,
        name if name.starts_with(['1', 'J', 'Q', 'K', 'A']) => 1,
        _ => 0,
    };
    let special = |name: &str| {
        let is = |card: &Card| card.to_string() == name;
        match (captures, is(&mv.card)) {
            (false, true) => -1,
            (true, _) if gained.iter().any(is) => 1,
            _ => 0,
        }
    };
    let aces = gained.iter().filter(|card| card.rank() == Rank::Ace).count() as i32;
    let points: i32 = gained.iter().map(value).sum();
    let sign = if captures { 1 } else { -1 };
    [
        (captures && (table - mv.captured).is_empty()).into(),
        sign * points,
        captured.len() as i32,
        special("10D"),
        special("2C"),
        sign * aces,
        14 - number(mv.card),
    ]
}

fn number(card: Card) -> i32 {
    match card.rank() {
        Rank::Ace => 1,
        Rank::Jack => 12,
        Rank::Queen => 13,
        Rank::King => 14,
        rank => rank as i32 + 2,
    }
}

/// The place of a card among all: by number, then hearts, spades, diamonds, clubs.
fn height(card: &Card) -> (i32, usize) {
    let suits = [Suit::Hearts, Suit::Spades, Suit::Diamonds, Suit::Clubs];
    (number(*card), suits.iter().position(|suit| *suit == card.suit()).expect("a suit"))
}

fn compare(a: Move, b: Move, table: CardSet) -> Ordering {
    let sorted = |mv: Move| {
        let mut heights: Vec<_> = mv.captured.iter().map(|card| height(&card)).collect();
        heights.sort_by(|a, b| b.cmp(a));
        heights
    };
    tuple(a, table)
        .cmp(&tuple(b, table))
        .then(height(&a.card).cmp(&height(&b.card)))
        .then_with(|| sorted(a).cmp(&sorted(b)))
}

/// A hand of 1 to 6 cards and a table.
fn position(most: usize) -> impl Strategy<Value = (CardSet, CardSet)> {
    let order = Just((0..52).collect::<Vec<usize>>()).prop_shuffle();
    (order, 1..=6_usize, 0..=most).prop_map(|(order, hand, table)| {
        let mut cards = order.into_iter().filter_map(|place| CardSet::PACK.nth(place));
        (cards.by_ref().take(hand).collect(), cards.take(table).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn plays_the_greatest_of_all_legal_moves((hand, table) in position(12)) {
        let greatest = moves(hand, table).into_iter().max_by(|a, b| compare(*a, *b, table));
        prop_assert_eq!(best_move(hand, table), greatest);
    }

    #[test]
    fn worth_orders_moves_as_the_rules_of_the_player_do((hand, table) in position(9)) {
        let moves = moves(hand, table);
        for pair in moves.windows(2) {
            let by_worth = MoveWorth::new(pair[0], table).cmp(&MoveWorth::new(pair[1], table));
            prop_assert_eq!(by_worth, compare(pair[0], pair[1], table));
            prop_assert_ne!(by_worth, Ordering::Equal);
        }
    }

    #[test]
    fn both_searches_find_the_same_capture((hand, table) in position(8)) {
        for card in hand {
            let few = Captures::find(table).best(card.rank());
            prop_assert_eq!(best_from_many(card.rank(), table).captured, few);
        }
    }

    #[test]
    fn the_best_capture_with_chosen_cards_is_the_greatest_of_all_that_hold_them(
        (hand, table) in position(10),
        bits in any::<u64>(),
    ) {
        for card in hand {
            // Half of the choices are made of few cards: of many, no capture holds them all.
            let few = bits & bits.rotate_left(13) & bits.rotate_left(29);
            for chosen in [bits, few].map(|bits| CardSet::from_bits(bits & table.bits())) {
                let (sets, _) = captures(card.rank(), table, usize::MAX);
                let with = sets.into_iter().filter(|captured| captured.contains_all(chosen));
                let moves = with.map(|captured| Move { card, captured });
                let greatest = moves.max_by(|a, b| compare(*a, *b, table));
                let found = best_including(card.rank(), table, chosen);
                prop_assert_eq!(found, greatest.map(|mv| mv.captured), "{} of {}", chosen, table);
            }
        }
    }

    #[test]
    fn captures_from_tables_of_any_size_are_legal((_, table) in position(46)) {
        for played in Rank::ALL {
            let captured = best_from_many(played, table).captured;
            prop_assert!(table.contains_all(captured));
            prop_assert!(rules::tablic::capture::may_capture(played, captured));
        }
    }

    #[test]
    fn the_order_of_cards_reads_back((hand, table) in position(46)) {
        prop_assert_eq!(from_order(in_order(table)), table);
        let places: Vec<_> = ascending(hand).map(|card| height(&card)).collect();
        prop_assert!(places.is_sorted() && places.len() == hand.len());
    }
}

#[track_caller]
fn plays(hand: &str, table: &str, expected: &str) {
    let best = best_move(set(hand), set(table)).map(|mv| mv.to_string());
    assert_eq!(best.as_deref(), Some(expected), "{hand} on {table}");
}

#[test]
fn a_tabla_goes_before_points() {
    plays("6S 10H", "6C", "6S 6C");
    plays("3S KH", "3C", "3S 3C");
    // The king gains four points, but leaves the 3.
    plays("KH 5S", "2D 3H", "5S 2D 3H");
    plays("8S JC", "8D", "8S 8D");
}

#[test]
fn points_go_before_the_number_of_cards() {
    // The 9 would take four cards, all without points.
    plays("9S QC", "2D 3D 6H 7H QD KC", "QC 6H 7H QD");
}

#[test]
fn points_laid_down_count_against_a_move() {
    plays("10D KS 9H", "2D", "9H");
    plays("10D KS", "2D", "KS");
}

#[test]
fn the_number_of_cards_goes_before_the_ten_of_diamonds() {
    // Three points either way; 10D 4H are two cards.
    plays("KC", "4H 8S 10D AD AH", "KC 4H 8S AD AH");
}

#[test]
fn the_ten_of_diamonds_goes_before_the_two_of_clubs() {
    // Three points and two cards either way; the king would take 2C JH.
    plays("QS KS", "2C 3H 10D JH", "QS 3H 10D");
}

#[test]
fn the_two_of_clubs_goes_before_aces() {
    // Three points and two cards either way; the ace would take 10S AH.
    plays("KS AS", "2C 10S JH AH", "KS 2C JH");
    plays("2C AS", "KC", "AS");
}

#[test]
fn aces_go_before_the_lower_card() {
    plays("KS AS", "9H", "KS");
    plays("2C 10H AS", "KC", "10H");
}

#[test]
fn a_lower_card_goes_before_a_higher_one() {
    plays("9S 8S 7S", "KC", "7S");
    plays("9S 3S 7S", "KC", "3S");
}

#[test]
fn clubs_go_before_diamonds_spades_and_hearts() {
    let hands = [("9H 9S", "9S"), ("9S 9D", "9D"), ("9D 9C", "9C"), ("9H 9S 9D 9C", "9C")];
    for (hand, expected) in hands {
        plays(hand, "KC", expected);
    }
}

#[test]
fn the_highest_captured_cards_decide_last() {
    // Two cards each: 7 and 2, 6 and 3, 5 and 4.
    plays("9S", "7H 2D 6H KC", "9S 2D 7H");
    plays("9S", "6H 3D 5H 4D KC 3S", "9S 3D 4D 5H 6H");
    // The same ranks: the suit of the highest, then of the next.
    plays("9S", "7H 7S 2D KC", "9S 2D 7S");
    plays("9S", "7H 2D 2S 2H KC", "9S 2D 7H");
}

#[test]
fn the_ten_of_diamonds_and_the_two_of_clubs_are_taken_first_of_their_rank() {
    plays("QS", "10D 10C 3H KC", "QS 3H 10D");
    plays("9S", "2C 2D 7S KC", "9S 2C 7S");
}

#[test]
fn aces_count_as_suits_the_capture() {
    plays("JS", "AH AC", "JS AC AH");
    plays("AS", "AH 10C 2D", "AS 10C AH");
}

#[test]
fn an_empty_hand_has_no_move() {
    assert_eq!(best_move(CardSet::EMPTY, set("3C")), None);
}

#[test]
fn the_suit_is_drawn_uniformly_from_equivalent_cards() {
    let hand = set("9C 9D 9H 9S KC");
    let best = best_move(hand, set("9C")).expect("a move");
    let mut drawn = BTreeMap::new();
    for seed in 0..4000_u64 {
        let mut nature = BotSeed(seed.to_be_bytes()).nature();
        let mv = hide_suit(best, hand, &mut nature);
        assert_eq!(mv.captured, best.captured);
        *drawn.entry(mv.card).or_insert(0_u32) += 1;
    }
    let nines = hand - set("KC");
    assert_eq!(drawn.keys().copied().collect::<CardSet>(), nines);
    // Chi-squared with three degrees of freedom: above 16.3 once in a thousand.
    let square = |count: &u32| (f64::from(*count) - 1000.0).powi(2) / 1000.0;
    let deviation: f64 = drawn.values().map(square).sum();
    assert!(deviation < 16.3, "{drawn:?}");
}

#[test]
fn the_two_special_cards_are_equivalent_to_themselves_alone() {
    let hand = set("2C 2D 2H 10C 10D 10H");
    for seed in 0..200_u64 {
        let drawn = |card: &str| {
            let mv = Move::lay_down(card.parse().expect("a card"));
            let mut nature = BotSeed(seed.to_be_bytes()).nature();
            CardSet::single(hide_suit(mv, hand, &mut nature).card)
        };
        assert_eq!(drawn("2C"), set("2C"));
        assert_eq!(drawn("10D"), set("10D"));
        assert!(set("2D 2H").contains_all(drawn("2D")));
        assert!(set("10C 10H").contains_all(drawn("10H")));
    }
}

/// Above the most steps that any table was found to take: about 74,000, some 1.3 milliseconds.
const MOST_STEPS: u64 = 150_000;

#[track_caller]
fn stays_within_bounds(table: CardSet) {
    for played in Rank::ALL {
        let steps = best_from_many(played, table).steps;
        assert!(steps < MOST_STEPS, "{steps} steps with {} on {table}", played.name());
    }
}

#[test]
fn tables_of_51_cards() {
    stays_within_bounds(CardSet::PACK);
    for card in CardSet::PACK {
        stays_within_bounds(CardSet::PACK - CardSet::single(card));
    }
}

#[test]
fn the_hardest_tables_found_by_hill_climbing() {
    let tables = [
        "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 8H 8S 9D \
         9H 10S QC QD QH KC KD KH KS AC AD AH AS",
        "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 8C 8S JC JD JH JS \
         QD QH KC KD KH KS AC AD AH AS",
        "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6H 6S 7D 7H 7S 8H 8S 9C 9S JD JS QC \
         QD QH QS KC KD KH KS AC AD AH AS",
    ];
    tables.iter().for_each(|table| stays_within_bounds(table.parse().unwrap()));
}

#[test]
fn many_tables_at_random() {
    let mut nature = BotSeed([5; 8]).nature();
    for count in 13..=51 {
        for _ in 0..6 {
            stays_within_bounds(nature.draw_many(&mut CardSet::PACK.clone(), count));
        }
    }
}
