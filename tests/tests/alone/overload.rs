//! More matches than processors: a bot that would answer in time, had it not to wait for others, is
//! late, and its game is marked as suspect and played again where the match says so.
//!
//! The matches and the programs that keep them waiting share one processor, whatever the machine
//! has, so that the other tests go on.

#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde_json::Value;
use tests::bench::{Bench, run};
use tests::log;
use tests::running::Running;

/// Number of matches at once.
const MATCHES: usize = 3;

/// The CPU time that the bot takes, in milliseconds, far below its time limit.
const WORK: usize = 200;
const LIMIT: &str = "800ms";

/// Number of programs that burn CPU time meanwhile: in the first try, and in the last one.
const FEWEST: usize = 8;
const MOST: usize = 64;

#[test]
fn a_bot_that_is_late_on_a_busy_machine_is_suspect() {
    let _turn = crate::turn();
    share_one_processor();
    let mut burners = FEWEST;
    while burners <= MOST {
        if are_late(burners) {
            return;
        }
        burners *= 2;
    }
    println!("skipped: {MOST} programs do not keep this machine busy");
}

/// A bot that takes next to no CPU time is late because the referee itself has to wait: that is
/// logged, counts for what is suspect, and stands for nothing in an answer that was in time.
#[test]
fn waiting_time_of_the_referee_is_logged_and_counts() {
    let _turn = crate::turn();
    share_one_processor();
    let mut burners = FEWEST;
    while burners <= MOST {
        let bench = Bench::new();
        let burning: Vec<Running> =
            (0..burners).map(|_| Running::start(&mut burner(&bench))).collect();
        let words = ["match", "--game", "tablic", "--quiet", "--games", "5", "--log", "log"];
        let bots = [bench.faulty("ok"), format!("other={}", bench.faulty("ok"))];
        let mut command = bench.arbiter(words);
        let ended = run(command.args(["--time-limit", "50ms"]).args(bots));
        drop(burning);
        // A match may stop, where a game was void again and again.
        assert!(matches!(ended.code, Some(0 | 1)), "{ended:?}");
        let lines = log::lines(&bench.path("log"));
        if has_waited(&lines) && ended.code == Some(0) {
            let verified = bench.run(["verify", "log"]);
            let suspect = log::suspect(&lines).len();
            assert!(verified.stdout.contains(&format!("{suspect} suspect")), "{verified:?}");
            return;
        }
        burners *= 2;
    }
    println!("skipped: {MOST} programs do not keep the referee waiting");
}

/// Returns true if a game is suspect because the referee waited in it.
fn has_waited(lines: &[Value]) -> bool {
    let mut has_waited = false;
    for game in lines.iter().filter_map(|line| line.get("game")) {
        let measured = game["measured"].as_array().expect("a list");
        for (answer, measured) in log::answers(game).iter().zip(measured) {
            if let Some(waited) = measured.get("referee_waited_ms") {
                assert!(["timeout", "void"].iter().any(|late| answer["verdict"] == *late));
                assert!(waited.as_f64() > Some(0.0), "{measured}");
                has_waited |= answer["verdict"] == "timeout" && waited.as_f64() >= Some(10.0);
            }
        }
    }
    has_waited && !log::suspect(lines).is_empty()
}

/// Makes programs started from this thread run on one processor.
fn share_one_processor() {
    let allowed = sched_getaffinity(None).expect("the processors of this thread");
    let first = (0..CpuSet::MAX_CPU).find(|number| allowed.is_set(*number));
    let mut one = CpuSet::new();
    one.set(first.expect("one of them"));
    sched_setaffinity(None, &one).expect("a part of what is allowed");
}

/// Plays the matches, and says whether a bot was late in every one.
fn are_late(burners: usize) -> bool {
    let bench = Bench::new();
    let _burning: Vec<Running> =
        (0..burners).map(|_| Running::start(&mut burner(&bench))).collect();
    let names: Vec<String> = (0..MATCHES).map(|number| format!("log-{number}")).collect();
    let mut matches: Vec<Running> =
        names.iter().map(|name| Running::start(&mut contest(&bench, name))).collect();
    let ended = matches.iter_mut().map(|it| {
        assert!(it.wait().success(), "a match between bots that are late has a result");
    });
    assert_eq!(ended.count(), MATCHES);
    names.iter().map(|name| check(&bench, name)).filter(|late| *late).count() == MATCHES
}

fn burner(bench: &Bench) -> Command {
    let mut burner = bench.command(bench.program("faulty"));
    burner.args(["burn-apart", bench.marker()]);
    burner
}

/// A match of one game, which is played again if it is suspect.
fn contest(bench: &Bench, log: &str) -> Command {
    let words = ["match", "--game", "tablic", "--quiet", "--replay-suspect", "--time-limit", LIMIT];
    let mut command = bench.arbiter(words);
    let late = format!("late={}", bench.faulty(&format!("work {WORK}")));
    command.args(["--log", log, &late, &bench.faulty("ok")]).stderr(Stdio::null());
    command
}

/// Returns true if a bot was late in a match. Then it is not known to be the bot's fault in any of
/// its games, and each was played again as often as allowed.
fn check(bench: &Bench, name: &str) -> bool {
    let path = bench.path(name);
    let lines = log::lines(&path);
    let games: Vec<&Value> = lines.iter().filter_map(|line| line.get("game")).collect();
    let suspect = log::suspect(&lines).len();
    let late = games.iter().filter(|game| game["result"]["ending"] == "walkover").count();
    assert_eq!(suspect, late, "late, but not suspect: {games:?}");
    let attempts: Vec<u64> =
        games.iter().map(|game| game.get("attempt").and_then(Value::as_u64).unwrap_or(0)).collect();
    assert_eq!(attempts, (0..games.len() as u64).collect::<Vec<_>>(), "{games:?}");
    // The last one counts: it is not suspect, or there is no chance left.
    assert!(games.len() == 4 || suspect + 1 == games.len(), "{games:?}");
    let verified = bench.run(["verify", name]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let is_marked = suspect == games.len();
    assert_eq!(verified.stdout.contains("1 suspect"), is_marked, "{verified:?}: {games:?}");
    assert_eq!(verified.stdout.contains("replayed"), games.len() > 1, "{verified:?}");
    println!("{late} of {} games were late: {}", games.len(), verified.stdout.trim_end());
    late > 0
}
