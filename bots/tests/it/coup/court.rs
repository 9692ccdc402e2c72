//! The players of Coup at a court: `greedy` case by case, and those that look ahead in whole games.

use std::num::NonZeroUsize;

use bots::coup::Coup;
use bots::programs::{self, ALL, YARDSTICKS};
use bots::{AnyPlayer, Players};
use rules::{BotSeed, GameKind, Score, Seed};
use simulation::{BuiltInPlayer, SeatOrder, Simulation};

use crate::coup::sample_game::game_after_with;

/// The answer of `greedy` with three seats, after these lines.
fn greedy(lines: &str) -> String {
    let mut player: AnyPlayer<Coup> = Coup::player("greedy", &[]).expect("a player");
    player.choose(&game_after_with("seats=3", lines).request()).expect("a move").to_string()
}

/// Likewise with these hands, and with this many coins more for each seat.
fn after(hands: [&str; 3], rounds: usize, lines: &str) -> String {
    let deals: Vec<String> =
        hands.iter().enumerate().map(|(seat, hand)| format!("deal {seat} {hand}")).collect();
    let rounds = "; income; income; income".repeat(rounds);
    greedy(&format!("{}{rounds}{lines}", deals.join("; ")))
}

#[test]
fn greedy_attacks_the_seat_of_most_cards_and_then_of_most_coins() {
    let hands = ["assassin contessa", "duke captain", "duke captain"];
    assert_eq!(after(hands, 1, ""), "assassinate 1", "of equals the next one");
    let richer = "; income; income; foreign-aid; pass; pass";
    assert_eq!(after(hands, 1, richer), "assassinate 2", "the richer one");
    let one_card = "; income; income; tax; pass; challenge; show duke; draw 2 duke; lose duke";
    assert_eq!(after(hands, 1, one_card), "assassinate 2", "two cards before one");
}

#[test]
fn greedy_steals_where_there_is_most_to_take() {
    let hands = ["captain contessa", "duke captain", "duke captain"];
    assert_eq!(after(hands, 0, ""), "steal 1", "of equals the next one");
    let robbed = "; steal 1; pass; pass; income; income";
    assert_eq!(after(hands, 0, robbed), "steal 2", "seat 1 has one coin");
}

#[test]
fn greedy_does_not_run_into_the_same_block_again() {
    let hands = ["captain contessa", "duke captain", "duke captain"];
    let blocked = "; steal 1; pass; block captain; pass; pass; income; income";
    assert_eq!(after(hands, 0, blocked), "steal 2");
    let twice = format!("{blocked}; steal 2; pass; block captain; pass; pass; income; income");
    assert_eq!(after(hands, 0, &twice), "foreign-aid");
    let aid = format!("{twice}; foreign-aid; pass; block duke; pass; pass; income; income");
    assert_eq!(after(hands, 0, &aid), "income");
    let other = "; income; foreign-aid; block duke; pass; pass; income";
    assert_eq!(after(["contessa contessa", "duke captain", "duke captain"], 0, other), "income");
}

#[test]
fn greedy_answers_by_its_hand() {
    let hands = ["duke captain", "duke duke", "contessa assassin"];
    assert_eq!(after(hands, 0, "; foreign-aid"), "block duke");
    assert_eq!(after(hands, 0, "; tax"), "pass", "the third duke may be anywhere");
    assert_eq!(after(hands, 0, "; steal 1; pass"), "pass", "nothing to block with");
}

/// The third duke of seat 1 lies open.
#[test]
fn greedy_challenges_what_cannot_be() {
    let hands = ["captain captain", "duke duke", "duke contessa"];
    let open = "; income; income; steal 0; pass; challenge; lose duke";
    assert_eq!(after(hands, 0, &format!("{open}; tax")), "challenge");
    let blocked = format!("{open}; foreign-aid; pass; block duke; pass");
    assert_eq!(after(hands, 0, &blocked), "challenge", "the block of another action than its own");
}

#[test]
fn greedy_fights_for_its_last_card() {
    let hands = ["assassin captain", "contessa duke", "duke captain"];
    let last = "; income; steal 0; pass; challenge; lose contessa; income; assassinate 1";
    assert_eq!(after(hands, 0, &format!("{last}; pass")), "challenge");
    let proven = format!("{last}; challenge; show assassin; draw 0 ambassador; lose duke");
    assert_eq!(after(hands, 0, &proven), "block contessa", "the only bluff");
}

#[test]
fn only_calculator_does_not_play_at_a_court() {
    let coup = GameKind::of::<Coup>();
    for program in ALL.into_iter().chain(YARDSTICKS) {
        let refusal = programs::refusal(program.name, &coup, "seats=4 rules=court");
        assert_eq!(
            refusal.is_some(),
            program.name == "calculator",
            "{}: {refusal:?}",
            program.name
        );
        assert_eq!(programs::refusal(program.name, &coup, "seats=2 rules=contest"), None);
    }
    assert_eq!(programs::refusal("./my-bot", &coup, "seats=4 rules=court"), None);
    let request =
        game_after_with("seats=3", "deal 0 duke duke; deal 1 captain captain; deal 2 duke captain");
    let mut calculator = programs::player(&coup, "calculator", &[]).expect("a player");
    let refused = calculator.answer(&request.request().to_string()).expect_err("a refusal");
    let expected = "`calculator` plays Coup only with rules=contest: use another player at a court";
    assert_eq!(refused.to_string(), expected);
}

