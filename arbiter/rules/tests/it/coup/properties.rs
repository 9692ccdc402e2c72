//! Coup in random games: what is forced, what is a call, what a seat infers; and texts read back.

use std::fmt::Debug;

use proptest::prelude::*;
use rules::coup::classic::file;
use rules::coup::{
    Action, Chance, Character, Counts, Coup, Event, Hand, Move, Obligation, Options, SeenHand,
    View, possible_hands,
};
use rules::{BotSeed, Game, Nature, Resample, Text, Turn, seen_by};

use crate::coup::scene::{Scene, seat};

fn nature(seed: u64) -> Nature {
    BotSeed(seed.to_be_bytes()).nature()
}

/// Plays a game at random and looks at each state where a seat is to move.
fn play(seed: u64, mut look: impl FnMut(&Scene)) -> Scene {
    let mut nature = nature(seed);
    let game = Coup::new(&Options::default());
    let mut scene = Scene { game, events: Vec::new() };
    loop {
        scene.draw(&mut nature);
        if scene.scores().is_some() {
            return scene;
        }
        look(&scene);
        let mv = *nature.choose(&scene.legal_moves()).unwrap();
        scene.play(mv);
    }
}

#[test]
fn a_forced_move_is_the_only_legal_one_and_every_only_one_is_forced() {
    let mut forced = 0;
    for seed in 0..300 {
        play(seed, |scene| {
            let legal = scene.legal_moves();
            assert_eq!(scene.game.forced(), (legal.len() == 1).then(|| legal[0]));
            forced += u32::from(legal.len() == 1);
        });
    }
    assert!(forced > 300);
}

#[test]
fn every_decision_is_one_call_of_the_classic_dialect() {
    for seed in 0..300 {
        let mut calls = 0;
        let mut before = String::new();
        let scene = play(seed, |scene| {
            let call = scene.call();
            assert!(call.file.len() > before.len() || calls == 0);
            assert!(call.file.starts_with(&before));
            before = call.file;
            calls += 1;
            let even = scene.appendable();
            assert!(!even.is_empty() && even.iter().all(|text| (1..=2).contains(&text.len())));
            let last = before.rsplit('\n').next().unwrap();
            let actor = before.matches('\n').count() % 2;
            let caller = if last.len().is_multiple_of(2) { actor } else { 1 - actor };
            assert_eq!(scene.mover(), caller, "an even line is the turn of the caller: {before:?}");
        });
        assert_eq!(scene.game.decisions(), calls);
        let full = file(&scene.events);
        assert!(full.starts_with(&before));
        for number in [0, 1] {
            let seen: Vec<Event> =
                scene.events.iter().filter_map(|event| seen_by(event, seat(number))).collect();
            assert_eq!(file(&seen), full, "both seats see one file");
        }
    }
}

#[test]
fn the_true_hand_is_never_ruled_out() {
    for seed in 0..100 {
        play(seed, |scene| {
            for number in [0, 1] {
                let seen: Vec<Event> =
                    scene.events.iter().filter_map(|event| seen_by(event, seat(number))).collect();
                let hands = possible_hands(seat(number), &seen);
                let total: f64 = hands.iter().map(|(_, chance)| chance).sum();
                assert!((total - 1.0).abs() < 1e-9, "{total}");
                let sorted = |hand: Hand| hand.into_iter().collect::<Counts>();
                let real = sorted(scene.game.hand(seat(1 - number)));
                assert!(hands.iter().any(|(hand, _)| sorted(*hand) == real), "{scene:?}");
            }
        });
    }
}

