//! The commands that read logs and play games, with a custom game.

use std::fs::{self, File};

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
    assert!(fs::read_to_string(bench.path("pages/index.html")).expect("a page").contains("leduc"));
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

/// `simulate` refused every custom game, although `random` plays them all.
#[test]
fn a_custom_game_is_simulated() {
    let Some(bench) = bench() else { return };
    let game = example("leduc/python");
    let words = ["--game", &game, "--seed", "7", "a=random", "b=random"];
    let simulate = |more: &[&str]| bench.succeed([&["simulate"], more, &words].concat());
    let table = simulate(&["--deals", "20", "--workers", "1"]);
    assert!(table.starts_with("leduc seats=2: 40 games, 20 deals, every seat rotation"), "{table}");
    // The number of threads changes nothing, and 13 chips each are never lost.
    assert_eq!(simulate(&["--deals", "20", "--workers", "2"]), table);
    let json = simulate(&["--deals", "20", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let points = |place: usize| report["players"][place]["points"].as_u64().expect("points");
    assert_eq!(points(0) + points(1), 40 * 26, "{report}");
    // A log of it verifies by the rules, and its games are those of a match with the same seed.
    simulate(&["--deals", "3", "--order", "fixed", "--log", "simulated"]);
    bench.succeed(["verify", "simulated", "--game", &game]);
    let shown = |log: &str| bench.succeed(["show", log, "--game", "0", "--game", &game]);
    bench.succeed([&["match", "--games", "3", "--quiet", "--log", "played"], &words[..]].concat());
    let story = |log: &str| {
        let shown = shown(log);
        shown.split_once("game 0:").map(|(_, story)| story.to_owned()).expect("its game")
    };
    assert_eq!(story("simulated"), story("played"));
}

/// A fault of rules stops a simulation as it stops a match, and names the call.
#[test]
fn a_fault_of_rules_stops_their_simulation() {
    let Some(bench) = bench() else { return };
    let game = tests::own_games::faulty("unknown-line");
    let ended = bench.run(["simulate", "--game", &game, "--deals", "50", "a=random", "b=random"]);
    ended.assert_refused(7, &["of the simulation: the rules failed: "]);
}

/// A traceback was told by its last line alone: what failed, and not where.
#[test]
fn a_fault_of_rules_names_its_place_in_their_files() {
    let Some(bench) = bench() else { return };
    let rules = "import sys\n\
         def share(pot):\n\
         \x20   return pot // 0\n\
         for call in sys.stdin:\n\
         \x20   if call == 'about\\n':\n\
         \x20       print('rules 1\\nname zero\\ntitle Zero\\nabout fails\\nseats 2\\nhelp None.\\n', flush=True)\n\
         \x20   else:\n\
         \x20       share(1)\n";
    bench.write("zero.py", rules);
    let ended = bench.run(["match", "--game", "python3 zero.py", "a=random", "b=random"]);
    assert_eq!(ended.code, Some(7), "{ended:?}");
    assert!(ended.stderr.contains("(ZeroDivisionError: "), "{ended:?}");
    assert!(ended.stderr.contains(" by zero; zero.py, line 3)"), "{ended:?}");
    // Nothing is played again after it.
    assert!(!ended.stdout.contains("replayed"), "{ended:?}");
}
