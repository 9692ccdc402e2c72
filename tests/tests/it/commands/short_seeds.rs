//! Short seeds: a number stands for a seed, as `docs/reference/log.md` says, wherever one is taken.

use std::fs;

use rules::Digest;
use serde_json::Value;
use tests::bench::Bench;
use tests::log;

const NOTE: &str = "note: short seeds can be guessed; use them for practice only\n";

/// The seed of 64 digits that a number stands for.
fn full(number: &str) -> String {
    Digest::hash(format!("arbiter seed {number}").as_bytes()).to_string()
}

fn revealed(bench: &Bench, log: &str) -> Value {
    log::lines(&bench.path(log)).last().expect("an end")["end"]["seed"].clone()
}

#[test]
fn the_example_on_the_page_is_true() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/log.md");
    let text = fs::read_to_string(page).expect("it is there");
    assert!(text.contains(&format!("`{}…`", &full("42")[..16])), "{}", full("42"));
}

#[test]
fn a_short_seed_plays_the_games_of_the_seed_that_it_stands_for() {
    let bench = Bench::new();
    let words = |command: &'static str, seed: &str| -> Vec<String> {
        [command, "--game", "coup", "--seed", seed].map(str::to_owned).to_vec()
    };
    let with = |mut words: Vec<String>, more: &[&str]| {
        words.extend(more.iter().map(ToString::to_string));
        words
    };
    let seed = full("42");
    for (number, log) in [("42", "short"), (seed.as_str(), "full")] {
        let ended = bench.run(with(words("match", number), &["--log", log, "greedy", "random"]));
        let note = if number == "42" { NOTE } else { "" };
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), note), "{ended:?}");
        assert!(ended.stdout.contains(&seed), "{ended:?}");
        assert_eq!(revealed(&bench, log), Value::from(seed.clone()));
        bench.verify(&bench.path(log));
    }
    assert_eq!(bench.run(["diff", "short", "full"]).code, Some(0));
    let quiet = bench.line("match --game coup --seed 42 --quiet greedy random");
    assert_eq!((quiet.code, &*quiet.stdout, &*quiet.stderr), (Some(0), "", ""));

    let ended = bench.run(with(words("play", "42"), &["--log", "played", "greedy"]));
    assert!(ended.stderr.starts_with(NOTE) && ended.stdout.contains(&seed), "{ended:?}");

    let of = |words: Vec<String>| bench.succeed(words);
    let rest = ["--deals", "2", "greedy", "random"];
    assert_eq!(of(with(words("simulate", "42"), &rest)), of(with(words("simulate", &seed), &rest)));
    let checked = of(with(words("check", "42"), &["--games", "0", "greedy"]));
    assert!(checked.contains(&format!("seed {seed}")), "{checked}");

    let ended = bench
        .run(with(words("tournament", "42"), &["--dir", "cup", "--deals=1", "greedy", "random"]));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), NOTE), "{ended:?}");
    assert_eq!(revealed(&bench, "cup/games.jsonl"), Value::from(seed.clone()));
    let plan = bench.text("cup/plan.toml");
    assert!(plan.contains(&format!("seed = \"{seed}\"")), "{plan}");
    bench.write("short.toml", plan.replace(&format!("seed = \"{seed}\""), "seed = 42"));
    let ended = bench.run(["tournament", "--dir", "number", "short.toml"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), NOTE), "{ended:?}");
    assert_eq!(bench.run(["diff", "cup/games.jsonl", "number/games.jsonl"]).code, Some(0));
}

#[test]
fn text_that_is_no_seed_is_refused_and_a_file_holds_a_full_one() {
    let bench = Bench::new();
    for seed in ["-1", "4 2", "ff", "18446744073709551616", ""] {
        let option = format!("--seed={seed}");
        let ended = bench.run(["match", "--game", "coup", &option, "greedy", "random"]);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        let first = ended.stderr.lines().next().unwrap_or_default();
        assert!(first.contains("--seed"), "{ended:?}");
    }
    bench.write("seed", "42\n");
    let words = ["match", "--game", "coup", "--seed-file", "seed", "greedy", "random"];
    bench.run(words).assert_refused(2, &["not a seed file: expected one line of 64 hex digits"]);
    // A byte-order mark is passed over.
    let play =
        |file: &str| bench.ok(&format!("match --game coup --seed-file {file} greedy random"));
    bench.write("plain", format!("{}\n", "5".repeat(64)));
    bench.write("marked", format!("\u{feff}{}\r\n", "5".repeat(64)));
    assert_eq!(play("marked"), play("plain"));
    for command in ["match", "play", "simulate", "check", "tournament"] {
        let help = bench.succeed([command, "--help"]);
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains("a number for practice only (guessable)"), "{command}: {help}");
    }
}
