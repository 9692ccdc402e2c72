//! The checks of bots that were handed in: under the conditions of the tournament, several at once.

use std::fs;
use std::path::Path;

use tests::processes;
use tests::tournament::{SEED, verify};

use super::{
    ANSWER, begin, bench, entrants, faulty, hand_in, hand_in_random, hand_in_script, names, why,
};

/// Lets builds see each other's folders.
const OFF: [&str; 2] = ["--isolation", "off"];

/// Answers if its request has a line; else fails.
fn needs_line(line: &str) -> String {
    format!("cat > request; grep -qx '{line}' request || exit 1\n{ANSWER} < request")
}

#[test]
fn a_check_has_the_limits_of_the_tournament_for_all_bots_and_for_one() {
    let bench = bench();
    hand_in_script(&bench, "of-all", &needs_line("time 61000"), "");
    hand_in_script(&bench, "of-one", &needs_line("time 62000"), "");
    hand_in_script(&bench, "usual", &needs_line("time 5000"), "");
    hand_in_script(&bench, "gone", "exit 1", "");
    // A limit may be for a bot that is refused.
    let limits = ["61s", "of-one=62s", "gone=63s"].map(|limit| format!("--time-limit={limit}"));
    let more: Vec<&str> = limits.iter().map(String::as_str).chain(["random"]).collect();
    assert_eq!(begin(&bench, "cup", &more).code, Some(0));
    let found = entrants(&bench.path("cup"));
    assert_eq!(names(&found), ["random", "of-all", "of-one"], "{found}");
    assert!(why(&found, "usual").contains("at `coup first-move`: crash: exit 1"));
    let ended = begin(&bench, "other", &["--time-limit", "missing=1s", "random"]);
    ended.assert_refused(
        2,
        &["limit for unknown bot `missing`", "random, gone, of-all, of-one, usual"],
    );

    // A plan says them for all.
    let limits = "[limits]\ntime-limit = '61s'\n[[bots]]\ncommand = 'random'\n";
    bench.write("plan.toml", format!("game = 'coup'\ndeals = 1\n{limits}"));
    let words = ["tournament", "plan.toml", "--quiet", "--submissions", "handed-in"];
    bench.succeed(words);
    assert_eq!(names(&entrants(&bench.path("plan"))), ["random", "of-all"]);
}

/// A bot that would be out in all games for its time is not entered, and does not take longer to
/// be refused than a few answers.
#[test]
fn a_bot_too_slow_for_the_tournament_is_refused_after_three_timeouts() {
    let bench = bench();
    hand_in(&bench, "slow", &faulty(&bench, "slow", "sleep"));
    hand_in_random(&bench, "good", "");
    let limits = ["--time-limit", "60s", "--time-limit", "slow=300ms", "random"];
    assert_eq!(begin(&bench, "cup", &limits).code, Some(0));
    let found = entrants(&bench.path("cup"));
    assert_eq!(names(&found), ["random", "good"]);
    assert!(why(&found, "slow").contains("timeout: no exit within 300 ms"), "{found}");
    let report = fs::read_to_string(bench.path("handed-in/slow.report.txt")).expect("a report");
    assert_eq!(report.matches("\nFAILED ").count(), 3, "{report}");
    assert!(report.contains(" skipped after 3 timeouts\n"), "{report}");
    processes::wait_for_none(bench.marker());
}

#[test]
fn a_check_has_the_game_options_second_chances_and_dialect_of_the_tournament() {
    let bench = bench();
    let asked = bench.path("asked").display().to_string();
    // One process for each of many answers: it writes down the game, and prints the first move.
    let first = "answer { print; answer = 0 } /^legal / { answer = 1 }";
    let script = format!("exec awk -v asked='{asked}' '/^game / {{ print >> asked }} {first}'");
    hand_in_script(&bench, "mine", &script, "");
    // It writes outside of its scratch folder, which an isolated bot cannot.
    let alone = ["--dir", "durak", "--submissions", "handed-in", "--time-limit", "60s"];
    let alone = [&alone[..], &["--isolation", "off"]].concat();
    let words = ["tournament", "--game", "durak", "--seats", "3", "--options", "deck=24"];
    let ended = bench.run([&words[..], &alone].concat());
    assert_eq!(ended.code, Some(2), "one bot makes no tournament: {ended:?}");
    let asked = fs::read_to_string(asked).expect("it was asked");
    assert!(asked.lines().any(|line| line.starts_with("game durak seats=3 deck=24 ")), "{asked}");
    assert!(!asked.contains("coup"), "{asked}");
    hand_in_script(&bench, "mine", &format!("exec awk '{first}'"), "");

    // It begins with what it does not hold, and then looks why it is asked again.
    let script = format!(
        "cat > request; grep -q '^retry ' request || {{ echo lie; exit; }}\n{ANSWER} < request"
    );
    hand_in_script(&bench, "second", &script, "");
    let limits = ["--time-limit", "60s", "random"];
    assert_eq!(begin(&bench, "none", &limits).code, Some(0));
    assert!(why(&entrants(&bench.path("none")), "second").contains("malformed: expected a move"));
    assert_eq!(begin(&bench, "one", &[&["--retries", "1"][..], &limits].concat()).code, Some(0));
    assert_eq!(names(&entrants(&bench.path("one"))), ["random", "mine", "second"]);
    let report = fs::read_to_string(bench.path("handed-in/second.report.txt")).expect("a report");
    assert!(report.contains("on a retry after malformed: expected a move"), "{report}");
    assert!(report.contains(" of them on a retry\n"), "{report}");

    let classic = "printf '%s' \"$5\" >> \"$1\"; printf '%s\\n' \"${4%??}\"\n";
    hand_in_script(&bench, "classic", classic, "dialect = \"classic\"");
    let words = ["tournament", "--game", "coup", "--deals", "1", "--dir", "coup", "--seed", SEED];
    let more = ["--submissions", "handed-in", "--time-limit", "60s", "random"];
    assert_eq!(bench.run([&words[..], &more].concat()).code, Some(0));
    let found = entrants(&bench.path("coup"));
    assert!(names(&found).contains(&"classic"), "{found}");
}

