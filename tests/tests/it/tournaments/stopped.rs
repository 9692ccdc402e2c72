//! Tournaments that are killed, stopped and cut off, and what goes on after it.

#![cfg(target_os = "linux")]

use std::fs;
use std::num::NonZeroU32;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use tests::bench::Bench;
use tests::keeping::Keeping;
use tests::running::{Running, wait_for_no_scratch, wait_until};
use tests::tournament::{coup, drawn_seed, result, start, verify};
use tests::{log, processes};

/// Time after its start within which a tournament is first killed, in milliseconds.
const MOMENTS: NonZeroU32 = NonZeroU32::new(100).expect("it is not 0");

/// Number of times that a tournament is killed. Five hundred kills are in `killed.rs`, on demand.
const KILLS: usize = 15;

const DEALS: &str = "3";

#[test]
fn killed_at_random_moments_it_ends_as_if_it_had_not_been() {
    let bench = Bench::new();
    let bad = format!("bad={}", bench.faulty("only-on 4 0 crash"));
    let bots = ["random", "greedy", "other=random", bad.as_str()];
    bench.succeed([&coup("whole", DEALS)[..], &["--quiet"], &bots].concat());
    let expected = result(&bench.path("whole"));
    let mut chance = drawn_seed("tournaments::stopped").nature(0);
    let mut kills = 0;
    let mut round = 0;
    while kills < KILLS {
        let folder = format!("cut-{round}");
        let mut begin = [&coup(&folder, DEALS)[..], &["--workers", "3"], &bots].concat();
        let resume = ["tournament", "resume", &folder, "--workers", "3"];
        let mut most = MOMENTS;
        loop {
            let mut running = start(&bench, &begin);
            let moment = chance.below(most);
            thread::sleep(Duration::from_millis(moment.into()));
            running.signal(Signal::KILL);
            let status = running.wait();
            if status.success() {
                break;
            }
            let errors = fs::read_to_string(bench.path("errors")).expect("they are there");
            assert_eq!(status.code(), None, "{folder}: it was not killed but failed: {errors}");
            kills += 1;
            // A busy machine needs more time to get anywhere.
            most = most.saturating_add(MOMENTS.get() / 6);
            // Killed before there was a plan, it begins again.
            if bench.path(&folder).join("plan.toml").exists() {
                begin = resume.to_vec();
            }
        }
        assert_eq!(result(&bench.path(&folder)), expected, "{folder}");
        verify(&bench, &folder);
        round += 1;
    }
    println!("{kills} kills in {round} tournaments");
    processes::wait_for_none(bench.marker());
    wait_for_no_scratch(&bench);
}

#[test]
fn a_log_cut_off_anywhere_in_its_last_lines_is_gone_on_with() {
    let bench = Bench::new();
    bench.succeed([&coup("cup", "1")[..], &["--quiet", "random", "greedy"]].concat());
    let expected = result(&bench.path("cup"));
    let games = bench.path("cup/games.jsonl");
    let whole = fs::read(&games).expect("a log");
    let ends: Vec<usize> =
        (0..whole.len()).filter(|place| whole[*place] == b'\n').map(|place| place + 1).collect();
    // Around every line end, and now and then in between; at every byte it is cut in the test
    // `logs::resume` of the library.
    let near = |place: &usize| ends.iter().any(|end| end.abs_diff(*place) < 3);
    let cuts = (0..whole.len()).filter(|place| near(place) || place % 307 == 0);
    for cut in cuts {
        fs::write(&games, &whole[..cut]).expect("it is ours");
        let _ = fs::remove_file(bench.path("cup/standings.json"));
        bench.succeed(["tournament", "resume", "cup", "--quiet"]);
        assert_eq!(result(&bench.path("cup")), expected, "cut after {cut} bytes");
    }
    // A line that was changed is no line that was cut off.
    let text = String::from_utf8(whole).expect("text").replace("\"deal\":0", "\"deal\":1");
    fs::write(&games, &text).expect("it is ours");
    let ended = bench.run(["tournament", "resume", "cup"]);
    ended.assert_refused(2, &["cannot resume the tournament", "was modified"]);
    assert_eq!(fs::read_to_string(&games).expect("a log"), text, "nothing was changed");
}

