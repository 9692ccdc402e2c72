//! Rules that are killed, are late once or take ever more memory: their game is void and played again, no bot is
//! charged, and whatever rules do, the next run of a league goes on.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use rules::custom::RENEWALS;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tests::bench::{Bench, Ended};
use tests::log::{self, assert_nobody_is_charged, games, is_void};
use tests::own_games::{bench, example};
use tests::own_games::{faulty, hostile};
use tests::processes;
use tests::running::{Running, wait_until};

/// Number of times that the rules of a league are killed.
const KILLS: usize = 5;

/// Copies the example of Leduc poker; gives the file with its rules.
fn own_copy(bench: &Bench) -> PathBuf {
    let copied =
        Command::new("cp").args(["-r", &example("leduc/python")]).arg(bench.path("game")).status();
    assert!(copied.is_ok_and(|status| status.success()));
    bench.path("game/game.py")
}

/// Waits for rules to run, which they do on copies in the scratch folder, and sends them a signal. Gives the number of
/// processes that got it.
fn signal_rules(running: &mut Running, bench: &Bench, signal: Signal) -> usize {
    let scratch = bench.scratch().display().to_string();
    let found =
        || processes::numbers_with(|word| word.starts_with(&scratch) && word.ends_with("/game.py"));
    wait_until("rules run", || running.has_ended() || !found().is_empty());
    // One may have ended just now.
    let send = |number: &u32| {
        let pid = Pid::from_raw(*number as i32);
        pid.is_some_and(|pid| kill_process(pid, signal).is_ok())
    };
    found().iter().filter(|number| send(number)).count()
}

/// Asserts that the rules have stopped a command, which says these words last, perhaps after a seed.
fn assert_stops(ended: &Ended, words: &[&str]) {
    assert_eq!(ended.code, Some(7), "{ended:?}");
    let last = ended.stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: ") && words.iter().all(|it| last.contains(it)), "{ended:?}");
}

fn were_rules_ended(game: &Value) -> bool {
    let reason = game["result"]["reason"].as_str().unwrap_or_default();
    reason.starts_with("the rules were ended: ")
}

fn start(bench: &Bench, words: &[&str]) -> Running {
    let errors = File::create(bench.path("errors")).expect("the folder is ours");
    Running::start(bench.arbiter(words).stdout(errors.try_clone().expect("room")).stderr(errors))
}

fn succeeded(bench: &Bench, mut running: Running) {
    let status = running.wait();
    let told = bench.text("errors");
    assert_eq!(status.code(), Some(0), "{told}");
}

/// The lines of the log of the league `class` that end a round.
fn ends(bench: &Bench) -> Vec<Value> {
    let mut lines = log::lines(&bench.path("class/league.jsonl"));
    lines.iter_mut().filter_map(|line| line.get_mut("over").map(Value::take)).collect()
}

#[test]
fn a_league_plays_on_after_its_rules_were_killed() {
    let Some(bench) = bench() else { return };
    own_copy(&bench);
    bench.succeed(["league", "new", "class", "--game", "game"]);
    bench.succeed(["league", "add", "class", "a=random", "b=random", "c=random"]);
    let words = ["league", "run", "class", "--games", "204", "--workers", "2", "--quiet"];
    let mut running = start(&bench, &words);
    for kills in 1..=KILLS {
        signal_rules(&mut running, &bench, Signal::KILL);
        let round = bench.path("class/rounds/0/games.jsonl");
        // There are games between two kills, so none is void too often.
        wait_until("games are played", || {
            running.has_ended() || (round.exists() && log::whole_games(&round) >= 4 * kills)
        });
    }
    succeeded(&bench, running);
    bench.succeed(["verify", "class"]);
    let rounds = fs::read_dir(bench.path("class/rounds")).expect("there are rounds");
    let logs = rounds.map(|round| round.expect("it is ours").path().join("games.jsonl"));
    let all: Vec<Value> = logs.flat_map(|log| games(&log)).collect();
    assert!(all.iter().any(were_rules_ended), "{KILLS} kills hit nothing");
    assert!(all.iter().all(|game| !is_void(game) || were_rules_ended(game)));
    assert!(ends(&bench).iter().all(|over| over.get("broken").is_none()));
    assert_eq!(all.iter().filter(|game| !is_void(game)).count(), 204);
}

/// It stands still for the time of an answer, as when its machine is suspended.
#[test]
fn a_game_whose_rules_stood_still_is_played_again() {
    let Some(bench) = bench() else { return };
    own_copy(&bench);
    // Between two games no game is void, and then it is tried once more.
    let found = (0..10).any(|number| {
        let log = bench.path(&format!("log-{number}"));
        let name = log.display().to_string();
        let words = ["match", "--game", "game", "--games", "60", "--log", &name, "--quiet"];
        let mut running = start(&bench, &[&words[..], &["a=random", "b=random"]].concat());
        wait_until("a game is played", || log.exists() && log::whole_games(&log) > 0);
        signal_rules(&mut running, &bench, Signal::STOP);
        succeeded(&bench, running);
        bench.succeed(["verify", &name, "--game", "game"]);
        let void: Vec<Value> = games(&log).into_iter().filter(is_void).collect();
        assert!(void.iter().all(were_rules_ended), "{void:?}");
        !void.is_empty()
    });
    assert!(found, "no game was hit");
}

