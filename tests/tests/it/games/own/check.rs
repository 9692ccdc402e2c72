//! `arbiter check --game` without a bot: the examples pass, what it prints, recorded games, and wrong usage.

use std::fs;

use tests::bench::{Bench, SEED};
use tests::installed::is_there;
use tests::own_games::{LANGUAGES, faulty, leduc, root};

fn bench() -> Bench {
    Bench::new(env!("CARGO_BIN_EXE_faulty"))
}

#[test]
fn the_examples_pass() {
    let bench = bench();
    for language in LANGUAGES {
        let Some(game) = leduc(&bench, language) else { continue };
        let report = bench.succeed([
            "check",
            "--seed",
            "1",
            "--games",
            "12",
            "--game",
            &game.display().to_string(),
        ]);
        assert!(report.contains("\nleduc passes: 12 steps, no warnings, seed "), "{report}");
        assert!(report.contains("\nok       recorded games        2 games\n"), "{report}");
    }
    if is_there("python3") {
        let hearts = root().join("examples/games/hearts").display().to_string();
        let report = bench.succeed(["check", "--seed", "1", "--games", "4", "--game", &hearts]);
        assert!(report.contains("\nhearts passes: 12 steps, no warnings, seed "), "{report}");
    }
}

#[test]
fn it_shows_a_game_as_each_seat_saw_it_and_is_repeated_by_its_seed() {
    if !is_there("python3") {
        return;
    }
    let bench = bench();
    let words = ["check", "--seed", SEED, "--games", "12", "--game", &faulty("none")];
    let report = bench.succeed(words);
    assert_eq!(bench.succeed(words), report);
    assert!(report.contains(&format!("seed {SEED}\n")), "{report}");
    let (_, history) = report.split_once("\none game as each seat saw it:\n").expect("a history");
    let deal = history.lines().nth(1).expect("a deal").split_whitespace().collect::<Vec<_>>();
    assert!(matches!(deal[..], ["deal", "0", "J" | "Q" | "K", "deal", "0", "?"]), "{history}");
    let (_, twins) = report.split_once("\nstates that had a twin, ").expect("twins");
    assert!(twins.lines().any(|line| line.starts_with("twins get rarer late in long games")));
    let lines = bench.run([&words[..], &["--json"]].concat()).json();
    let (summary, steps) = lines.split_last().expect("lines");
    assert!(steps.iter().all(|line| line["step"]["status"] == "passed"), "{steps:?}");
    let summary = &summary["summary"];
    assert_eq!((&summary["passed"], summary["seed"].as_str()), (&true.into(), Some(SEED)));
    assert_eq!(summary["history"][0][1], "deal 0 ?", "{summary}");
    assert!(summary["twins"].as_array().is_some_and(|buckets| buckets.len() <= 8), "{summary}");
}

#[test]
fn a_leak_is_shown_by_two_games_that_can_be_typed() {
    if !is_there("python3") {
        return;
    }
    let bench = bench();
    let game = faulty("leaks-view");
    let words = ["check", "--seed", "1", "--games", "12", "--keep", "kept", "--game", &game];
    assert_eq!(bench.run(words).code, Some(5));
    let calls = |name: &str| fs::read_to_string(bench.path("kept").join(name)).expect("calls");
    let (one, other) = (calls("leaks.one-game"), calls("leaks.the-other"));
    assert!(one.starts_with("new seats=2\nhappen "), "{one}");
    let differences = one.lines().zip(other.lines()).filter(|(one, other)| one != other).count();
    assert_eq!((one.lines().count(), differences), (other.lines().count(), 1), "{one}{other}");
}

