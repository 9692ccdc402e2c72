//! A match that ends before its last game, by a signal or a failure: it shows its seed and what was played,
//! the log keeps it, and nothing is left.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{self, Write};
use std::process::{Command, ExitStatus};

use rustix::io::ioctl_fionbio;
use rustix::process::Signal;
use serde_json::{Value, json};
use tests::bench::{self, Bench, CEILING, Ended, SEED, pause, run, without_notices};
use tests::keeping::{Keeping, KeepingCommand, started_by};
use tests::log;
use tests::processes::is_ignored;
use tests::running::{Hanging, Running, wait_until};

/// Runs the referee with its output in the files `shown` and `said`.
fn to_files(bench: &Bench, keeping: Keeping, words: &[&str]) -> Command {
    let mut command = bench.command("sh");
    command.args(["-c", "exec \"$@\" >shown 2>said", "sh"]).arg(bench.program("arbiter"));
    command.args(words).with_keeping(keeping);
    command
}

/// Stops a match in whose middle a bot hangs, and gives how it ended.
fn stop(keeping: Keeping, signal: Signal, mode: &str, option: &[&str]) -> (Hanging, ExitStatus) {
    let mut hanging = Hanging::start(Bench::new(), mode, |bench, bots| {
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
    let signals = [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)];
    let modes = ["sleep", "hang-with-daemon", "sleep"];
    for ((keeping, (signal, code)), mode) in Keeping::ALL.into_iter().zip(signals).zip(modes) {
        if is_ignored(signal) {
            continue;
        }
        let (hanging, status) = stop(keeping, signal, mode, &[]);
        assert_eq!(status.code(), Some(code), "{keeping}, {mode}");
        let (shown, games) = (file(&hanging, "shown"), hanging.games);
        let last = format!("\nstopped after {games} of 100000 games\n\nseed: ");
        assert!(shown.contains(&last), "{shown}");
        for name in ["bad", "faulty"] {
            let row = shown.lines().find(|line| line.starts_with(name)).expect("a row");
            let numbers = row.split_whitespace().skip(2).take(3);
            let played: usize = numbers.map(|it| it.parse::<usize>().expect("a number")).sum();
            assert_eq!(played, games, "{shown}");
        }
        assert!(!shown.contains("wins") && !shown.contains("winner"), "{shown}");
        let said = format!(
            "error: stopped after {games} of 100000 games, the games so far are in `log`\n"
        );
        assert_eq!(without_notices(&file(&hanging, "said")), said);
    }
}

#[test]
fn programs_learn_that_a_match_was_stopped() {
    let (hanging, status) = stop(Keeping::Isolated, Signal::INT, "sleep", &["--json"]);
    assert_eq!(status.code(), Some(130));
    let shown = file(&hanging, "shown");
    assert!(!shown.contains("{\"result\":"), "there is no result: {shown}");
    let last: Value = serde_json::from_str(shown.lines().last().expect("a line")).expect("JSON");
    let stopped = &last["stopped"];
    assert_eq!((&stopped["played"], &stopped["games"]), (&json!(hanging.games), &json!(100_000)));
    assert_eq!(stopped["players"][1]["name"], "faulty");
}

#[test]
fn moves_are_shown_until_a_match_is_stopped() {
    let (hanging, status) = stop(Keeping::Isolated, Signal::INT, "sleep", &["--watch"]);
    assert_eq!(status.code(), Some(130));
    let (shown, games) = (file(&hanging, "shown"), hanging.games);
    assert_eq!(shown.matches("\nresult: ").count(), games, "{shown}");
    assert!(shown.contains(&format!("\nstopped after {games} of 100000 games\n\nseed: ")));
}

#[test]
fn before_the_end_of_the_first_game_there_is_nothing_to_keep() {
    for (log, kept) in [
        (&[][..], "the games so far are lost without --log"),
        (&["--log", "log"], "`log` has no rated game"),
    ] {
        let bench = Bench::new();
        let bot = bench.faulty("sleep");
        let words = ["match", "--game", "tablic", "--time-limit", "10min", &bot, "greedy"];
        let words = [&words[..], log].concat();
        let mut referee = Running::start(&mut to_files(&bench, Keeping::Isolated, &words));
        let shown = || fs::read_to_string(bench.path("shown")).unwrap_or_default();
        wait_until("the match has begun", || shown().contains("seed commitment: "));
        referee.signal(Signal::INT);
        assert_eq!(referee.wait().code(), Some(130));
        let said = bench.text("said");
        assert_eq!(said, format!("error: stopped before the end of the first game, {kept}\n"));
        if !log.is_empty() {
            let ended = bench.run(["show", "log"]);
            let told = (ended.code, ended.stdout.as_str(), ended.stderr.as_str());
            assert_eq!(told, (Some(0), "", "note: log: the log has no game\n"));
        }
    }
}

/// The match cannot print any more, since its output is not read.
#[test]
fn a_second_ctrl_c_ends_a_match_at_once() {
    let bench = Bench::new();
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
        // Pending signals of one kind count as one, so there may have to be more.
        rustix::process::kill_process(pid, Signal::INT).expect("it is ours");
        sent += 1;
        assert!(begun.elapsed() < CEILING, "it still runs");
        pause(begun);
    }
    assert_eq!(bench::wait(&mut referee, &"the referee").code(), Some(130), "{sent} signals");
    assert!(sent > 1, "the first one is noticed, and the match cannot end by it");
    assert_eq!(log::whole_games(&log), 0);
}

