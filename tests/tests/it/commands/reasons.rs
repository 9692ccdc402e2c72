//! Reasons for a crash, wherever a fault is summed up: the bot's standard error, and the command
//! that tells more.

use serde_json::json;
use tests::bench::{Bench, SEED};
use tests::texts::assert_says;
use tests::tournament;

/// Crashes as a program in Python does: the reason is in the last of several lines.
const CRASHES: &str =
    "bad=sh -c 'printf \"Traceback:\\n  line 7\\nNameError: oops\\n\" >&2; exit 1'";

/// The part of it that is shown.
const REASON: &str = "  stderr   Traceback:\n             line 7\n           NameError: oops\n";

/// Plays a match of a bot against `greedy`.
fn play(bench: &Bench, words: &[&str], bot: &str) -> String {
    let head = ["match", "--game", "tablic", "--seed", SEED, "--time-limit", "60s"];
    bench.succeed([&head, words, &[bot, "greedy"]].concat())
}

#[test]
fn a_crash_is_shown_with_its_reason_and_the_next_command() {
    let bench = Bench::new();
    let games = "bad: forfeited 3 games, first game 0: crash, exit 1\n";
    for (words, log, said) in [
        (&["--games", "3", "--log", "my log"][..], " 'my log'", games),
        (&["--games", "3"], "", games),
        (&["--watch", "--log", "log"], " log", "bad: crash, exit 1\n"),
    ] {
        let next = format!("arbiter explain{log} --game 0");
        let shown = play(&bench, words, CRASHES);
        assert!(shown.contains(&format!("\n{said}{REASON}  next     {next}\n\n")), "{shown}");
        let explained = bench.succeed(shlex::split(&next).expect("a command").into_iter().skip(1));
        assert!(explained.contains("NameError: oops"), "{explained}");
    }
    for words in [&["--games", "2"][..], &["--watch"]] {
        let shown = play(&bench, words, "random");
        assert!(!shown.contains("stderr") && !shown.contains("explain"), "{shown}");
    }
    // Programs get it, too.
    let words = ["match", "--game", "tablic", "--json", "--time-limit", "60s", CRASHES, "greedy"];
    let mut lines = bench.run(words).json();
    let fault = &lines.pop().expect("a result")["result"]["players"][0]["first_fault"];
    let stderr = ["Traceback:", "  line 7", "NameError: oops"];
    let expected = json!({"game": 0, "verdict": "crash", "detail": "exit 1", "printed": [],
        "stderr": stderr, "hint": null});
    assert_eq!(*fault, expected);
}

#[test]
fn a_tournament_tells_the_reason_of_a_crash() {
    let bench = Bench::new();
    let words = tournament::words("my cup", "1");
    let shown = bench.succeed([&words[..], &["--time-limit", "60s", CRASHES, "greedy"]].concat());
    let told = format!("\nbad: forfeited 2 games, first game 0: crash, exit 1\n{REASON}");
    let told = format!("{told}  next     arbiter explain 'my cup' --game 0\n");
    assert!(shown.contains(&told), "{shown}");
    assert_says(&bench.succeed(["explain", "my cup", "--game", "0"]), &["NameError: oops"]);
    assert_says(&bench.succeed(["tournament", "status", "my cup"]), &[&told]);
}

/// A bot's words are shown, but never obeyed, and never fill the screen.
#[test]
fn words_of_a_bot_are_bounded_and_escaped() {
    let bench = Bench::new();
    let flood = "bad=sh -c 'printf \"first\\n\\033[2J\\007\\377\\n\" >&2; i=0; \
                 while [ $i -lt 20000 ]; do i=$((i + 1)); echo line $i; done >&2; \
                 printf \"%03000d\" 0 >&2; exit 1'";
    for words in [&["--games", "2"][..], &["--watch"]] {
        let shown = play(&bench, words, flood);
        let is_plain =
            |c: char| c == '\n' || c == '…' || c == '\u{fffd}' || (' '..='~').contains(&c);
        assert!(shown.chars().all(is_plain), "{shown:?}");
        assert!(shown.contains("  stderr   first\n           \\u{1b}[2J"), "{shown}");
        assert!(shown.contains(" more bytes discarded\n"), "{shown}");
        let about = shown.split_once("  stderr   ").expect("the reason").1;
        let lines: Vec<&str> = about.lines().take_while(|line| !line.contains("next")).collect();
        assert!(lines.len() <= 21, "{} lines: {shown}", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() < 220), "{shown}");
    }
}

/// The end of a trace is what counts, and its lines are lines.
#[test]
fn a_check_shows_the_end_of_standard_error_in_lines() {
    let bench = Bench::new();
    let trace = "bad=sh -c 'i=0; while [ $i -lt 100 ]; do i=$((i + 1)); echo line $i; done >&2; \
                 echo \"NameError: oops\" >&2; exit 1'";
    let ended = bench.run(["check", "--game", "coup", "--time-limit", "60s", trace]).with_code(5);
    let shown = &ended.stdout;
    assert!(shown.contains("\n         stderr    line 1\n                   line 2\n"), "{shown}");
    let end = "\n                   line 100\n                   NameError: oops\n";
    assert!(shown.contains(end), "{shown}");
    assert!(!shown.contains("line 50\n"), "{shown}");
}
