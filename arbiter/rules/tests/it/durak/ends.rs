//! Durak by its rules: how bouts end, who draws and attacks next, and how a game ends.

use rules::durak::{Durak, Event, Move, Phase};
use rules::{CardSet, Game, Nature, Score, Seat, Turn};

use crate::durak::scene::{Scene, any, nature, seat};

fn set(text: &str) -> CardSet {
    text.parse().unwrap()
}

/// A game of random moves up to the first state of this kind, whichever game has one.
fn find(options: &str, stop: impl Fn(&Scene) -> bool) -> Scene {
    let games = (0..2000).map(|seed| {
        let mut met = false;
        let stop = |scene: &Scene| {
            met = stop(scene);
            met
        };
        let scene = Scene::new(options).play_until(&mut nature(seed), any, stop);
        met.then_some(scene)
    });
    games.into_iter().flatten().next().expect("a game of this kind")
}

/// Leads and throws the lowest cards and takes everything, so that cards go round.
fn give_and_take(game: &Durak, moves: &[Move], _: &mut Nature) -> Move {
    match game.bout().unwrap().phase() {
        Phase::Lead => moves[0],
        Phase::Defend => Move::Take,
        Phase::Throw(_) | Phase::Load(_) => Move::Done,
    }
}

// The end of a bout.

#[test]
fn beaten_cards_are_discarded_and_the_defender_attacks_next() {
    let scene = Scene::four("").then("0 lead 9D; 1 beat 10D; 0 done; 2 done; 3 done");
    assert_eq!(scene.events.last().unwrap().to_string(), "discard 9D 10D");
    assert_eq!((scene.line("discards"), scene.turn()), ("9D 10D".into(), "1 lead".into()));
    assert_eq!((scene.line("table"), scene.line("defender")), (String::new(), "2".into()));
}

#[test]
fn cards_that_are_taken_go_to_the_defender_and_the_seat_after_it_attacks_next() {
    let scene = Scene::four("").then("0 lead 9D; 1 take; 0 done; 2 done; 3 done");
    assert_eq!(scene.events.last().unwrap().to_string(), "pick-up 1 9D");
    assert_eq!((scene.line("hands"), scene.turn()), ("5 7 6 6".into(), "2 lead".into()));
    let two = Scene::two("").then("0 lead 6C; 1 take; 0 done; draw 0 QC");
    assert_eq!(two.turn(), "0 lead", "with two seats the attacker attacks again");
}

#[test]
fn hands_are_filled_up_first_attacker_first_then_clockwise_the_defender_last() {
    let scene = Scene::three("").then("0 lead 10C; 1 beat 10S; 0 done; 2 throw 10H; 1 beat KH");
    let scene = scene.then("0 throw KC; 1 take; 0 done; 2 throw KD; 2 done");
    // The defender took, and draws nothing.
    assert_eq!(scene.game.sample(&mut nature(0)).unwrap().to_string()[..6], *"draw 0");
    let scene = scene.then("draw 0 AC AD; draw 2 AH KS");
    assert_eq!((scene.turn(), scene.line("hands")), ("2 lead".into(), "6 10 6".into()));

    let beaten = Scene::three("").then("0 lead 10C; 1 beat 10S; 0 done; 2 throw 10H; 1 beat KH");
    let beaten = beaten.then("0 done; 2 done");
    let told = beaten.events.len();
    let drawn = beaten.then("draw 0 AC; draw 2 AD; draw 1 AH KS");
    assert_eq!(drawn.events(told), ["draw 0 AC", "draw 2 AD", "draw 1 KS AH"]);
    assert_eq!(drawn.visible_to(0, told), ["draw 0 AC", "draw 2 ??", "draw 1 ?? ??"]);
    assert_eq!((drawn.turn(), drawn.line("talon")), ("1 lead".into(), "2".into()));
}

