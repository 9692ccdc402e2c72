//! Bots of a log that are asked again: which of them, and when an answer is the same.

#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use tests::bench::{Bench, SEED, run};

/// Plays a match into the file `log`.
fn play(bench: &Bench, words: &[&str]) {
    let head = ["match", "--quiet", "--seed", SEED, "--log", "log", "--time-limit", "30s"];
    bench.succeed([&head[..], words].concat());
}

/// The first legal move, as `$move`.
const FIRST: &str = "move=$(sed -n '/^legal /{n;p;q;}')";

#[test]
fn only_the_bots_that_are_asked_need_be_there() {
    let bench = Bench::new();
    let file = bench.write("a=b.sh", format!("#!/bin/sh\n{FIRST}; echo \"$move\"\n"));
    fs::set_permissions(file, Permissions::from_mode(0o755)).expect("it is ours");
    play(&bench, &["--game", "coup", "x=./a=b.sh", "greedy"]);
    bench.succeed(["rerun", "log"]);
    fs::remove_file(bench.path("a=b.sh")).expect("it is ours");
    let expected = "paths in a log are relative to the current folder, or use --bot NAME=COMMAND";
    bench.run(["rerun", "log"]).assert_refused(4, &["bot `x`", expected]);
    bench.succeed(["rerun", "log", "--game", "0", "--seat", "1"]);
    bench.write("mended.sh", format!("{FIRST}; echo \"$move\""));
    bench.succeed(["rerun", "log", "--bot", "x=sh mended.sh"]);
    let twice = ["rerun", "log", "--bot", "x=sh mended.sh", "--bot", "x=greedy"];
    bench.run(twice).assert_refused(2, &["two commands for bot `x`"]);
    let ended = bench.run(["rerun", "log", "--game", "0", "--seat", "2"]);
    ended.assert_refused(2, &["log: no seat 2: the game has 2, numbered from 0"]);
    let ended = bench.run(["rerun", "log", "--game", "0", "--attempt", "1"]);
    ended.assert_refused(2, &["log: game 0 has 1 attempt, numbered from 0"]);
}

/// A bot that spells the same moves in another way each time, or ends in another way.
#[test]
fn a_move_is_the_same_however_it_is_spelt_and_a_crash_is_not() {
    let bench = Bench::new();
    bench.write("mood", "one");
    let mood = format!("/{}", bench.path("mood").display());
    let spell =
        "case $(cat \"$1\") in one) echo \"$move\";; *) echo \"  $move \" | tr A-Z a-z;; esac";
    bench.write("spell.sh", format!("{FIRST}; {spell}"));
    let bot = format!("x=sh spell.sh '{mood}'");
    play(&bench, &["--game", "coup", &bot, "greedy"]);
    fs::rename(bench.path("log"), bench.path("one")).expect("the folder is ours");
    bench.write("mood", "other");
    assert!(bench.succeed(["rerun", "one", "--game", "0"]).contains("same, "));
    play(&bench, &["--game", "coup", &bot, "greedy"]);
    assert!(bench.succeed(["diff", "one", "log"]).ends_with("\n1 game, no differences\n"));
    fs::remove_file(bench.path("log")).expect("it is ours");

    bench.write("crash.sh", "case $(cat \"$1\") in one) exit 1;; *) exit 4;; esac");
    let bot = format!("x=sh crash.sh '{mood}'");
    play(&bench, &["--game", "coup", &bot, "greedy"]);
    bench.succeed(["rerun", "log", "--game", "0"]);
    bench.write("mood", "one");
    let ended = bench.run(["rerun", "log", "--game", "0"]).with_code(6);
    assert!(ended.stdout.contains("  now     nothing, crash (exit 1)\n"), "{ended:?}");
    let shown = bench.succeed(["show", "log", "--game", "0"]);
    assert!(shown.contains("  printed nothing: exit 4\n"), "{shown}");
    assert!(ended.stdout.contains("crash (exit 4)") && ended.stdout.contains("crash (exit 1)"));
}

#[test]
fn times_and_numbers_of_different_answers_are_shown() {
    let bench = Bench::new();
    // Two answers that take turns, each time it is asked.
    let turns = "n=$(cat \"$1\"); echo $((n + 1)) >\"$1\"; \
        moves=$(sed -n '/^legal /,/^end$/p' | sed '1d;$d'); \
        if [ $((n % 2)) = 0 ]; then echo \"$moves\" | head -n 1; else echo \"$moves\" | tail -n 1; fi";
    bench.write("turns.sh", turns);
    bench.write("count", "0");
    let bot = format!("x=sh turns.sh '/{}'", bench.path("count").display());
    // Only this bot can remember.
    play(&bench, &["--isolation", "off", "--game", "coup", &bot, "greedy"]);
    let words =
        ["rerun", "log", "--isolation", "off", "--game", "0", "--seat", "0", "--times", "3"];
    let ended = bench.run(words).with_code(6);
    for says in ["move 0, time 1, seat 0 x: ", "move 0, time 3, seat 0 x: ", " of 3 times\n"] {
        assert!(ended.stdout.contains(says), "{says}: {ended:?}");
    }
    let ended = bench.run([&words[..], &["--json"]].concat());
    let lines: Vec<Value> =
        ended.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (result, answers) = lines.split_last().expect("some lines");
    let times: Vec<u64> =
        answers.iter().map(|it| it["answer"]["time"].as_u64().expect("a number")).collect();
    assert!(times.is_sorted() && times.first() == Some(&1) && times.last() == Some(&3));
    let places = result["result"]["places"].as_array().expect("a list");
    let counted: u64 = places.iter().map(|it| it["different"].as_u64().expect("a number")).sum();
    assert_eq!(Some(counted), result["result"]["different"].as_u64());
    assert!(places.iter().all(|place| place["times"] == 3), "{result}");
}

#[test]
fn a_log_that_was_cut_off_or_comes_through_a_pipe_holds_its_whole_games() {
    let bench = Bench::new();
    play(&bench, &["--game", "coup", "--games", "3", "greedy", "random"]);
    let text = bench.text("log");
    let two: usize = text.split_inclusive('\n').take(3).map(str::len).sum();
    bench.write("torn", &text[..two + 500]);
    for words in [
        &["request", "torn", "--game", "1", "--move", "0"][..],
        &["explain", "torn", "--game", "1"],
        &["rerun", "torn", "--game", "1"],
        &["rerun", "torn"],
    ] {
        bench.succeed(words);
    }
    let ended = bench.run(["request", "torn", "--game", "2", "--move", "0"]);
    ended.assert_refused(2, &["torn: no game 2: the last game in it is 1"]);
    let ended = bench.run(["diff", "torn", "log"]).with_code(6);
    assert!(ended.stderr.contains("the first ends after 2 games"), "{ended:?}");
    for game in ["", "--game 1"] {
        let mut shell = bench.command("sh");
        shell.args(["-c", &format!("cat log | \"$0\" rerun /dev/stdin {game}")]);
        run(shell.arg(bench.program("arbiter"))).with_code(0);
    }
}
