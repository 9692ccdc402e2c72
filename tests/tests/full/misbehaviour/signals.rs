//! A keeper starts bots with the usual handling of signals, even if the referee was started with signals that are
//! ignored, as by `nohup`, or blocked.

#![cfg(target_os = "linux")]

use tests::bench::{Bench, run};
use tests::keeping::{Keeping, KeepingCommand, started_by};
use tests::log;

#[test]
fn a_bot_ignores_no_signal_that_the_referee_was_started_to_ignore() {
    check("--ignore-signal=HUP,INT,CHLD,USR2,XFSZ", "SigIgn");
}

#[test]
fn a_bot_blocks_no_signal_that_the_referee_was_started_to_block() {
    check("--block-signal=HUP,INT,CHLD,USR2,XFSZ", "SigBlk");
}

/// Starts the referee by `env` with this option. Its bot answers with the set of signals that this line of the
/// kernel has.
fn check(option: &str, line: &str) {
    for keeping in Keeping::had(Keeping::THOROUGH) {
        let bench = Bench::new();
        let words = ["match", "--game", "tablic", "--quiet", "--log", "log"];
        let mut command = bench.arbiter(words);
        let look = format!("while ((getline < \"/proc/self/status\") > 0) if (/^{line}/) print $2");
        command.args([&format!("bad=awk 'BEGIN {{ {look} }}'"), &bench.faulty("ok")]);
        let ended = run(&mut started_by(&["env", option], command.with_keeping(keeping)));
        assert_eq!(ended.code, Some(0), "{keeping}: {ended:?}");
        let game = log::games(&bench.path("log")).remove(0);
        let replies = log::replies(&game, log::seat_of(&game, "bad"));
        assert_eq!(replies[0], "0000000000000000", "{keeping}: {game}");
    }
}
