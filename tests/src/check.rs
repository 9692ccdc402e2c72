//! The check of a bot, which must pass or must not.

use crate::bench::{Bench, Ended};

/// This limit is never reached: bots that keep to the protocol are fast.
pub const GENEROUS: &str = "60s";

/// Checks a bot in Tablić, with time enough.
pub fn check(bench: &Bench, words: &[&str]) -> Ended {
    let head = ["check", "--game", "tablic", "--time-limit", GENEROUS];
    bench.run([&head, words].concat())
}

/// Checks a bot that must pass, and gives the report.
#[track_caller]
pub fn passes(bench: &Bench, words: &[&str]) -> String {
    let ended = check(bench, words);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{words:?}: {ended:?}");
    assert!(ended.stdout.lines().last().is_some_and(|line| line.contains(" passes: 30 steps, ")));
    assert!(!ended.stdout.contains("FAILED"), "{}", ended.stdout);
    ended.stdout
}

/// Checks a bot that must not pass, and gives the report.
#[track_caller]
pub fn fails(bench: &Bench, words: &[&str], fault: &str) -> String {
    let ended = check(bench, words);
    assert_eq!(ended.code, Some(5), "{words:?}: {ended:?}");
    assert!(ended.stderr.starts_with("error: bot `") && ended.stderr.lines().count() == 1);
    let told = |line: &str| line.starts_with("FAILED") && line.contains(fault);
    assert!(ended.stdout.lines().any(told), "`{fault}` is not in\n{}", ended.stdout);
    assert!(ended.stdout.chars().all(|c| c == '\n' || !c.is_control()), "{}", ended.stdout);
    ended.stdout
}

/// A check of a bot that hangs. On a busy machine the referee may have had no processor for so long that it cannot judge,
/// and says so; then the check is repeated.
pub fn judged(bench: &Bench, words: &[&str]) -> Ended {
    let is_judged = |ended: &Ended| !ended.stderr.contains("the referee was stopped");
    let mut checks = (0..20).map(|_| bench.run(words));
    checks.find(is_judged).expect("the referee had no processor in 20 checks")
}
