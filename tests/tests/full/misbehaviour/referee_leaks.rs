//! A long match against bots that misbehave leaves nothing in the referee.
//!
//! The referee is looked at after every game, while it may already be at the next one. So the
//! counts have room for one call that is going on; what would leak is more after a few games.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use tests::bench::{Bench, wait};
use tests::keeping::{Keeping, KeepingCommand};
use tests::running::states_of_children;
use tests::{log, processes};

/// Enough games to go above the limits below if each left one descriptor or thread.
const GAMES: usize = 22;

/// Three streams, a log, for each keeper a socket, and for a call a process descriptor and three pipes:
/// with room.
const DESCRIPTORS: usize = 32;

/// The main thread, and for a call of the portable supervisor one for each pipe: with room. Besides, one
/// asks the bot of each seat.
const THREADS: usize = 12;

/// More than any match here needs, in KiB; less than what one bot prints.
const MEMORY: usize = 64 << 10;

const SEATS: usize = 8;

/// One for each seat but the last. In every game all of them are out, one after the other, when
/// their turn comes.
const MODES: [&str; SEATS - 1] = [
    "exit-1",
    "flood",
    "only-on 9 2 huge-line",
    "stderr-flood",
    "child",
    "half-line",
    "answer-abort",
];

#[test]
fn nothing_is_left() {
    // Without keepers, the referee itself reads what bots print.
    for keeping in [Keeping::usual(), Keeping::Portable] {
        check(keeping);
    }
}

fn check(keeping: Keeping) {
    let bench = Bench::new();
    let games = GAMES.to_string();
    let words = ["match", "--game", "tablic", "--json", "--time-limit", "150ms"];
    let mut command = bench.arbiter(words);
    command.args(["--games", &games, "--log", "log"]);
    command.args(MODES.map(|mode| bench.faulty(mode))).arg(bench.faulty("ok"));
    command.with_keeping(keeping).stdout(Stdio::piped());
    let mut referee = command.spawn().expect("the referee starts");
    let stdout = BufReader::new(referee.stdout.take().expect("a pipe"));
    let mut looks = 0;
    for line in stdout.lines() {
        let line = line.expect("a line of JSON");
        if line.starts_with("{\"game\":{") && check_held(referee.id(), &line) {
            looks += 1;
        }
    }
    assert!(wait(&mut referee, &keeping).success());
    assert!(looks + 1 >= GAMES, "looked {looks} times only");
    bench.verify(&bench.path("log"));
    let games = log::games(&bench.path("log"));
    let counted = games.iter().filter(|game| !log::is_void(game));
    assert_eq!(counted.count(), GAMES);
    processes::wait_for_none(bench.marker());
    let left = fs::read_dir(bench.scratch()).expect("it is ours").count();
    assert_eq!(left, 0, "scratch folders are left");
}

/// Looks at what the referee holds, unless it has already ended.
fn check_held(id: u32, line: &str) -> bool {
    let process = format!("/proc/{id}");
    let entries = |folder| Some(fs::read_dir(format!("{process}/{folder}")).ok()?.count());
    let status = fs::read_to_string(format!("{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| {
        line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<usize>().ok()
    });
    // An ordinary user may not look at the descriptors of a referee that has closed its memory to
    // others. What it has had open at most, rounded up, is public. It begins with what it has
    // from the tests, which may have been started with high numbers.
    let slots = |status: &str| -> Option<usize> {
        status.lines().find_map(|line| line.strip_prefix("FDSize:")?.trim().parse().ok())
    };
    let own = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let least = slots(&own).unwrap_or_default().max(64);
    let table = slots(&status).map(|slots| if slots <= least { 0 } else { slots });
    let (Some(descriptors), Some(threads), Some(peak)) =
        (entries("fd").or(table), entries("task"), peak)
    else {
        return false;
    };
    assert!(descriptors <= DESCRIPTORS, "{descriptors} descriptors after {line}");
    assert!(threads <= THREADS + SEATS, "{threads} threads after {line}");
    assert!(peak <= MEMORY, "{peak} KiB after {line}");
    let children = states_of_children(id);
    let dead = children.iter().filter(|state| state.as_str() == "Z").count();
    // The guard, and for each seat a keeper or a bot, one of which may just be replaced.
    assert!(children.len() <= 2 + SEATS && dead <= 2, "children {children:?} after {line}");
    true
}