/// Points of the first player in all rotations of some deals.
fn points(players: &[&str], deals: u64) -> f64 {
    let of = |name: &&str| {
        let mut words = name.split_ascii_whitespace().map(str::to_owned);
        let program = words.next().expect("a name");
        BuiltInPlayer { name: (*name).to_owned(), program, options: words.collect() }
    };
    let simulation = Simulation {
        kind: GameKind::of::<Coup>(),
        options: format!("seats={} rules=court", players.len()),
        players: players.iter().map(of).collect(),
        order: SeatOrder::Rotate,
        deals,
        seed: Seed([7; 32]),
    };
    let (mut points, mut games) = (0.0, 0.0);
    let run = simulation.run(NonZeroUsize::MIN, &mut |game| {
        games += 1.0;
        let mut seats = game.seating.iter();
        let seat = seats.find(|(_, place)| **place == 0).map(|(seat, _)| seat).expect("a seat");
        points += f64::from(u8::from(game.scores[seat] != Score::ZERO));
    });
    run.expect("games");
    points / games
}

#[test]
fn those_that_look_ahead_win_among_greedy() {
    for player in ["expert --worlds 60 --time none", "minimax --depth 1 --time none"] {
        for (seats, deals) in [(2, 8), (3, 5)] {
            let mut players = vec![player];
            players.resize(seats, "greedy");
            let share = points(&players, deals);
            assert!(share > 1.2 / seats as f64, "{player}, {seats} seats: {share}");
        }
    }
}

#[test]
fn those_that_look_ahead_play_with_anyone_at_a_court() {
    let few = "expert --worlds 4 --time none";
    let less = "minimax --depth 1 --time 1ms";
    points(&[few, "random", less, "challenger", few, less], 1);
    points(&[few, less], 2);
}

#[test]
fn equal_requests_have_equal_answers_at_a_court() {
    let lines =
        "deal 0 captain contessa; deal 1 duke duke; deal 2 duke assassin; income; income; tax";
    let request = game_after_with("seats=3", lines).request();
    for name in ["minimax", "expert"] {
        let words = ["--time".to_owned(), "none".to_owned()];
        let new = || -> AnyPlayer<Coup> { Coup::player(name, &words).expect("a player") };
        let mut kept = new();
        let first = kept.choose(&request).expect("a move");
        assert_eq!(kept.choose(&request), Ok(first));
        assert_eq!(new().choose(&request), Ok(first));
        assert!(kept.cut().is_none());
    }
}

#[test]
fn without_time_a_court_is_played_as_greedy_does_and_a_note_says_so() {
    let lines = "deal 0 captain contessa; deal 1 duke duke; deal 2 duke assassin";
    let request = game_after_with("seats=3", lines).request();
    let words = ["--time".to_owned(), "0ms".to_owned()];
    let mut expert: AnyPlayer<Coup> = Coup::player("expert", &words).expect("a player");
    let mut greedy: AnyPlayer<Coup> = Coup::player("greedy", &[]).expect("a player");
    assert_eq!(expert.choose(&request), greedy.choose(&request));
    assert_eq!(expert.cut().map(|cut| cut.to_string()).as_deref(), Some("worlds 0"));
}

/// A mended fault: `--safe` and `--trust`, which change nothing at a court, took `--time` away.
#[test]
fn time_is_kept_with_all_options_at_a_court() {
    let lines = "deal 0 captain contessa; deal 1 duke duke; deal 2 duke assassin";
    let request = game_after_with("seats=3", lines).request();
    for option in ["--safe", "--trust=30"] {
        let words = [option, "--time=0ms"].map(str::to_owned);
        let mut expert: AnyPlayer<Coup> = Coup::player("expert", &words).expect("a player");
        assert!(expert.choose(&request).is_ok());
        let cut = expert.cut().map(|cut| cut.to_string());
        assert_eq!(cut.as_deref(), Some("worlds 0"), "{option}");
    }
}

/// A mended fault: fewer than four worlds were none, and the move that of `greedy`.
#[test]
fn one_world_is_played_too() {
    let lines = "deal 0 captain contessa; deal 1 duke duke; deal 2 duke assassin";
    let mut request = game_after_with("seats=3", lines).request();
    let words = ["--worlds=1", "--time=none"].map(str::to_owned);
    let mut expert: AnyPlayer<Coup> = Coup::player("expert", &words).expect("a player");
    let mut greedy: AnyPlayer<Coup> = Coup::player("greedy", &[]).expect("a player");
    let differs = (0..20).any(|byte| {
        request.heading.seed = BotSeed([byte; 8]);
        expert.choose(&request) != greedy.choose(&request)
    });
    assert!(differs);
}
