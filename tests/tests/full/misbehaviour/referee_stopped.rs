//! A referee that is stopped for a while, as with Ctrl-Z, by its container or with its machine: what
//! came unseen is void and charged to no bot.

#![cfg(target_os = "linux")]

use std::thread;

use serde_json::Value;
use tests::bench::{Bench, run};
use tests::keeping::{Keeping, KeepingCommand};
use tests::{chain, log, processes};

/// The time of the bad bot, for which the referee is stopped: long enough to start on any
/// machine. The others have more, and need it never.
const LIMIT: &str = "bad=5s";

/// Matches in which the referee is stopped once in each way of keeping bots, until the time of the third
/// answer is up. That answer is void, charged to no bot, and the game is played again.
fn play(how: &str) {
    thread::scope(|scope| {
        // At once, since most of the time nothing happens.
        for keeping in Keeping::OPEN {
            scope.spawn(move || play_under(keeping, how));
        }
    });
}

fn play_under(keeping: Keeping, how: &str) {
    let bench = Bench::new();
    let file = bench.path("stopped");
    let bad = bench.faulty(&format!("only-on 2 0 stop-parent {how} '{}'", file.display()));
    let words = ["match", "--game", "tablic", "--log", "log", "--json"];
    let mut command = bench.arbiter(words);
    command.args(["--time-limit", "60s", "--time-limit", LIMIT]);
    command.args([format!("bad={bad}"), bench.faulty("ok")]);
    run(command.with_keeping(keeping)).with_code(0);
    assert!(file.exists(), "the referee was never stopped");
    bench.verify(&bench.path("log"));
    let games = log::games(&bench.path("log"));
    let case = format!("{keeping}, {how}: {games:?}");
    assert_eq!(games.len(), 2, "{case}");
    let (void, counted) = (&games[0], &games[1]);
    let verdicts: Vec<Value> =
        log::answers(void).iter().map(|answer| answer["verdict"].clone()).collect();
    assert_eq!(verdicts, ["ok", "ok", "void"], "{case}");
    let reason = void["result"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("the referee was "), "{case}");
    assert_eq!(counted["result"]["ending"], "played", "{case}");
    assert!(log::answers(counted).iter().all(|answer| answer["verdict"] == "ok"), "{case}");
    processes::wait_for_none(bench.marker());
}

#[test]
fn no_bot_is_late_because_the_referee_was_stopped() {
    play("late");
}

/// It may have been printed at any time until the referee went on: see the next one.
#[test]
fn an_answer_that_a_stopped_referee_sees_late_is_void() {
    play("in-time");
}

/// The bot itself has exited in time, and the system says so; the answer is that of a child which had
/// the time for which the referee was stopped.
#[test]
fn a_bot_gets_no_more_time_by_stopping_the_referee() {
    play("behind");
}

/// A log that no referee of this version would write is found, even with a new chain.
#[test]
fn an_answer_that_took_longer_than_it_may_is_found() {
    let bench = Bench::new();
    bench.ok("match --game tablic --time-limit 60s --log log --quiet random greedy");
    let log = bench.text("log");
    for (ms, is_found) in [("60000.0", false), ("61000.0", false), ("61000.5", true)] {
        let mut lines = chain::contents(&log);
        lines[1] = with_time(&lines[1], 3, ms);
        bench.write("edited", chain::chain(&lines));
        let ended = bench.run(["verify", "edited"]);
        match is_found {
            true => ended.assert_refused(3, &["game 0", "answer 3", "seat 1", ms, "60000"]),
            false => assert_eq!(ended.code, Some(0), "{ms}: {ended:?}"),
        }
    }
}

/// The line of a game in which one answer took another time.
fn with_time(line: &str, answer: usize, ms: &str) -> String {
    const KEY: &str = "{\"ms\":";
    let (start, _) = line.match_indices(KEY).nth(answer).expect("so many answers");
    let (before, after) = line.split_at(start + KEY.len());
    let end = after.find([',', '}']).expect("an object ends");
    format!("{before}{ms}{}", &after[end..])
}