#[test]
fn recorded_games_must_be_answered_as_before() {
    if !is_there("python3") {
        return;
    }
    let bench = bench();
    let game = leduc(&bench, "python").expect("it needs no build");
    let record =
        |file: &str| bench.run(["check", "--game", "python", "--seed", "7", "--record", file]);
    let ended = record("python/recorded/seven.txt");
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    let again = record("python/recorded/seven.txt");
    again.assert_refused(2, &["cannot write `python/recorded/seven.txt`, expected a new file"]);
    let check = ["check", "--game", "python", "--seed", "1", "--games", "2"];
    let report = bench.succeed(check);
    assert!(report.contains("\nok       recorded games        3 games\n"), "{report}");
    let file = game.join("recorded/fold.txt");
    let text = fs::read_to_string(&file).expect("a recorded game");
    fs::write(&file, text.replacen("view * pot 3 1", "view * pot 2 1", 1)).expect("a file");
    let ended = bench.run(check);
    let note = "fold.txt, line 44: `play raise` is answered by `view * pot 3 1` where it was `view * pot 2 1`";
    assert_eq!(ended.code, Some(5), "{ended:?}");
    assert!(
        ended.stdout.contains(&format!("\nFAILED   recorded games        {note}\n")),
        "{ended:?}"
    );
}

#[test]
fn rules_that_read_a_file_which_is_no_part_of_them_are_found() {
    if !is_there("python3") {
        return;
    }
    let bench = bench();
    let game = leduc(&bench, "python").expect("it needs no build");
    fs::write(game.join("house-rules.md"), "Ante: 1\n").expect("a file");
    let rules = game.join("game.py");
    let text = fs::read_to_string(&rules).expect("the rules");
    let pot = "yield f\"view * pot ";
    let reads =
        "from os import path; notes = path.dirname(path.abspath(__file__)) + \"/house-rules.md\"";
    let told =
        format!("{reads}\n        yield f\"view * notes {{path.exists(notes)}}\"\n        {pot}");
    assert!(text.contains(pot), "a line that can be changed");
    fs::write(&rules, text.replacen(pot, &told, 1)).expect("they are ours");
    let ended = bench.run(["check", "--game", "python", "--seed", "1", "--games", "2"]);
    let words = "in a copy of the files that count as rules, ";
    assert_eq!(ended.code, Some(5), "{ended:?}");
    assert!(ended.stdout.contains(words), "{ended:?}");
    assert!(
        ended.stdout.contains("`view * notes False` where it was `view * notes True`"),
        "{ended:?}"
    );
}

#[test]
fn a_key_that_no_view_has_is_pointed_out() {
    if !is_there("python3") {
        return;
    }
    let bench = bench();
    let manifest = leduc(&bench, "python").expect("it needs no build").join("game.toml");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, text.replace("[\"card\"]", "[\"cards\"]")).expect("a file");
    let report = bench.succeed(["check", "--game", "python", "--seed", "1", "--games", "2"]);
    let line = "\nwarning  game.toml             `view` names the key `cards`, ";
    assert!(report.contains(line), "{report}");
}

#[test]
fn with_a_bot_it_checks_the_bot_in_that_game() {
    if !is_there("python3") {
        return;
    }
    let bench = bench();
    let report =
        bench.succeed(["check", "--game", &faulty("none"), "--time-limit", "60s", "random"]);
    assert!(report.contains("\nok       faulty games "), "{report}");
    assert!(report.contains("\nrandom passes: "), "{report}");
}

#[test]
fn wrong_usage_is_refused() {
    let bench = bench();
    let refused = |words: &[&str], said: &[&str]| {
        bench.run([&["check"], words].concat()).assert_refused(2, said)
    };
    refused(&[], &["expected a bot, or --game with a game of your own"]);
    refused(&["--game", "tablic"], &["`tablic` is built in", "test suite"]);
    refused(&["--game", "no-such-game"], &["game `no-such-game` not found"]);
    if is_there("python3") {
        let game = faulty("none");
        refused(&["--game", &game, "--seats", "5"], &["a number of seats of 2"]);
        refused(&["--game", &game, "--options", "cards=7"], &["cards=7"]);
        refused(&["--game", &game, "--options", "seats=2"], &["use --seats"]);
        refused(&["--game", &game, "--retries", "1"], &["expected none without a bot"]);
    }
}
