//! Durak in random games of every pack, number of seats and option.

use proptest::prelude::*;
use rules::conformance::conform;
use rules::durak::{
    Chance, Deck, Durak, Event, FirstLimit, HAND, Move, Options, Pairs, Phase, Throwers, Transfer,
    View,
};
use rules::{Card, CardSet, DealtCards, Game, Score, Seat, Turn};

use crate::durak::scene::{Scene, any, nature};

/// Every way to set the game up with this pack.
fn all_options(deck: Deck) -> Vec<Options> {
    let mut all = Vec::new();
    for options in (2..=6).filter_map(|seats| Options::new(seats, deck)) {
        for transfer in [Transfer::Off, Transfer::On] {
            for first_limit in [FirstLimit::Five, FirstLimit::Six] {
                for throwers in [Throwers::All, Throwers::Neighbours] {
                    let mut options = options;
                    options.transfer = transfer;
                    options.first_limit = first_limit;
                    options.throwers = throwers;
                    all.push(options);
                }
            }
        }
    }
    all
}

fn check_state(game: &Durak) {
    let deck = game.options().deck().cards();
    let hands = Seat::first(game.seats()).map(|seat| game.hand(seat));
    let table = game.bout().map_or(CardSet::EMPTY, |bout| bout.table().cards());
    let places: Vec<CardSet> = hands.chain([game.talon(), game.discards(), table]).collect();
    let all = places.iter().fold(CardSet::EMPTY, |all, place| all | *place);
    let count: usize = places.iter().map(|place| place.len()).sum();
    assert_eq!((all, count), (deck, deck.len()), "every card is in one place: {game:?}");
    for seat in Seat::first(game.seats()) {
        assert!(game.hand(seat).contains_all(game.seen_cards(seat)), "{game:?}");
    }
    let Some(bout) = game.bout() else { return };
    let (attacker, defender) = (bout.attacker(), bout.defender());
    assert!(attacker != defender && game.players().contains(&attacker), "{game:?}");
    assert!(game.players().contains(&defender), "{game:?}");
    assert!(bout.table().attacks().len() <= 6 && game.talon().len() <= deck.len(), "{game:?}");
    let next = (1..game.seats()).map(|step| (attacker.index() + step) % game.seats());
    let next = next.filter_map(Seat::new).find(|seat| game.players().contains(seat));
    assert_eq!(next, Some(defender), "the defender sits next: {game:?}");
    match bout.phase() {
        Phase::Lead => assert!(bout.table().is_empty() && bout.attacks_left() > 0, "{game:?}"),
        Phase::Defend => assert!(bout.table().unbeaten().is_some(), "{game:?}"),
        Phase::Throw(seat) => {
            assert!(bout.table().unbeaten().is_none() && bout.attacks_left() > 0, "{game:?}");
            assert!(seat != defender && !game.hand(defender).is_empty(), "{game:?}");
        }
        Phase::Load(seat) => {
            assert!(bout.table().unbeaten().is_some() && bout.attacks_left() > 0, "{game:?}");
            assert!(seat != defender, "{game:?}");
        }
    }
}

fn check_end(scene: &Scene) {
    let seats = scene.game.seats();
    let Turn::Over(scores) = scene.game.turn() else { panic!("not over: {:?}", scene.game) };
    let total: Score = scores.values().iter().copied().sum();
    assert_eq!(total, Score::points(seats as i32 - 1), "{:?}", scene.game);
    let last = scene.events.last().unwrap();
    let durak = Seat::first(seats).find(|seat| scores[*seat] == Score::ZERO);
    assert_eq!(*last, Event::Durak(durak));
    let view = scene.game.view(durak.unwrap_or(Seat::first(1).next().unwrap()));
    assert_eq!(view.hands.values().iter().filter(|held| **held > 0).count() == 1, durak.is_some());
}

