//! Logs of custom games: verified with their rules, and as far as possible without.

use tests::chain::{chain, contents};
use tests::own_games::{bench, example, faulty};

#[test]
fn a_log_verifies_with_its_rules_alone() {
    let Some(bench) = bench() else { return };
    let game = example("leduc/python");
    let words = ["match", "--game", &game, "--games", "6", "--seed", "5", "--quiet"];
    bench.succeed([&words[..], &["--log", "log", "a=random", "b=random"]].concat());
    let ok = bench.succeed(["verify", "log", "--game", &game]);
    assert!(ok.starts_with("log: ok, 6 games of leduc, head "), "{ok}");
    let missing = [
        "6 games not verified: the rules of leduc (a program of protocol 1 with digest ",
        ") are missing: name them with --game GAME",
    ];
    bench.run(["verify", "log"]).assert_refused(3, &missing);
    // Other rules of the same game are not those of the log.
    bench.run(["verify", "log", "--game", &faulty("none")]).assert_refused(3, &missing);
    // A draw that was changed is found without the rules.
    let text = bench.text("log");
    let mut lines = contents(&text);
    let game = &mut lines[1];
    // The first card is one of three; another one was possible, but not drawn.
    let (from, to) = match game.contains("\"inputs\":[{\"chance\":\"Q\"}") {
        true => ("{\"chance\":\"Q\"}", "{\"chance\":\"K\"}"),
        false => ("\"inputs\":[{\"chance\":\"", "\"inputs\":[{\"chance\":\"Q\"},{\"chance\":\""),
    };
    *game = game.replacen(from, to, 1);
    bench.write("changed", chain(&lines));
    bench.run(["verify", "changed"]).assert_refused(3, &["line 2, game 0, draw 0: "]);
}

#[test]
fn rules_that_answer_otherwise_in_another_run_do_not_verify() {
    let Some(bench) = bench() else { return };
    let game = faulty("clock");
    bench.ok(&format!("match --game \"{game}\" --games 3 --quiet --log log a=random b=random"));
    bench.run(["verify", "log", "--game", &game]).with_code(3);
}

#[test]
fn logs_of_the_examples_verify_for_ever() {
    let Some(bench) = bench() else { return };
    for name in ["holdem", "hearts"] {
        let game = example(name);
        let ok = bench.ok(&format!("verify '{game}/recorded/match.jsonl' --game '{game}'"));
        assert!(ok.contains(&format!(" of {name}, head ")), "{ok}");
    }
}
