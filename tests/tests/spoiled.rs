//! A bot that writes to the log of its own match, which only isolation can keep it from: whatever
//! it did is found by verification, or the log is as if it had done nothing.

#![cfg(target_os = "linux")]

use tests::bench::{Bench, run};
use tests::log;

/// What the bot does to the log on its move 5 of the second game, and the line that verification
/// names; nothing where the referee's own lines come to stand in the place of the bot's.
const DEEDS: [(&str, Option<&str>); 4] = [
    ("append", None),
    ("append-much", Some("line 6 ")),
    ("overwrite", Some("line 1 ")),
    ("empty", Some("line 1 ")),
];

#[test]
fn a_bot_that_writes_to_the_log_is_found() {
    for supervisor in ["linux", "portable"] {
        for (deed, found) in DEEDS {
            check(supervisor, deed, found);
        }
    }
}

fn check(supervisor: &str, deed: &str, found: Option<&str>) {
    let bench = Bench::new(env!("CARGO_BIN_EXE_faulty"));
    let log = bench.path("log");
    // The bot has seat 1 in the second game only.
    let bad = bench.faulty(&format!("only-on 5 1 spoil {deed} '{}'", log.display()));
    let bots = [format!("bad={bad}"), bench.faulty("ok")];
    let words = ["match", "--game", "tablic", "--json", "--games", "3", "--log", "log"];
    let ended = run(bench.arbiter(words).args(bots).env("ARBITER_SUPERVISOR", supervisor));
    let case = format!("{supervisor}, {deed}: {ended:?}");
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{case}");
    for game in ended.json().iter().filter_map(|line| line.get("game")) {
        assert_eq!(game["ending"], "played", "{case}");
    }
    match found {
        Some(line) => bench.run(["verify", "log"]).assert_refused(3, &[line]),
        None => {
            bench.verify(&log);
            assert_eq!(log::games(&log).len(), 3, "{case}");
        }
    }
}
