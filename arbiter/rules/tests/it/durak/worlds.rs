//! Worlds of Durak that a seat cannot tell from the real one: what they keep of what was seen.

use rules::durak::{Durak, Event};
use rules::{CardSet, Game, Resample, Seat, seen_by};

use crate::durak::scene::{Scene, any, nature, seat};

fn set(text: &str) -> CardSet {
    text.parse().unwrap()
}

/// Some worlds that this seat cannot tell from the real one.
fn worlds(scene: &Scene, observer: Seat, count: u64) -> impl Iterator<Item = Durak> {
    let options = scene.game.options();
    let view = scene.game.view(observer);
    let shown: Vec<Event> =
        scene.events.iter().filter_map(|event| seen_by(event, observer)).collect();
    (0..count).map(move |seed| {
        let world = Durak::resample(&options, observer, &view, &shown, &mut nature(seed)).unwrap();
        assert_eq!(world.view(observer), view);
        world
    })
}

#[test]
fn cards_that_were_taken_up_stay_in_that_hand_until_they_are_played() {
    let scene = Scene::two("").then("0 lead 6C; 1 take; 0 throw 6D; 0 done; draw 0 QC QD");
    for world in worlds(&scene, seat(0), 50) {
        assert!(world.hand(seat(1)).contains_all(set("6C 6D")));
    }
    let others: Vec<CardSet> =
        worlds(&scene, seat(0), 50).map(|world| world.hand(seat(1)) - set("6C 6D")).collect();
    assert!(others.iter().any(|hand| *hand != others[0]), "the rest of the hand is not known");
    let played = scene.then("0 lead 6H; 1 beat 7H; 0 done; draw 0 KC");
    for world in worlds(&played, seat(0), 50) {
        assert_eq!(world.hand(seat(1)).len(), 7);
        assert!(world.hand(seat(1)).contains_all(set("6C 6D")));
        assert!(world.hand(seat(1)).is_disjoint(set("6H 7H")));
    }
}

#[test]
fn a_seat_holds_its_own_cards_and_no_other_seat_does() {
    let scene = Scene::three("");
    for observer in Seat::first(3) {
        for world in worlds(&scene, observer, 20) {
            assert_eq!(world.hand(observer), scene.game.hand(observer));
            assert!(world.hand(seat(0)).contains_all(set("9S")), "the lowest trump was shown");
        }
    }
}

#[test]
fn no_hand_of_the_deal_holds_a_trump_below_the_one_that_was_shown() {
    let hands = ["6C 6D 6H 7C 10D JS", "7D 7H 8C 9C JD QS"];
    let lower = set("6S 7S 8S 9S 10S");
    let dealt = Scene::dealt("", &hands, "AS");
    assert_eq!(dealt.events(3), ["first 0 JS"]);
    for world in worlds(&dealt, seat(0), 200).chain(worlds(&dealt, seat(1), 200)) {
        let hands = world.hand(seat(0)) | world.hand(seat(1));
        assert!(hands.is_disjoint(lower), "{hands}");
    }
    let nobody = Scene::dealt("", &["6C 6D 6H 7C 10D JD", "7D 7H 8C 9C KD QD"], "AS");
    for world in worlds(&nobody, seat(0), 200) {
        assert!(
            world.hand(seat(1)).iter().all(|card| !set("6S 7S 8S 9S 10S JS QS KS").contains(card))
        );
    }
    // A trump that was drawn later may be lower.
    let drawn = dealt.then("0 lead 6C; 1 beat 8C; 0 done; draw 0 QC; draw 1 KC");
    let could = worlds(&drawn, seat(0), 200).filter(|world| {
        let low = world.hand(seat(1)) & lower;
        assert!(low.len() <= 1, "one card was drawn");
        !low.is_empty()
    });
    assert!(could.count() > 0);
}

#[test]
fn a_trump_that_was_not_dealt_is_traced_to_a_later_draw() {
    let hands = ["6C 6D 6H 7C 10D JS", "7D 7H 8C 9C JD QS"];
    let scene = Scene::dealt("", &hands, "AS")
        .then("0 lead 6C; 1 beat 8C; 0 done; draw 0 QC; draw 1 6S")
        .then("1 lead 7D; 0 beat 10D; 1 done; draw 1 7S; draw 0 KC")
        .then("0 lead 7C; 1 beat 6S");
    for world in worlds(&scene, seat(0), 50) {
        assert!(world.bout().is_some_and(|bout| bout.table().cards() == set("7C 6S")));
    }
}

#[test]
fn worlds_are_drawn_late_in_games_of_every_size() {
    for (options, seats) in [("seats=2 deck=24", 2), ("seats=4 deck=24", 4), ("seats=6", 6)] {
        for seed in 0..20 {
            let mut scene = Scene::new(options);
            scene = scene.play_until(&mut nature(seed), any, |scene| {
                scene.game.talon().is_empty() && scene.game.decisions() > 40
            });
            for observer in Seat::first(seats) {
                for world in worlds(&scene, observer, 5) {
                    for other in Seat::first(seats) {
                        let known = scene.game.seen_cards(other);
                        assert!(world.hand(other).contains_all(known), "{options}, seed {seed}");
                    }
                }
            }
        }
    }
}
