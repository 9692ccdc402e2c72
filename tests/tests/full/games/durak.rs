//! Durak between built-in bots, with the real programs: matches with every kind of option, their
//! logs, checks and simulations.

use bots::programs;
use rules::GameKind;
use rules::durak::Durak;
use serde_json::{Value, json};
use simulation::{BuiltInPlayer, SeatOrder, Simulation};
use tests::bench::Bench;
use tests::log;

const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Options on the command line, number of seats, and options in the log.
const OPTIONS: [(&str, usize, &str); 5] = [
    ("", 2, "seats=2 deck=36 transfer=off first-limit=6 throwers=all"),
    ("transfer=on deck=24", 3, "seats=3 deck=24 transfer=on first-limit=6 throwers=all"),
    ("throwers=neighbours", 4, "seats=4 deck=36 transfer=off first-limit=6 throwers=neighbours"),
    ("deck=32 first-limit=5", 5, "seats=5 deck=32 transfer=off first-limit=5 throwers=all"),
    ("deck=52", 6, "seats=6 deck=52 transfer=off first-limit=6 throwers=all"),
];

fn bench() -> Bench {
    Bench::new()
}

/// Plays a match of two games with a log, which must verify.
fn play(bench: &Bench, options: &str, bots: &[&str]) {
    let _ = std::fs::remove_file(bench.path("log"));
    let head = ["match", "--game", "durak", "--quiet", "--seed", SEED, "--log", "log"];
    let rest = ["--games", "2", "--time-limit", "30s", "--options", options];
    assert_eq!(bench.succeed([&head[..], &rest, bots].concat()), "", "nothing is shown");
    bench.verify(&bench.path("log"));
}

#[test]
fn every_option_and_seat_count_is_played_as_in_one_process() {
    let bench = bench();
    for (said, seats, options) in OPTIONS {
        let bots: Vec<&str> = ["greedy", "random"].into_iter().cycle().take(seats).collect();
        play(&bench, said, &bots);
        let player = |program: &&str| BuiltInPlayer {
            name: (*program).to_owned(),
            program: (*program).to_owned(),
            options: Vec::new(),
        };
        let simulation = Simulation {
            kind: GameKind::of::<Durak>(),
            options: options.to_owned(),
            players: bots.iter().map(player).collect(),
            order: SeatOrder::Rotate,
            deals: 2,
            seed: SEED.parse().expect("a seed"),
        };
        assert_eq!(log::lines(&bench.path("log"))[0]["header"]["options"], options);
        let games = log::games(&bench.path("log"));
        assert_eq!(games.len(), 2);
        for (number, game) in (0u64..).zip(&games) {
            assert_eq!(game["result"]["ending"], "played", "{game}");
            let scores = game["result"]["scores"].as_array().expect("scores");
            assert_eq!(scores.len(), seats);
            // Game g of a match is deal g, with the players rotated g times.
            let events = simulation.events(seats as u64 * number + number).expect("a game");
            assert_eq!(game["events"], json!(events), "game {number} of {options}");
        }
    }
}

#[test]
fn a_game_is_shown_as_it_was_played() {
    let bench = bench();
    play(&bench, "transfer=on", &["greedy", "minimax --time 1ms", "random"]);
    let game = log::games(&bench.path("log")).remove(0);
    let shown = bench.succeed(["show", "log", "--game", "0"]);
    let result = format!("result: greedy {}", game["result"]["scores"][0]);
    assert!(shown.contains(&result), "`{result}` is not in {shown}");
}

#[test]
fn a_check_plays_at_a_table_of_the_size_asked_for() {
    let bench = bench();
    for (options, seats, expected) in OPTIONS {
        let seats = seats.to_string();
        let head = ["check", "--game", "durak", "--json", "--games", "2", "--seed", SEED];
        let table = ["--seats", &seats, "--options", options, "greedy"];
        let lines = bench.run([&head[..], &table].concat()).json();
        let passed = lines.last().map(|line| line["summary"]["passed"].clone());
        assert_eq!(passed, Some(Value::Bool(true)), "{options}: {lines:?}");
        let told = lines.last().map(|line| line["summary"]["options"][0].clone());
        assert_eq!(told, Some(Value::from(expected)));
    }
    let words = ["check", "--game", "durak", "--seats", "5", "--options", "deck=24", "greedy"];
    bench.run(words).assert_refused(2, &["at most 4 seats with a deck of 24"]);
}

#[test]
fn every_program_plays_it() {
    for program in programs::ALL {
        assert!(programs::plays(program, &GameKind::of::<Durak>()), "{}", program.name);
    }
    let bench = bench();
    let words = ["simulate", "--game", "durak", "--json", "--deals", "50", "--seed", SEED];
    let report = bench.run([&words[..], &["lowest", "random"]].concat()).json().remove(0);
    assert_eq!(report["games"], 100, "{report}");
    let mean = report["players"][0]["mean_points"]["mean"].as_f64().expect("a mean");
    assert!(mean > 0.75, "{report}");
}