/// Plays 200 games at random with each of these options.
fn random_games_end(deck: Deck) {
    for options in all_options(deck) {
        for seed in 0..200 {
            let text = options.to_string();
            let mut listed = 0;
            let choose = |game: &Durak, moves: &[Move], nature: &mut rules::Nature| {
                check_state(game);
                listed = listed.max(moves.len());
                any(game, moves, nature)
            };
            let scene = Scene::new(&text).play_until(&mut nature(seed), choose, |_| false);
            check_end(&scene);
            assert!(listed <= 3 * 52 + 1, "{listed} moves");
        }
    }
}

#[test]
fn random_games_with_24_cards_end_and_add_up() {
    random_games_end(Deck::Nines);
}

#[test]
fn random_games_with_32_cards_end_and_add_up() {
    random_games_end(Deck::Sevens);
}

#[test]
fn random_games_with_36_cards_end_and_add_up() {
    random_games_end(Deck::Sixes);
}

#[test]
fn random_games_with_52_cards_end_and_add_up() {
    random_games_end(Deck::Twos);
}

/// Runs the conformance suite, with its tests for leaks, on some games of each of the options.
fn conforms(deck: Deck, games: u64) {
    for options in all_options(deck) {
        for seed in 0..games {
            let played = conform::<Durak>(&options, seed);
            let played = played.unwrap_or_else(|breach| panic!("{options}: {breach}"));
            check_end(&Scene { game: played.game, events: played.events });
        }
    }
}

#[test]
fn durak_conforms_with_24_cards() {
    conforms(Deck::Nines, 2);
}

#[test]
fn durak_conforms_with_32_cards() {
    conforms(Deck::Sevens, 1);
}

#[test]
fn durak_conforms_with_36_cards() {
    conforms(Deck::Sixes, 1);
}

#[test]
fn durak_conforms_with_52_cards() {
    conforms(Deck::Twos, 1);
}

#[test]
#[ignore = "takes many minutes: cargo test --release -p rules durak::properties -- --ignored"]
fn durak_conforms_in_200_games_of_each_kind() {
    Deck::ALL.into_iter().for_each(|deck| conforms(deck, 200));
}

// Texts.

fn card() -> impl Strategy<Value = Card> {
    (0..52_usize).prop_map(|place| CardSet::PACK.nth(place).unwrap())
}

fn cards(least: usize) -> impl Strategy<Value = CardSet> {
    let pack: Vec<Card> = CardSet::PACK.iter().collect();
    proptest::sample::subsequence(pack, least..=20).prop_map(|cards| cards.into_iter().collect())
}

fn seat() -> impl Strategy<Value = Seat> {
    (0..48_usize).prop_map(|number| Seat::new(number).unwrap())
}

fn mv() -> impl Strategy<Value = Move> {
    prop_oneof![
        card().prop_map(Move::Lead),
        card().prop_map(Move::Beat),
        card().prop_map(Move::Transfer),
        Just(Move::Take),
        card().prop_map(Move::Throw),
        Just(Move::Done),
    ]
}

fn dealt() -> impl Strategy<Value = DealtCards> {
    prop_oneof![cards(1).prop_map(DealtCards::Seen), (1..=52_u8).prop_map(DealtCards::Unseen)]
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        (seat(), dealt()).prop_map(|(to, cards)| Event::Deal { to, cards }),
        card().prop_map(Event::Trump),
        (seat(), proptest::option::of(card())).prop_map(|(seat, card)| Event::First { seat, card }),
        (seat(), mv()).prop_map(|(seat, mv)| Event::Move { seat, mv }),
        cards(1).prop_map(Event::Discard),
        (seat(), cards(1)).prop_map(|(seat, cards)| Event::PickUp { seat, cards }),
        (seat(), dealt()).prop_map(|(to, cards)| Event::Draw { to, cards }),
        (seat(), card()).prop_map(|(to, card)| Event::Last { to, card }),
        seat().prop_map(Event::Gone),
        proptest::option::of(seat()).prop_map(Event::Durak),
    ]
}

