//! A keeper starts bots with the usual handling of signals, even if the referee was started with signals that are
//! ignored, as by `nohup`, or blocked.

#![cfg(target_os = "linux")]

use tests::bench::{Bench, run};
use tests::keeping::{Keeping, Kept, started_by};
use tests::log;

const FAULTY: &str = env!("CARGO_BIN_EXE_faulty");

#[test]
fn a_bot_ignores_no_signal_that_the_referee_was_started_to_ignore() {
    check("--ignore-signal=HUP,INT,USR2,XFSZ", "SigIgn");
}

#[test]
fn a_bot_blocks_no_signal_that_the_referee_was_started_to_block() {
    check("--block-signal=HUP,INT,USR2,XFSZ", "SigBlk");
}

/// Starts the referee by `env` with this option. Its bot answers with a line that the kernel has about it.
fn check(option: &str, line: &str) {
    for keeping in Keeping::THOROUGH {
        let bench = Bench::new(FAULTY);
        if !keeping.can_be_had(&bench) {
            continue;
        }
        let words = ["match", "--game", "tablic", "--quiet", "--log", "log"];
        let mut command = bench.arbiter(words);
        command.args([&format!("bad=grep {line} /proc/self/status"), &bench.faulty("ok")]);
        let ended = run(&mut started_by(&["env", option], command.kept(keeping)));
        assert_eq!(ended.code, Some(0), "{keeping}: {ended:?}");
        let game = log::games(&bench.path("log")).remove(0);
        let replies = log::replies(&game, log::seat_of(&game, "bad"));
        let found = replies[0].split_whitespace().collect::<Vec<_>>();
        assert_eq!(found, [&format!("{line}:"), "0000000000000000"], "{keeping}: {game}");
    }
}
