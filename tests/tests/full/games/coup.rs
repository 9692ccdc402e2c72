//! Coup between built-in bots, with the real programs: a match, its log, and simulations.

use bots::programs;
use rules::GameKind;
use rules::coup::Coup;
use serde_json::{Value, json};
use simulation::{BuiltInPlayer, SeatOrder, Simulation};
use tests::bench::{Bench, SEED};

fn bench() -> Bench {
    Bench::new()
}

#[test]
fn built_in_bots_play_in_both_orders_as_they_do_in_one_process() {
    let bench = bench();
    let built_in = |command: &str| {
        let mut words = command.split(' ').map(str::to_owned);
        let program = words.next().expect("a program");
        BuiltInPlayer { name: program.clone(), program, options: words.collect() }
    };
    let matches = [
        (3, ["random", "greedy"]),
        (2, ["minimax --time none", "greedy"]),
        (3, ["greedy", "greedy"]),
    ];
    for (count, bots) in matches {
        let simulation = Simulation {
            kind: GameKind::of::<Coup>(),
            options: String::new(),
            players: bots.map(built_in).into(),
            order: SeatOrder::Rotate,
            deals: count,
            seed: SEED.parse().expect("a seed"),
        };
        let games = bench.play("coup", &["--games", &count.to_string()], &bots);
        assert_eq!(games.len() as u64, count);
        for (number, game) in (0u64..).zip(&games) {
            assert_eq!(game["result"]["ending"], "played", "{game}");
            let seats: Vec<&str> =
                game["seats"].as_array().expect("seats").iter().filter_map(Value::as_str).collect();
            let first = bots[number as usize % 2].split(' ').next().expect("a program");
            assert!(seats[0].starts_with(first), "{seats:?}");
            // Game g of a match is deal g, with the players rotated g times.
            let events = simulation.events(2 * number + number % 2).expect("a game");
            assert_eq!(game["events"], json!(events), "game {number} of {bots:?}");
        }
    }
}

#[test]
fn a_game_is_shown_as_it_was_played() {
    let bench = bench();
    let game = bench.play("coup", &[], &["minimax", "random"]).remove(0);
    let shown = bench.succeed(["show", "log", "--game", "0"]);
    assert!(shown.contains("minimax") && shown.contains("random"), "{shown}");
    let scores = &game["result"]["scores"];
    let result = format!("result: minimax {}, random {}", scores[0], scores[1]);
    assert!(shown.contains(&result), "`{result}` is not in {shown}");
}

#[test]
fn a_match_in_json_says_who_won() {
    let bench = bench();
    let words = ["match", "--game", "coup", "--json", "--seed", SEED, "--games", "3"];
    let lines = bench.run([&words[..], &["greedy", "random"]].concat()).json();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0]["start"]["game"], "coup");
    assert_eq!(lines[0]["start"]["options"], "seats=2 rules=contest");
    let won = |line: &Value| line["game"]["seats"].as_array().map(Vec::len) == Some(2);
    assert!(lines[1..4].iter().all(won), "{lines:?}");
    let players = lines[4]["result"]["players"].as_array().expect("players");
    let sum: u64 = players.iter().filter_map(|player| player["points"].as_u64()).sum();
    assert_eq!(sum, 3, "{lines:?}");
}

#[test]
fn simulations_compare_with_the_yardsticks() {
    let bench = bench();
    let head = ["simulate", "--game", "coup", "--json", "--deals", "100", "--seed", SEED];
    let minimax = "minimax --depth 1 --time none";
    // Below what the README has measured over more deals.
    for (one, other, least) in [
        ("greedy", "random", 0.88),
        ("greedy", "challenger", 0.94),
        ("calculator", "random", 0.8),
        (minimax, "random", 0.88),
        (minimax, "challenger", 0.92),
        (minimax, "greedy", 0.88),
        (minimax, "calculator", 0.68),
        ("expert", "random", 0.7),
        ("expert", "greedy", 0.7),
    ] {
        let report = bench.run([&head[..], &[one, other]].concat()).json().remove(0);
        assert_eq!(report["games"], 200, "{report}");
        let share = report["players"][0]["win_share"]["mean"].as_f64().expect("a share");
        assert!(share > least, "{one} against {other}: {share}");
    }
}

#[test]
fn every_program_says_which_games_it_plays() {
    let bench = bench();
    let listed = bench.succeed(["bots"]);
    for program in programs::ALL.into_iter().chain(programs::YARDSTICKS) {
        let plays = program.name != "lowest";
        assert_eq!(program.games().split(", ").any(|game| game == "coup"), plays);
        assert!(listed.contains(&format!("{:10} {}", program.name, program.about)), "{listed}");
    }
    for yardstick in ["challenger", "calculator"] {
        // There is no program of that name.
        let words = ["match", "--game", "coup", "random", yardstick];
        assert_eq!(bench.run(words).code, Some(4));
        let words = ["simulate", "--game", "tablic", "random", yardstick];
        let refusal =
            format!("built-in bot `{yardstick}` does not play tablic: use random, greedy, minimax");
        bench.run(words).assert_refused(2, &[&refusal]);
    }
}