#[test]
fn after_a_transfer_the_seat_that_led_draws_first_and_the_last_defender_last() {
    let scene = Scene::three("transfer=on").then("0 lead 9C; 1 transfer 9D; 2 beat JS; 2 beat KD");
    let scene = scene.then("1 throw JD; 2 take; 1 done; 0 throw JC; 0 done");
    let scene = scene.then("draw 0 AC AD; draw 1 AH KS");
    assert_eq!((scene.turn(), scene.line("hands")), ("0 lead".into(), "6 6 10".into()));
    let round = Scene::three("transfer=on")
        .then("0 lead 9C; 1 transfer 9D; 2 transfer 9H; 0 beat JC; 0 take; 2 done; 1 done");
    let drawn = round.then("draw 1 AC; draw 2 AD");
    assert_eq!(drawn.turn(), "1 lead", "seat 0 was the last to defend");
}

#[test]
fn the_trump_card_is_drawn_last_before_the_eyes_of_all() {
    let options = "seats=3 deck=24";
    let scene = find(options, |scene| {
        matches!(scene.events.last(), Some(Event::Last { .. })) || {
            let last = |event: &Event| matches!(event, Event::Last { .. });
            scene.events.iter().any(last)
        }
    });
    let place = scene.events.iter().position(|event| matches!(event, Event::Last { .. })).unwrap();
    let Event::Last { to, card } = scene.events[place] else { panic!("a last card") };
    assert_eq!(Some(card), scene.game.trump());
    for watcher in 0..3 {
        assert_eq!(scene.visible_to(watcher, place)[0], format!("last {to} {card}"));
    }
    assert!(scene.game.seen_cards(to).contains(card) || !scene.game.hand(to).contains(card));
    assert_eq!(scene.game.talon(), CardSet::EMPTY);
    let drawn = |event: &Event| matches!(event, Event::Draw { .. });
    assert!(!scene.events[place..].iter().any(drawn), "nothing is left to draw");
}

// Out, and who attacks then.

#[test]
fn a_seat_that_played_its_last_card_is_not_out_before_the_bout_is_over() {
    let without_cards = |scene: &Scene| {
        let game = &scene.game;
        let bout = game.bout().filter(|_| game.talon().is_empty());
        bout.is_some_and(|bout| {
            bout.phase() == Phase::Defend && game.hand(bout.attacker()).is_empty()
        })
    };
    let scene = find("seats=3 deck=24", without_cards);
    let attacker = scene.game.bout().unwrap().attacker();
    assert!(scene.game.players().contains(&attacker) && scene.game.contends(attacker));
    let gone = format!("gone {attacker}");
    assert!(!scene.events(0).contains(&gone));
    let bouts = |scene: &Scene| {
        let ends = |event: &&Event| matches!(event, Event::Discard(_) | Event::PickUp { .. });
        scene.events.iter().filter(ends).count()
    };
    let before = bouts(&scene);
    let after = scene.play_until(&mut nature(0), any, |scene| bouts(scene) > before);
    assert!(!after.game.players().contains(&attacker) && after.events(0).contains(&gone));
    assert_eq!(after.game.contends(attacker), after.game.players().contains(&attacker));
}

#[test]
fn no_seat_goes_while_the_talon_has_cards() {
    for seed in 0..100 {
        let mut told = 0;
        Scene::new("seats=4").play_until(&mut nature(seed), any, |scene| {
            let gone = scene.events[told..].iter().any(|event| matches!(event, Event::Gone(_)));
            told = scene.events.len();
            assert!(!gone || scene.game.talon().is_empty(), "seed {seed}");
            false
        });
    }
}

#[test]
fn the_next_seat_attacks_if_the_defender_has_gone() {
    let ended = |scene: &Scene| {
        let [.., Event::Discard(_), Event::Gone(_)] = scene.events[..] else { return false };
        matches!(scene.game.turn(), Turn::Seat(_))
    };
    // The defender of the bout before, whose last card beat.
    let scene = find("seats=4 deck=24", |scene| {
        ended(scene) && {
            let beats = scene.events.iter().rev().find_map(|event| match event {
                Event::Move { seat, mv: Move::Beat(_) } => Some(*seat),
                _ => None,
            });
            beats.is_some_and(|defender| !scene.game.players().contains(&defender))
        }
    });
    let Some(Event::Gone(defender)) = scene.events.last() else { panic!("a defender") };
    let clockwise = (1..4).map(|step| seat((defender.index() + step) % 4));
    let next = clockwise.into_iter().find(|seat| scene.game.players().contains(seat));
    assert_eq!(scene.game.bout().map(|bout| bout.attacker()), next);
}

