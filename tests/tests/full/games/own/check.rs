//! `arbiter check --game` without a bot: the examples pass, what it prints, recorded games, and wrong usage.

use std::fs;

use tests::bench::{Bench, SEED};
use tests::installed::is_there;
use tests::own_games::{LANGUAGES, bench, example, faulty, leduc, root};

#[test]
fn the_examples_pass() {
    let bench = Bench::new();
    let check = |game: &str, games: &str| {
        bench.succeed(["check", "--seed", "1", "--games", games, "--game", game])
    };
    for language in LANGUAGES {
        let Some(game) = leduc(&bench, language) else { continue };
        let report = check(game.to_str().expect("UTF-8"), "6");
        assert!(report.contains("\nleduc passes: 13 steps, no warnings, seed "), "{report}");
        assert!(report.contains("\nok       recorded games        2 games\n"), "{report}");
    }
    if is_there("python3") {
        let report = check(&example("hearts"), "2");
        assert!(report.contains("\nhearts passes: 13 steps, no warnings, seed "), "{report}");
    }
}

#[test]
fn it_shows_a_game_as_each_seat_saw_it_and_is_repeated_by_its_seed() {
    let Some(bench) = bench() else { return };
    let words = ["check", "--seed", SEED, "--games", "12", "--game", &faulty("none")];
    let report = bench.succeed(words);
    assert_eq!(bench.succeed(words), report);
    assert!(report.contains(&format!("seed {SEED}\n")), "{report}");
    let (_, history) = report.split_once("\none game as each seat saw it:\n").expect("a history");
    let deal = history.lines().nth(1).expect("a deal").split_whitespace().collect::<Vec<_>>();
    assert!(matches!(deal[..], ["deal", "0", "J" | "Q" | "K", "deal", "0", "?"]), "{history}");
    let (_, twins) = report.split_once("\nindistinguishable states ").expect("twins");
    assert!(twins.lines().any(|line| line.starts_with("such pairs are rare late in long games")));
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
    let Some(bench) = bench() else { return };
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
    let Some(bench) = bench() else { return };
    let game = leduc(&bench, "python").expect("it needs no build");
    let record = |file: &str| bench.line(&format!("check --game python --seed 7 --record {file}"));
    record("python/recorded/seven.txt").without_error();
    let again = record("python/recorded/seven.txt");
    again.assert_refused(2, &["cannot write a new file `python/recorded/seven.txt`"]);
    let check = ["check", "--game", "python", "--seed", "1", "--games", "6"];
    let report = bench.succeed(check);
    assert!(report.contains("\nok       recorded games        3 games\n"), "{report}");
    let file = game.join("recorded/fold.txt");
    let text = fs::read_to_string(&file).expect("a recorded game");
    fs::write(&file, text.replacen("view * pot 3 1", "view * pot 2 1", 1)).expect("a file");
    let ended = bench.run(check);
    let note = "fold.txt, line 44: `play raise` was answered with `view * pot 2 1` before, but with \
                `view * pot 3 1` now";
    assert_eq!(ended.code, Some(5), "{ended:?}");
    assert!(
        ended.stdout.contains(&format!("\nFAILED   recorded games        {note}\n")),
        "{ended:?}"
    );
}

#[test]
fn numbers_of_seats_that_were_not_tested_are_named() {
    let Some(bench) = bench() else { return };
    let game = leduc(&bench, "python").expect("it needs no build");
    let rules = game.join("game.py");
    let text = fs::read_to_string(&rules).expect("the rules");
    assert!(text.contains("seats 2\n"), "a line that can be changed");
    fs::write(&rules, text.replacen("seats 2\n", "seats 2..5\n", 1)).expect("they are ours");
    let words = ["check", "--game", "python", "--seed", "1", "--games", "6"];
    let report = bench.run(words);
    let line = "\nnot tested: games with 3 to 5 seats; --seats N tests them\n";
    assert!(report.stdout.contains(line), "{report:?}");
    let lines = bench.run([&words[..], &["--json"]].concat()).json();
    let summary = &lines.last().expect("lines")["summary"];
    assert_eq!(summary["untested_seats"], serde_json::json!([3, 4, 5]), "{summary}");
}