/// The chance that the other seat's hand is this one, as a seat sees it.
fn chance(scene: &Scene, observer: usize, hand: &str) -> f64 {
    let seen: Vec<Event> =
        scene.events.iter().filter_map(|event| seen_by(event, seat(observer))).collect();
    let hand: Hand = hand.parse().unwrap();
    let hands = possible_hands(seat(observer), &seen);
    hands.iter().find(|(found, _)| *found == hand).map_or(0.0, |(_, chance)| *chance)
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

#[test]
fn inferred_chances_are_exact() {
    // Of 13 unseen cards two are dukes: a pair of hands is drawn from all 78.
    let start = Scene::dealt("duke captain", "contessa assassin");
    assert_near(chance(&start, 0, "duke duke"), 1.0 / 78.0);
    assert_near(chance(&start, 0, "duke contessa"), 0.0);
    assert_near(chance(&start, 0, "contessa duke"), 6.0 / 78.0);

    // A claim that is caught was false: no duke is left in that hand.
    let caught = Scene::dealt("duke captain", "contessa assassin")
        .then("foreign-aid; block duke; challenge; lose contessa");
    assert_near(chance(&caught, 0, "duke"), 0.0);
    // Pairs that hold a contessa and no duke: 3 of two contessas, which give up one either way,
    // and 24 with another card (6 of them a captain), which give up the contessa half the time.
    assert_near(chance(&caught, 0, "contessa"), 3.0 / (3.0 + 12.0));
    assert_near(chance(&caught, 0, "captain"), 3.0 / (3.0 + 12.0));

    // The card that was shown goes back after another was drawn.
    let shown = Scene::dealt("duke captain", "captain assassin")
        .then("foreign-aid; pass; end; steal 0; challenge; show captain; draw 1 duke");
    let seen = chance(&shown, 0, "captain captain");
    assert_near(seen, 0.0);
    let kept = chance(&shown, 0, "assassin captain") + chance(&shown, 0, "ambassador captain");
    assert!(kept > 0.0, "the other card of the beginning may be a captain too");
}

#[test]
fn a_drawn_world_is_one_that_the_seat_can_be_in() {
    for seed in 0..60 {
        play(seed, |scene| {
            let observer = seat(scene.mover());
            let view = scene.game.view(observer);
            let seen: Vec<Event> =
                scene.events.iter().filter_map(|event| seen_by(event, observer)).collect();
            let options = Options::default();
            let drawn = Coup::resample(&options, observer, &view, &seen, &mut nature(seed));
            assert_eq!(drawn.unwrap().view(observer), view);
        });
    }
}

#[test]
fn a_state_is_imagined_only_of_what_fits() {
    let scene = Scene::dealt("duke captain", "contessa assassin").then("steal 1");
    let view = scene.game.view(seat(0));
    let hands = |first: &str, second: &str| {
        vec![first.parse::<Hand>().unwrap(), second.parse().unwrap()].into()
    };
    let fitting = hands("duke captain", "contessa assassin");
    assert_eq!(Coup::imagine(&Options::default(), &view, &fitting), Some(scene.game));
    assert_eq!(
        Coup::imagine(&Options::default(), &view, &hands("duke captain", "duke")),
        None,
        "sizes"
    );
    assert_eq!(Coup::imagine(&Options::default(), &view, &vec![Hand::EMPTY].into()), None, "seats");
    let mut four = view.clone();
    four.lost = hands("duke duke", "");
    assert_eq!(
        Coup::imagine(&Options::default(), &four, &hands("duke captain", "duke duke")),
        None,
        "four of a kind"
    );
    for owed in ["answer 2", "act 47", "pay 0"] {
        let mut odd = view.clone();
        odd.owed.push(owed.parse().unwrap());
        assert_eq!(Coup::imagine(&Options::default(), &odd, &fitting), None, "{owed}");
    }
    let mut odd = view;
    odd.action = Some("steal 7".parse().unwrap());
    assert_eq!(Coup::imagine(&Options::default(), &odd, &fitting), None, "target");
}

fn reads_back<T: Text + PartialEq + Debug>(value: &T) {
    assert_eq!(value.to_string().parse::<T>().as_ref(), Ok(value));
}

/// A text that can be read is written as one that reads as the same value.
fn settles<T: Text + PartialEq + Debug>(text: &str) {
    if let Ok(value) = text.parse::<T>() {
        reads_back(&value);
    }
}

fn characters() -> impl Strategy<Value = Character> {
    proptest::sample::select(&Character::ALL[..])
}

fn hands() -> impl Strategy<Value = Hand> {
    proptest::collection::vec(characters(), 1..=Hand::MOST)
        .prop_map(|cards| Hand::new(&cards).unwrap())
}

fn moves() -> impl Strategy<Value = Move> {
    let action = |number: usize| Action::all(seat(number));
    prop_oneof![
        (0..7_usize, 0..48_usize).prop_map(move |(place, target)| Move::Act(action(target)[place])),
        Just(Move::Pass),
        Just(Move::Challenge),
        Just(Move::End),
        characters().prop_map(Move::Block),
        characters().prop_map(Move::Show),
        characters().prop_map(Move::Lose),
        hands().prop_map(Move::Keep),
    ]
}

proptest! {
    #[test]
    fn texts_read_back(
        cards in hands(),
        mv in moves(),
        card in characters(),
        number in 0..48_usize,
        count in 1..=4_u8,
    ) {
        let to = seat(number);
        reads_back(&cards);
        reads_back(&mv);
        reads_back(&SeenHand::Seen(cards));
        reads_back(&SeenHand::Unseen(count));
        for chance in [Chance::Deal { to, cards }, Chance::Draw { to, cards }] {
            reads_back(&chance);
        }
        for cards in [SeenHand::Seen(cards), SeenHand::Unseen(count)] {
            reads_back(&Event::Deal { to, cards });
            reads_back(&Event::Draw { to, cards });
        }
        reads_back(&Event::Move { seat: to, mv });
        reads_back(&Event::KeepUnseen { seat: to, count });
        reads_back(&Event::Lost { seat: to, card });
        reads_back(&Event::Winner(Some(to)));
        reads_back(&Event::Winner(None));
    }

    #[test]
    fn moves_are_read_tolerantly(mv in moves()) {
        let text = mv.to_string();
        let loose = format!("  {} \r", text.to_ascii_uppercase().replace(' ', " \t "));
        prop_assert_eq!(loose.parse::<Move>(), Ok(mv));
    }

    #[test]
    fn no_text_is_too_odd_to_read(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "deal", "draw", "keep", "lose", "show", "block", "coup", "steal", "0", "1", "48",
                "duke", "DUKE", "??", "captain", "winner", "none", "lost", "end", "owed", "\n", ",",
                "hand", "hands", "coins", "action", "decisions", "4294967295", "-1", "é",
            ]),
            0..12,
        ),
    ) {
        let text = words.join(" ");
        settles::<Hand>(&text);
        settles::<SeenHand>(&text);
        settles::<Move>(&text);
        settles::<Action>(&text);
        settles::<Chance>(&text);
        settles::<Event>(&text);
        settles::<Obligation>(&text);
        settles::<View>(&text);
        settles::<Options>(&text);
    }

    /// A state that a stranger's text makes may be odd, but playing on never panics.
    #[test]
    fn odd_states_can_be_played(
        owed in proptest::collection::vec((0..11_usize, 0..2_usize, characters()), 0..6),
        place in proptest::option::of(0..7_usize),
        coins in proptest::array::uniform2(prop_oneof![0..12_u32, Just(u32::MAX)]),
        sizes in proptest::array::uniform2(0..=4_usize),
        decisions in prop_oneof![0..200_u32, Just(u32::MAX)],
        seed in any::<u64>(),
    ) {
        let owed = owed.into_iter().map(|(kind, number, card)| debt(kind, number, card));
        let cards: Vec<Character> = Counts::PACK.cards().step_by(2).collect();
        let hands = [&cards[..sizes[0]], &cards[4..4 + sizes[1]]];
        let hands = hands.map(|cards| Hand::new(cards).unwrap()).to_vec().into();
        let view = View {
            hand: Hand::EMPTY,
            hands: sizes.map(|size| size as u32).to_vec().into(),
            coins: coins.to_vec().into(),
            lost: vec![Hand::EMPTY; 2].into(),
            action: place.map(|place| Action::all(seat(1))[place]),
            owed: owed.collect(),
            decisions,
        };
        reads_back(&view);
        let Some(mut game) = Coup::imagine(&Options::default(), &view, &hands) else { return Ok(()) };
        let (mut nature, mut events) = (nature(seed), Vec::new());
        for _ in 0..50 {
            let mut legal = Vec::new();
            let _ = game.legal_moves(&mut legal);
            match game.turn() {
                Turn::Over(_) => break,
                Turn::Nature => match game.sample(&mut nature) {
                    Some(chance) if game.happen(&chance, &mut events).is_ok() => {}
                    _ => break,
                },
                Turn::Seat(_) => match nature.choose(&legal) {
                    Some(mv) => prop_assert!(game.play(mv, &mut events).is_ok()),
                    None => break,
                },
            }
            let _ = (possible_hands(seat(0), &events), file(&events));
        }
    }
}

