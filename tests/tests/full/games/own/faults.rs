//! Every fault of `tests/games/faulty.py` and `tests/games/hostile.c` is found by `arbiter check --game`, at the step
//! that the tables name.

use std::sync::Mutex;
use std::thread;

use tests::bench::{Bench, Ended, run};
use tests::own_games::{HOSTILE, bench, faulty, hostile, root};

/// Each fault, with the step that finds it, and words of its note.
const FAULTS: [(&str, &str, &str); 62] = [
    ("exits", "protocol", "exit 1 (this program ends here)"),
    ("raises", "protocol", "(IndexError: "),
    ("late", "protocol", "no line within 10000 ms"),
    ("killed", "protocol", "signal 9 (SIGKILL), not sent by the referee"),
    ("tires", "refusals", "exit 1 (it is tired)"),
    ("memory", "protocol", "bytes of memory"),
    ("flood", "protocol", "more than 1048577 bytes of output"),
    ("control", "protocol", "expected no control characters"),
    ("control-tell", "protocol", "expected no control characters"),
    ("not-utf8", "protocol", "the answer is not UTF-8"),
    ("not-ascii", "protocol", "in printable ASCII"),
    ("two-blanks", "protocol", "in printable ASCII"),
    ("no-answer", "protocol", "expected lines that end with a line feed"),
    ("answers-twice", "protocol", "it printed more after the empty line that ends an answer"),
    ("unknown-line", "protocol", "`trun 1`: expected a line of an answer"),
    (
        "no-state",
        "protocol",
        "expected exactly one of `chance`, `draw`, `turn` and `over`, found 0",
    ),
    (
        "two-states",
        "protocol",
        "expected exactly one of `chance`, `draw`, `turn` and `over`, found 2",
    ),
    ("wrong-seat", "protocol", "`turn 2`: expected a seat from 0 to 1"),
    ("wrong-view", "protocol", "`view 2 card K`: expected a seat from 0 to 1"),
    ("wrong-key", "protocol", "expected `view * KEY VALUE`"),
    ("no-move", "protocol", "expected a move with `turn`, found none"),
    ("same-move-twice", "protocol", "`move check`: expected each move once"),
    ("long-move", "protocol", "expected a move of at most 200 characters"),
    ("too-many-moves", "protocol", "expected at most 10000 moves, then `more`"),
    ("no-fallback", "protocol", "expected a line `fallback` with `turn`"),
    ("bad-fallback", "protocol", "`fallback pass`: expected one of the moves"),
    ("forced-choice", "protocol", "expected `forced` with one move alone"),
    ("chance-with-moves", "protocol", "expected moves only with `turn`"),
    ("short-scores", "protocol", "`over 26`: expected 2 scores of at least 0"),
    ("long-scores", "protocol", "`over 13 13 0`: expected 2 scores of at least 0"),
    ("negative-score", "protocol", "`over 27 -1`: expected 2 scores of at least 0"),
    ("odd-score", "protocol", "expected 2 scores"),
    ("above-most", "scores", "a score of 27, above `most 26`"),
    ("weight-zero", "protocol", "`0*J`"),
    ("weight-too-large", "protocol", "expected numbers from 1 that add up to 1000000000 at most"),
    ("same-outcome-twice", "protocol", "expected every outcome or item once, found `J`"),
    ("draw-too-many", "protocol", "expected at least 3 items to draw 3 from, found `2`"),
    ("others-alone", "protocol", "expected it after `secret`"),
    ("tell-alone", "protocol", "expected it after an event"),
    ("tell-of-nobody", "protocol", "expected names of seats from {0} to {1}"),
    ("event-out", "protocol", "expected an event that does not begin with `out`"),
    ("refused-and-state", "protocol", "expected `refused REASON` alone"),
    ("moody", "same text", "with PYTHONHASHSEED=1, "),
    ("clock", "same text", "`view * time "),
    ("address", "same text", "`view * address "),
    ("forgets", "same text", "after other games, "),
    ("leaks-view", "leaks", "`view other "),
    ("leaks-moves", "leaks", "`move raise`"),
    ("leaks-forced", "leaks", "is asked for a move in only one of them: omit `forced`"),
    ("ignores-outcome", "chances", "the events, views, moves and scores are the same"),
    ("never-answers-about", "starts", "`about` was not answered: no line within 10000 ms"),
    ("wrong-version", "starts", "expected `rules 1` in the first line"),
    ("no-name", "starts", "expected a line `name`"),
    ("taken-name", "starts", "that of a built-in game"),
    ("refuses-listed", "inputs are taken", "expected a listed move to be accepted"),
    ("refuses-outcome", "inputs are taken", "expected a possible outcome to be accepted"),
    (
        "accepts-unlisted",
        "refusals",
        "was accepted, but should have been refused: it is not listed",
    ),
    ("check-lies", "check", "returned `ok`, but `play "),
    ("check-changes", "check", "check"),
    ("endless", "games end", "still unfinished after 20000 inputs"),
    ("long-events", "protocol", "the game has more than 4194304 bytes of events"),
    ("half-line", "protocol", "exit 0 before the game was over"),
];

