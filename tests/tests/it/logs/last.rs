//! The log of the last match, which commands read if no log is named.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tests::bench::{Bench, Ended, SEED, run};

/// The path in a home folder.
const LAST: &str = ".local/state/arbiter/last.jsonl";

const MATCH: [&str; 7] = ["match", "--game", "coup", "--seed", SEED, "random", "greedy"];

/// The match of `MATCH`, with another home or other settings.
fn played(bench: &Bench, settings: &[(&str, &Path)]) -> Ended {
    run(bench.arbiter(MATCH).envs(settings.iter().copied()))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|it| it.file_name().into_string().expect("a name in Unicode")).collect()
}

#[test]
fn commands_without_a_log_read_the_log_of_the_last_match() {
    let bench = Bench::new();
    let bot = bench.faulty("illegal");
    bench.succeed(["match", "--game", "tablic", "--games", "2", "--quiet", &bot, "greedy"]);
    let last = bench.path(LAST);
    bench.verify(&last);
    let note = format!("note: reading the last match: {}\n", last.display());
    let named = last.to_str().expect("a path in Unicode");
    let commands: [&[&str]; 8] = [
        &["explain"],
        &["show", "--game", "0"],
        &["request"],
        &["rerun", "--seat", "1", "--json"],
        &["verify"],
        &["head"],
        &["export"],
        &["report", "-o", "look"],
    ];
    for words in commands {
        let without = bench.run(words);
        assert_eq!(without.code, Some(0), "{words:?}: {without:?}");
        assert_eq!(without.stderr.matches(&note).count(), 1, "{words:?}: {without:?}");
        let _ = fs::remove_dir_all(bench.path("look"));
        let with = bench.succeed([words, &[named]].concat());
        if words[0] != "rerun" {
            assert_eq!(without.stdout, with, "{words:?}");
        }
    }
}

/// A log that was asked for is kept there too, so that the last match is always the last one, and a match without a game
/// leaves it as it was.
#[test]
fn the_log_of_the_last_match_is_for_its_user_alone() {
    let bench = Bench::new();
    assert_eq!(played(&bench, &[]).code, Some(0));
    bench.ok("match --game durak --quiet --log own random greedy");
    let last = bench.path(LAST);
    let is_own = || fs::read(bench.path("own")).expect("a log") == fs::read(&last).expect("a log");
    assert!(is_own());
    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    let folder = last.parent().expect("a folder");
    assert_eq!((mode(&last), mode(folder)), (0o600, 0o700));
    assert_eq!(names(folder), ["last.jsonl"], "nothing else is left");
    let ended = bench.run(["match", "--game", "coup", "greedy", "./nothing"]);
    assert_eq!(ended.code, Some(4));
    assert!(is_own());
}

#[test]
fn the_folder_of_states_is_where_its_variable_says() {
    let bench = Bench::new();
    let state = bench.path("state");
    assert_eq!(played(&bench, &[("XDG_STATE_HOME", &state)]).code, Some(0));
    bench.verify(&state.join("arbiter/last.jsonl"));
    assert!(!bench.path(".local").exists());
    // A relative one counts for nothing.
    assert_eq!(played(&bench, &[("XDG_STATE_HOME", Path::new("relative"))]).code, Some(0));
    assert!(!bench.path("relative").exists());
    bench.verify(&bench.path(LAST));
}

#[test]
fn a_match_is_the_same_where_its_log_cannot_be_kept() {
    let bench = Bench::new();
    let usual = played(&bench, &[]);
    assert_eq!(usual.code, Some(0));
    bench.write("file", "");
    symlink("nowhere", bench.path("link")).expect("a link");
    fs::create_dir_all(bench.path("taken/.local/state/arbiter/last.jsonl/full")).expect("a folder");
    let missing: PathBuf = bench.path("missing");
    for home in [missing, bench.path("file"), bench.path("link"), bench.path("taken")] {
        let ended = played(&bench, &[("HOME", &home)]);
        assert_eq!(ended, usual, "{}", home.display());
        let explain = run(bench.arbiter(["explain"]).env("HOME", &home));
        explain.assert_refused(2, &["no last match", "name a log or a folder"]);
    }
    let mut nowhere = bench.arbiter(MATCH);
    assert_eq!(run(nowhere.env_remove("HOME")), usual);
}

/// A limit on the size of files looks like a full disk, and ends a program by a signal that does not mind it.
#[test]
fn a_match_goes_on_where_its_log_has_no_room_and_no_older_match_is_taken_for_it() {
    let bench = Bench::new();
    let usual = played(&bench, &[]);
    assert!(bench.path(LAST).exists());
    let mut shell: Command = bench.command("/bin/sh");
    shell.args(["-c", "ulimit -f 1; exec \"$0\" \"$@\""]).arg(bench.program("arbiter"));
    assert_eq!(run(shell.args(MATCH)), usual);
    assert_eq!(names(bench.path(LAST).parent().expect("a folder")), [""; 0]);
    bench.run(["show"]).assert_refused(2, &["no last match"]);
}

/// Not even one that was granted the folder that it lies in, and where the last log lies now is the one of this
/// match before its end.
#[test]
fn bots_do_not_see_the_log_of_the_last_match() {
    let bench = Bench::new();
    let state = bench.path("state");
    assert_eq!(played(&bench, &[("XDG_STATE_HOME", &state)]).code, Some(0));
    fs::write(state.join("open"), "open\n").expect("it is ours");
    // The bot tells what it finds on standard error, which the log keeps.
    let script =
        "cat state/open state/arbiter/last.jsonl state/arbiter/.new-* >&2; exec cat > /dev/null";
    let script = script.replace("state/", &format!("{}/", state.display()));
    let bot = format!("spy=sh -c '{script}'");
    let grant = format!("spy:read={}", state.display());
    let words =
        ["match", "--game", "coup", "--quiet", "--log", "log", "--allow", &grant, &bot, "greedy"];
    let ended = run(bench.arbiter(words).env("XDG_STATE_HOME", &state)).with_code(0);
    let log = bench.text("log");
    assert!(log.contains("open"), "the folder is shown: {log}");
    let said: Vec<&str> = log.split("\"stderr\"").skip(1).collect();
    assert!(!said.is_empty(), "{log}");
    let finds = said
        .iter()
        .any(|said| said.split("\"previous\"").next().unwrap_or(said).contains("commitment"));
    if ended.stderr.contains("bots can read") {
        println!("skipped: this machine cannot hide a part of a folder");
    } else {
        assert!(!finds, "{log}");
    }
}
