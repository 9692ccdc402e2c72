//! The commands that read logs and play games, with a custom game.

use std::fs::File;

use tests::bench::run;
use tests::own_games::{bench, example};

#[test]
fn commands_that_read_logs_know_the_rules() {
    let Some(bench) = bench() else { return };
    let game = example("leduc/python");
    let words =
        ["match", "--game", &game, "--games", "4", "--seed", "5", "--quiet", "--log", "log"];
    bench.succeed([&words[..], &["a=random", "b=random"]].concat());
    let with = |words: &[&str]| bench.succeed([words, &["--game", &game]].concat());
    assert!(with(&["show", "log", "--game", "0"]).contains(" gets "));
    let request = with(&["request", "log", "--game", "0", "--move", "0"]);
    assert!(request.contains("\ngame leduc seats=2\n"), "{request}");
    assert!(request.contains("\nlegal 2\ncheck\nraise\nend\n"), "{request}");
    assert!(with(&["explain", "log", "--game", "0", "--move", "0"]).contains("a legal move"));
    with(&["rerun", "log"]);
    with(&["diff", "log", "log"]);
    let moves = with(&["export", "log", "--features", "moves"]);
    assert!(moves.lines().count() > 8, "{moves}");
    with(&["report", "log", "-o", "pages"]);
    assert!(bench.text("pages/index.html").contains("leduc"));
    assert!(!bench.succeed(["head", "log"]).is_empty());
    // The name of the option before it was the same everywhere.
    for command in ["show", "verify", "rerun", "report"] {
        let output: &[&str] = if command == "report" { &["-o", "others"] } else { &[] };
        bench.succeed([&[command, "log", "--rules", &game], output].concat());
    }
    let twice = bench.run(["show", "log", "--game", "0", "--game", "1", "--game", &game]);
    twice.assert_refused(2, &["--game names two games of the log"]);
    let numberless = bench.run(["explain", "log", "--game", &game, "--move", "1"]);
    numberless.assert_refused(2, &["--move is for one game of the log: add --game N"]);
    assert!(bench.run(["verify", "log"]).stderr.contains("name them with --game GAME"));
}

#[test]
fn what_needs_a_built_in_game_says_so_in_one_line() {
    let Some(bench) = bench() else { return };
    let game = example("leduc/python");
    let simulate = ["simulate", "--game", &game];
    let play = ["match", "--game", &game];
    for (words, bots, says) in [
        (&simulate[..], ["lowest", "random"], "bot `lowest` does not play leduc: use random"),
        (
            &simulate,
            ["./my-bot", "random"],
            "only built-in bots (random), not `./my-bot`: `arbiter match`",
        ),
        (&simulate, ["random --depth 3", "other=random"], "unknown argument `--depth`"),
        (&play, ["expert", "random"], "does not play leduc: use `random`"),
        (
            &["match", "--game", "chess"],
            ["random", "b=random"],
            "unknown game `chess`: use a built-in game",
        ),
        (&[&play[..], &["--options", "deck=5"]].concat(), ["random", "b=random"], "deck=5"),
    ] {
        bench.run([words, &bots].concat()).assert_refused(2, &[says]);
    }
}

/// A game that is left at once does not replace the last match, and neither does it take away its custom game.
#[test]
fn the_last_match_is_kept_with_its_game() {
    let Some(bench) = bench() else { return };
    let words = ["match", "--game", &example("leduc/python"), "--quiet", "a=random", "b=random"];
    bench.succeed(words);
    let shown = bench.succeed(["show", "--game", "0"]);
    assert!(shown.contains(" gets "), "{shown}");
    let typed = File::open(bench.write("typed", "quit\nyes\n")).expect("it was written");
    let left = run(bench.arbiter(["play", "--game", "tablic", "--scroll"]).stdin(typed));
    assert!(left.stdout.contains("\nthis game is lost without --log\n"), "{left:?}");
    assert_eq!(bench.succeed(["show", "--game", "0"]), shown);
    // There is no review of it.
    assert!(bench.succeed(["explain"]).ends_with("every answer was ok\n"));
    assert!(!bench.succeed(["explain", "--game", "0"]).contains("arbiter review"));
    // The next match takes its place, and needs no copy of a game.
    bench.succeed(["match", "--game", "coup", "--quiet", "a=random", "b=random"]);
    assert!(!bench.path(".local/state/arbiter/game").exists());
    bench.succeed(["verify"]);
}