#[test]
fn rules_that_end_in_every_attempt_stop_a_match_and_a_tournament_tries_again() {
    let Some(bench) = bench() else { return };
    let game = faulty("killed");
    let says = "stayed void after 3 replays, because the rules of faulty were ended";
    let words = ["match", "--game", &game, "--log", "log", "--quiet", "a=random", "b=random"];
    assert_stops(&bench.run(words), &[says, "signal 9 (SIGKILL), not sent by the referee"]);
    let attempts = games(&bench.path("log"));
    assert_eq!(attempts.len(), 4);
    assert!(attempts.iter().all(were_rules_ended), "{attempts:?}");
    attempts.iter().for_each(assert_nobody_is_charged);
    let stops = "at a game that stayed void after all replays";
    bench.run(["verify", "log", "--game", &game]).assert_refused(3, &[stops]);
    let words = ["tournament", "--game", &game, "--dir", "cup", "--deals", "2", "--quiet"];
    assert_stops(&bench.run([&words[..], &["a=random", "b=random"]].concat()), &[says]);
    assert!(games(&bench.path("cup/games.jsonl")).is_empty());
    assert_stops(&bench.run(["tournament", "resume", "cup", "--quiet"]), &[says]);
}

/// Every game of the program takes 120 MB, of the gigabyte that rules may have, and every game of the module 3 MiB, of the
/// 64 that a module may have; neither gives anything back.
#[test]
fn rules_that_take_ever_more_memory_are_started_anew_between_games() {
    let Some(bench) = bench() else { return };
    let rules = own_copy(&bench);
    let text = fs::read_to_string(&rules).expect("the copy");
    let (class, first) = ("class Refused(Exception):", "        self.cards: list[str] = []");
    assert!(text.contains(class) && text.contains(first), "{text}");
    let text = text.replacen(class, &format!("HOARD = []\n\n\n{class}"), 1);
    let taken = "        HOARD.append(bytearray(120_000_000))";
    let text = text.replacen(first, &format!("{taken}\n{first}"), 1);
    fs::write(&rules, text).expect("it is ours");
    let module = hostile(&bench, "HOARD").map(|module| module.display().to_string());
    for (game, count) in [(Some("game".to_owned()), "16"), (module, "40")] {
        let Some(game) = game else { return };
        let log = format!("log-{count}");
        let words = ["match", "--game", &game, "--games", count, "--log", &log, "--quiet"];
        bench.succeed([&words[..], &["a=random", "b=random"]].concat());
        assert!(games(&bench.path(&log)).iter().all(|game| !is_void(game)));
        bench.succeed(["verify", &log, "--game", &game]);
    }
}

/// Asserts that the next run of the league `class` aborts its open round at a game, with this reason, and plays on.
fn assert_goes_on(bench: &Bench, why: &str) {
    bench.succeed(["verify", "class"]);
    let before = ends(bench).len();
    let round = bench.path(&format!("class/rounds/{before}/games.jsonl"));
    let played = games(&round).iter().filter(|game| !is_void(game)).count();
    bench.run(["league", "run", "class", "--games", "6", "--workers", "1", "--quiet"]).with_code(0);
    let ends = ends(bench);
    let (aborted, later) = ends[before..].split_first().expect("the round has an end");
    let told = aborted["broken"]["why"].as_str().unwrap_or_default();
    assert!(told.starts_with(&format!("{why} at game {played}: ")), "{told}");
    assert_eq!(aborted["games"], played, "the games before it count");
    let played: u64 = later.iter().filter_map(|over| over["games"].as_u64()).sum();
    assert!(played >= 6, "{ends:?}");
    assert!(later.iter().all(|over| over.get("broken").is_none()), "{ends:?}");
}

/// The rules fail after some hundred moves, and a bot is checked with fewer.
#[test]
fn a_league_goes_on_after_a_fault_of_its_rules() {
    let Some(bench) = bench() else { return };
    bench.succeed(["league", "new", "class", "--game", &faulty("tires")]);
    for bot in ["a=random", "b=random", "c=random"] {
        bench.succeed(["league", "add", "class", bot]);
    }
    let words = ["league", "run", "class", "--games", "600", "--workers", "1", "--quiet"];
    let next = "at that game and plays on";
    assert_stops(&bench.run(words), &["exit 1 (it is tired)", next]);
    assert_goes_on(&bench, "the rules of faulty failed");
}

#[test]
fn a_league_goes_on_after_its_rules_were_killed_in_every_attempt() {
    let Some(bench) = bench() else { return };
    own_copy(&bench);
    bench.succeed(["league", "new", "class", "--game", "game"]);
    bench.succeed(["league", "add", "class", "a=random", "b=random", "c=random"]);
    let words = ["league", "run", "class", "--games", "600", "--workers", "1", "--quiet"];
    let mut running = start(&bench, &words);
    let round = bench.path("class/rounds/0/games.jsonl");
    wait_until("a game is played", || round.exists() && log::whole_games(&round) > 0);
    while !running.has_ended() {
        signal_rules(&mut running, &bench, Signal::KILL);
    }
    let told = bench.text("errors");
    assert_eq!(running.wait().code(), Some(7), "{told}");
    assert!(told.contains("because the rules of leduc were ended"), "{told}");
    assert_goes_on(&bench, "the machine repeatedly ended the rules of leduc");
    bench.succeed(["verify", "class"]);
    bench.succeed(["report", "class", "-o", "pages"]);
}

#[test]
fn a_check_goes_on_after_its_rules_were_killed() {
    let Some(bench) = bench() else { return };
    own_copy(&bench);
    let mut running = start(&bench, &["check", "--game", "game", "--games", "12", "--seed", "1"]);
    // No more in one game than other rules may take the place of.
    let killed: usize =
        (0..RENEWALS).map(|_| signal_rules(&mut running, &bench, Signal::KILL)).sum();
    assert!(killed > 0, "the check ended before its rules were killed");
    succeeded(&bench, running);
}
