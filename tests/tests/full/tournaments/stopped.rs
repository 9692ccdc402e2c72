//! Tournaments that stop for another reason than the user's: bots that are ended or changed, and a full machine.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::Value;
use tests::bench::Bench;
use tests::keeping::has_layer_files;
use tests::league::WAITS;
use tests::processes;
use tests::running::wait_until;
use tests::tournament::{
    assert_resumed_as_never_stopped, coup, cup, cut, games, held_up, play_cup, verify,
    wait_until_it_is_stopping,
};

/// The name of the mended bug: where Slurm took back a task, its signal ended the bots too, and each of
/// them was charged with a crash.
#[test]
fn bots_that_are_stopped_along_with_the_run_have_no_crash() {
    let bench = Bench::new();
    let mut running = held_up(&bench, "slow-start");
    running.signal(Signal::TERM);
    wait_until_it_is_stopping(&bench);
    processes::kill(bench.marker());
    assert_eq!(running.wait().code(), Some(143));
    let log = bench.text("cup/games.jsonl");
    assert!(!log.contains("crash"), "{log}");
    fs::remove_dir(bench.path("go")).expect("it is ours");
    fs::remove_file(bench.path("reached")).expect("it is ours");
    assert_resumed_as_never_stopped(&bench);
}

/// A progress line is not worth a tournament.
#[test]
fn progress_lines_without_a_reader_do_no_harm() {
    let bench = Bench::new();
    let bad = format!("bad={}", bench.faulty("crash"));
    let mut command = bench.arbiter([&coup("cup", "3")[..], &["random", &bad]].concat());
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let ended = command.stdout(Stdio::null()).stderr(writer).status().expect("it starts");
    assert_eq!(ended.code(), Some(0));
    verify(&bench, "cup");
}

/// The machine may be well again by then.
#[test]
fn a_game_that_was_void_too_often_is_tried_again() {
    let bench = Bench::new();
    // The bot is slow until there is no folder for it any more.
    let mut running = held_up(&bench, "slow-start");
    let scratch = bench.scratch();
    fs::rename(&scratch, bench.path("away")).expect("it is ours");
    fs::write(&scratch, "no folder").expect("it is ours");
    fs::remove_dir(bench.path("go")).expect("it is ours");
    let code = running.wait().code();
    fs::remove_file(bench.path("reached")).expect("it is ours");
    fs::remove_file(&scratch).expect("it is ours");
    fs::rename(bench.path("away"), &scratch).expect("it is ours");
    assert_eq!(code, Some(1), "it stops where no scratch folder can be made");
    bench.ok("tournament resume cup --quiet");
    verify(&bench, "cup");
    assert_eq!(games(&bench, "cup").len(), 18);
}

#[test]
fn a_bot_that_has_changed_is_refused() {
    let bench = Bench::new();
    let bot = bench.write("bot.sh", "#!/bin/sh\nexec sed -n '/^legal /{n;p;q}'\n");
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).expect("it is ours");
    play_cup(&bench, "cup", 3, "random mine=./bot.sh");
    cut(&bench, "cup", 2);
    bench.replace("bot.sh", "exec", "# changed\nexec");
    let refused = "bot `mine` has changed: restore its files";
    bench.refuses("tournament resume cup", refused);
}

/// Begins a tournament with a bot that waits, changes the bot before it can answer, and waits for the end.
fn changed_while_it_plays(bench: &Bench, more: &str) -> (Option<i32>, String) {
    bench.write("mine/bot.sh", WAITS);
    bench.write("mine/bot.toml", "name = 'mine'\ncommand = 'sh ./bot.sh'\n");
    let line = cup("cup", 2, &format!("{more} --time-limit 10m --json ./mine random"));
    let mut running = bench.start(&line);
    // The files of the bots were digested before there is a log.
    wait_until("a log", || {
        fs::metadata(bench.path("cup/games.jsonl")).is_ok_and(|found| found.len() > 0)
    });
    bench.write("mine/bot.sh", format!("{WAITS}# changed\n"));
    bench.write("mine/go", "");
    (running.wait().code(), bench.text("errors"))
}

/// An isolated bot cannot write to its own files, so it was not the bot.
#[test]
fn a_bot_changed_while_it_plays_stops_the_tournament_and_loses_nothing() {
    for (more, expected) in [
        (
            "--no-copies",
            "error: bot `mine`: `./bot.sh` changed during play; stopping the tournament: \
             restore the old file, then `arbiter tournament resume cup`\n",
        ),
        (
            "",
            "; stopping the tournament: to continue with its copy, run `arbiter tournament resume cup`\n",
        ),
    ] {
        let bench = Bench::new();
        if !has_layer_files(&bench) {
            return;
        }
        let (code, told) = changed_while_it_plays(&bench, more);
        assert!(code == Some(2) && told.ends_with(expected), "{code:?}: {told}");
        if more.is_empty() {
            bench.write("cup/bots/mine/go", "");
        } else {
            let refused = "bot `mine` has changed: restore its files";
            bench.refuses("tournament resume cup", refused);
            bench.write("mine/bot.sh", WAITS);
        }
        bench.ok("tournament resume cup --quiet");
        verify(&bench, "cup");
        let games = games(&bench, "cup");
        assert!(!games.is_empty());
        assert!(games.iter().all(|game| game["result"]["ending"] == "played"), "{games:?}");
    }
}

/// Without isolation it may have done that itself, to get other cards: it loses.
#[test]
fn a_bot_that_may_have_changed_itself_loses_its_games() {
    let bench = Bench::new();
    let (code, told) = changed_while_it_plays(&bench, "--isolation off");
    assert_eq!(code, Some(0), "{told}");
    let is_lost = |game: &Value| {
        let out = game["result"]["out"].as_array().expect("a list");
        out.iter().any(|verdict| verdict == "start-failed")
    };
    assert!(games(&bench, "cup").iter().any(is_lost));
    verify(&bench, "cup");
}