#[test]
fn a_chance_must_change_something() {
    let Some(bench) = bench() else { return };
    let prizes = root().join("tests/games/prizes.py").display().to_string();
    for (way, passes) in [("honest", true), ("burns", true), ("own", false)] {
        let game = format!("python3 '{prizes}' {way}");
        let ended = bench.run(["check", "--game", &game, "--seed", "1", "--games", "6"]);
        let line = ended.stdout.lines().find(|line| line.contains(" chances  "));
        let begins = if passes { "ok       " } else { "FAILED   " };
        assert!(line.is_some_and(|line| line.starts_with(begins)), "{way}: {ended:?}");
        assert_eq!(ended.code, Some(if passes { 0 } else { 5 }), "{way}: {ended:?}");
    }
}

#[test]
fn a_check_of_slow_rules_is_cut_short_and_says_so() {
    let Some(bench) = bench() else { return };
    // With no bound of time, a check of these rules takes many minutes.
    let game = format!("python3 '{}'", root().join("tests/games/slow.py").display());
    let mut command = bench.arbiter(["check", "--game", &game, "--seed", "1"]);
    let ended = command.output().expect("it starts");
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    let [stdout, stderr] = [&ended.stdout, &ended.stderr].map(|it| String::from_utf8_lossy(it));
    let cut = stdout.lines().find(|line| line.starts_with("cut short, since the rules are slow: "));
    assert!(
        cut.is_some_and(|line| line.contains("protocol") && line.contains("leaks")),
        "{stdout}"
    );
    assert!(stdout.contains("quick check of at most 20 seconds; --thorough"), "{stdout}");
    // Somebody who waits before a pipe sees that it goes on.
    assert!(stderr.lines().any(|line| line.starts_with("checking: ")), "{stderr}");
}

#[test]
fn a_key_that_no_view_has_is_pointed_out() {
    let Some(bench) = bench() else { return };
    let manifest = leduc(&bench, "python").expect("it needs no build").join("game.toml");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let words = ["check", "--game", "python", "--seed", "1", "--games", "6"];
    for (from, to, said) in [
        ("[\"card\",", "[\"cards\",", "`view` names the key `cards`, "),
        ("mark = []", "mark = [\"leader\"]", "`view` names the key `leader`, "),
        // It was drawn beside the first seat, whatever it said.
        (
            "[\"pot\",",
            "[\"pot\", \"round\",",
            "`round 1` does not have one word for each of 2 seats",
        ),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        fs::write(&manifest, changed).expect("a file");
        let report = bench.succeed(words);
        let line = format!("\nwarning  game.toml             {said}");
        assert!(report.contains(&line), "{line}: {report}");
    }
    fs::write(&manifest, text).expect("a file");
    let report = bench.succeed(words);
    assert!(!report.contains("warning  game.toml"), "{report}");
}

#[test]
fn with_a_bot_it_checks_the_bot_in_that_game() {
    let Some(bench) = bench() else { return };
    let report =
        bench.succeed(["check", "--game", &faulty("none"), "--time-limit", "60s", "random"]);
    assert!(report.contains("\nok       faulty games "), "{report}");
    // These were skipped for every custom game.
    for step in ["first-move", "long request", "same answer twice", "unknown keys"] {
        assert!(report.contains(&format!("\nok       faulty {step} ")), "{step}: {report}");
    }
    assert!(report.contains("\nrandom passes: "), "{report}");
}

#[test]
fn wrong_usage_is_refused() {
    let Some(bench) = bench() else { return };
    let game = faulty("none");
    for (words, says) in [
        (&[][..], "nothing to check: give a BOT, or --game with a custom game"),
        (&["--game", "tablic"], "`tablic` is built in, needs no check"),
        (&["--game", "no-such-game"], "unknown game `no-such-game`"),
        (&["--game", &game, "--seats", "5"], "a number of seats of 2"),
        (&["--game", &game, "--options", "cards=7"], "cards=7"),
        (&["--game", &game, "--options", "seats=2"], "use --seats"),
        (&["--game", &game, "--retries", "1"], "need a BOT"),
    ] {
        let ended = bench.run([&["check"], words].concat());
        assert_eq!(ended.code, Some(2), "{words:?}: {ended:?}");
        ended.assert_refused(2, &says.split(", ").collect::<Vec<_>>());
    }
}
