//! Bots in folders: their manifests, and `arbiter build`.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use tests::bench::{Bench, Ended, run};
use tests::log;
use tests::processes;

/// Makes a folder `bot` with these lines in its `bot.toml`.
fn folder(bench: &Bench, lines: &[&str]) {
    let _ = fs::create_dir(bench.path("bot"));
    bench.write("bot/bot.toml", lines.join("\n"));
}

/// A bot that gives the first legal move, as a script that lies in its folder.
fn script(bench: &Bench, lines: &[&str]) {
    folder(bench, lines);
    bench.write("bot/first.sh", include_str!("../../../../examples/bots/shell/random.sh"));
}

fn play(bench: &Bench, bots: &[&str]) -> Ended {
    let head = ["match", "--game", "tablic", "--json", "--log", "log"];
    bench.run([&head, bots].concat())
}

fn names(bench: &Bench) -> serde_json::Value {
    let header = log::lines(&bench.path("log")).remove(0);
    let players = header["header"]["players"].as_array().expect("players").clone();
    players.iter().map(|player| player["name"].clone()).collect()
}

const SCRIPT: [&str; 2] = ["name = 'mine'", "command = 'sh first.sh'"];

#[test]
fn a_folder_plays_a_match() {
    let bench = Bench::new();
    script(&bench, &SCRIPT);
    play(&bench, &["./bot", "random"]).with_code(0);
    assert_eq!(names(&bench), json!(["mine", "random"]));
    bench.verify(&bench.path("log"));
    let header = log::lines(&bench.path("log")).remove(0);
    let player = &header["header"]["players"][0];
    assert_eq!(player["command"], "./bot");
    let files: Vec<_> = player["files"].as_array().expect("files").iter().collect();
    let words: Vec<_> = files.iter().map(|file| file["word"].as_str()).collect();
    assert_eq!(words, [Some("bot.toml"), Some("sh"), Some("first.sh")]);
    // Its program may lie in it.
    fs::copy(bench.program("greedy"), bench.path("bot/program")).expect("a copy");
    fs::create_dir(bench.path("bot/sub")).expect("a folder");
    fs::remove_file(bench.path("log")).expect("it was there");
    folder(&bench, &["name = 'mine'", "command = 'sub/../program'"]);
    play(&bench, &["./bot", "random"]).with_code(0);
}

#[test]
fn a_name_on_the_command_line_goes_before_the_manifest() {
    let bench = Bench::new();
    script(&bench, &SCRIPT);
    let absolute = bench.path("bot").display().to_string();
    play(&bench, &["./bot", "other=./bot/", &absolute]).with_code(0);
    assert_eq!(names(&bench), json!(["mine", "other", "mine#2"]));
}

/// Compilers find their settings and caches by the environment of the caller.
#[test]
fn a_build_without_isolation_has_the_environment_of_its_user() {
    let bench = Bench::new();
    let build = "build = ['sh', '-c', 'echo \"$HOME $COLOUR $PWD\" > seen']";
    script(&bench, &[SCRIPT[0], SCRIPT[1], build]);
    let mut arbiter = bench.arbiter(["build", "./bot", "--isolation", "off"]);
    run(arbiter.env("HOME", "/home/somebody").env("COLOUR", "red")).with_code(0);
    let seen = bench.text("bot/seen");
    let here = bench.path("bot").canonicalize().expect("a folder");
    assert_eq!(seen, format!("/home/somebody red {}\n", here.display()));
}

/// Builds a bot whose build command is `faulty` in a mode.
fn build_faulty(mode: &str, limit: &str) -> (Bench, Ended) {
    let bench = Bench::new();
    script(&bench, &SCRIPT);
    let build = format!("build = \"faulty {mode} {}\"", bench.marker());
    script(&bench, &[SCRIPT[0], SCRIPT[1], &build]);
    let ended = bench.run(["build", "./bot", "--time-limit", limit]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(4), ""), "{mode}: {ended:?}");
    (bench, ended)
}

#[test]
fn a_build_that_fails_is_shown() {
    let bench = Bench::new();
    let build = r#"build = ["sh", "-c", "echo one; printf 'two\\tand \\033[2J\\n' >&2; exit 3"]"#;
    script(&bench, &[SCRIPT[0], SCRIPT[1], build]);
    let ended = bench.run(["build", "./bot"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(4), ""), "{ended:?}");
    let said = "the build's standard output:\n  one\nthe build's standard error:\n  \
                two    and \\u{1b}[2J\nerror: bot `mine`: build failed: exit 3\n";
    assert_eq!(ended.stderr, said);
}

