//! Nothing is left of a match whose referee is gone, and its bots have no terminal.
//!
//! A guard whose referee is gone becomes a child of this process, as processes left by bots do. Another
//! test's supervisor in this process would take it for one of these, and end it.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use tempfile::TempDir;

/// Returns true once a condition is true, and false after a minute, so that a hang fails.
fn eventually(mut condition: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if condition() {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    false
}

/// A match in a folder of its own, which also holds its scratch folders.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let folder = TempDir::new().expect("a folder");
        fs::create_dir(folder.path().join("tmp")).expect("it is ours");
        Bench { folder }
    }

    /// A match between two bots that run this script.
    fn play(&self, script: &str) -> Child {
        let referee = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        self.command(referee, script).stdin(Stdio::null()).spawn().expect("the referee starts")
    }

    /// Adds to the name of the referee what it is to play.
    fn command(&self, mut referee: Command, script: &str) -> Command {
        // Before the match each bot is started for a moment, without a request: that must leave nothing
        // that a test could take for the bot at its move.
        let bot = format!("/bin/sh -c 'read first || exit; {script}'");
        referee
            .args(["match", "--game", "tablic", "--quiet", "--time-limit", "60s"])
            .args(["--isolation", "off", &bot, &bot])
            .current_dir(self.folder.path())
            .env("TMPDIR", self.folder.path().join("tmp"));
        referee
    }

    /// The content of this file in a bot's scratch folder.
    fn read(&self, file: &str) -> Option<String> {
        let folders = self.scratch_folders();
        folders.iter().find_map(|name| fs::read_to_string(self.scratch(name).join(file)).ok())
    }

    /// Waits until a bot has made this file in its scratch folder.
    fn wait_for(&self, file: &str) {
        let made =
            || self.scratch_folders().iter().any(|name| self.scratch(name).join(file).exists());
        assert!(eventually(made), "{file} is not made");
    }

    /// The scratch folder of a bot in the folder of its keeper.
    fn scratch(&self, name: &str) -> std::path::PathBuf {
        self.tmp(name).join("bot")
    }

    fn tmp(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("tmp").join(name)
    }

    fn scratch_folders(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path().join("tmp")).expect("it is ours").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    /// Processes that show one of the scratch folders as theirs.
    fn processes(&self) -> Vec<String> {
        let mark = format!("ARBITER_SCRATCH={}", self.tmp("").display());
        let shows = |process: &Path| {
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|it| it.starts_with(mark.as_bytes()))
        };
        let all = fs::read_dir("/proc").expect("there is /proc").flatten();
        all.filter(|process| shows(&process.path()))
            .map(|process| process.file_name().to_string_lossy().into_owned())
            .collect()
    }

    fn is_clean(&self) -> bool {
        self.processes().is_empty() && self.scratch_folders().is_empty()
    }
}

/// The guards of a referee, whichever of its threads has started them.
fn guards(referee: &Child) -> Vec<Pid> {
    let tasks = fs::read_dir(format!("/proc/{}/task", referee.id())).into_iter().flatten();
    let children = tasks.flatten().map(|task| task.path().join("children"));
    let children: Vec<String> =
        children.map(|file| fs::read_to_string(file).unwrap_or_default()).collect();
    let children = children.join(" ");
    let is_guard = |number: &&str| {
        let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        line.ends_with(b"\0guard\0")
    };
    let numbers = children.split_whitespace().filter(is_guard);
    numbers.filter_map(|number| Pid::from_raw(number.parse().ok()?)).collect()
}

fn kill(process: Pid, signal: Signal) {
    kill_process(process, signal).expect("it is there");
}

/// Leaves a child in the group and one that has left it and lost its parent, and runs on.
const BUSY: &str = "sleep 300 & (setsid sleep 300 &); mkdir -p a/b; touch a/f; chmod 0 a
    until [ -e ready ]; do echo >ready; done; sleep 300";

#[test]
fn nothing_is_left_of_a_referee_that_was_killed() {
    let _turn = crate::turn();
    for signal in [Signal::KILL, Signal::INT, Signal::TERM, Signal::ABORT] {
        let bench = Bench::new();
        let mut referee = bench.play(BUSY);
        bench.wait_for("ready");
        assert!(!bench.processes().is_empty(), "the test looks for what is not there");
        kill(Pid::from_child(&referee), signal);
        referee.wait().expect("it is ours");
        let left = || format!("{:?}, {:?}", bench.processes(), bench.scratch_folders());
        assert!(eventually(|| bench.is_clean()), "{signal:?}: {}", left());
    }
}

