//! Signals that the referee was started to ignore or to hold back, as `nohup` and Python do: what becomes of a
//! bot does not depend on them.

#![cfg(target_os = "linux")]

use serde_json::json;
use tests::bench::{Bench, run};
use tests::keeping::{Keeping, Kept, within};
use tests::log;

const FAULTY: &str = env!("CARGO_BIN_EXE_faulty");

#[test]
fn a_bot_ends_by_a_signal_that_the_referee_ignores() {
    check("--ignore-signal=XFSZ");
}

#[test]
fn a_bot_ends_by_a_signal_that_the_referee_holds_back() {
    check("--block-signal=XFSZ");
}

/// Plays against a bot whose file becomes too large, with an option of the program `env` for the referee.
fn check(option: &str) {
    for keeping in Keeping::THOROUGH {
        let bench = Bench::new(FAULTY);
        if !keeping.can_be_had(&bench) {
            continue;
        }
        let words = ["match", "--game", "tablic", "--quiet", "--log", "log"];
        let mut command = bench.arbiter(words);
        command.args([format!("bad={}", bench.faulty("sparse-file")), bench.faulty("ok")]);
        let ended = run(&mut within(&["env", option], command.kept(keeping)));
        assert_eq!(ended.code, Some(0), "{keeping}: {ended:?}");
        let game = log::games(&bench.path("log")).remove(0);
        let fault = log::answers(&game).into_iter().find(|answer| answer["verdict"] != "ok");
        let fault = fault.expect("the file is too large");
        assert_eq!(fault["verdict"], json!("crash"), "{keeping}: {fault}");
        assert!(fault["detail"].to_string().contains("SIGXFSZ"), "{keeping}: {fault}");
    }
}
