//! Built-in players as opponents play as they do in a simulation.

use std::num::NonZeroUsize;

use learning::{Deal, Opponent};
use rules::GameKind;
use simulation::{BuiltInPlayer, SeatOrder, Simulation};

use crate::seed;

fn opponent(program: &str, learner: Option<usize>) -> Opponent {
    Opponent { program: program.to_owned(), options: Vec::new(), learner }
}

#[test]
fn an_episode_between_built_in_players_is_that_of_a_simulation() {
    for (game, options) in
        [("tablic", "seats=2"), ("coup", "seats=2"), ("durak", "seats=2"), ("coup", "seats=4")]
    {
        let kind: GameKind = game.parse().expect("a game");
        let seats = kind.seats(options).expect("a number of seats");
        // The learner is `random`, on seat 1.
        let program = |seat| if seat == 1 { "random" } else { "greedy" };
        let player = |seat: usize| BuiltInPlayer {
            name: format!("player-{seat}"),
            program: program(seat).to_owned(),
            options: Vec::new(),
        };
        let simulation = Simulation {
            kind: kind.clone(),
            options: options.to_owned(),
            players: (0..seats).map(player).collect(),
            order: SeatOrder::Fixed,
            deals: 10,
            seed: seed(),
        };
        for number in 0..10 {
            let deal = Deal { seed: seed(), number };
            let opponent = opponent("greedy", Some(1));
            let mut episode = opponent.begin(&kind, options, deal).expect("an episode");
            while let Some(seat) = episode.to_move() {
                assert_eq!(seat.index(), 1);
                let action = episode.ask("random", &[]).expect("a move");
                episode.act(action).expect("it is legal");
            }
            assert_eq!(episode.events(), simulation.events(number).expect("a game"), "{game}");
        }
        simulation.run(NonZeroUsize::MIN, &mut |_| {}).expect("the games");
    }
}

#[test]
fn the_learner_changes_seats_from_deal_to_deal() {
    let kind: GameKind = "durak".parse().expect("a game");
    for number in 0..6 {
        let deal = Deal { seed: seed(), number };
        let episode = opponent("greedy", None).begin(&kind, "seats=3", deal).expect("an episode");
        assert_eq!(episode.to_move().map(|seat| seat.index() as u64), Some(number % 3));
    }
}

#[test]
fn an_opponent_that_cannot_play_is_refused() {
    let begin = |game: &str, options: &str, opponent: Opponent| {
        let kind: GameKind = game.parse().expect("a game");
        let begun = opponent.begin(&kind, options, Deal { seed: seed(), number: 0 });
        begun.err().expect("a refusal").to_string()
    };
    let nobody = begin("coup", "", opponent("nobody", None));
    assert!(nobody.starts_with("player `nobody`: no player of coup is called"), "{nobody}");
    let court = begin("coup", "seats=4", opponent("calculator", None));
    assert!(court.starts_with("player `calculator`: `calculator` plays Coup only with"), "{court}");
    let third = begin("coup", "", opponent("greedy", Some(2)));
    assert_eq!(third, "seat 2, expected one from 0 to 1");
    let seats = begin("coup", "seats=9", opponent("greedy", None));
    assert_eq!(seats, "expected 2 to 6 seats for coup, found `9`");
}
