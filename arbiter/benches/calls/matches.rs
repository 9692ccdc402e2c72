//! Whole matches and tournaments, the referee's own work included.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use super::figures::{Most, Table, Turns, median, number};
use super::workshop::Workshop;

pub(crate) const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Number of turns of each.
const TURNS: u32 = 9;

/// Number of calls of the floor, before and after each match.
const FLOOR: u32 = 150;

/// Compares matches of bots that do next to nothing with the floor, which gets a request from the middle of a game.
pub(crate) fn matches(workshop: &Workshop) {
    const GAMES: &str = "20";
    let bots = [
        ("never captures", None, Most::Times(1.6)),
        ("captures most", Some("capture"), Most::TimesAndAbove(1.4, 180.0)),
    ];
    for (name, argument, most) in bots {
        let bot = workshop.first_move.display().to_string();
        let bot = argument.map_or(bot.clone(), |argument| format!("{bot} {argument}"));
        let words = ["match", "--game", "tablic", "--games", GAMES, &bot, &bot];
        let calls = calls_of(workshop, &words);
        let request = printed(workshop, &["request", "log", "--game", "3", "--move", "24"]);
        fs::write(workshop.path("middle"), &request).expect("the folder is ours");
        println!(
            "\nA bot that {name}: {GAMES} games of Tablić are {calls} calls; its request in the middle has {} bytes.",
            request.len()
        );
        let mut called: Vec<&dyn AsRef<OsStr>> = vec![&workshop.first_move];
        called.extend(argument.iter().map(|argument| argument as &dyn AsRef<OsStr>));
        let mut floor = workshop.floor("middle", &called);
        let mut turns = Turns::new(&["the floor", "a match", "a match without layers"]);
        for _ in 0..TURNS {
            // Half of the floor before each match.
            let one = floor.calls(FLOOR);
            let isolated = run(workshop, &words) * 1e9 / calls;
            let other = floor.calls(FLOOR);
            let open = run(workshop, &[&words[..], &["--isolation", "off"]].concat()) * 1e9 / calls;
            turns.add(&[one.midpoint(other), isolated, open]);
        }
        let mut table = Turns::table();
        turns.rows(&mut table, &[None, Some(most), None]);
        table.print();
    }
}

/// Games a second of Coup between two programs in C, in the dialect of the contest.
pub(crate) fn classic_coup(workshop: &Workshop) {
    const GAMES: u32 = 50;
    let mut table = Turns::table();
    let mut rates = Table::new(&[
        "linked statically with",
        "games a second",
        "if a call were the floor",
        "wanted",
    ]);
    for (library, compiler, wanted) in [("glibc", "cc", ""), ("musl", "musl-gcc", "at least 150")] {
        let Some(bot) = workshop.example(compiler, "classic-random-c/classic_random.c") else {
            println!("\nThere is no {compiler} here.");
            continue;
        };
        let bots = ["a", "b"].map(|name| format!("dialect=classic {name}={}", bot.display()));
        let games = GAMES.to_string();
        let words = ["match", "--game", "coup", "--games", &games, &bots[0], &bots[1]];
        let calls = calls_of(workshop, &words);
        let a_game = calls / f64::from(GAMES);
        let mut floor = classic_floor(workshop, &bot);
        let names = match library {
            "glibc" => &["the floor, glibc", "a match, glibc"],
            _ => &["the floor, musl", "a match, musl"],
        };
        let mut turns = Turns::new(names);
        let mut a_second = Vec::new();
        for _ in 0..TURNS {
            let one = floor.calls(FLOOR);
            let taken = run(workshop, &words);
            let floor = one.midpoint(floor.calls(FLOOR));
            turns.add(&[floor, taken * 1e9 / calls]);
            a_second.push([f64::from(GAMES) / taken, 1e9 / (floor * a_game)]);
        }
        turns.rows(&mut table, &[None, (library == "glibc").then_some(Most::Times(1.35))]);
        let [rate, bound] =
            [0, 1].map(|place| number(median(a_second.iter().map(|turn| turn[place]))));
        rates.add(&[&library, &rate, &bound, &wanted]);
    }
    table.print();
    rates.print();
}

/// The cheapest way to call a bot of the contest: it appends its move to a file.
fn classic_floor(workshop: &Workshop, bot: &Path) -> super::workshop::Floor {
    let game = workshop.path("game");
    fs::write(&game, "I\n").expect("the folder is ours");
    workshop.floor("-", &[&bot, &game, &"3", &"2", &"DC", &"I", &"F", &"T"])
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
    let mut table = Table::new(&["", "seconds", "times as fast", "wanted"]);
    let seconds = |place: usize| number(median(turns.iter().map(|turn| turn[place])));
    let ratio = number(median(turns.iter().map(|[one, two]| one / two)));
    table.add(&[&"one worker", &seconds(0), &"1", &""]);
    table.add(&[&"two workers", &seconds(1), &ratio, &"at least 1.8 on two idle processors"]);
    table.print();
}

/// Number of games of Tablić that two bots play in a second.
pub(crate) fn games_a_second(workshop: &Workshop, games: u32, bots: &[String; 2]) -> f64 {
    let count = games.to_string();
    let words = ["match", "--game", "tablic", "--games", &count, &bots[0], &bots[1]];
    f64::from(games) / run(workshop, &words)
}

/// Runs a match or a tournament in the workshop, and returns how many seconds that took.
pub(crate) fn run(workshop: &Workshop, words: &[&str]) -> f64 {
    let _ = fs::remove_file(workshop.path("log"));
    let mut command = arbiter(&workshop.path(""), words);
    command.args(["--seed", SEED, "--quiet"]).stdout(Stdio::null());
    let begun = Instant::now();
    let status = command.status().expect("it starts");
    assert!(status.success(), "{command:?}: {status}");
    begun.elapsed().as_secs_f64()
}

/// The referee with these arguments, in a folder.
pub(crate) fn arbiter(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.args(words).current_dir(folder).stdin(Stdio::null());
    command
}

/// The output of a command that succeeds.
fn printed(workshop: &Workshop, words: &[&str]) -> Vec<u8> {
    let output = arbiter(&workshop.path(""), words).output().expect("it starts");
    assert!(output.status.success(), "{words:?}: {output:?}");
    output.stdout
}

/// Plays a match with a log, and returns how many calls it was.
pub(crate) fn calls_of(workshop: &Workshop, words: &[&str]) -> f64 {
    run(workshop, &[words, &["--log", "log"]].concat());
    let text = fs::read_to_string(workshop.path("log")).expect("a log");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
    lines.map(|line: Value| calls_of_game(&line["game"]["inputs"])).sum::<usize>() as f64
}

/// The number of inputs of a game that are answers of bots.
fn calls_of_game(inputs: &Value) -> usize {
    let inputs = inputs.as_array().map_or(&[][..], Vec::as_slice);
    inputs.iter().filter(|input| input.get("answer").is_some()).count()
}