// The end of the game.

#[test]
fn the_one_seat_that_has_cards_left_is_the_durak() {
    let lost = |scene: &Scene| matches!(scene.events.last(), Some(Event::Durak(Some(_))));
    for seats in 2..=6 {
        let scene = find(&format!("seats={seats}"), lost);
        let Some(Event::Durak(Some(durak))) = scene.events.last() else { panic!("a durak") };
        let holds = |other: &Seat| !scene.game.hand(*other).is_empty();
        assert_eq!(Seat::first(seats).filter(holds).collect::<Vec<_>>(), [*durak]);
        let mut expected = vec![Score::points(1); seats];
        expected[durak.index()] = Score::ZERO;
        assert_eq!(scene.scores(), Some(expected));
        assert_eq!(scene.game.counts(*durak), [1, 0]);
    }
}

#[test]
fn the_loss_is_shared_if_the_last_seats_go_at_once() {
    let drawn = |scene: &Scene| {
        let held = scene.game.players().iter().map(|seat| scene.game.hand(*seat).len());
        scene.scores().is_some() && held.sum::<usize>() == 0
    };
    let two = find("seats=2 deck=24", |scene| {
        matches!(scene.events.last(), Some(Event::Durak(None))) && drawn(scene)
    });
    assert_eq!(two.scores(), Some(vec!["1/2".parse().unwrap(); 2]));
    assert_eq!(two.events(0)[two.events.len() - 3..], ["gone 0", "gone 1", "durak none"]);
    assert_eq!(two.game.counts(seat(0)), [0, 1]);
    let three = find("seats=3 deck=24", |scene| {
        matches!(scene.events.last(), Some(Event::Durak(None))) && drawn(scene)
    });
    let total: Score = three.scores().unwrap().into_iter().sum();
    assert_eq!(total, Score::points(2));
}

#[test]
fn three_that_share_a_loss_have_two_thirds_each() {
    let scores = circle("seats=3 deck=24").scores();
    assert_eq!(scores, Some(vec!["2/3".parse().unwrap(); 3]));
}

/// A game in which everything is beaten or taken as `give_and_take` does, once the talon is empty.
fn circle(options: &str) -> Scene {
    let shrink = |game: &Durak, moves: &[Move], nature: &mut Nature| {
        let beat = moves.iter().find(|mv| matches!(mv, Move::Beat(_)));
        match beat.filter(|_| !game.talon().is_empty()) {
            Some(beat) => *beat,
            None => give_and_take(game, moves, nature),
        }
    };
    let games =
        (0..200).map(|seed| Scene::new(options).play_until(&mut nature(seed), shrink, |_| false));
    let mut circles = games.filter(|scene| {
        let is_draw = matches!(scene.events.last(), Some(Event::Durak(None)));
        let players = scene.game.players();
        is_draw && players.len() == 3 && scene.game.decisions() < 2000
    });
    circles.next().expect("a game that goes in a circle")
}