/// Faults that are allowed, with the step that warns, if one does.
const ALLOWED: [(&str, Option<(&str, &str)>); 3] = [
    ("none", None),
    // What is told to a seat is no secret to it: only its author sees, in the history, that it should be one.
    ("leaks-event", None),
    // Some events may be forgotten: the protocol asks for a view that tells all, and the check cannot know what that is.
    ("hides-view", Some(("views", "received `board "))),
];

/// Checks a game for a fault that this step finds. Some steps need several games for it.
fn check(bench: &Bench, game: &str, step: &str) -> Ended {
    let games = match step {
        "" | "starts" | "protocol" | "same text" => "3",
        _ => "12",
    };
    // On a machine that is too busy, the referee cannot judge, and says so.
    let is_judged = |ended: &Ended| !ended.stdout.contains("the referee was stopped");
    let mut checks =
        (0..9).map(|_| bench.run(["check", "--game", game, "--seed", "1", "--games", games]));
    let mut ended = checks.find(is_judged).expect("the referee had no processor in 9 checks");
    // On a busy machine, a check tells how far it is.
    let is_said = |line: &&str| !line.starts_with("checking: ");
    ended.stderr = ended.stderr.split_inclusive('\n').filter(is_said).collect();
    ended
}

/// Asserts that a check fails first at a step, with these words.
fn assert_found(ended: &Ended, fault: &str, step: &str, words: &str) {
    assert_eq!(ended.code, Some(5), "{fault}: {ended:?}");
    let line = |line: &&str| line.starts_with(&format!("FAILED   {step:20}  "));
    let found = ended.stdout.lines().find(line);
    assert!(found.is_some_and(|line| line.contains(words)), "{fault}: {}", ended.stdout);
    assert!(ended.stdout.chars().all(|c| c == '\n' || !c.is_control()), "{fault}: {ended:?}");
    let error = ended.stderr.strip_prefix("error: game `").unwrap_or_default();
    assert!(error.contains("` failed the check at `"), "{fault}: {ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{fault}: {ended:?}");
}

/// Runs something for each of some items, several at once: some of them wait.
fn side_by_side<T: Sync>(items: &[T], each: impl Fn(&T) + Sync) {
    let next = Mutex::new(items.iter());
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let item = next.lock().expect("no test has failed").next();
                    match item {
                        Some(item) => each(item),
                        None => break,
                    }
                }
            });
        }
    });
}

#[test]
fn the_table_has_every_fault() {
    let Some(bench) = bench() else { return };
    let list =
        run(bench.command("python3").arg(root().join("tests/games/faulty.py")).arg("--list"));
    let mut faults: Vec<&str> = list.stdout.lines().collect();
    let mut table: Vec<&str> = FAULTS.iter().map(|(fault, ..)| *fault).collect();
    table.extend(ALLOWED.iter().map(|(fault, _)| *fault).filter(|fault| *fault != "none"));
    faults.sort_unstable();
    table.sort_unstable();
    assert_eq!(table, faults);
}

#[test]
fn every_fault_is_found_by_its_step() {
    let Some(bench) = bench() else { return };
    side_by_side(&FAULTS, |(fault, step, words)| {
        assert_found(&check(&bench, &faulty(fault), step), fault, step, words);
    });
}

#[test]
fn what_is_allowed_passes() {
    let Some(bench) = bench() else { return };
    side_by_side(&ALLOWED, |(fault, warning)| {
        let ended = check(&bench, &faulty(fault), "");
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{fault}: {ended:?}");
        let warned = ended.stdout.lines().find(|line| line.starts_with("warning"));
        match warning {
            None => assert_eq!(warned, None, "{fault}"),
            Some((step, words)) => {
                let starts = format!("warning  {step:20}  ");
                let is_it = |line: &str| line.starts_with(&starts) && line.contains(words);
                assert!(warned.is_some_and(is_it), "{fault}: {}", ended.stdout);
            }
        }
    });
}

#[test]
fn hostile_modules_are_found_and_do_no_harm() {
    let bench = Bench::new();
    side_by_side(&HOSTILE, |(define, step, words)| {
        let Some(module) = hostile(&bench, define) else { return };
        let ended = check(&bench, &module.display().to_string(), step);
        match *step {
            // It takes what it may have, and goes on.
            "" => assert_eq!(ended.code, Some(0), "{define}: {ended:?}"),
            step => assert_found(&ended, define, step, words),
        }
    });
}