/// A terminal that closes sends SIGHUP twice: its shell does, and the kernel. Under `nohup` it is not heard at all.
#[test]
fn a_second_hangup_does_not_cut_off_the_results() {
    for under_nohup in [false, true] {
        if is_ignored(Signal::HUP) && !under_nohup {
            continue;
        }
        let mut hanging = Hanging::start(Bench::new(), "sleep", |bench, bots| {
            let bots = bots.iter().map(String::as_str);
            let words: Vec<&str> = Hanging::WORDS.into_iter().chain(bots).collect();
            let command = to_files(bench, Keeping::Isolated, &words);
            if under_nohup { started_by(&["nohup"], &command) } else { command }
        });
        let code = if under_nohup {
            hanging.referee.signal(Signal::HUP);
            // Had the hangup been noticed, it would be the first signal.
            hanging.referee.signal(Signal::INT);
            130
        } else {
            let begun = std::time::Instant::now();
            while !hanging.referee.has_ended() {
                hanging.referee.signal(Signal::HUP);
                pause(begun);
            }
            129
        };
        assert_eq!(hanging.referee.wait().code(), Some(code));
        hanging.assert_cleaned_up();
        let shown = file(&hanging, "shown");
        assert!(shown.contains(" of 100000 games\n\nseed: "), "{shown}");
    }
}

/// A quiet match has nothing on standard output, and its log has no seed yet.
#[test]
fn a_quiet_match_that_is_stopped_says_its_seed() {
    let (hanging, status) = stop(Keeping::Isolated, Signal::TERM, "sleep", &["--quiet", SEEDED]);
    assert_eq!(status.code(), Some(143));
    assert_eq!(file(&hanging, "shown"), "");
    let said = file(&hanging, "said");
    assert!(said.starts_with(&format!("seed: {SEED}\nerror: stopped after ")), "{said}");
}

/// `--seed SEED`, as one word.
const SEEDED: &str = "--seed=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// A small file system, in a mount namespace that ends with the referee.
const SMALL: &str = "mount -t tmpfs -o size=$ROOM none small || exit 99
    exec \"$@\" >\"$SHOWN\" 2>said";

/// Room for the log of some games.
const ROOM_FOR_GAMES: &str = "64k";
/// Room for the lines of some games that are shown, which are shorter.
const ROOM_FOR_LINES: &str = "8k";

/// Plays a match with its log or its standard output on a file system with little room.
fn on_a_full_disk(room: &str, shown: &str, words: &[&str]) -> Option<(Bench, Ended)> {
    let bench = Bench::new();
    fs::create_dir(bench.path("small")).expect("the folder is ours");
    let mut command = bench.command("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", SMALL, "sh"]);
    command.arg(bench.program("arbiter")).env("SHOWN", shown).env("ROOM", room);
    command.args(["match", "--game", "tablic", "--games", "5000", "--isolation", "off", SEEDED]);
    command.args(words).args(["a=random", "b=random"]);
    let ended = run(&mut command);
    if ended.code == Some(99) || ended.stderr.starts_with("unshare: ") {
        tests::missing::tell("no file system can be mounted in a namespace here");
        return None;
    }
    Some((bench, ended))
}

#[test]
fn a_match_whose_log_fills_the_disk_shows_its_seed_and_its_results() {
    for option in [None, Some("--watch"), Some("--json"), Some("--quiet")] {
        let words: Vec<&str> = ["--log", "small/log"].into_iter().chain(option).collect();
        let option = option.unwrap_or("text");
        let Some((bench, ended)) = on_a_full_disk(ROOM_FOR_GAMES, "shown", &words) else { return };
        assert_eq!(ended.code, Some(1), "{option}: {ended:?}");
        let text = |name| bench.text(name);
        let (shown, said) = (text("shown"), text("said"));
        let error = said.lines().last().unwrap_or_default();
        assert!(error.starts_with("error: cannot write to the log: "), "{option}: {said}");
        match option {
            "--json" => {
                let last: Value = serde_json::from_str(shown.lines().last().expect("a line"))
                    .expect("a line of JSON");
                assert_eq!(last["stopped"]["seed"], SEED, "{last}");
                assert!(last["stopped"]["played"].as_u64() > Some(0), "{last}");
            }
            "--quiet" => assert!(said.starts_with(&format!("seed: {SEED}\n")), "{said}"),
            _ => {
                let (_, end) = shown.rsplit_once("\nstopped after ").expect("where it stopped");
                assert!(end.ends_with(&format!(" of 5000 games\n\nseed: {SEED}\n")), "{end}");
                assert!(shown.lines().any(|line| line.starts_with("a  ")), "{shown}");
            }
        }
    }
}

#[test]
fn a_match_whose_output_fills_the_disk_says_its_seed_and_its_results() {
    for option in ["--watch", "--json"] {
        let Some((bench, ended)) = on_a_full_disk(ROOM_FOR_LINES, "small/shown", &[option]) else {
            return;
        };
        assert_eq!(ended.code, Some(1), "{option}: {ended:?}");
        let said = bench.text("said");
        assert!(said.contains(&format!(" of 5000 games\n\nseed: {SEED}\n")), "{option}: {said}");
        assert!(said.contains("error: cannot write to standard output: "), "{option}: {said}");
    }
}
