//! Matches between sane bots: what follows from the seed, who sits where, and what it adds up to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tests::bench::{Bench, SEED};
use tests::log;

/// It has another last digit.
const OTHER_SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeefe";

/// Plays a match with a log, which must verify, and gives the path of the log.
fn play(bench: &Bench, name: &str, words: &[&str]) -> PathBuf {
    let log = bench.path(name);
    let head = ["match", "--game", "tablic", "--quiet", "--log", name];
    assert_eq!(bench.succeed([&head, words].concat()), "", "nothing is shown");
    bench.verify(&log);
    log
}

/// The lines of a log without what differs from run to run.
fn reproducible(log: &Path) -> Vec<Value> {
    let strip = |mut line: Value| {
        let chain = ["previous", "sha256"].map(|key| line[key].take());
        assert!(chain.iter().all(Value::is_string), "every line is in the chain");
        if let Some(game) = line.get_mut("game") {
            assert!(game["measured"].take().is_array(), "every game is measured");
        }
        line
    };
    log::lines(log).into_iter().map(strip).collect()
}

/// The deals do not depend on the players, whose seats rotate from game to game.
#[test]
fn a_seed_gives_a_match() {
    let bench = Bench::new();
    let log = |name: &str, seed: &str, games: &str, bots: [&str; 3]| {
        let words = [&["--games", games, "--seed", seed][..], &bots].concat();
        reproducible(&play(&bench, name, &words))
    };
    let bots = ["random", "greedy", "r=random"];
    let first = log("first", SEED, "4", bots);
    assert_eq!(log("again", SEED, "4", bots), first);
    let other = log("other", OTHER_SEED, "4", bots);
    for (line, (one, other)) in first.iter().zip(&other).enumerate() {
        assert_ne!(one, other, "line {} is the same for another seed", line + 1);
    }
    let deals = |log: &[Value], game: usize| log[game + 1]["game"]["inputs"][0].clone();
    assert_ne!(deals(&first, 0), deals(&first, 1), "every game has a deal of its own");
    assert_ne!(deals(&first, 0), deals(&other, 0), "another seed, another deal");
    let turned = log("turned", SEED, "1", ["greedy", "r=random", &bench.faulty("ok")]);
    let hands = |log: &[Value]| log[1]["game"]["inputs"].as_array().expect("inputs")[..4].to_vec();
    assert_eq!(hands(&turned), hands(&first), "the same cards for other players");
    let seats: Vec<Value> = (1..5).map(|line| first[line]["game"]["seats"].clone()).collect();
    let (x, y, z) = ("random", "greedy", "r");
    assert_eq!(seats, [[x, y, z], [y, z, x], [z, x, y], [x, y, z]].map(|seats| json!(seats)));
}

#[test]
fn without_a_seed_every_match_is_another() {
    let bench = Bench::new();
    let end = |name: &str| log::lines(&play(&bench, name, &["random", "random"])).remove(2);
    assert_ne!(end("one")["end"]["seed"], end("two")["end"]["seed"]);
}

/// With the largest number of seats; other tests play with fewer.
#[test]
fn a_real_match_with_48_seats() {
    let bench = Bench::new();
    let bots: Vec<String> =
        (0..48).map(|n| format!("p{n}={}", ["greedy", "random"][n % 2])).collect();
    let words: Vec<&str> = bots.iter().map(String::as_str).collect();
    let log = play(&bench, "log", &[&["--seats", "48"][..], &words].concat());
    let lines = log::lines(&log);
    assert_eq!(lines[0]["header"]["options"], "seats=48");
    let result = &lines[1]["game"]["result"];
    assert_eq!(result["ending"], "played");
    assert_eq!(result["out"], json!(vec![Value::Null; 48]));
    check_sums(&lines);
}

/// The points at the end are those of the games, each to the player on the seat.
fn check_sums(lines: &[Value]) {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    for game in lines.iter().filter_map(|line| line.get("game")) {
        let scores = game["result"]["scores"].as_array().expect("scores");
        for (name, score) in game["seats"].as_array().expect("names").iter().zip(scores) {
            let sum = sums.entry(name.as_str().expect("a name")).or_default();
            *sum += score.as_u64().expect("whole points");
        }
    }
    let players = lines[0]["header"]["players"].as_array().expect("players");
    let points: Vec<u64> =
        players.iter().map(|player| sums[player["name"].as_str().expect("a name")]).collect();
    assert_eq!(lines.last().expect("an end")["end"]["points"], json!(points));
}

/// Points, games won, drawn and lost, and faults: once from the log, once from the output.
#[test]
fn totals_add_up() {
    let bench = Bench::new();
    let bad = format!("bad={}", bench.faulty("only-on 3 1 exit-1"));
    let words = ["match", "--game", "tablic", "--json", "--games", "5", "--log", "log", &bad];
    let printed = bench.succeed([&words[..], &["random", "greedy"]].concat());
    bench.verify(&bench.path("log"));
    check_sums(&log::lines(&bench.path("log")));
    let games = log::games(&bench.path("log"));
    let last: Value = serde_json::from_str(printed.lines().last().expect("lines")).expect("JSON");
    for player in last["result"]["players"].as_array().expect("players") {
        let name = player["name"].as_str().expect("a name");
        let (mut won, mut drawn, mut lost, mut faults, mut points) = (0, 0, 0, 0, 0);
        for game in &games {
            let seat = log::seat_of(game, name);
            let out = |seat: usize| !game["result"]["out"][seat].is_null();
            let score = |seat: usize| game["result"]["scores"][seat].as_u64().expect("points");
            let best = (0..3).filter(|seat| !out(*seat)).map(score).max().expect("a contender");
            let winners = (0..3).filter(|seat| !out(*seat) && score(*seat) == best).count();
            match (!out(seat) && score(seat) == best, winners) {
                (true, 1) => won += 1,
                (true, _) => drawn += 1,
                (false, _) => lost += 1,
            }
            faults += u64::from(out(seat));
            points += score(seat);
        }
        let expected = json!({"name": name, "points": points, "won": won, "drawn": drawn,
            "lost": lost, "faults": faults, "first_fault": player["first_fault"], "escaped": 0});
        assert_eq!(*player, expected);
        assert_eq!(player["first_fault"].is_null(), faults == 0, "{player}");
    }
}
