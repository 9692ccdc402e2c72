//! A long match against a bot that fails in some way in a quarter of its games and leaves junk and
//! processes behind in others: every game ends as it must, and the referee holds no more in the
//! end than in the beginning.

#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rustix::pipe::fcntl_setpipe_size;
use serde_json::{Value, json};
use tests::bench::Bench;
use tests::keeping::{Keeping, KeepingCommand};
use tests::plan::{Plan, plan};
use tests::running::{HeldResources, Running, entries};
use tests::{log, processes};

/// Number of games in every run of the tests, and in a long run.
const SHORT: usize = 200;
const LONG: usize = 2000;

/// Number of compared games, in the beginning and in the end.
const WINDOW: usize = 75;

/// Most bytes that the referee can be ahead of a reader: the least that a pipe holds, and the size
/// of a read.
const PIPE: usize = 4096;
const READ: usize = 64;

/// Most games that the referee can be ahead, then. A game is a line of at least 150 bytes.
const AHEAD: usize = 40;

/// More than any bot takes that answers, on any machine.
const TIME_LIMIT: &str = "5s";

/// Allowed difference of memory, in KiB, which an allocator keeps for later.
const SLACK: usize = 4 << 10;

/// The environment variable that has a match repeated.
const SEED: &str = "ENDURANCE_SEED";

#[test]
fn a_quarter_of_the_games_is_a_fault() {
    endure(Keeping::Isolated, SHORT);
}

#[test]
fn a_quarter_of_the_games_is_a_fault_without_isolation() {
    endure(Keeping::Off, SHORT);
}

#[test]
fn a_quarter_of_the_games_is_a_fault_under_portable() {
    endure(Keeping::Portable, SHORT);
}

#[test]
fn a_quarter_of_two_thousand_games_is_a_fault() {
    endure(Keeping::Isolated, LONG);
}

fn endure(keeping: Keeping, games: usize) {
    let seed = env::var(SEED).unwrap_or_else(|_| random_seed());
    println!("to repeat: {SEED}={seed} cargo test -p tests --test machine misbehaviour::endurance");
    let bench = Bench::new();
    bench.write("outside/file", "precious");
    let enduring = bench.faulty(&format!("endure '{}'", bench.path("outside").display()));
    let bots = [format!("a={enduring}"), format!("b={}", bench.faulty("resign"))];
    let words = ["match", "--game", "tablic", "--json", "--time-limit", TIME_LIMIT];
    let mut command = bench.arbiter(words);
    command.args(["--games", &games.to_string(), "--seed", &seed, "--log", "log"]).args(bots);
    command.with_keeping(keeping).stdout(Stdio::piped());
    let mut referee = Running::start(&mut command);
    let stdout = referee.stdout();
    fcntl_setpipe_size(&stdout, PIPE).expect("a small pipe");
    let stdout = BufReader::with_capacity(READ, stdout);
    let mut held: Vec<HeldResources> = Vec::new();
    for line in stdout.lines() {
        let line = line.expect("a line of JSON");
        if line.starts_with("{\"game\":{") {
            held.extend(referee.held_resources());
        }
    }
    assert!(referee.wait().success());
    // When the last games are read, the referee may already be gone, or be going.
    assert!(held.len() + AHEAD >= games, "looked {} times only", held.len());
    bench.verify(&bench.path("log"));
    let played = log::games(&bench.path("log"));
    let daemons = played.iter().filter(|game| planned(game) == Plan::Daemon).count();
    let kept = match keeping {
        Keeping::Isolated | Keeping::Refused | Keeping::Contained | Keeping::Off => 0,
        // Without keepers, a daemon keeps both pipes that it holds, and a thread for each.
        Keeping::Portable => 2 * daemons,
    };
    check_held(&held[..games - AHEAD], kept);
    assert_eq!(played.len(), games);
    played.iter().for_each(check_game);
    let failed = played.iter().filter(|game| matches!(planned(game), Plan::Fail(..))).count();
    assert!(failed > games / 8 && failed < games / 2, "{failed} faults are not a quarter");
    if keeping == Keeping::Portable {
        // Without keepers, daemons are left behind.
        processes::kill(bench.marker());
    }
    processes::wait_for_none(bench.marker());
    let left = entries(&bench.scratch());
    assert!(left.is_empty(), "scratch folders are left: {left:?}");
    let precious = fs::read_to_string(bench.path("outside/file"));
    assert_eq!(precious.expect("it is there"), "precious");
}

/// The referee is looked at while it plays, so single looks differ by a call that is going on. What
/// leaks is there at every look: then the least of the last looks is above the most of the first, and
/// above what others may keep.
fn check_held(held: &[HeldResources], kept: usize) {
    // A look that is in both would agree with itself.
    assert!(held.len() >= 2 * WINDOW, "too few games to compare");
    let first = &held[..WINDOW];
    let last = &held[held.len() - WINDOW..];
    let most = counts(first, Ord::max);
    let least = counts(last, Ord::min);
    for ((what, most), (_, least)) in most.into_iter().zip(least) {
        println!("{what}: {most} at most in the beginning, {least} at least in the end");
        assert!(least <= most + kept, "{what} grow: from at most {most} to at least {least}");
    }
    assert!(last.iter().any(|held| held.zombies == 0), "the dead are not reaped");
    let [before, after] = [first, last].map(|looks| {
        let mut sizes: Vec<usize> = looks.iter().map(|held| held.resident).collect();
        sizes.sort_unstable();
        sizes[sizes.len() / 2]
    });
    println!("memory: {before} KiB in the beginning, {after} KiB in the end");
    assert!(after <= before + SLACK, "memory grows from {before} KiB to {after} KiB");
}

/// The resources held in some looks, combined one by one.
fn counts(
    looks: &[HeldResources],
    together: fn(usize, usize) -> usize,
) -> [(&'static str, usize); 4] {
    let one = |held: &HeldResources| {
        [
            ("descriptors", held.descriptors),
            ("threads", held.threads),
            ("children", held.children),
            ("zombies", held.zombies),
        ]
    };
    let all = looks.iter().map(one).reduce(|all, one| {
        std::array::from_fn(|place| (all[place].0, together(all[place].1, one[place].1)))
    });
    all.expect("looks")
}

/// The game has ended as its plan says, on whichever seats its players were.
fn check_game(game: &Value) {
    let (loser, verdict) = match planned(game) {
        Plan::Fail(_, fault) => ("a", fault.verdict),
        Plan::Answer | Plan::Litter | Plan::Daemon => ("b", "crash"),
    };
    let mut out = [Value::Null, Value::Null];
    out[log::seat_of(game, loser)] = json!(verdict);
    assert_eq!(game["result"]["out"], json!(out), "{:?} in {game}", planned(game));
    assert_eq!(game["result"]["ending"], "walkover", "{game}");
    let answers = log::answers(game);
    let (last, before) = answers.split_last().expect("somebody was asked");
    assert!(before.iter().all(|answer| answer["verdict"] == "ok"), "{game}");
    assert_eq!(last["verdict"], verdict, "{game}");
}

fn planned(game: &Value) -> Plan {
    plan(game["id"].as_str().expect("a game has a name")).expect("a name has a plan")
}

/// A random seed, from the standard library's own randomness.
fn random_seed() -> String {
    let parts = (0..4).map(|_| RandomState::new().hash_one(0));
    parts.map(|part| format!("{part:016x}")).collect()
}
