//! The referee on a terminal, as when a person runs it.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

use rustix::process::geteuid;
use serde_json::json;
use tests::bench::{Bench, run};
use tests::keeping::{Keeping, KeepingCommand};
use tests::log;
use tests::running::Hanging;

/// A command that runs the referee in the foreground of a terminal of its own; ^C is typed there
/// once there is a file.
fn on_terminal(bench: &Bench, typed_at: &Path, words: &[&str]) -> Command {
    let mut command = bench.command(bench.program("faulty"));
    command.arg("on-terminal").arg(typed_at).arg(bench.program("arbiter")).args(words);
    command
}

/// Without this, a bot that finds no terminal would tell nothing.
#[test]
fn there_is_a_terminal() {
    let bench = Bench::new();
    let mut command = bench.command(bench.program("faulty"));
    command.args(["on-terminal", "never"]).arg(bench.program("faulty")).arg("terminal");
    assert_eq!(run(&mut command).code, Some(7), "whoever is run there finds it");
}

/// Without a keeper, it has no session of its own.
#[test]
fn a_bot_has_no_terminal() {
    for keeping in Keeping::THOROUGH {
        let bench = Bench::new();
        let bots = ["terminal", "terminal"].map(|mode| bench.faulty(mode));
        let words = ["match", "--game", "tablic", "--quiet", "--games", "2", "--log", "log"];
        let words: Vec<&str> = words.into_iter().chain(bots.iter().map(String::as_str)).collect();
        let mut command = on_terminal(&bench, Path::new("never"), &words);
        let ended = run(command.with_keeping(keeping));
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{keeping}: {ended:?}");
        bench.verify(&bench.path("log"));
        for game in log::games(&bench.path("log")) {
            assert_eq!(game["result"]["out"], json!([null, null]), "{keeping}: {game}");
        }
    }
}

#[test]
fn ctrl_c_ends_everything() {
    for (keeping, mode) in
        Keeping::ALL.into_iter().zip(["sleep", "ignore-signals", "hang-with-daemon"])
    {
        let mut hanging = Hanging::start(Bench::new(), mode, |bench, bots| {
            let bots = bots.iter().map(String::as_str);
            let words: Vec<&str> = Hanging::WORDS.into_iter().chain(bots).collect();
            let mut command = on_terminal(bench, &bench.path("hangs"), &words);
            command.with_keeping(keeping);
            command
        });
        let status = hanging.referee.wait();
        assert!(!status.success(), "{keeping}, {mode}: {status:?}");
        hanging.assert_cleaned_up();
        hanging.assert_log();
    }
}

/// The number of such a leader is 0, as in a container; the referee took it for no number at all.
#[test]
fn a_session_may_have_its_leader_out_of_sight() {
    let bench = Bench::new();
    let own = if geteuid().is_root() { "-pf" } else { "-rpf" };
    let inside = |words: &[&str]| {
        let mut command = bench.command("unshare");
        command.args([own, "--mount-proc", "--kill-child"]).args(words);
        run(&mut command)
    };
    if inside(&["true"]).code != Some(0) {
        tests::missing::tell("no namespace of processes can be made here");
        return;
    }
    let (arbiter, bot) = (bench.program("arbiter"), bench.faulty("ok"));
    for keeping in Keeping::ALL {
        let set = format!("ARBITER_SUPERVISOR={}", keeping.supervisor());
        let log = keeping.to_string();
        let words = ["env", &set, arbiter.to_str().expect("text"), "match", "--game", "tablic"];
        let more = ["--quiet", "--log", &log, &bot, &bot];
        let ended = inside(&[&words[..], &more, keeping.words()].concat());
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{keeping}: {ended:?}");
        bench.verify(&bench.path(&log));
    }
}