/// A purse that no game can fill overflowed, where its owner is not the one who is due.
#[test]
fn income_into_the_fullest_purse() {
    let view = View {
        hand: Hand::EMPTY,
        hands: vec![0, 0].into(),
        coins: vec![u32::MAX, 0].into(),
        lost: vec![Hand::EMPTY; 2].into(),
        action: None,
        owed: vec![debt(0, 0, Character::Duke), debt(1, 1, Character::Duke)],
        decisions: 0,
    };
    let mut game = Coup::imagine(&Options::default(), &view, &vec![Hand::EMPTY; 2].into()).unwrap();
    game.play(&Move::Act(Action::Income), &mut Vec::new()).unwrap();
    assert_eq!(game.view(seat(0)).coins[seat(0)], u32::MAX);
}

fn debt(kind: usize, number: usize, card: Character) -> Obligation {
    let seat = seat(number);
    match kind {
        0 => Obligation::Deal(seat),
        1 => Obligation::Act(seat),
        2 => Obligation::Answer(seat),
        3 => Obligation::Accept(seat, card),
        4 => Obligation::Prove(seat, card),
        5 => Obligation::Replace(seat, card),
        6 => Obligation::Draw(seat),
        7 => Obligation::Keep(seat),
        8 => Obligation::Lose(seat),
        9 => Obligation::Pay(seat),
        _ => Obligation::End(seat),
    }
}
