//! Whole matches and tournaments, the referee's own work included.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use super::figures::{Turns, median};
use super::workshop::Workshop;

const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// How many turns everyone has.
const TURNS: u32 = 9;

/// A match of bots that do next to nothing, for one call, against the floor.
pub(crate) fn match_of_first_moves(workshop: &Workshop) {
    const GAMES: &str = "20";
    const FLOOR: u32 = 150;
    let bot = workshop.first_move.display().to_string();
    let words = ["match", "--game", "tablic", "--games", GAMES, &bot, &bot];
    let mut floor = workshop.floor();
    let names = ["vfork, exec and wait in C", "a match, for a call", "the same without layers"];
    let mut turns = Turns::new(names);
    run(workshop, &[&words[..], &["--log", "log"]].concat());
    let calls = calls_in_log(workshop);
    println!("  {GAMES} games are {calls} calls");
    for _ in 0..TURNS {
        // Half of the floor before each match.
        let one = floor.calls(FLOOR);
        let isolated = run(workshop, &words) * 1e9 / calls as f64;
        let other = floor.calls(FLOOR);
        let open = run(workshop, &[&words[..], &["--isolation", "off"]].concat()) * 1e9;
        turns.add([one.midpoint(other), isolated, open / calls as f64]);
    }
    turns.print([None, Some(1.5), None]);
}

/// Games a second of Coup between two programs in C, in the dialect of the contest.
pub(crate) fn classic_coup(workshop: &Workshop) {
    const GAMES: u32 = 50;
    const FLOOR: u32 = 150;
    let bot = workshop.example("classic-random-c/classic_random.c");
    let bots = ["a", "b"].map(|name| format!("dialect=classic {name}={}", bot.display()));
    let games = GAMES.to_string();
    let words = ["match", "--game", "coup", "--games", &games, &bots[0], &bots[1]];
    run(workshop, &[&words[..], &["--log", "log"]].concat());
    let calls = calls_in_log(workshop) as f64;
    let a_game = calls / f64::from(GAMES);
    println!("  a game is {a_game:.1} calls");
    let mut floor = workshop.floor();
    let mut turns = Turns::new(["vfork, exec and wait in C", "a match, for a call"]);
    let mut rates = Vec::new();
    for _ in 0..TURNS {
        let one = floor.calls(FLOOR);
        let taken = run(workshop, &words);
        let floor = one.midpoint(floor.calls(FLOOR));
        turns.add([floor, taken * 1e9 / calls]);
        rates.push([f64::from(GAMES) / taken, 1e9 / (floor * a_game)]);
    }
    turns.print([None, None]);
    let [rate, bound] = [0, 1].map(|place| median(rates.iter().map(|turn| turn[place])));
    println!(
        "  {rate:.0} games a second with one worker, at least 150; {bound:.0} if a call were the floor"
    );
}

/// How much faster a tournament is with two workers than with one.
pub(crate) fn tournament_of_two_workers(workshop: &Workshop) {
    let bots = ["a", "b", "c"].map(|name| format!("{name}={}", workshop.first_move.display()));
    let with = |workers: &str| {
        let folder = workshop.path("cup").display().to_string();
        let mut words = vec!["tournament", "--game", "tablic", "--dir", &folder, "--deals", "8"];
        words.extend(["--workers", workers]);
        words.extend(bots.iter().map(String::as_str));
        let taken = run(workshop, &words);
        fs::remove_dir_all(folder).expect("it is ours");
        taken
    };
    let turns: Vec<[f64; 2]> = (0..TURNS).map(|_| ["1", "2"].map(with)).collect();
    for (place, name) in ["one worker", "two workers"].iter().enumerate() {
        let taken = median(turns.iter().map(|turn| turn[place]));
        println!("  {name:<44} {taken:>9.3} s");
    }
    let ratio = median(turns.iter().map(|[one, two]| one / two));
    println!(
        "  {:<44} {ratio:>9.2} times as fast, at least 1.8 on two idle processors",
        "two over one"
    );
}

/// How many games of Tablić two bots play in a second.
pub(crate) fn games_a_second(workshop: &Workshop, games: u32, bots: &[String; 2]) -> f64 {
    let count = games.to_string();
    let words = ["match", "--game", "tablic", "--games", &count, &bots[0], &bots[1]];
    f64::from(games) / run(workshop, &words)
}

/// Runs the referee in the workshop, and gives how many seconds that took.
fn run(workshop: &Workshop, words: &[&str]) -> f64 {
    let log = workshop.path("log");
    let _ = fs::remove_file(&log);
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.args(words).args(["--seed", SEED, "--quiet"]).current_dir(workshop.path(""));
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let begun = Instant::now();
    let status = command.status().expect("it starts");
    assert!(status.success(), "{command:?}: {status}");
    begun.elapsed().as_secs_f64()
}

/// How many calls the match in the log was.
fn calls_in_log(workshop: &Workshop) -> usize {
    let text = fs::read_to_string(workshop.path("log")).expect("a log");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
    lines.map(|line: Value| calls_of_game(&line["game"]["inputs"])).sum()
}

/// How many inputs of a game are answers of bots.
fn calls_of_game(inputs: &Value) -> usize {
    let inputs = inputs.as_array().map_or(&[][..], Vec::as_slice);
    inputs.iter().filter(|input| input.get("answer").is_some()).count()
}
