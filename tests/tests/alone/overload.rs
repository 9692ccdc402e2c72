//! More matches than processors: a bot that would answer in time, had it not to wait for others, is
//! late, and its game is marked as suspect and played again where the match says so.
//!
//! The matches and the programs that keep them waiting share one processor, whatever the machine
//! has, so that the other tests go on.

use std::process::{Command, Stdio};

use serde_json::Value;
use tests::bench::Bench;
use tests::running::Running;
use tests::{load, log};

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
    load::share_one_processor();
    let mut burners = FEWEST;
    while burners <= MOST {
        if are_late(burners) {
            return;
        }
        burners *= 2;
    }
    println!("skipped: {MOST} programs do not keep this machine busy");
}

/// Plays the matches, and says whether a bot was late in every one.
fn are_late(burners: usize) -> bool {
    let bench = Bench::new();
    let _burning = load::burning(&bench, burners);
    let names: Vec<String> = (0..MATCHES).map(|number| format!("log-{number}")).collect();
    let mut matches: Vec<Running> =
        names.iter().map(|name| Running::start(&mut contest(&bench, name))).collect();
    let ended = matches.iter_mut().map(|it| {
        assert!(it.wait().success(), "a match between bots that are late has a result");
    });
    assert_eq!(ended.count(), MATCHES);
    names.iter().map(|name| check(&bench, name)).filter(|late| *late).count() == MATCHES
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
    let verified = bench.run(["verify", name]).with_code(0);
    let is_marked = suspect == games.len();
    assert_eq!(verified.stdout.contains("1 suspect"), is_marked, "{verified:?}: {games:?}");
    assert_eq!(verified.stdout.contains("replayed"), games.len() > 1, "{verified:?}");
    println!("{late} of {} games were late: {}", games.len(), verified.stdout.trim_end());
    late > 0
}
