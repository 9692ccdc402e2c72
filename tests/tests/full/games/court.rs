//! Coup at a court with the real programs: matches, their logs, a tournament, a check, and everything that is
//! for two seats alone.

use std::path::Path;

use rules::GameKind;
use rules::coup::Coup;
use serde_json::{Value, json};
use simulation::{BuiltInPlayer, SeatOrder, Simulation};
use tests::bench::{Bench, SEED};
use tests::log;

/// The seats of a court, each with as many bots.
const TABLES: [&[&str]; 4] = [
    &["greedy", "random", "random"],
    &["greedy", "random", "greedy", "random"],
    &["random", "greedy", "greedy", "random", "greedy"],
    &["greedy", "random", "greedy", "random", "greedy", "random"],
];

fn bench() -> Bench {
    Bench::new()
}

/// Plays a match with a log, which must verify, and returns its games.
fn play(bench: &Bench, games: u64, bots: &[&str]) -> Vec<Value> {
    let _ = std::fs::remove_file(bench.path("log"));
    let head = ["match", "--game", "coup", "--quiet", "--seed", SEED, "--log", "log"];
    let games = games.to_string();
    bench.succeed([&head[..], &["--games", &games, "--time-limit", "30s"], bots].concat());
    bench.verify(&bench.path("log"));
    log::games(&bench.path("log"))
}

#[test]
fn bots_play_at_a_court_as_they_do_in_one_process() {
    let bench = bench();
    for bots in TABLES {
        let games = play(&bench, 2, bots);
        let options = format!("seats={} rules=court", bots.len());
        assert_eq!(log::lines(&bench.path("log"))[0]["header"]["options"], options.as_str());
        let player = |program: &&str| BuiltInPlayer {
            name: (*program).to_owned(),
            program: (*program).to_owned(),
            options: Vec::new(),
        };
        let simulation = Simulation {
            kind: GameKind::of::<Coup>(),
            options: options.clone(),
            players: bots.iter().map(player).collect(),
            order: SeatOrder::Rotate,
            deals: 2,
            seed: SEED.parse().expect("a seed"),
        };
        assert_eq!(games.len(), 2);
        for (number, game) in (0u64..).zip(&games) {
            assert_eq!(game["result"]["ending"], "played", "{game}");
            // Game g of a match is deal g, with the players rotated g times.
            let events = simulation.events(bots.len() as u64 * number + number).expect("a game");
            assert_eq!(game["events"], json!(events), "game {number} of {options}");
        }
    }
}

#[test]
fn a_game_at_a_court_is_shown_as_it_was_played() {
    let bench = bench();
    let game = play(&bench, 1, TABLES[1]).remove(0);
    let shown = bench.succeed(["show", "log", "--game", "0"]);
    let result = format!("result: greedy {}", game["result"]["scores"][0]);
    assert!(shown.contains(&result) && shown.contains("wins"), "`{result}` is not in {shown}");
    bench.succeed(["report", "log", "-o", "pages"]);
}

#[test]
fn a_seat_that_is_out_leaves_the_others_their_game() {
    let bench = bench();
    let faulty = bench.faulty("crash");
    let game = play(&bench, 1, &["random", &faulty, "greedy"]).remove(0);
    let out = game["result"]["out"].as_array().expect("seats");
    assert!(out[1].is_string() && out[0].is_null() && out[2].is_null(), "{game}");
    assert_eq!(game["result"]["scores"][1], 0, "{game}");
    let points: u64 =
        game["result"]["scores"].as_array().expect("scores").iter().filter_map(Value::as_u64).sum();
    assert_eq!(points, 1, "{game}");
}

