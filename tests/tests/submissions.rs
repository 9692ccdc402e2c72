//! Bots that were handed in: built, checked, entered or refused, one after the other.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tests::bench::{Bench, Ended};
use tests::tournament::{SEED, verify};
use tests::{log, processes};

fn bench() -> Bench {
    Bench::new(env!("CARGO_BIN_EXE_faulty"))
}

/// Hands in a bot: its folder, and what its manifest says.
fn hand_in(bench: &Bench, folder: &str, manifest: &str) {
    let path = bench.path("handed-in").join(folder);
    fs::create_dir_all(&path).expect("the folder is ours");
    fs::write(path.join("bot.toml"), manifest).expect("the folder is ours");
}

/// A manifest of a bot that misbehaves as its mode says.
fn faulty(bench: &Bench, name: &str, mode: &str) -> String {
    let command = bench.faulty(mode);
    format!("name = \"{name}\"\ncommand = \"{command}\"\ngames = [\"tablic\"]\n")
}

fn begin(bench: &Bench, folder: &str, more: &[&str]) -> Ended {
    let words = ["tournament", "--game", "tablic", "--deals", "2", "--seed", SEED];
    let place = ["--dir", folder, "--submissions", "handed-in"];
    bench.run([&words[..], &place, more].concat())
}

fn entrants(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("entrants.json")).expect("a list");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn who_passes_is_entered_and_who_fails_is_refused_with_a_report() {
    let bench = bench();
    fs::create_dir(bench.path("handed-in")).expect("the folder is ours");
    fs::create_dir(bench.path("handed-in/no-bot")).expect("the folder is ours");
    for name in ["a-good", "c-good"] {
        let folder = format!("handed-in/{name}");
        bench.succeed(["new", &folder, "--language", "shell"]);
    }
    hand_in(&bench, "b-crashes", &faulty(&bench, "crashes", "crash"));
    hand_in(&bench, "d-twin", &faulty(&bench, "a-good", "ok"));
    hand_in(&bench, "e-other-game", "name = \"e\"\ncommand = \"greedy\"\ngames = [\"coup\"]\n");
    hand_in(&bench, "f-no-manifest", "what is this");
    let build = "name = \"g\"\ncommand = \"./g\"\nbuild = \"false\"\ngames = [\"tablic\"]\n";
    hand_in(&bench, "g-not-built", build);
    hand_in(&bench, "h \u{1b}[2J name", &faulty(&bench, "h", "ok"));

    let ended = begin(&bench, "cup", &["random"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(!ended.stderr.contains('\u{1b}'), "{ended:?}");
    verify(&bench, "cup");
    let found = entrants(&bench.path("cup"));
    let names: Vec<&str> = found["entered"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(names, ["random", "a-good", "c-good", "h"]);
    for entered in found["entered"].as_array().expect("a list") {
        assert_eq!(entered["files"][0]["sha256"].as_str().map(str::len), Some(64), "{entered}");
    }
    let refused = found["refused"].as_array().expect("a list");
    let why = |folder: &str| {
        let is_it = |it: &&Value| it["folder"].as_str().is_some_and(|it| it.ends_with(folder));
        refused.iter().find(is_it).map(|it| it["why"].to_string()).unwrap_or_default()
    };
    assert_eq!(refused.len(), 5, "{found}");
    assert!(why("b-crashes").contains("does not pass"), "{found}");
    assert!(why("d-twin").contains("another bot is called `a-good`"), "{found}");
    assert!(why("e-other-game").contains("does not play tablic"), "{found}");
    assert!(why("f-no-manifest").contains("line 1"), "{found}");
    assert!(why("g-not-built").contains("does not pass"), "{found}");
    let report = fs::read_to_string(bench.path("handed-in/b-crashes.report.txt"));
    assert!(report.expect("a report").contains("crash"), "it says what was found");
    assert!(!bench.path("handed-in/a-good.report.txt").exists());
    let games = log::games(&bench.path("cup/games.jsonl"));
    assert_eq!(games.len(), 6 * 2 * 2, "every two of four");
    processes::wait_for_none(bench.marker());

    // Whoever changes its bot afterwards cannot go on with it.
    let log = bench.path("cup/games.jsonl");
    let text = fs::read_to_string(&log).expect("a log");
    let some: String = text.split_inclusive('\n').take(4).collect();
    fs::write(&log, some).expect("it is ours");
    let bot = bench.path("handed-in/a-good/bot.toml");
    let manifest = fs::read_to_string(&bot).expect("a manifest");
    fs::write(&bot, format!("{manifest}\n# changed\n")).expect("it is ours");
    let ended = bench.run(["tournament", "resume", "cup"]);
    ended.assert_refused(2, &["bot `a-good` has changed since the tournament began"]);
    fs::write(&bot, manifest).expect("it is ours");
    bench.succeed(["tournament", "resume", "cup", "--quiet"]);
    verify(&bench, "cup");
}

#[test]
fn a_plan_takes_submissions_too() {
    let bench = bench();
    fs::create_dir(bench.path("handed-in")).expect("the folder is ours");
    bench.succeed(["new", "handed-in/mine", "--language", "shell"]);
    bench.write("plan.toml", "game = 'tablic'\ndeals = 1\nbots = [{command = 'random'}]");
    let words = ["tournament", "plan.toml", "--quiet", "--submissions", "handed-in"];
    bench.succeed(words);
    verify(&bench, "plan");
    let plan = fs::read_to_string(bench.path("plan/plan.toml")).expect("a plan");
    assert!(plan.contains("handed-in/mine"), "{plan}");
}

#[test]
fn a_folder_without_bots_is_refused() {
    let bench = bench();
    begin(&bench, "cup", &["random"]).assert_refused(2, &["`handed-in` cannot be read"]);
    fs::create_dir(bench.path("handed-in")).expect("the folder is ours");
    begin(&bench, "cup", &["random"]).assert_refused(2, &["no folder in `handed-in`"]);
    assert!(!bench.path("cup").exists());
}
