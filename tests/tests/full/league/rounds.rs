//! Rounds that are killed, broken off, or without their bots.

#![cfg(target_os = "linux")]

use std::fs;
use std::num::NonZeroU32;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;
use tests::bench::Bench;
use tests::league::{WAITS, enter_waiting, folder, league, play, round, running, states, status};
use tests::running::wait_for_no_scratch;
use tests::tournament::drawn_seed;

/// Number of times that a league is killed.
const KILLS: u32 = 8;

/// Time after its start within which it is killed, in milliseconds.
const MOMENTS: NonZeroU32 = NonZeroU32::new(700).expect("it is not 0");

#[test]
fn a_league_that_is_killed_again_and_again_plays_on() {
    let bench = league(&["random", "greedy", "ann=random"]);
    let mut chance = drawn_seed("league::rounds").nature(0);
    let mut before = 0;
    for _ in 0..KILLS {
        let mut running = bench.start("league run class --quiet");
        thread::sleep(Duration::from_millis(chance.below(MOMENTS).into()));
        running.signal_group(Signal::KILL);
        running.wait();
        wait_for_no_scratch(&bench);
        let games = status(&bench)["games"].as_u64().expect("a number");
        assert!(games >= before, "no game is lost that counted: {games}, {before}");
        before = games;
        bench.ok("verify class");
    }
    let games = play(&bench, "8");
    assert!(games >= before + 8, "{games}");
    let status = status(&bench);
    assert_eq!(status["open"], Value::Null);
    // Every round has the games of its tables, in both orders.
    for number in 0..status["rounds"].as_u64().expect("a number") {
        let line = round(&bench, &number.to_string());
        let tables = line["tables"].as_array().expect("a list").len() as u64;
        let deals = line["deals"].as_u64().expect("a number");
        assert_eq!(line["over"]["games"], tables * deals * 2, "{line}");
    }
    assert!(bench.ok("verify class --json").contains("\"verified\":true"));
}

#[test]
fn a_bot_that_was_changed_where_it_lies_plays_no_more() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "first");
    bench.ok("league add class ./mine");
    play(&bench, "8");
    bench.write("class/bots/ann@1/bot.sh", "exit 1\n");
    let ended = bench.line("league run class --games 4 --quiet");
    let warning = "warning: bot `ann@1` has changed since it entered; it is skipped until \
                   re-entered with `arbiter league add`\n";
    assert_eq!((ended.code, &*ended.stderr), (Some(0), warning), "{ended:?}");
    assert!(!bench.ok("league pairings class").contains("ann"));
    bench.ok("verify class");
}

#[test]
fn a_round_whose_bot_is_gone_is_broken_off() {
    let bench = league(&["random", "greedy"]);
    enter_waiting(&bench, "ann");
    let mut killed = running(&bench, 4);
    killed.signal_group(Signal::KILL);
    killed.wait();
    wait_for_no_scratch(&bench);
    fs::remove_file(bench.path("class/bots/ann@1/bot.sh")).expect("it is ours");
    bench.line("league run class --games 4 --quiet").with_code(0);
    let line = round(&bench, "0");
    assert!(line["over"]["broken"]["why"].to_string().contains("ann@1"), "{line}");
    assert_eq!(states(&bench).len(), 3);
    bench.ok("verify class");
}

/// A file of a bot that was changed during a round used to end the whole run.
#[test]
fn a_round_whose_bot_is_changed_while_it_plays_is_broken_off() {
    let bench = league(&["random", "greedy"]);
    if !tests::keeping::has_layer_files(&bench) {
        return;
    }
    enter_waiting(&bench, "ann");
    let mut running = running(&bench, 4);
    bench.write("class/bots/ann@1/bot.sh", format!("{WAITS}# changed\n"));
    bench.write("class/bots/ann@1/go", "");
    let code = running.wait().code();
    let told = bench.text("errors");
    let expected = "warning: round 0 aborted: bot `ann@1`: ";
    assert!(code == Some(0) && told.contains(expected), "{code:?}: {told}");
    let why = round(&bench, "0")["over"]["broken"]["why"].to_string();
    assert!(why.contains("ann@1"), "{why}");
    bench.ok("verify class");
}

#[test]
fn a_run_stops_once_only_house_bots_play_and_none_is_new() {
    let bench = league(&["random", "greedy"]);
    bench.ok("league invite class ann");
    for (more, says, games) in [
        ("", "only house bots are active", 4),
        ("--wait --for 1s", "waiting for participants' bots", 4),
        ("--games 4 --quiet", "", 8),
    ] {
        let ended = bench.line(&format!("league run class {more}"));
        assert_eq!(ended.code, Some(0), "{more}: {ended:?}");
        assert!(ended.stderr.contains(says), "{more}: {ended:?}");
        assert_eq!(status(&bench)["games"], games, "{more}");
    }
}

#[test]
fn a_run_whose_time_is_up_ends_the_round_between_deals() {
    // Rounds that last far longer than the run.
    let bench = Bench::new();
    bench.ok("league new class --game coup --round-deals 1000 --round-tables 2 --time-limit 30s");
    bench.ok("league add class random greedy ann=random");
    let told = bench.line("league run class --for 2s").with_code(0);
    let games = status(&bench)["games"].as_u64().expect("a number");
    let end = round(&bench, "0");
    assert_eq!(games % 2, 0, "deals are whole: {end}");
    match games {
        // On a machine without time for a deal, the round stays open.
        0 => assert!(told.stderr.contains("round 0 continues with the next run"), "{told:?}"),
        _ => {
            let played = format!("round 0 ends after {games} of 4000 games");
            let left = format!("{played}, without the other {} games", 4000 - games);
            assert!(told.stderr.contains(&left), "{told:?}");
            let why = format!("time was up after {games} of 4000 games");
            assert_eq!(end["over"]["broken"]["why"], why);
        }
    }
    bench.ok("verify class");
}