#[test]
fn a_tournament_and_a_check_are_played_at_a_court() {
    let bench = bench();
    let words = [
        "tournament",
        "--game",
        "coup",
        "--dir",
        "cup",
        "--seats",
        "3",
        "--deals",
        "2",
        "--seed",
        SEED,
    ];
    let bots = ["greedy", "random", "second=random", "third=greedy"];
    bench.succeed([&words[..], &bots].concat());
    bench.verify(&bench.path("cup"));
    let standings = bench.succeed(["tournament", "standings", "cup"]);
    assert!(standings.contains("greedy") && standings.contains("third"), "{standings}");
    let check = ["check", "--game", "coup", "--seats", "5", "--games", "2", "--json", "greedy"];
    let lines = bench.run(check).json();
    let summary = &lines.last().expect("a summary")["summary"];
    assert_eq!(summary["passed"], true, "{summary}");
    assert_eq!(summary["options"][0], "seats=5 rules=court");
}

/// Every request, the history and the points, against rules that were written from the page alone.
#[test]
fn games_at_a_court_are_the_same_by_rules_in_python() {
    let bench = bench();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/check_court.py");
    let check = |bench: &Bench| bench.command("python3").arg(&script).arg("log").output().ok();
    let (mut games, mut questions) = (0, 0);
    for players in [&["random", "random"][..], TABLES[0], TABLES[1], TABLES[2], TABLES[3]] {
        let _ = std::fs::remove_file(bench.path("log"));
        let words = ["simulate", "--game", "coup", "--options", "rules=court", "--log", "log"];
        let rest = ["--deals", "30", "--order", "fixed", "--seed", SEED];
        bench.succeed([&words[..], &rest, players].concat());
        let Some(checked) = check(&bench) else {
            tests::missing::tell("no python3");
            return;
        };
        let told = String::from_utf8_lossy(&checked.stdout).into_owned();
        assert!(checked.status.success(), "{told}{}", String::from_utf8_lossy(&checked.stderr));
        let numbers: Vec<u64> = told.split(' ').filter_map(|word| word.parse().ok()).collect();
        games += numbers[0];
        questions += numbers[1];
    }
    assert!(games == 150 && questions > 3000, "{games} games, {questions} questions");
    // A request that was another one is found.
    let text = std::fs::read_to_string(bench.path("log")).expect("a log");
    let (before, digest) = text.split_once("\"asked\":\"").expect("a question");
    let other = if digest.starts_with('0') { "1" } else { "0" };
    bench.write("log", format!("{before}\"asked\":\"{other}{}", &digest[1..]));
    let checked = check(&bench).expect("it was there");
    assert!(!checked.status.success(), "{checked:?}");
}

#[test]
fn what_is_for_two_seats_alone_says_so() {
    let bench = bench();
    let words = ["simulate", "--game", "coup", "--deals", "1", "greedy", "random", "calculator"];
    let refusal =
        "`calculator` plays coup with rules=contest only, expected another player at a court";
    bench.run(words).assert_refused(2, &[refusal]);
    let words = ["match", "--game", "coup", "--games", "3", "minimax", "expert", "greedy"];
    bench.succeed(words);
    let words = ["match", "--game", "coup", "dialect=classic old=random", "random", "greedy"];
    let told = "bot `random`: coup with seats=3 rules=court has no classic dialect";
    bench.run(words).assert_refused(2, &[told]);
    let words =
        ["match", "--game", "coup", "--options", "rules=contest", "random", "random", "greedy"];
    bench.run(words).assert_refused(2, &["expected `rules=court` for coup with more than 2 seats"]);
    let words = [
        "match", "--game", "coup", "a=random", "b=random", "c=random", "d=random", "e=random",
        "f=random", "g=random",
    ];
    bench.run(words).assert_refused(2, &["expected 2 to 6 seats for coup, found `7`"]);
    play(&bench, 1, TABLES[0]);
    let told = "no review for coup with seats=3 rules=court; use --by COMMAND to rate moves with \
         your own bot";
    bench.run(["review", "log"]).assert_refused(2, &[told]);
    let told = "holds games of coup with seats=3 rules=court, which have no features `expert`";
    bench.run(["export", "--features", "expert", "log"]).assert_refused(2, &[told]);
    let moves = bench.succeed(["export", "--features", "moves", "log"]);
    assert!(moves.lines().count() > 10, "{moves}");
}