fn options() -> impl Strategy<Value = Options> {
    let all: Vec<Options> = Deck::ALL.into_iter().flat_map(all_options).collect();
    proptest::sample::select(all)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn moves_read_back_in_any_case(mv in mv()) {
        prop_assert_eq!(mv.to_string().parse(), Ok(mv));
        prop_assert_eq!(mv.to_string().to_uppercase().parse(), Ok(mv));
        prop_assert_eq!(format!("  {mv} ").replace(' ', "  ").parse(), Ok(mv));
    }

    #[test]
    fn events_read_back(event in event()) {
        prop_assert_eq!(event.to_string().parse(), Ok(event));
    }

    #[test]
    fn chances_read_back(to in seat(), cards in cards(1), card in card()) {
        let chances = [Chance::Deal { to, cards }, Chance::Trump(card), Chance::Draw { to, cards }];
        for chance in chances {
            prop_assert_eq!(chance.to_string().parse(), Ok(chance));
        }
    }

    #[test]
    fn options_read_back_in_any_order(options in options(), turn in 0..5_usize) {
        let text = options.to_string();
        prop_assert_eq!(text.parse(), Ok(options));
        let mut words: Vec<&str> = text.split(' ').collect();
        words.rotate_left(turn);
        prop_assert_eq!(words.join("  ").parse(), Ok(options));
    }

    #[test]
    fn texts_of_strangers_are_read_or_refused(text in "[ -~\n]{0,80}") {
        let _ = text.parse::<Move>();
        let _ = text.parse::<Event>();
        let _ = text.parse::<Chance>();
        let _ = text.parse::<Options>();
        let _ = text.parse::<Pairs>();
        let _ = text.parse::<View>();
    }

    /// A history of random events is of no game, or of one, but never a panic.
    #[test]
    fn worlds_are_drawn_from_any_history(
        options in options(),
        seat in seat(),
        history in proptest::collection::vec(event(), 0..30),
        seed: u64,
    ) {
        use rules::Resample;
        let view = Durak::new(&options).view(Seat::first(1).next().unwrap());
        let _ = Durak::resample(&options, seat, &view, &history, &mut nature(seed));
    }
}

#[test]
fn texts_that_are_none_say_what_was_expected() {
    let refusal = |text: &str| text.parse::<Options>().unwrap_err().to_string();
    for (text, expected) in [
        ("seats=7", "expected 2 to 6 seats for durak, found `7`"),
        ("seats=1", "expected 2 to 6 seats for durak, found `1`"),
        ("seats=5 deck=24", "expected at most 4 seats with a deck of 24 for durak, found `5`"),
        ("deck=32 seats=6", "expected at most 5 seats with a deck of 32 for durak, found `6`"),
        ("deck=48", "expected 24, 32, 36 or 52 as the deck of durak, found `48`"),
        ("transfer=yes", "expected `on` or `off` as the transfer of durak, found `yes`"),
        ("first-limit=4", "expected 5 or 6 as the first-limit of durak, found `4`"),
        ("throwers=one", "expected `all` or `neighbours` as the throwers of durak, found `one`"),
        (
            "cards=36",
            "expected `seats=`, `deck=`, `transfer=`, `first-limit=` or `throwers=` as the options \
             of durak, found `cards=36`",
        ),
    ] {
        assert_eq!(refusal(text), expected);
    }
    let refusal = |text: &str| text.parse::<Move>().unwrap_err().to_string();
    assert_eq!(refusal("lead"), "expected `lead CARD`, found `lead`");
    assert_eq!(refusal("beat 7C 8C"), "expected `beat CARD`, found `beat 7C 8C`");
    assert_eq!(refusal("take 7C"), "expected a move of durak, found `take 7C`");
    assert_eq!(refusal("throw 1C"), "expected a card, found `1C`");
    assert_eq!(HAND, 6);
}