#[test]
fn a_guard_that_was_killed_is_replaced() {
    let _turn = crate::turn();
    let bench = Bench::new();
    // Each answer takes a moment, so that there is time to look.
    let mut referee = bench.play("sleep 0.05; sed -n \"/^legal/{n;p;q}\"; echo >ready");
    bench.wait_for("ready");
    for signal in [Signal::KILL, Signal::STOP, Signal::KILL] {
        let mut found = Vec::new();
        let is_one = eventually(|| {
            found = guards(&referee);
            found.len() == 1
        });
        assert!(is_one, "{found:?}");
        let old = found[0];
        kill(old, signal);
        if signal == Signal::KILL {
            let replaced = || guards(&referee).iter().any(|&guard| guard != old);
            assert!(eventually(replaced), "it is not replaced");
        } else {
            // This is noticed once the pipe is full; until then it does no harm.
            kill(old, Signal::CONT);
        }
    }
    kill(Pid::from_child(&referee), Signal::KILL);
    referee.wait().expect("it is ours");
    assert!(eventually(|| bench.is_clean()), "{:?}", bench.scratch_folders());
}

#[test]
fn a_guard_goes_with_its_match() {
    let _turn = crate::turn();
    let bench = Bench::new();
    let mut referee = bench.play("sed -n \"/^legal/{n;p;q}\"; ls -l /proc/self/fd >&2");
    let mut guard = None;
    let ended = || {
        guard = guard.or(guards(&referee).first().copied());
        referee.try_wait().expect("it is ours").is_some()
    };
    assert!(eventually(ended));
    assert!(bench.is_clean());
    let guard = guard.expect("the match had one");
    let left = fs::read(format!("/proc/{guard}/cmdline")).unwrap_or_default();
    assert!(!left.ends_with(b"\0guard\0"), "{guard} is left");
}

#[test]
fn bots_do_not_get_the_pipe() {
    let _turn = crate::turn();
    let bench = Bench::new();
    let script = "for fd in /proc/$$/fd/*; do readlink $fd; done >fds; echo >ready; sleep 300";
    let mut referee = bench.play(script);
    bench.wait_for("ready");
    let found = bench.read("fds").expect("a bot has written it");
    let guard = guards(&referee)[0];
    let pipe = fs::read_link(format!("/proc/{guard}/fd/0")).expect("the guard has one");
    let pipe = pipe.to_str().expect("text");
    assert!(pipe.starts_with("pipe:") && !found.lines().any(|target| target == pipe), "{found}");
    kill(Pid::from_child(&referee), Signal::KILL);
    referee.wait().expect("it is ours");
    assert!(eventually(|| bench.is_clean()), "{:?}", bench.scratch_folders());
}

#[test]
fn bots_have_no_terminal_and_the_referee_still_hears_ctrl_c() {
    let _turn = crate::turn();
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let terminal = openpt(flags).expect("a terminal");
    grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("it is ours");
    let name = ptsname(&terminal, Vec::new()).expect("it has one");
    let end = File::options().read(true).write(true).open(name.to_str().expect("text"));
    let end = end.expect("it is ours");
    let bench = Bench::new();
    // A shell leads the session of the terminal, and starts the referee within its own group.
    let mut shell = Command::new("setsid");
    let tries = "(: </dev/tty) 2>/dev/null && echo terminal >terminal; \"$0\" \"$@\"; exit 7";
    shell.args(["--ctty", "/bin/sh", "-c", tries, env!("CARGO_BIN_EXE_arbiter")]);
    let script = "if (: </dev/tty) 2>/dev/null; then echo terminal; else echo none; fi >tty
        echo >ready; sleep 300";
    let mut shell = bench.command(shell, script);
    let streams = || end.try_clone().expect("a descriptor");
    shell.stdin(streams()).stdout(streams()).stderr(streams());
    let mut shell = shell.spawn().expect("setsid starts");
    bench.wait_for("ready");
    assert!(bench.folder.path().join("terminal").exists(), "the test gives nobody a terminal");
    assert_eq!(bench.read("tty").as_deref(), Some("none\n"));
    File::from(terminal).write_all(b"\x03").expect("it is typed");
    let ended = shell.wait().expect("it is ours");
    assert_ne!(ended.code(), Some(0));
    assert!(eventually(|| bench.is_clean()), "{:?}", bench.scratch_folders());
}
