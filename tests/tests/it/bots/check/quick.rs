//! A check is quick unless it is asked to be thorough, says how far it is, and names a slow interpreter.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;
use tests::bench::{Bench, run};
use tests::search_path::search_path;

const PLAYS: &str = "sed -n '/^legal /{n;p;q}'\n";

/// A bench with a bot in the folder `mine`, which says that it plays coup.
fn with_bot(command: &str) -> Bench {
    let bench = Bench::new();
    bench.write("mine/bot.sh", PLAYS);
    let manifest = format!("name = 'mine'\ncommand = '{command}'\ngames = ['coup']\n");
    bench.write("mine/bot.toml", manifest);
    bench
}

#[test]
fn a_quick_check_plays_a_game_on_each_seat_and_only_games_that_the_bot_names() {
    let bench = with_bot("sh ./bot.sh");
    let last = "quick check; --thorough plays each game 20 times\n";
    let report = bench.succeed(["check", "./mine"]);
    assert!(report.starts_with("mine: coup, seed ") && report.ends_with(last), "{report}");
    assert!(report.contains("\nok       coup games                2 games against random, "));
    let report = bench.succeed(["check", "--game", "coup", "greedy"]);
    assert!(report.contains("  2 games against random, ") && report.ends_with(last), "{report}");
    for (games, told) in [(&[][..], "  20 games "), (&["--games", "1"], "  1 game ")] {
        let words = ["check", "--game", "coup", "--thorough", "greedy"];
        let report = bench.succeed([&words[..], games].concat());
        assert!(report.contains(told) && !report.contains("quick check"), "{report}");
    }
}

/// How long they take is another matter.
#[test]
fn a_check_tells_what_a_start_takes_and_what_it_takes_in_the_other_mode() {
    let bench = Bench::new();
    let start = |bot: &str| {
        let ended = bench.run(["check", "--game", "coup", "--games", "1", "--json", bot]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let lines = ended.json();
        let told: Vec<Value> = lines.iter().map(|line| line["step"]["start"].clone()).collect();
        assert_eq!(told.iter().filter(|start| !start.is_null()).count(), 1, "{ended:?}");
        let time = lines.iter().find(|line| line["step"]["name"] == "time").expect("a step");
        time["step"]["start"].clone()
    };
    for (bot, mode, own, other) in [
        ("greedy", "per-move", "call_ms", "resident_ms"),
        ("resident:greedy", "resident", "resident_ms", "call_ms"),
    ] {
        let start = start(bot);
        assert_eq!(start["mode"], mode);
        assert_eq!(start.as_object().map(serde_json::Map::len), Some(4), "{start}");
        assert!(start[own].is_f64(), "{start}");
        // On a busy machine it may be too slow.
        for key in ["start_ms", other] {
            assert!(start.get(key).is_some_and(|it| it.is_f64() || it.is_null()), "{start}");
        }
    }
    bench.write("once.sh", PLAYS);
    assert!(start("sh ./once.sh")["resident_ms"].is_null());
    let ended = bench.run(["check", "--game", "coup", "--games", "0", "--json", "greedy"]);
    assert!(ended.json().iter().all(|line| line["step"].get("start").is_none()), "{ended:?}");
    bench.write("needy.sh", format!("read -r first || sleep 100\n{PLAYS}"));
    assert!(start("sh ./needy.sh")["start_ms"].is_null());
}

/// Its bot takes a second for each answer, so that it is not over before its first line.
#[test]
fn a_check_says_now_and_then_how_far_it_is() {
    let bench = Bench::new();
    let bot = format!("bot={}", bench.faulty("slow-start"));
    for json in [&[][..], &["--json"]] {
        let mut command = bench.arbiter(["check", "--game", "tablic", "--time-limit", "60s", &bot]);
        command.args(json).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let told = lines.map_while(Result::ok).find(|line| line.starts_with("checking: "));
        let told = told.expect("a line before it is over");
        assert!(told.starts_with("checking: tablic ") && told.ends_with(" s so far"), "{told}");
        child.kill().expect("it is ours");
        child.wait().expect("it is ours");
    }
}

/// Puts a folder of shims in front of `PATH`, with one for `python3`, which starts a shell.
fn with_shim(bench: &Bench) -> OsString {
    let shim = bench.write("shims/python3", "#!/bin/sh\nexec sh \"$@\"\n");
    fs::set_permissions(shim, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let folders = [bench.path("shims")].into_iter();
    let path: Vec<PathBuf> = folders.chain(std::env::split_paths(search_path())).collect();
    std::env::join_paths(path).expect("they were in such a list")
}

#[test]
fn an_interpreter_that_is_a_shim_is_named_with_what_to_write_instead() {
    let bench = with_bot("python3 ./bot.sh");
    let path = with_shim(&bench);
    let script = bench.write("mine/bot.py", format!("#!/usr/bin/env python3\n{PLAYS}"));
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let check = |words: &[&str]| {
        let mut command = bench.arbiter(["check", "--game", "coup", "--games", "0"]);
        run(command.args(["--isolation", "off"]).args(words).env("PATH", &path))
    };
    for bot in ["./mine", "python3 mine/bot.sh", "mine/bot.py"] {
        let ended = check(&[bot]).with_code(0);
        let warning = "\n\
                       warning  interpreter               `python3` is a shim that starts slowly \
                       on every move; run `python3 -c \"import sys; print(sys.executable)\"` in the \
                       bot's folder and begin the command with the path it prints\n";
        assert!(ended.stdout.contains(warning), "{bot}: {ended:?}");
    }
    for bot in ["sh mine/bot.sh", "greedy"] {
        assert!(!check(&[bot]).stdout.contains("is a shim"), "{bot}");
    }
    // pyenv looks for the version in the current folder, which is an empty one.
    bench.write("mine/.python-version", "3.12\n");
    let mut play = bench.arbiter(["match", "--game", "coup", "--isolation", "off"]);
    let said = run(play.args(["./mine", "random"]).env("PATH", &path)).stderr;
    let note = "note: bot mine: its .python-version is ignored, because bots run in an empty \
                folder; run `python3 -c ";
    assert!(said.starts_with(note), "{said}");
}