/// What else may be wrong in it, its crate tests.
#[test]
fn a_folder_that_is_no_bot_is_refused() {
    let bench = Bench::new();
    fs::create_dir(bench.path("bot")).expect("a folder");
    play(&bench, &["./bot", "random"]).assert_refused(4, &["is a folder without a bot.toml"]);
    play(&bench, &["bot", "random"]).assert_refused(4, &["program `bot` not found", "write ./bot"]);
    for folder in ["./bot", "nowhere"] {
        bench.run(["build", folder]).assert_refused(2, &[folder, "is not a bot", "bot.toml"]);
    }
    fs::create_dir(bench.path("bot/bot.toml")).expect("a folder");
    bench.run(["build", "./bot"]).assert_refused(2, &["not a regular file"]);
    fs::remove_dir(bench.path("bot/bot.toml")).expect("it is empty");
    for (text, says) in [
        (&b"name = '\xff'"[..], "not UTF-8"),
        (&[b' '; 70_000], "more than 64 KiB"),
        (b"command = 'random'", "missing key `name`"),
        (b"name = 'mine'", "missing key `command`"),
        (b"\x1b[2J", "line 1"),
    ] {
        bench.write("bot/bot.toml", text);
        for words in [["build", "./bot"], ["check", "./bot"]] {
            bench.run(words).assert_refused(2, &["bot.toml", says]);
        }
        play(&bench, &["./bot", "random"]).assert_refused(2, &["bot.toml", says]);
    }
    script(&bench, &SCRIPT);
    play(&bench, &["./bot --depth 3", "random"])
        .assert_refused(2, &["./bot", "arguments after bot folder"]);
    assert!(!bench.path("log").exists());
}

#[test]
fn a_build_makes_what_a_match_needs() {
    let bench = Bench::new();
    script(&bench, &SCRIPT);
    let printed = bench.succeed(["build", "bot"]);
    assert!(printed.starts_with("mine: nothing to build\n"), "{printed}");
    assert!(printed.contains("  first.sh\n"), "{printed}");

    let command = ["name = 'mine'", "command = 'sh ./made.sh'"];
    script(&bench, &[&command[..], &["build = 'cp first.sh made.sh'"]].concat());
    let missing = play(&bench, &["./bot", "random"]);
    missing.assert_refused(4, &["`./made.sh` not found in", "run `arbiter build ./bot` first"]);
    let printed = bench.succeed(["build", "./bot"]);
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with("mine: built in ") && lines[0].ends_with(" s"), "{printed}");
    assert_eq!(play(&bench, &["./bot", "random"]).code, Some(0));
    // The log holds the digests that the build has shown.
    let header = log::lines(&bench.path("log")).remove(0);
    let files = header["header"]["players"][0]["files"].as_array().expect("files").clone();
    let file = |file: &serde_json::Value| {
        let text = |key| file[key].as_str().unwrap_or_default().to_owned();
        format!("{}  {}", text("sha256"), text("word"))
    };
    assert_eq!(files.iter().map(file).collect::<Vec<_>>(), lines[1..]);

    for (build, says) in [
        ("make-nothing-at-all", "not found"),
        ("./make", "build command `./make` in bot.toml"),
        ("true", "the build succeeded, but"),
    ] {
        let build = format!("build = '{build}'");
        script(&bench, &["name = 'mine'", "command = './unmade'", &build]);
        bench.run(["build", "./bot"]).assert_refused(4, &["bot `mine`", says]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_build_that_hangs_is_ended_with_all_that_it_started() {
    let begun = Instant::now();
    for mode in ["trickle", "ignore-signals"] {
        let (bench, ended) = build_faulty(mode, "300ms");
        assert!(ended.stderr.ends_with("build failed: no exit within 300 ms\n"), "{ended:?}");
        processes::wait_for_none(bench.marker());
    }
    assert!(begun.elapsed() < Duration::from_secs(50), "it ends by itself after a minute");
}

#[test]
fn a_build_that_prints_without_end_is_ended() {
    let says = ["more than 16777216 bytes of output\n", "build failed: no exit within 1000 ms\n"];
    for (mode, limit, says) in [("flood", "60s", says[0]), ("stderr-flood", "1s", says[1])] {
        let (_, ended) = build_faulty(mode, limit);
        assert!(ended.stderr.ends_with(says), "{mode}");
        assert!(ended.stderr.len() < 1 << 20, "{mode}: {}", ended.stderr.len());
    }
}
