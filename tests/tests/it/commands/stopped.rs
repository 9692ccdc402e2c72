//! Ctrl-C in a match: what was played is shown, the log keeps it, and nothing is left.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{self, Write};
use std::process::{Command, ExitStatus};

use rustix::io::ioctl_fionbio;
use rustix::process::Signal;
use serde_json::{Value, json};
use tests::bench::{self, Bench, CEILING, PAUSE};
use tests::keeping::{Keeping, Kept};
use tests::log;
use tests::running::{Hanging, Running, wait_until};

const FAULTY: &str = env!("CARGO_BIN_EXE_faulty");

/// Runs the referee with its output in the files `shown` and `said`.
fn to_files(bench: &Bench, keeping: Keeping, words: &[&str]) -> Command {
    let mut command = bench.command("sh");
    command.args(["-c", "exec \"$@\" >shown 2>said", "sh"]).arg(bench.program("arbiter"));
    command.args(words).kept(keeping);
    command
}

/// Stops a match in whose middle a bot hangs, and gives how it ended.
fn stop(keeping: Keeping, signal: Signal, mode: &str, option: &[&str]) -> (Hanging, ExitStatus) {
    let mut hanging = Hanging::start(Bench::new(FAULTY), mode, |bench, bots| {
        let bots = bots.iter().map(String::as_str);
        let words: Vec<&str> =
            Hanging::WORDS.into_iter().chain(option.iter().copied()).chain(bots).collect();
        to_files(bench, keeping, &words)
    });
    hanging.referee.signal(signal);
    let status = hanging.referee.wait();
    hanging.assert_cleaned_up();
    hanging.assert_log();
    (hanging, status)
}

fn file(hanging: &Hanging, name: &str) -> String {
    fs::read_to_string(hanging.bench.path(name)).expect("a text")
}

#[test]
fn ctrl_c_shows_what_was_played() {
    for keeping in Keeping::ALL {
        for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
            for mode in ["sleep", "hang-with-daemon"] {
                let (hanging, status) = stop(keeping, signal, mode, &[]);
                assert_eq!(status.code(), Some(code), "{keeping}, {mode}");
                let (shown, games) = (file(&hanging, "shown"), hanging.games);
                let last = format!("\nstopped after {games} of 100000 games\n\nseed: ");
                assert!(shown.contains(&last), "{shown}");
                for name in ["bad", "faulty"] {
                    let row = shown.lines().find(|line| line.starts_with(name)).expect("a row");
                    let numbers = row.split_whitespace().skip(2);
                    let played: usize =
                        numbers.take(3).map(|it| it.parse::<usize>().expect("a number")).sum();
                    assert_eq!(played, games, "{shown}");
                }
                assert!(!shown.contains("wins") && !shown.contains("winner"), "{shown}");
                let said = format!(
                    "error: stopped after {games} of 100000 games, `log` keeps what was played\n"
                );
                assert_eq!(file(&hanging, "said"), said);
            }
        }
    }
}

#[test]
fn programs_learn_that_a_match_was_stopped() {
    let (hanging, status) = stop(Keeping::Isolated, Signal::INT, "sleep", &["--json"]);
    assert_eq!(status.code(), Some(130));
    let lines: Vec<Value> = file(&hanging, "shown")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    let stopped = &lines.last().expect("a line")["stopped"];
    assert_eq!(stopped["played"], json!(hanging.games));
    assert_eq!(stopped["games"], 100_000);
    assert_eq!(stopped["players"][1]["name"], "faulty");
    assert!(lines.iter().all(|line| line["result"].is_null()), "there is no result");
}

#[test]
fn moves_are_shown_until_a_match_is_stopped() {
    let (hanging, status) = stop(Keeping::Isolated, Signal::INT, "sleep", &["--watch"]);
    assert_eq!(status.code(), Some(130));
    let shown = file(&hanging, "shown");
    let games = hanging.games;
    assert_eq!(shown.matches("\nresult: ").count(), games, "{shown}");
    assert!(shown.contains(&format!("\nstopped after {games} of 100000 games\n\nseed: ")));
}

#[test]
fn without_a_log_nothing_is_kept_and_that_is_said() {
    let bench = Bench::new(FAULTY);
    let bot = bench.faulty("sleep");
    let words = ["match", "--game", "tablic", "--time-limit", "10min", &bot, "greedy"];
    let mut referee = Running::start(&mut to_files(&bench, Keeping::Isolated, &words));
    let shown = || fs::read_to_string(bench.path("shown")).unwrap_or_default();
    wait_until("the match has begun", || shown().contains("commitment to the seed: "));
    referee.signal(Signal::INT);
    assert_eq!(referee.wait().code(), Some(130));
    let said = fs::read_to_string(bench.path("said")).expect("a text");
    assert_eq!(
        said,
        "error: stopped before the end of the first game, nothing is kept without --log\n"
    );
}

#[test]
fn a_log_without_a_game_is_said_to_have_none() {
    let bench = Bench::new(FAULTY);
    let bot = bench.faulty("sleep");
    let head = ["match", "--game", "tablic", "--time-limit", "10min", "--log", "log"];
    let words = [&head[..], &[bot.as_str(), "greedy"]].concat();
    let mut referee = Running::start(&mut to_files(&bench, Keeping::Isolated, &words));
    let shown = || fs::read_to_string(bench.path("shown")).unwrap_or_default();
    wait_until("the match has begun", || shown().contains("commitment to the seed: "));
    referee.signal(Signal::INT);
    assert_eq!(referee.wait().code(), Some(130));
    let said = fs::read_to_string(bench.path("said")).expect("a text");
    let expected = "stopped before the end of the first game, no game that counts is in `log`";
    assert_eq!(said, format!("error: {expected}\n"));
    let ended = bench.run(["show", "log"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{ended:?}");
    assert_eq!(ended.stderr, "note: log: the log has no game\n");
}

/// The match cannot tell anything more, since nobody reads what it has told already.
#[test]
fn a_second_ctrl_c_ends_a_match_at_once() {
    let bench = Bench::new(FAULTY);
    let (_unread, mut full) = io::pipe().expect("a pipe");
    ioctl_fionbio(&full, true).expect("an option of the pipe");
    while full.write(&[b'.'; 4096]).is_ok() {}
    while full.write(b".").is_ok() {}
    ioctl_fionbio(&full, false).expect("an option of the pipe");
    let words = ["match", "--game", "tablic", "--log", "log", "greedy", "random"];
    let mut command = bench.arbiter(words);
    let mut referee = command.stdout(full).spawn().expect("the referee starts");
    let log = bench.path("log");
    wait_until("the match has begun", || log.exists());
    let pid = rustix::process::Pid::from_child(&referee);
    let begun = std::time::Instant::now();
    let mut sent = 0;
    while referee.try_wait().expect("a child can be waited for").is_none() {
        // Signals of one kind that nobody has noticed yet are one, so there may have to be more.
        rustix::process::kill_process(pid, Signal::INT).expect("it is ours");
        sent += 1;
        assert!(begun.elapsed() < CEILING, "it still runs");
        std::thread::sleep(PAUSE);
    }
    assert_eq!(bench::wait(&mut referee, &"the referee").code(), Some(130), "{sent} signals");
    assert!(sent > 1, "the first one is noticed, and the match cannot end by it");
    assert_eq!(log::whole_games(&log), 0);
}
