//! A referee that waits for a processor, which it shares with programs that burn CPU time.

#![cfg(target_os = "linux")]

use serde_json::Value;
use tests::bench::{Bench, run};
use tests::{load, log};

/// Number of programs that burn CPU time meanwhile: in the first try, and in the last one.
const FEWEST: usize = 8;
const MOST: usize = 64;

/// A bot that takes next to no CPU time is late because the referee itself has to wait: that is
/// logged, counts for what is suspect, and stands for nothing in an answer that was in time.
#[test]
fn waiting_time_of_the_referee_is_logged_and_counts() {
    load::share_one_processor();
    let mut burners = FEWEST;
    while burners <= MOST {
        let bench = Bench::new();
        let burning = load::burning(&bench, burners);
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
