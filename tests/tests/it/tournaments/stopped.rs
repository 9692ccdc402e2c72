//! Tournaments that are killed, stopped and cut off, and what goes on after it.

#![cfg(target_os = "linux")]

use std::fs;
use std::iter;
use std::num::NonZeroU32;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use tests::bench::Bench;
use tests::processes;
use tests::running::wait_for_no_scratch;
use tests::texts::assert_says;
use tests::tournament::{
    assert_resumed_as_never_stopped, cup, drawn_seed, games, held_up, play_cup, result, verify,
    wait_until_it_is_stopping,
};

/// Time after its start within which a tournament is first killed, in milliseconds.
const MOMENTS: NonZeroU32 = NonZeroU32::new(100).expect("it is not 0");

/// Number of times that a tournament is killed. Five hundred kills are in `killed.rs`, on demand.
const KILLS: usize = 8;

#[test]
fn killed_at_random_moments_it_ends_as_if_it_had_not_been() {
    let bench = Bench::new();
    let bots = format!("random greedy {}", bench.bad("bad", "only-on 4 0 crash"));
    play_cup(&bench, "whole", 3, &bots);
    let expected = result(&bench.path("whole"));
    let mut chance = drawn_seed("tournaments::stopped").nature(0);
    let mut kills = 0;
    let mut round = 0;
    while kills < KILLS {
        let folder = format!("cut-{round}");
        let mut line = cup(&folder, 3, &format!("--workers 3 {bots}"));
        let mut most = MOMENTS;
        loop {
            let mut running = bench.start(&line);
            thread::sleep(Duration::from_millis(chance.below(most).into()));
            running.signal(Signal::KILL);
            let status = running.wait();
            if status.success() {
                break;
            }
            let errors = bench.text("errors");
            assert_eq!(status.code(), None, "{folder}: it was not killed but failed: {errors}");
            kills += 1;
            // A busy machine needs more time to get anywhere.
            most = most.saturating_add(MOMENTS.get() / 3);
            // Killed before there was a plan, it begins again.
            if bench.path(&folder).join("plan.toml").exists() {
                line = format!("tournament resume {folder} --workers 3");
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
    play_cup(&bench, "cup", 1, "random greedy");
    let expected = result(&bench.path("cup"));
    let log = bench.path("cup/games.jsonl");
    let whole = fs::read(&log).expect("a log");
    // Nothing, and around every line end; at every byte it is cut in `resume` of the crate `record`.
    let ends = (0..whole.len()).filter(|place| whole[*place] == b'\n');
    for cut in iter::once(0).chain(ends.flat_map(|end| [end - 1, end, end + 1])) {
        fs::write(&log, &whole[..cut]).expect("it is ours");
        let _ = fs::remove_file(bench.path("cup/standings.json"));
        bench.ok("tournament resume cup --quiet");
        assert_eq!(result(&bench.path("cup")), expected, "cut after {cut} bytes");
    }
    // A line that was changed is no line that was cut off.
    bench.replace("cup/games.jsonl", "\"deal\":0", "\"deal\":1");
    let text = bench.text("cup/games.jsonl");
    let ended = bench.line("tournament resume cup");
    ended.assert_refused(2, &["cannot resume the tournament", "was modified"]);
    assert_eq!(bench.text("cup/games.jsonl"), text, "nothing was changed");
}

#[test]
fn one_ctrl_c_lets_games_end_and_two_end_everything() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let bench = Bench::new();
        let mut running = held_up(&bench, "sleep");
        // Meanwhile no other run uses its folder.
        bench.refuses("tournament resume cup", "`cup` is locked by another run");
        assert_says(&bench.ok("tournament status cup"), &["running"]);
        running.signal(signal);
        wait_until_it_is_stopping(&bench);
        // The game that hangs would end only after ten minutes.
        running.signal(signal);
        assert_eq!(running.wait().code(), Some(code));
        processes::wait_for_none(bench.marker());
        wait_for_no_scratch(&bench);
        fs::remove_dir(bench.path("go")).expect("it is ours");
        fs::remove_file(bench.path("reached")).expect("it is ours");
        bench.ok("tournament resume cup --quiet");
        verify(&bench, "cup");
        assert_eq!(games(&bench, "cup").len(), 18);
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
    let games = games(&bench, "cup").len();
    assert!((3..18).contains(&games), "{games}: it was stopped, and games that were begun count");
    assert_says(&bench.ok("tournament standings cup"), &["greedy"]);
    let verified = bench.line("verify cup").with_code(8);
    assert!(verified.stdout.contains("valid so far"), "{verified:?}");
    assert_resumed_as_never_stopped(&bench);
}