#[test]
fn the_same_hands_and_attacker_for_the_third_time_are_a_draw() {
    let scene = circle("seats=3 deck=24");
    assert!(scene.game.players().iter().all(|seat| !scene.game.hand(*seat).is_empty()));
    // Played again, to count the starts of bouts by other means.
    let mut starts: Vec<(Vec<CardSet>, Seat)> = Vec::new();
    let mut game = Scene::new("seats=3 deck=24").game;
    for event in &scene.events {
        let chance = match *event {
            Event::Move { mv, .. } => {
                game.play(&mv, &mut Vec::new()).unwrap();
                None
            }
            Event::Deal { .. } | Event::Trump(_) | Event::Draw { .. } => Some(event.to_string()),
            _ => None,
        };
        if let Some(chance) = chance {
            game.happen(&chance.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        let Some(bout) = game.bout().filter(|bout| bout.phase() == Phase::Lead) else { continue };
        let hands = Seat::first(3).map(|seat| game.hand(seat)).collect();
        if game.talon().is_empty() && !matches!(event, Event::Discard(_) | Event::PickUp { .. }) {
            starts.push((hands, bout.attacker()));
        }
    }
    starts.dedup();
    let last: Vec<CardSet> = Seat::first(3).map(|seat| scene.game.hand(seat)).collect();
    let times =
        |start: &(Vec<CardSet>, Seat)| starts.iter().filter(|other| *other == start).count();
    assert!(starts.iter().all(|start| times(start) <= 2), "the third time ends the game");
    assert!(starts.iter().any(|start| start.0 == last && times(start) == 2));
}

#[test]
fn the_2000th_decision_is_a_draw() {
    // Cards are never beaten and no hand falls below six cards, so the talon stays.
    let scene = Scene::new("seats=3").play_until(&mut nature(0), give_and_take, |_| false);
    assert_eq!((scene.game.decisions(), scene.line("decisions")), (2000, "2000".into()));
    assert_eq!(scene.events.last(), Some(&Event::Durak(None)));
    assert!(!scene.game.talon().is_empty());
    assert_eq!(scene.scores(), Some(vec!["2/3".parse().unwrap(); 3]));
    assert_eq!(scene.game.counts(seat(1)), [0, 1]);
    assert_eq!(scene.refusal("done"), "no seat is to move");
    assert_eq!(scene.game.fallback(), None);
}

/// After the last move of a game the bout is closed if the move ends it, but no more face-down
/// cards are drawn.
#[test]
fn a_bout_that_the_2000th_decision_ends_is_closed() {
    let (mut open, mut closed, mut undrawn) = (0, 0, 0);
    for seed in 0..40 {
        let late = |game: &Durak, moves: &[Move], nature: &mut Nature| match game.decisions() {
            ..1970 => give_and_take(game, moves, nature),
            _ => any(game, moves, nature),
        };
        let scene = Scene::new("seats=3").play_until(&mut nature(seed), late, |_| false);
        if scene.game.decisions() != 2000 {
            continue;
        }
        let is_move = |event: &Event| matches!(event, Event::Move { .. });
        let last = scene.events.iter().rposition(is_move).unwrap();
        let events = scene.events(last + 1);
        match events.iter().map(|event| event.split(' ').next().unwrap()).collect::<Vec<_>>()[..] {
            ["durak"] => open += 1,
            ["discard" | "pick-up", "durak"] => {
                closed += 1;
                let hands = (0..3).map(|number| scene.game.hand(seat(number)).len());
                undrawn += usize::from(hands.min() < Some(6) && scene.game.talon().len() > 1);
            }
            _ => panic!("seed {seed}: {events:?}"),
        }
        assert_eq!(events.last().unwrap(), "durak none");
    }
    assert!(open > 0 && closed > 0 && undrawn > 0, "{open} {closed} {undrawn}");
}

#[test]
fn the_house_leads_its_lowest_card_trumps_last_and_otherwise_nothing() {
    let fallback = |scene: &Scene| scene.game.fallback().unwrap().to_string();
    let hands = ["7C 7D 7H 8C 10D 6S", "7S 8D 9H 9C JD QS"];
    let scene = Scene::dealt("", &hands, "AS");
    assert_eq!(fallback(&scene), "lead 7C", "not the trump");
    let scene = scene.then("0 lead 7C");
    assert_eq!(fallback(&scene), "take");
    assert_eq!(fallback(&scene.then("1 take")), "done");
    assert_eq!(set("7C 6S").first().unwrap().to_string(), "6S");
}
