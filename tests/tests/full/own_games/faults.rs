//! Rules that break their protocol: the match stops, no bot is charged, and the log verifies up to there.

use std::fs;

use tests::log::{assert_nobody_is_charged, games as logged};
use tests::own_games::{bench, faulty};
use tests::processes;

/// Faults in the middle of a game, one of each kind, each with what the match says. `games::own::faults` has all of them,
/// with the same words, since a check reads answers as a match does.
const FAULTS: [(&str, &str); 12] = [
    ("exits", "exit 1 (this program ends here)"),
    ("raises", "exit 1 (IndexError: list index out of range; faulty.py, line "),
    ("flood", "more than 1048577 bytes of output"),
    ("no-answer", "expected lines that end with a line feed"),
    ("unknown-line", "`trun 1`: expected a line of an answer"),
    ("above-most", "expected no score above `most`"),
    ("weight-zero", "`chance 0*J 2*Q`: expected numbers from 1"),
    ("draw-too-many", "expected at least 3 items to draw 3 from, found `2`"),
    ("event-out", "expected an event that does not begin with `out`"),
    ("refuses-listed", "expected a move that was listed to be played"),
    ("long-events", "the game has more than 4194304 bytes of events"),
    ("half-line", "exit 0 before the game was over"),
];

/// Faults before any game.
const AT_THE_START: [(&str, &str); 3] = [
    ("wrong-version", "`rules 2`: expected `rules 1` in the first line"),
    ("no-name", "expected a line `name`"),
    ("taken-name", "expected another name than that of a built-in game"),
];

#[test]
fn rules_that_break_their_protocol_stop_the_match_and_charge_no_bot() {
    let Some(bench) = bench() else { return };
    for (fault, says) in FAULTS {
        // A word of the game's command that is a file would be one of its files.
        let (game, log) = (faulty(fault), format!("{fault}.jsonl"));
        let words = ["match", "--game", &game, "--games", "6", "--seed", "5", "--quiet"];
        let words = [&words[..], &["--log", &log, "a=random", "b=random"]].concat();
        let ended = bench.run(&words);
        assert_eq!(ended.code, Some(7), "{fault}: {ended:?}");
        let begins = "rules of faulty failed; stopping the match: ";
        assert!(ended.stderr.contains(begins), "{fault}: {ended:?}");
        assert!(ended.stderr.contains(says), "{fault}: {ended:?}");
        let games = logged(&bench.path(&log));
        let last = games.last().expect("a game");
        assert!(last.get("attempt").is_none(), "{fault}: it is not played again: {last}");
        let reason = last["result"]["reason"].as_str().unwrap_or_default();
        assert!(reason.starts_with("the rules failed: "), "{fault}: {last}");
        assert!(reason.contains(says), "{fault}: {last}");
        games.iter().for_each(assert_nobody_is_charged);
        let stops = "at a game in which the rules failed";
        bench.run(["verify", &log, "--game", &game]).assert_refused(3, &[stops]);
    }
    processes::wait_for_none(bench.marker());
}

#[test]
fn rules_that_describe_no_game_are_refused_before_anything_is_written() {
    let Some(bench) = bench() else { return };
    for (fault, says) in AT_THE_START {
        let words = ["match", "--game", &faulty(fault), "--log", "log", "a=random", "b=random"];
        bench.run(words).assert_refused(7, &[says]);
        assert!(!bench.path("log").exists(), "{fault}");
    }
}

#[test]
fn rules_that_do_not_answer_are_given_up_after_their_time() {
    let Some(bench) = bench() else { return };
    let game = faulty("late");
    let ended =
        bench.run(["match", "--game", &game, "--quiet", "--log", "log", "random", "b=random"]);
    assert_eq!(ended.code, Some(7), "{ended:?}");
    // On a busy machine the referee may not have run meanwhile: then it cannot say that they were late.
    let reasons = ["no line within 10000 ms", "the referee was stopped while the time"];
    assert!(reasons.iter().any(|reason| ended.stderr.contains(reason)), "{ended:?}");
    logged(&bench.path("log")).iter().for_each(assert_nobody_is_charged);
}

#[test]
fn a_manifest_cannot_name_a_module_elsewhere() {
    let Some(bench) = bench() else { return };
    fs::create_dir(bench.path("game")).expect("the folder is ours");
    for module in ["../evil.wasm", "/etc/passwd", "inner/game.wasm", ".."] {
        bench.write("game/game.toml", format!("module = \"{module}\"\n"));
        let ended = bench.run(["match", "--game", "game", "random", "b=random"]);
        ended.assert_refused(2, &["must be a file in the folder"]);
    }
}
