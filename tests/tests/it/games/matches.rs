//! Matches between sane bots: what follows from the seed, who sits where, and what it adds up to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::log;

const SEED: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const OTHER_SEED: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdee";

fn bench() -> Bench {
    Bench::new()
}

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

#[test]
fn a_seed_gives_a_match() {
    let bench = bench();
    let log = |name: &str, seed: &str| {
        let words = ["--games", "4", "--seed", seed, "random", "greedy", "r=random"];
        reproducible(&play(&bench, name, &words))
    };
    let first = log("first", SEED);
    assert_eq!(log("again", SEED), first);
    let other = log("other", OTHER_SEED);
    for (line, (one, other)) in first.iter().zip(&other).enumerate() {
        assert_ne!(one, other, "line {} is the same for another seed", line + 1);
    }
    let deals = |log: &[Value], game: usize| log[game + 1]["game"]["inputs"][0].clone();
    assert_ne!(deals(&first, 0), deals(&first, 1), "every game has a deal of its own");
    assert_ne!(deals(&first, 0), deals(&other, 0), "another seed, another deal");
}

#[test]
fn the_deals_of_a_seed_do_not_depend_on_the_players() {
    let bench = bench();
    let faulty = bench.faulty("ok");
    let first_deals = |name: &str, bots: [&str; 2]| -> Vec<Value> {
        let words = ["--games", "3", "--seed", SEED, bots[0], bots[1]];
        let games = log::games(&play(&bench, name, &words));
        games.iter().map(|game| game["inputs"].as_array().expect("inputs")[..3].into()).collect()
    };
    let deals = first_deals("one", ["random", "greedy"]);
    assert_eq!(first_deals("two", ["greedy", "random"]), deals);
    assert_eq!(first_deals("three", [&faulty, &faulty]), deals);
}

#[test]
fn without_a_seed_every_match_is_another() {
    let bench = bench();
    let end = |name: &str| log::lines(&play(&bench, name, &["random", "random"])).remove(2);
    assert_ne!(end("one")["end"]["seed"], end("two")["end"]["seed"]);
}

#[test]
fn turns_rotate_by_a_seat_from_game_to_game() {
    let bench = bench();
    let words = ["--games", "5", "X=random", "Y=random", "Z=random"];
    let games = log::games(&play(&bench, "log", &words));
    let seats: Vec<Value> = games.iter().map(|game| game["seats"].clone()).collect();
    let (x, y, z) = ("X", "Y", "Z");
    let expected = [[x, y, z], [y, z, x], [z, x, y], [x, y, z], [y, z, x]];
    assert_eq!(seats, expected.map(|seats| json!(seats)));
}

/// With every number of seats that a match of programs is likely to have, and the largest.
#[test]
fn real_matches_with_many_seats() {
    for seats in [2, 3, 4, 6, 48] {
        let bench = bench();
        let bots: Vec<String> =
            (0..seats).map(|n| format!("{}={}", name(n), ["greedy", "random"][n % 2])).collect();
        let (count, games) = (seats.to_string(), if seats > 6 { 1 } else { 2 });
        let games_word = games.to_string();
        let mut words = vec!["--seats", &count, "--games", &games_word];
        words.extend(bots.iter().map(String::as_str));
        let log = play(&bench, "log", &words);
        let lines = log::lines(&log);
        assert_eq!(lines[0]["header"]["options"], format!("seats={seats}"));
        assert_eq!(lines.len(), games + 2);
        for game in log::games(&log) {
            assert_eq!(game["result"]["ending"], "played", "{seats} seats");
            assert_eq!(game["result"]["out"], json!(vec![Value::Null; seats]), "{seats} seats");
        }
        check_sums(&lines);
    }
}

fn name(number: usize) -> String {
    format!("p{number}")
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
    let bench = bench();
    let bots = [
        format!("bad={}", bench.faulty("only-on 3 1 exit-1")),
        "random".to_owned(),
        "greedy".to_owned(),
    ];
    let mut words =
        ["match", "--game", "tablic", "--json", "--games", "7", "--log", "log"].to_vec();
    words.extend(bots.iter().map(String::as_str));
    let printed = bench.succeed(words);
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

/// With more than two seats the house plays for the one that is out, and the others go on.
#[test]
fn a_game_goes_on_without_the_seat_that_is_out() {
    let bench = bench();
    let bad = format!("bad={}", bench.faulty("only-on 4 1 exit-1"));
    let log = play(&bench, "log", &["--games", "3", "--seed", SEED, "random", &bad, "greedy"]);
    let games = log::games(&log);
    assert_eq!(games[0]["result"]["ending"], "played");
    assert_eq!(games[0]["result"]["out"], json!([null, "crash", null]));
    assert_eq!(games[0]["result"]["scores"][1], 0);
    let asked = log::replies(&games[0], 1);
    assert_eq!(asked.len(), 2, "the seat is never asked again: {asked:?}");
    for seat in [0, 2] {
        assert!(log::replies(&games[0], seat).len() > 10, "seat {seat} plays to the end");
    }
    let played = games[0]["events"].as_array().expect("events").iter().filter_map(Value::as_str);
    assert!(played.filter(|event| event.starts_with("1 ")).count() > 10, "the house plays");
    for game in &games[1..] {
        assert_eq!(game["result"]["out"], json!([null, null, null]), "only on one seat");
    }
}

/// All seats but one are out: the last one has won, and no seat is asked any more.
#[test]
fn the_last_contender_wins_by_walkover() {
    let bench = bench();
    let bad = bench.faulty("exit-1");
    let log = play(&bench, "log", &[&bad, &bad, "greedy", &bad]);
    let game = log::games(&log).remove(0);
    assert_eq!(game["result"]["out"], json!(["crash", "crash", null, "crash"]));
    assert_eq!(game["result"]["ending"], "walkover");
    assert_eq!(log::replies(&game, 2).len(), 1);
}
