//! A bot that writes to the log of its own match, which only isolation can keep it from: a log that
//! has another length than it must have stops the match, and verification finds the rest.

#![cfg(target_os = "linux")]

use tests::bench::{Bench, Ended, run};
use tests::keeping::{Keeping, KeepingCommand};

/// The bot's action on the log at its move 5 of the second game; true if it stops the match; and
/// the line that verification names.
const DEEDS: [(&str, bool, &str); 4] = [
    ("append", true, "line 3 "),
    ("append-much", true, "line 3 "),
    ("overwrite", false, "line 1 "),
    ("empty", true, "line 1 "),
];

#[test]
fn a_bot_that_writes_to_the_log_is_found() {
    // Each way of keeping bots has two of them.
    for ((deed, stops, line), keeping) in DEEDS.into_iter().zip(Keeping::OPEN.into_iter().cycle()) {
        let (bench, ended) = spoiled(keeping, deed);
        let case = format!("{keeping}, {deed}: {ended:?}");
        let games: Vec<_> =
            ended.json().into_iter().filter_map(|line| line.get("game").cloned()).collect();
        assert!(games.iter().all(|game| game["ending"] == "played"), "{case}");
        if stops {
            assert_eq!((ended.code, games.len()), (Some(1), 1), "{case}");
            let says = "error: cannot write to the log: `log` was changed by another program while \
                        it was written: it has ";
            assert!(ended.stderr.starts_with(says), "{case}");
            let end = "see `arbiter show` for what remains of the 1 game\n";
            assert!(ended.stderr.ends_with(end), "{case}");
        } else {
            let told = (ended.code, games.len(), ended.stderr.as_str());
            assert_eq!(told, (Some(0), 3, ""), "{case}");
        }
        bench.run(["verify", "log"]).assert_refused(3, &[line]);
    }
}

/// Plays three games, in the second of which a bot does this to the log.
fn spoiled(keeping: Keeping, deed: &str) -> (Bench, Ended) {
    let bench = Bench::new();
    let log = bench.path("log");
    // The bot has seat 1 in the second game only.
    let bad = bench.faulty(&format!("only-on 5 1 spoil {deed} '{}'", log.display()));
    let bots = [format!("bad={bad}"), bench.faulty("ok")];
    let words = ["match", "--game", "tablic", "--json", "--games", "3", "--log", "log"];
    let ended = run(bench.arbiter(words).args(bots).with_keeping(keeping));
    (bench, ended)
}

/// The log is as it was, and the bot that tried has lost the game.
#[test]
fn an_isolated_bot_cannot_write_to_the_log() {
    for (deed, ..) in DEEDS {
        if !Keeping::Isolated.can_be_had(&Bench::new()) {
            return;
        }
        let (bench, ended) = spoiled(Keeping::Isolated, deed);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{deed}: {ended:?}");
        bench.verify(&bench.path("log"));
        let games = tests::log::games(&bench.path("log"));
        assert_eq!(games[1]["result"]["ending"], "walkover", "{deed}: {}", games[1]);
    }
}
