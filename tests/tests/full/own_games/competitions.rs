//! Tournaments and leagues of custom games.

#![cfg(target_os = "linux")]

use std::fs;
use std::num::NonZeroU32;
use std::process::Command;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use tests::bench::Bench;
use tests::own_games::faulty;
use tests::own_games::{bench, example};
use tests::running::{wait_for_no_scratch, wait_until};
use tests::tournament::{drawn_seed, result, start, verify};
use tests::{log, processes};

/// Time after its start within which a tournament is killed, in milliseconds. It doubles each time, so the tournament
/// also ends on a busy machine.
const MOMENT: NonZeroU32 = NonZeroU32::new(200).expect("it is not 0");

#[test]
fn a_killed_tournament_goes_on_from_the_copy_of_its_game() {
    let Some(bench) = bench() else { return };
    let source = example("holdem");
    let bots: Vec<String> = (0..5).map(|number| format!("b{number}=random")).collect();
    let python = format!("b5=python3 {source}/bots/random.py");
    let bots: Vec<&str> = bots.iter().map(String::as_str).chain([python.as_str()]).collect();
    killed_until_over(&bench, &source, &bots);
    bench.succeed(["report", "cut", "-o", "pages"]);
}

/// The rules are started before the bots, to be asked for their name and options: nothing of them may be left either.
#[test]
fn a_killed_tournament_leaves_no_folder_of_a_program_with_rules() {
    let Some(bench) = bench() else { return };
    killed_until_over(&bench, &example("leduc/python"), &["a=random", "b=random", "c=random"]);
}

/// Plays a tournament `cut`, which is killed and resumed until it is over, and ends as another one, `whole`. Nothing is
/// left of a kill but the folder of the tournament.
fn killed_until_over(bench: &Bench, game: &str, bots: &[&str]) {
    let copied = Command::new("cp").args(["-r", game]).arg(bench.path("source")).status();
    assert!(copied.is_ok_and(|status| status.success()));
    let begin = |folder| {
        let game =
            ["tournament", "--game", "source", "--dir", folder, "--deals", "1", "--seed", "7"];
        [&game[..], &["--workers", "2"], bots].concat().into_iter().map(str::to_owned).collect()
    };
    let whole: Vec<String> = begin("whole");
    bench.succeed(whole.iter().map(String::as_str).chain(["--quiet"]));
    let expected = result(&bench.path("whole"));
    verify(bench, "whole");
    let mut chance = drawn_seed("own_games::competitions").nature(0);
    let mut words: Vec<String> = begin("cut");
    let plan = bench.path("cut/plan.toml");
    let mut moment = MOMENT;
    let (mut kills, mut is_resumed) = (0, false);
    loop {
        let mut running = start(bench, &words.iter().map(String::as_str).collect::<Vec<_>>());
        // The first kill may come before the plan, and the next ones come just after it, until one is resumed.
        if kills == 0 || is_resumed {
            thread::sleep(Duration::from_millis(chance.below(moment).into()));
            moment = moment.saturating_add(moment.get());
        } else {
            wait_until("there is a plan", || plan.exists());
        }
        kills += 1;
        running.signal(Signal::KILL);
        let status = running.wait();
        let is_over = status.success();
        let errors = bench.text("errors");
        assert!(is_over || status.code().is_none(), "it was not killed but failed: {errors}");
        wait_for_no_scratch(bench);
        if is_over && is_resumed {
            break;
        }
        if plan.exists() && !is_over {
            is_resumed = true;
            words = ["tournament", "resume", "cut"].map(str::to_owned).to_vec();
            // The game of its author is no longer needed.
            let _ = fs::remove_dir_all(bench.path("source"));
        } else {
            // Killed before there was a plan, or over before it was killed, it begins again.
            let _ = fs::remove_dir_all(bench.path("cut"));
        }
    }
    assert_eq!(result(&bench.path("cut")), expected);
    verify(bench, "cut");
    processes::wait_for_none(bench.marker());
}

#[test]
fn a_copy_of_a_game_that_was_changed_is_not_the_game_of_the_log() {
    let Some(bench) = bench() else { return };
    let game = example("leduc/python");
    bench.ok(&format!("tournament --game '{game}' --dir cup --deals 2 --quiet a=random b=random"));
    verify(&bench, "cup");
    let copy = bench.path("cup/game/game.py");
    let text = fs::read_to_string(&copy).expect("the copy");
    fs::write(&copy, format!("{text}\n# changed\n")).expect("it is ours");
    bench
        .run(["verify", "cup"])
        .assert_refused(3, &["the rules of leduc (a program of protocol 1 with digest "]);
    let changed = "the rules of leduc have changed: restore the folder `game`";
    bench.run(["tournament", "resume", "cup"]).assert_refused(2, &[changed]);
    bench.run(["tournament", "extend", "cup", "--deals", "2"]).assert_refused(2, &[changed]);
    // The game of its author still proves it.
    bench.succeed(["verify", "cup", "--game", &game]);
}

#[test]
fn rules_that_fail_stop_a_tournament_and_a_league() {
    let Some(bench) = bench() else { return };
    let game = faulty("unknown-line");
    let says = "rules of faulty failed; stopping the tournament: ";
    for workers in ["1", "2"] {
        let folder = format!("cup-{workers}");
        let words = ["tournament", "--game", &game, "--dir", &folder, "--deals", "2"];
        let words = [&words[..], &["--workers", workers, "--quiet", "a=random", "b=random"]];
        bench.run(words.concat()).assert_refused(7, &[says]);
        let games = log::games(&bench.path(&folder).join("games.jsonl"));
        let last = games.last().expect("the game is in the log");
        let reason = last["result"]["reason"].as_str().unwrap_or_default();
        assert!(reason.starts_with("the rules failed: "), "{last}");
        bench.run(["verify", &folder]).assert_refused(3, &["a game in which the rules failed"]);
    }
    // A league plays no round with bots that could not be checked.
    bench.succeed(["league", "new", "class", "--game", &game]);
    let ended = bench.run(["league", "add", "class", "a=random", "b=random"]);
    assert_ne!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("the rules failed: "), "{ended:?}");
}
