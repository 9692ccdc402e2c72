//! `arbiter bot NAME`: where `arbiter` is installed alone, it is each built-in bot itself.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use sha2::{Digest, Sha256};
use tests::bench::{Bench, Ended, SEED, run};
use tests::keeping::layer_is_on;
use tests::{log, missing};

const BOTS: [&str; 4] = ["random", "greedy", "minimax", "expert"];

/// A bench with a copy of `arbiter` in a folder of its own.
struct Alone {
    bench: Bench,
    program: PathBuf,
}

impl Alone {
    fn new() -> Alone {
        let bench = Bench::new();
        fs::create_dir(bench.path("alone")).expect("a folder");
        let program = bench.copy(&bench.program("arbiter"), "alone/arbiter");
        Alone { bench, program }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.bench.command(&self.program);
        command.args(words);
        command
    }

    fn run(&self, words: &[&str]) -> Ended {
        run(&mut self.command(words))
    }

    fn succeed(&self, words: &[&str]) -> String {
        let ended = self.run(words);
        assert_eq!(ended.code, Some(0), "{words:?}: {ended:?}");
        ended.stdout
    }
}

/// The words of a match, with a log.
fn game<'a>(game: &'a str, log: &'a str, bots: &[&'a str]) -> Vec<&'a str> {
    let head =
        ["match", "--quiet", "--game", game, "--seed", SEED, "--time-limit", "60s", "--log", log];
    [&head, bots].concat()
}

/// The players of a log: their names, commands and digests.
fn players(log: &Path) -> Vec<(String, String, Value)> {
    let lines = log::lines(log);
    let players = lines[0]["header"]["players"].as_array().expect("players");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let told = |it: &Value| (text(&it["name"]), text(&it["command"]), it["files"].clone());
    players.iter().map(told).collect()
}

#[test]
fn arbiter_alone_plays_the_same_games_as_with_the_programs_of_the_bots() {
    let alone = Alone::new();
    let bench = &alone.bench;
    let deep = "deep=minimax --depth 1 --time none";
    let expert = "expert --worlds 3 --time none";
    for (number, (kind, bots)) in [
        ("tablic", [deep, expert]),
        ("coup", ["greedy", "greedy"]),
        ("durak", ["random", "resident:greedy"]),
    ]
    .into_iter()
    .enumerate()
    {
        let logs = ["one", "many"].map(|name| format!("{name}-{number}.jsonl"));
        alone.succeed(&game(kind, &logs[0], &bots));
        bench.succeed(game(kind, &logs[1], &bots));
        let compared = bench.succeed(["diff", &logs[0], &logs[1]]);
        assert!(compared.ends_with("\n1 game, no differences\n"), "{compared}");
        let [one, many] = [&logs[0], &logs[1]].map(|log| players(&bench.path(log)));
        let digests = |word: &str, program: &str| {
            let sha256 = sha256(&bench.program(program));
            serde_json::json!([{ "word": word, "sha256": sha256 }])
        };
        for (one, many) in one.iter().zip(&many) {
            assert_eq!((&one.0, &one.1), (&many.0, &many.1));
            let word = one.1.split(' ').next().expect("a word");
            assert_eq!(one.2, digests(word, "arbiter"), "the program that runs: {one:?}");
            assert_eq!(many.2, digests(word, word), "the program that runs: {many:?}");
        }
        // Each answers the requests of the other.
        alone.succeed(&["rerun", &logs[1]]);
        bench.succeed(["rerun", &logs[0]]);
    }
    let names =
        |log: &str| players(&bench.path(log)).into_iter().map(|it| it.0).collect::<Vec<_>>();
    assert_eq!(names("one-0.jsonl"), ["deep", "expert"]);
    assert_eq!(names("one-1.jsonl"), ["greedy", "greedy#2"]);
}