/// A tournament of 18 games in which a bot does as this mode says while there is a folder `go`.
fn with_slow_bot(bench: &Bench, folder: &str, mode: &str) -> Vec<String> {
    let (go, reached) = (bench.path("go"), bench.path("reached"));
    let mode = format!("on-call '{}' '{}' {mode}", go.display(), reached.display());
    let bad = format!("bad={}", bench.faulty(&mode));
    let limits = ["--time-limit", "10min", "--workers", "2"];
    let bots = ["random", "greedy", &bad];
    [&coup(folder, "3")[..], &limits, Keeping::Off.words(), &bots]
        .concat()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

/// This tournament while the bot is slow, so that it runs for as long as anybody wants. The first two
/// games are without that bot.
fn held_up(bench: &Bench, mode: &str) -> Running {
    let reached = bench.path("reached");
    // A file in the command of a bot must stay as it was, a folder need not.
    fs::create_dir(bench.path("go")).expect("the folder is ours");
    let tournament = with_slow_bot(bench, "cup", mode);
    let running = start(bench, &tournament.iter().map(String::as_str).collect::<Vec<_>>());
    wait_until("two games are in the log", || {
        let text = fs::read_to_string(bench.path("cup/games.jsonl")).unwrap_or_default();
        text.matches('\n').count() > 2
    });
    wait_until("the bot is slow", || reached.exists());
    running
}

#[test]
fn only_one_run_at_a_time_uses_a_folder() {
    let bench = Bench::new();
    let mut running = held_up(&bench, "sleep");
    bench
        .run(["tournament", "resume", "cup"])
        .assert_refused(2, &["`cup` is locked by another run"]);
    let status = bench.succeed(["tournament", "status", "cup"]);
    assert!(status.contains("running"), "{status}");
    running.signal(Signal::KILL);
    running.wait();
    processes::wait_for_none(bench.marker());
    wait_for_no_scratch(&bench);
}

fn wait_until_it_is_stopping(bench: &Bench) {
    let events = || fs::read_to_string(bench.path("events")).unwrap_or_default();
    wait_until("it is stopping", || events().contains("\"stopping\""));
}

/// Resumes a tournament that was stopped, and compares it with one that was not.
#[track_caller]
fn is_resumed_as_never_stopped(bench: &Bench) {
    bench.succeed(["tournament", "resume", "cup", "--quiet"]);
    let whole = with_slow_bot(bench, "whole", "slow-start");
    bench.succeed(whole.iter().map(String::as_str).chain(["--quiet"]));
    assert_eq!(result(&bench.path("cup")), result(&bench.path("whole")));
}

#[test]
fn one_ctrl_c_lets_games_end_and_two_end_everything() {
    for signal in [Signal::INT, Signal::TERM] {
        let bench = Bench::new();
        let mut running = held_up(&bench, "sleep");
        running.signal(signal);
        wait_until_it_is_stopping(&bench);
        // The game that hangs would end only after ten minutes.
        running.signal(signal);
        let code = running.wait().code();
        assert_eq!(code, Some(if signal == Signal::INT { 130 } else { 143 }));
        processes::wait_for_none(bench.marker());
        wait_for_no_scratch(&bench);
        fs::remove_dir(bench.path("go")).expect("it is ours");
        fs::remove_file(bench.path("reached")).expect("it is ours");
        bench.succeed(["tournament", "resume", "cup", "--quiet"]);
        verify(&bench, "cup");
        assert_eq!(log::games(&bench.path("cup/games.jsonl")).len(), 18);
    }
}

#[test]
fn after_one_ctrl_c_nothing_is_lost() {
    let bench = Bench::new();
    let mut running = held_up(&bench, "slow-start");
    running.signal(Signal::INT);
    wait_until_it_is_stopping(&bench);
    fs::remove_dir(bench.path("go")).expect("it is ours");
    assert_eq!(running.wait().code(), Some(130));
    fs::remove_file(bench.path("reached")).expect("it is ours");
    let games = log::games(&bench.path("cup/games.jsonl")).len();
    assert!((3..18).contains(&games), "{games}: it was stopped, and games that were begun count");
    let standings = bench.succeed(["tournament", "standings", "cup"]);
    assert!(standings.contains("greedy"), "{standings}");
    let verified = bench.run(["verify", "cup"]);
    assert_eq!(verified.code, Some(8), "{verified:?}");
    assert!(verified.stdout.contains("valid so far"), "{verified:?}");
    is_resumed_as_never_stopped(&bench);
}

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
    let log = fs::read_to_string(bench.path("cup/games.jsonl")).expect("a log");
    assert!(!log.contains("crash"), "{log}");
    fs::remove_dir(bench.path("go")).expect("it is ours");
    fs::remove_file(bench.path("reached")).expect("it is ours");
    is_resumed_as_never_stopped(&bench);
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
    bench.succeed(["tournament", "resume", "cup", "--quiet"]);
    verify(&bench, "cup");
    assert_eq!(log::games(&bench.path("cup/games.jsonl")).len(), 18);
}