/// The first of them cannot be built before the last one was, so a check that waits for the one
/// before it would never end. Builds that are kept apart could not wait for each other.
#[test]
fn submissions_are_checked_at_once_and_entered_in_order() {
    let bench = bench();
    let wait = "build = ['sh', '-c', 'until [ -e ../../built ]; do sleep 0.01; done']";
    hand_in_random(&bench, "a-first", wait);
    for number in 1..4 {
        hand_in_random(&bench, &format!("b-good-{number}"), "");
        hand_in_script(&bench, &format!("c-bad-{number}"), "exit 1", "");
    }
    hand_in(&bench, "d-broken", "what is this");
    hand_in_random(&bench, "e-last", "build = ['touch', '../../built']");
    let ended = begin(
        &bench,
        "cup",
        &[&OFF[..], &["--workers", "2", "--time-limit", "60s", "random"]].concat(),
    );
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let found = entrants(&bench.path("cup"));
    let good: Vec<String> = (1..4).map(|number| format!("b-good-{number}")).collect();
    let good: Vec<&str> = good.iter().map(String::as_str).collect();
    assert_eq!(names(&found), [&["random", "a-first"][..], &good, &["e-last"]].concat());
    // A slow tournament prints lines on the games as well.
    let refused = ended.stderr.lines().filter(|line| line.starts_with("handed-in"));
    let refused: Vec<&str> = refused.collect();
    assert_eq!(refused.len(), 5, "a line for each, and one for all: {ended:?}");
    assert!(refused[0].starts_with("handed-in/c-bad-1: rejected: failed the check"));
    assert!(refused[3].starts_with("handed-in/d-broken: rejected: "), "{ended:?}");
    assert_eq!(refused[4], "handed-in: 5 of 9 submissions entered");
    for entry in fs::read_dir(bench.path("handed-in")).expect("it is there").flatten() {
        let path = entry.path();
        let report = format!("{}.report.txt", path.display());
        assert!(path.is_file() || Path::new(&report).exists(), "no report on {path:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_it_is_shown_which_bots_are_checked() {
    let bench = bench();
    let wait = "build = ['sh', '-c', 'until [ -e ../../go ]; do sleep 0.01; done']";
    hand_in_random(&bench, "mine", wait);
    hand_in_random(&bench, "zorro", "");
    let words = ["tournament", "--game", "coup", "--deals", "1", "--dir", "cup", "--seed", SEED];
    let more = ["--submissions", "handed-in", "--time-limit", "60s", "--workers", "1", "random"];
    let words = [&words[..], &OFF, &more].concat();
    let mut typing = tests::typing::Typing::start(&mut bench.arbiter(words));
    typing.until("checking 1 of 2: mine");
    bench.write("go", "");
    typing.until("checking 2 of 2: zorro");
    let (status, seen) = typing.end();
    assert!(status.success(), "{seen}");
    assert!(seen.contains("handed-in: 2 of 2 submissions entered"), "{seen}");
}

/// A check that has ended is not made again; one that was broken off is.
#[cfg(target_os = "linux")]
#[test]
fn after_ctrl_c_only_the_checks_that_had_not_ended_are_made() {
    use rustix::process::Signal;
    use std::fs::File;
    use std::process::Stdio;
    use tests::running::{Running, wait_until};
    let bench = bench();
    hand_in_random(&bench, "a-good", "");
    hand_in_script(&bench, "b-bad", "exit 1", "");
    hand_in_random(&bench, "c-slow", "build = ['sleep', '600']");
    let more = ["--submissions", "handed-in", "--time-limit", "60s", "--workers", "1", "random"];
    let words = ["tournament", "--game", "coup", "--deals", "1", "--dir", "cup", "--seed", SEED];
    let words = [&words[..], &more].concat();
    let mut command = bench.arbiter(&words);
    let errors = File::create(bench.path("errors")).expect("the folder is ours");
    let mut running = Running::start(command.stdout(Stdio::null()).stderr(errors));
    let said = || fs::read_to_string(bench.path("errors")).expect("it is there");
    wait_until("two checks have ended", || said().contains("check 2 of 3: b-bad does not pass, "));
    running.signal(Signal::INT);
    assert_eq!(running.wait().code(), Some(130), "{}", said());
    assert!(
        said().contains("stopped during the checks; rerun the command to continue"),
        "{}",
        said()
    );
    assert!(!bench.path("cup").exists(), "nothing was begun");
    hand_in_random(&bench, "c-slow", "");
    let ended = bench.run(words);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let lines: Vec<&str> = ended.stderr.lines().filter(|line| line.starts_with("check ")).collect();
    assert_eq!(lines[0], "check 1 of 3: a-good passes, checked before");
    assert_eq!(lines[1], "check 2 of 3: b-bad does not pass, checked before");
    assert!(lines[2].starts_with("check 3 of 3: c-slow passes, "), "{lines:?}");
    assert!(lines[2].ends_with(" s"), "{lines:?}");
    verify(&bench, "cup");
}