/// The digest of a file, as a log has it.
fn sha256(file: &Path) -> String {
    let content = fs::read(file).expect("it can be read");
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_command_finds_the_bots_in_arbiter_alone() {
    let alone = Alone::new();
    alone.succeed(&["check", "--game", "coup", "--games", "1", "random"]);
    let cup = ["tournament", "--quiet", "--game", "coup", "--dir", "cup", "--deals", "1"];
    alone.succeed(&[&cup[..], &["random", "greedy"]].concat());
    alone.succeed(&["verify", "cup"]);
    // A folder that is a bot names one, too.
    fs::create_dir(alone.bench.path("mine")).expect("a folder");
    alone.bench.write("mine/bot.toml", "name = 'mine'\ncommand = 'greedy'\n");
    alone.succeed(&game("coup", "mine.jsonl", &["./mine", "random"]));
    // The bot by its whole command, which `PATH` need not have.
    alone.succeed(&game("coup", "whole.jsonl", &["arbiter bot greedy", "random"]));
    assert_eq!(players(&alone.bench.path("whole.jsonl"))[0].0, "greedy");
    // A program that happens to be on `PATH` never plays for a built-in bot.
    fs::create_dir(alone.bench.path("path")).expect("a folder");
    for name in BOTS {
        let file = alone.bench.write(&format!("path/{name}"), "#!/bin/sh\nexit 9\n");
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let path = format!("{}:/usr/bin:/bin", alone.bench.path("path").display());
    let mut played = alone.command(&game("coup", "path.jsonl", &["random", "greedy"]));
    assert_eq!(run(played.env("PATH", path)).code, Some(0));
    for log in ["mine.jsonl", "whole.jsonl", "path.jsonl"] {
        let out = &log::games(&alone.bench.path(log))[0]["result"]["out"];
        assert_eq!(*out, serde_json::json!([null, null]), "{log}");
    }
    let ended = alone.run(&game("coup", "log", &["randon", "greedy"]));
    ended.assert_refused(4, &["program `randon` not found, did you mean `random`?"]);
    let played = alone.run(&["play", "--game", "coup", "--log", "play.jsonl", "greedy"]);
    assert!(played.stdout.contains("seat 1 greedy\n"), "{played:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_bot_that_is_arbiter_sees_nothing_beside_it() {
    let alone = Alone::new();
    if !layer_is_on(&alone.bench, "files") {
        return;
    }
    alone.bench.write("alone/secret", "nothing for bots\n");
    let folder = alone.bench.path("alone").display().to_string();
    let listed = alone.run(&["sandbox", "greedy", "--", "ls", "-A", &folder]);
    assert_eq!((listed.code, listed.stdout.as_str()), (Some(0), "arbiter\n"), "{listed:?}");
}

#[test]
fn a_bot_has_the_help_and_the_errors_of_its_program() {
    let alone = Alone::new();
    for name in BOTS {
        let program = alone.bench.program(name);
        for words in [&["--help"][..], &["--version"], &["--nonsense"], &["--nonsense", "-h"]] {
            let own = run(alone.bench.command(&program).args(words));
            let part = alone.run(&[&["bot", name], words].concat());
            let usage = |text: &str| {
                text.replace(&format!("Usage: arbiter bot {name} "), &format!("Usage: {name} "))
            };
            assert_eq!(part.code, own.code, "{name} {words:?}");
            assert_eq!(usage(&part.stdout), own.stdout, "{name} {words:?}");
            assert_eq!(part.stderr, own.stderr, "{name} {words:?}");
            let is_help = words.last() != Some(&"--version") && own.code == Some(0);
            let usage = format!("\nUsage: arbiter bot {name} [OPTIONS] < REQUEST\n");
            assert_eq!(part.stdout.contains(&usage), is_help, "{name} {words:?}");
        }
    }
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots/python/sample.txt");
    let Ok(sample) = fs::File::open(sample) else { return missing::tell("no sample request") };
    let ended = run(alone.command(&["bot", "--", "greedy"]).stdin(sample));
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "KD 2D JH\n"), "{ended:?}");
    for words in [&["bot"][..], &["bot", "nothing"], &["bot", "lowest"]] {
        let ended = alone.run(words);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
        assert!(ended.stderr.starts_with("error: ") && ended.stderr.contains("<BOT>"), "{ended:?}");
    }
    assert!(alone.succeed(&["bot", "--help"]).contains("arbiter bot greedy < request.txt\n"));
}
