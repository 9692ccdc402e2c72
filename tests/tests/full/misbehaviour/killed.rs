//! The referee ends before its match does: no bot lives on, no scratch folder is left, and the log
//! holds every game that was over.

#![cfg(target_os = "linux")]

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tests::bench::{Bench, run};
use tests::keeping::{Keeping, KeepingCommand};
use tests::real;
use tests::running::{Hanging, Running, children, wait_for_no_scratch, wait_until};
use tests::{log, processes};

/// Number of keepers killed in a match, fewer than stop it if all are of one game; and the longest
/// time between two of them.
const KILLS: u64 = 3;
const PAUSE_AT_MOST: Duration = Duration::from_millis(60);

/// The ways to hang when the referee ends, besides a daemon that has left the group of its bot.
const MODES: [&str; 4] = ["sleep", "hang-with-child", "ignore-signals", "stderr-flood"];

/// A match in which a bot hangs, of a referee that leads a process group.
fn hanging(keeping: Keeping, mode: &str) -> Hanging {
    Hanging::start(Bench::new(), mode, |bench, bots| {
        let mut command = bench.arbiter(Hanging::WORDS);
        command.args(bots).with_keeping(keeping).process_group(0);
        command
    })
}

/// The process or group that gets the signal.
#[derive(Debug, Clone, Copy)]
enum Whom {
    Referee,
    Group,
}

fn check(keeping: Keeping, mode: &str, signal: Signal, whom: Whom) {
    let mut hanging = hanging(keeping, mode);
    match whom {
        Whom::Referee => hanging.referee.signal(signal),
        Whom::Group => hanging.referee.signal_group(signal),
    }
    let status = hanging.referee.wait();
    let case = format!("{keeping}, {mode}, {signal:?} to {whom:?}: {status:?}");
    assert!(!status.success(), "{case}");
    if signal == Signal::KILL {
        assert_eq!(status.signal(), Some(Signal::KILL.as_raw()), "{case}");
    }
    println!("{case}");
    hanging.assert_cleaned_up();
    hanging.assert_log();
}

#[test]
fn a_referee_that_is_killed_leaves_a_log() {
    // Each way of keeping bots has some of them.
    for (mode, keeping) in MODES.into_iter().zip(Keeping::ALL.into_iter().cycle()) {
        check(keeping, mode, Signal::KILL, Whom::Referee);
    }
    for keeping in Keeping::ALL {
        check(keeping, "hang-with-daemon", Signal::KILL, Whom::Referee);
    }
}

/// As when a terminal or a service is shut down.
#[test]
fn nothing_lives_on_when_all_its_group_is_killed() {
    for keeping in Keeping::ALL {
        check(keeping, "sleep", Signal::KILL, Whom::Group);
    }
}

#[test]
fn signals_that_ask_it_to_end() {
    for keeping in Keeping::ALL {
        for (signal, mode, whom) in [
            (Signal::INT, "ignore-signals", Whom::Group),
            (Signal::TERM, "hang-with-daemon", Whom::Referee),
            (Signal::HUP, "hang-with-child", Whom::Referee),
        ] {
            if !processes::is_ignored(signal) {
                check(keeping, mode, signal, whom);
            }
        }
    }
}

/// Nothing keeps a bot from that without isolation, but it does not survive it.
#[test]
fn a_bot_that_kills_the_referee() {
    for keeping in Keeping::OPEN {
        let mut hanging = hanging(keeping, "kill-referee");
        assert_eq!(hanging.referee.wait().signal(), Some(Signal::KILL.as_raw()));
        hanging.assert_cleaned_up();
        hanging.assert_log();
    }
}

