//! Episodes are games under the referee, and tell a seat no more than it knows.

use learning::Deal;
use rules::{RefereeInput, Seat, Seed};

use crate::{GAMES, chance, episode, seed, step};

#[test]
fn an_episode_is_a_game_under_the_referee() {
    for (game, options) in GAMES {
        for deal in 0..12 {
            let mut episode = episode(game, options, deal);
            let mut nature = chance(deal);
            let mut asked = Vec::new();
            while let Some(request) = episode.request() {
                asked.push(rules::Digest::hash(request.as_bytes()));
                step(&mut *episode, &mut nature);
            }
            let names: Vec<String> =
                (0..episode.layout().seats).map(|seat| format!("player-{seat}")).collect();
            let record = episode.record(deal, &names).expect("a record");
            assert_eq!(record.events, episode.events(), "{game} {options}, deal {deal}");
            let sent =
                record.inputs.iter().filter_map(RefereeInput::answer).map(|answer| answer.asked);
            assert!(sent.eq(asked), "requests of {game} {options}, deal {deal}");
        }
    }
}

#[test]
fn an_episode_that_is_not_over_or_not_of_a_deal_has_no_record() {
    let mut played = episode("coup", "", 0);
    let names = ["a".to_owned(), "b".to_owned()];
    let problem = played.record(0, &names).expect_err("it is not over");
    assert!(problem.contains("not over"), "{problem}");
    let other = Deal { seed: Seed([1; 32]), number: 0 };
    let mut copy = played.copy(Some(&other)).expect("a copy");
    for episode in [&mut played, &mut copy] {
        while episode.to_move().is_some() {
            step(&mut **episode, &mut chance(0));
        }
    }
    assert!(played.record(0, &names).is_ok());
    assert!(
        played.record(0, &names[..1]).expect_err("a name is missing").contains("1 player names")
    );
    assert!(copy.record(0, &names).expect_err("it was copied").contains("other chance"));
}

#[test]
fn observations_and_actions_tell_nothing_hidden() {
    for (game, options) in GAMES {
        let mut drawn = 0;
        for deal in 0..6 {
            let mut episode = episode(game, options, deal);
            let mut nature = chance(deal);
            let width = episode.layout().columns.len();
            let mut number = 0;
            while let Some(to_move) = episode.to_move() {
                for seat in Seat::first(episode.layout().seats) {
                    let world = Deal { seed: seed(), number };
                    let Some(other) = episode.resample(seat, &world) else { continue };
                    let rows = [&episode, &other].map(|it| {
                        let mut row = vec![0; width];
                        it.observe(seat, &mut row);
                        row
                    });
                    assert_eq!(rows[0], rows[1], "{game} {options}, deal {deal}, seat {seat}");
                    let states = [&episode, &other].map(|it| it.information_state(seat));
                    assert_eq!(states[0], states[1], "{game} {options}, deal {deal}");
                    if seat == to_move {
                        assert_eq!(episode.legal_actions(), other.legal_actions());
                    }
                    drawn += 1;
                    number += 1;
                }
                step(&mut *episode, &mut nature);
            }
        }
        assert!(drawn > 50, "{drawn} worlds of {game} {options}");
    }
}

#[test]
fn an_illegal_action_changes_nothing() {
    for (game, options) in GAMES {
        let mut played = episode(game, options, 0);
        let before = (played.events(), played.request());
        let actions = played.layout().actions.len();
        let legal = played.legal_actions().to_vec();
        for action in (0..actions + 2).filter(|it| !legal.contains(&(*it as u16))) {
            let problem = played.act(action).expect_err("it is not legal").to_string();
            assert!(problem.starts_with(&format!("action {action} is not legal here")));
        }
        assert_eq!((played.events(), played.request()), before, "{game} {options}");
    }
}

#[test]
fn a_copy_goes_its_own_way() {
    let mut played = episode("durak", "", 5);
    let mut nature = chance(5);
    for _ in 0..6 {
        step(&mut *played, &mut nature);
    }
    let at = played.events();
    let mut copy = played.copy(None).expect("a copy");
    while copy.to_move().is_some() {
        step(&mut *copy, &mut nature);
    }
    assert_eq!(played.events(), at);
    assert!(copy.events().starts_with(&at) && copy.events().len() > at.len());
}

/// A search over drawn worlds must not learn what other players will choose at random.
#[test]
fn a_drawn_world_has_other_seeds_of_players() {
    let other = Deal { seed: Seed([1; 32]), number: 0 };
    let played = episode("coup", "", 3);
    let seat = played.to_move().expect("a seat is to move");
    let drawn = played.resample(seat, &other).expect("a world");
    let copy = played.copy(Some(&other)).expect("a copy");
    let seed = |request: Option<String>| {
        let request = request.expect("a request");
        request.lines().find(|line| line.starts_with("seed ")).map(str::to_owned)
    };
    assert_ne!(seed(drawn.request()), seed(played.request()));
    assert_ne!(seed(copy.request()), seed(played.request()));
    let mut next = drawn;
    next.begin(4).expect("another deal");
    assert_ne!(next.events(), episode("coup", "", 4).events(), "later deals are others, too");
}

#[test]
fn a_game_that_begins_again_is_as_new() {
    for (game, options) in GAMES {
        let mut again = episode(game, options, 1);
        while again.to_move().is_some() {
            step(&mut *again, &mut chance(1));
        }
        again.begin(2).expect("another deal");
        let new = episode(game, options, 2);
        assert_eq!((again.events(), again.request()), (new.events(), new.request()));
    }
}