#[test]
fn a_bot_that_has_changed_is_refused() {
    let bench = Bench::new();
    let python =
        "#!/bin/sh\nwhile read -r line; do last=$before; before=$line; done\necho \"$last\"\n";
    let bot = bench.write("bot.sh", python);
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).expect("it is ours");
    bench.succeed([&coup("cup", "3")[..], &["--quiet", "random", "mine=./bot.sh"]].concat());
    let games = bench.path("cup/games.jsonl");
    let text = fs::read_to_string(&games).expect("a log");
    let two: String = text.split_inclusive('\n').take(3).collect();
    fs::write(&games, two).expect("it is ours");
    fs::write(&bot, format!("{python}# changed\n")).expect("it is ours");
    let ended = bench.run(["tournament", "resume", "cup"]);
    ended.assert_refused(2, &["bot `mine` has changed: restore its files"]);
}

/// A bot in a folder that waits before each answer until the file `go` is there; its time never ends.
fn waiting_bot(bench: &Bench) -> String {
    fs::create_dir(bench.path("mine")).expect("a folder");
    let script =
        "until test -e \"${0%/*}/go\"; do sleep 0.05; done\nexec sed -n '/^legal /{n;p;q}'\n";
    bench.write("mine/bot.sh", script);
    bench.write("mine/bot.toml", "name = 'mine'\ncommand = 'sh ./bot.sh'\n");
    script.to_owned()
}

/// Begins a tournament, changes the bot before it can answer, and waits for the end.
fn changed_while_it_plays(bench: &Bench, script: &str, more: &[&str]) -> (Option<i32>, String) {
    let words = ["--time-limit", "10m", "./mine", "random"];
    let mut running = start(bench, &[&coup("cup", "2")[..], more, &words].concat());
    // The files of the bots were digested before there is a log.
    wait_until("a log", || {
        fs::metadata(bench.path("cup/games.jsonl")).is_ok_and(|found| found.len() > 0)
    });
    bench.write("mine/bot.sh", format!("{script}# changed\n"));
    bench.write("mine/go", "");
    let code = running.wait().code();
    (code, fs::read_to_string(bench.path("errors")).expect("text"))
}

/// Returns true if bots cannot write to their own files here.
fn has_layer_files(bench: &Bench) -> bool {
    let layers = bench.run(["sandbox", "--json"]).json();
    let has_files =
        |line: &serde_json::Value| line["layer"]["name"] == "files" && line["layer"]["on"] == true;
    if !layers.iter().any(has_files) {
        tests::missing::tell("this machine has no layer `files` for bots");
        return false;
    }
    true
}

fn assert_all_are_played(bench: &Bench) {
    verify(bench, "cup");
    let games = log::games(&bench.path("cup/games.jsonl"));
    assert!(!games.is_empty());
    assert!(games.iter().all(|game| game["result"]["ending"] == "played"), "{games:?}");
}

/// An isolated bot cannot write to its own files, so it was not the bot.
#[test]
fn a_bot_changed_while_it_plays_stops_the_tournament_and_loses_nothing() {
    let bench = Bench::new();
    if !has_layer_files(&bench) {
        return;
    }
    let script = waiting_bot(&bench);
    let (code, told) = changed_while_it_plays(&bench, &script, &["--no-copies"]);
    let expected = "error: bot `mine`: `./bot.sh` changed during play; stopping the tournament: \
                    restore the old file, then `arbiter tournament resume cup`\n";
    assert!(code == Some(2) && told.ends_with(expected), "{code:?}: {told}");
    let ended = bench.run(["tournament", "resume", "cup"]);
    ended.assert_refused(2, &["bot `mine` has changed: restore its files"]);
    bench.write("mine/bot.sh", &script);
    bench.succeed(["tournament", "resume", "cup", "--quiet"]);
    assert_all_are_played(&bench);
}

#[test]
fn a_bot_changed_while_it_plays_goes_on_as_its_copy() {
    let bench = Bench::new();
    if !has_layer_files(&bench) {
        return;
    }
    let script = waiting_bot(&bench);
    let (code, told) = changed_while_it_plays(&bench, &script, &[]);
    let expected =
        "; stopping the tournament: continue with its copy by `arbiter tournament resume cup`\n";
    bench.write("cup/bots/mine/go", "");
    assert!(code == Some(2) && told.ends_with(expected), "{code:?}: {told}");
    let ended = bench.run(["tournament", "resume", "cup", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_all_are_played(&bench);
}

/// Without isolation it may have done that itself, to get other cards: it loses.
#[test]
fn a_bot_that_may_have_changed_itself_loses_its_games() {
    let bench = Bench::new();
    let script = waiting_bot(&bench);
    let (code, told) = changed_while_it_plays(&bench, &script, &["--isolation", "off"]);
    assert_eq!(code, Some(0), "{told}");
    let games = log::games(&bench.path("cup/games.jsonl"));
    let is_lost = |game: &serde_json::Value| {
        let out = game["result"]["out"].as_array().expect("a list");
        out.iter().any(|verdict| verdict == "start-failed")
    };
    assert!(games.iter().any(is_lost), "{games:?}");
    verify(&bench, "cup");
}