/// Games are void and played again, and the match goes on, whatever the keepers are doing.
#[test]
fn keepers_that_are_killed_are_replaced() {
    for keeping in Keeping::THOROUGH {
        let bench = Bench::new();
        let games = 15;
        let bots = [format!("a={}", bench.faulty("daemon")), format!("b={}", bench.faulty("ok"))];
        let mut command = bench.arbiter(["match", "--game", "coup", "--quiet", "--log", "log"]);
        command.args(["--time-limit", "60s", "--games", &games.to_string()]).args(bots);
        let mut referee = Running::start(command.with_keeping(keeping));
        let chance = RandomState::new();
        let mut kills = 0;
        let lines = || fs::read(bench.path("log")).unwrap_or_default();
        let is_over = || lines().iter().filter(|byte| **byte == b'\n').count() > games;
        // Before the first game, who cannot be started is refused.
        wait_until("a game is over", || lines().iter().filter(|byte| **byte == b'\n').count() > 1);
        while kills < KILLS && !is_over() && !referee.has_ended() {
            let pause = chance.hash_one(kills) % PAUSE_AT_MOST.as_micros() as u64;
            thread::sleep(Duration::from_micros(pause));
            let keepers: Vec<u32> =
                children(referee.id()).into_iter().filter(|it| is_keeper(*it)).collect();
            let Some(keeper) = keepers.get(kills as usize % keepers.len().max(1)) else { continue };
            // It may have ended just now.
            let _ = Pid::from_raw(*keeper as i32).map(|pid| kill_process(pid, Signal::KILL));
            kills += 1;
        }
        println!("{keeping}: {kills} keepers were killed");
        assert!(kills > 0, "{keeping}: no keeper was found");
        assert!(referee.wait().success(), "{keeping}, {kills} kills");
        bench.verify(&bench.path("log"));
        let played = log::games(&bench.path("log"));
        let (void, counted): (Vec<&Value>, Vec<&Value>) =
            played.iter().partition(|game| log::is_void(game));
        assert_eq!(counted.len(), games, "{keeping}: {} void", void.len());
        for game in &counted {
            assert_eq!(game["result"]["ending"], "played", "{game}");
        }
        for answer in played.iter().flat_map(log::answers) {
            assert!(["ok", "void"].iter().any(|fine| answer["verdict"] == *fine), "{answer}");
        }
        processes::wait_for_none(bench.marker());
        wait_for_no_scratch(&bench);
    }
}

fn is_keeper(number: u32) -> bool {
    let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    line.split(|byte| *byte == 0).nth(1) == Some(b"keeper")
}

/// The first folder belongs to the keeper that finds out which layers there are.
#[test]
fn a_referee_that_is_killed_as_it_makes_its_first_folder_leaves_none() {
    for _ in 0..8 {
        let bench = Bench::new();
        let words = ["match", "--game", "coup", "--games", "1", "--quiet", "random", "greedy"];
        let mut referee = Running::start(&mut bench.arbiter(words));
        // Without a pause: the keeper that would remove it is there soon.
        let is_made =
            || fs::read_dir(bench.scratch()).is_ok_and(|mut folder| folder.next().is_some());
        while !is_made() && !referee.has_ended() {}
        referee.signal(Signal::KILL);
        referee.wait();
        wait_for_no_scratch(&bench);
    }
}

/// A bot without isolation can stop it, and the keepers may be gone as well.
#[test]
fn a_guard_that_is_stopped_cleans_up_after_its_referee() {
    let mut hanging = hanging(Keeping::Off, "sleep");
    let of_referee = children(hanging.referee.id());
    let (keepers, guards): (Vec<u32>, Vec<u32>) =
        of_referee.iter().partition(|child| is_keeper(**child));
    assert!(keepers.len() == 2 && guards.len() == 1, "{of_referee:?}");
    let send = |children: &[u32], signal| {
        for child in children {
            let pid = child.cast_signed();
            kill_process(Pid::from_raw(pid).expect("a number"), signal).expect("it is ours");
        }
    };
    send(&of_referee, Signal::STOP);
    hanging.referee.signal(Signal::KILL);
    hanging.referee.wait();
    send(&keepers, Signal::KILL);
    hanging.assert_cleaned_up();
}

/// A line that was not written to its end counts for nothing, and those before it do.
#[test]
fn a_torn_line_hides_nothing_before_it() {
    let bench = Bench::new();
    let whole = real::log();
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    for (number, line) in ends.windows(2).enumerate() {
        let (begin, end) = (line[0], line[1]);
        for cut in [begin + 1, end - 1] {
            fs::write(bench.path("log"), &whole.as_bytes()[..cut]).expect("a log");
            let torn = format!("line {} is truncated", number + 2);
            bench.run(["verify", "log"]).assert_refused(3, &[&torn]);
            let shown = run(&mut bench.arbiter(["show", "log"]));
            assert_eq!(shown.code, Some(0), "cut at byte {cut}: {shown:?}");
            let says = format!("warning: log: ends in the middle of line {}, ", number + 2);
            assert!(shown.stderr.starts_with(&says), "cut at byte {cut}: {shown:?}");
            let results = shown.stdout.lines().filter(|line| line.starts_with("result: "));
            assert_eq!(results.count(), number.min(3), "cut at byte {cut}: {shown:?}");
        }
    }
}

/// It sees no process but its own and its keeper, which is process 1 for it.
#[test]
fn an_isolated_bot_does_not_reach_the_referee() {
    let bench = Bench::new();
    let bad = format!("bad={}", bench.faulty("only-on 2 0 kill-everybody"));
    let game = bench.play("tablic", &[], &[&bad, &bench.faulty("ok")]).remove(0);
    assert_eq!(game["result"]["ending"], "played", "{game}");
}
