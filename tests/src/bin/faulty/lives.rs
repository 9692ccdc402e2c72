//! Modes that end too early, too late, or in the wrong way.

use std::env;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{self, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, PidfdFlags, Signal, getpgid, getpid, kill_process, pidfd_open, pidfd_send_signal, setsid,
};

use crate::bot::{Bot, say, usage};
use crate::{LIFETIME, answers};

pub(crate) fn silent(_: &Bot) {}

pub(crate) fn exit_1(_: &Bot) {
    process::exit(1);
}

pub(crate) fn answer_exit_3(bot: &Bot) {
    answers::ok(bot);
    process::exit(3);
}

pub(crate) fn answer_segv(bot: &Bot) {
    answers::ok(bot);
    // The runtime catches the first one, looking for a stack overflow, and lets the second pass.
    while kill_process(getpid(), Signal::SEGV).is_ok() {}
}

pub(crate) fn answer_abort(bot: &Bot) {
    answers::ok(bot);
    process::abort();
}

pub(crate) fn close_stdin(bot: &Bot) {
    become_mode(bot, "never-read", &bot.given(), |command| command.stdin(Stdio::null()));
}

pub(crate) fn late(bot: &Bot) {
    thread::sleep(Duration::from_millis(50));
    answers::unasked(bot);
}

pub(crate) fn sleep(_: &Bot) {
    thread::sleep(LIFETIME);
}

pub(crate) fn read_and_sleep(bot: &Bot) {
    bot.request();
    sleep(bot);
}

pub(crate) fn burn(_: &Bot) {
    let begun = Instant::now();
    while begun.elapsed() < LIFETIME {
        std::hint::spin_loop();
    }
}

pub(crate) fn trickle(bot: &Bot) {
    bot.request();
    loop {
        say("x");
        thread::sleep(Duration::from_millis(100));
    }
}

pub(crate) fn stay_alive(bot: &Bot) {
    answers::ok(bot);
    sleep(bot);
}

pub(crate) fn half_line(bot: &Bot) {
    let answer = bot.answer();
    say(&answer.as_bytes()[..answer.len().div_ceil(2)]);
    sleep(bot);
}

pub(crate) fn close_stdout(bot: &Bot) {
    bot.request();
    become_mode(bot, "sleep", "", |command| command.stdout(Stdio::null()));
}

/// Ignored signals stay ignored across `exec`, and a shell can do that without unsafe code.
pub(crate) fn ignore(bot: &Bot) {
    let script = "trap '' TERM INT HUP; exec \"$0\" sleep \"$@\"";
    bot.request();
    let mut shell = Command::new("/bin/sh");
    failed(&shell.args(["-c", script]).arg(own_path()).args(bot.marker()).exec());
}

/// Stops itself; a stopped process cannot end by itself, so another one looks after it.
pub(crate) fn stop(bot: &Bot) {
    let own = getpid().to_string();
    let watchdog = Command::new(own_path())
        .args(["watchdog", &own])
        .args(bot.marker())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = watchdog {
        failed(&error);
    }
    let _ = kill_process(getpid(), Signal::STOP);
}

pub(crate) fn watchdog(bot: &Bot) {
    let Some(pid) = bot.given().parse().ok().and_then(Pid::from_raw) else {
        usage("`watchdog` expects the number of a process")
    };
    match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(process) => {
            // A little less than its own life, which would otherwise end first.
            thread::sleep(LIFETIME - Duration::from_secs(1));
            let _ = pidfd_send_signal(&process, Signal::KILL);
        }
        Err(error) => failed(&error.into()),
    }
}

pub(crate) fn child(bot: &Bot) {
    leave_behind(bot, "never-read-hang");
    answers::ok(bot);
}

/// Answers once the child has left the group, for until then it would be killed with it.
pub(crate) fn daemon(bot: &Bot) {
    let child = leave_behind(bot, "as-daemon");
    while getpgid(Some(child)).is_ok_and(|group| group != child) {
        thread::sleep(Duration::from_millis(1));
    }
    answers::ok(bot);
}

pub(crate) fn as_daemon(bot: &Bot) {
    let _ = setsid();
    sleep(bot);
}

pub(crate) fn slow_start(bot: &Bot) {
    thread::sleep(Duration::from_secs(1));
    answers::ok(bot);
}

/// Starts a mode that keeps standard output, and does not wait for it.
fn leave_behind(bot: &Bot, mode: &str) -> Pid {
    let mut command = Command::new(own_path());
    match command.arg(mode).args(bot.marker()).stdin(Stdio::null()).spawn() {
        Ok(child) => Pid::from_child(&child),
        Err(error) => failed(&error),
    }
}

/// Turns into another mode with other streams: the way to close one without unsafe code.
fn become_mode(bot: &Bot, mode: &str, word: &str, streams: fn(&mut Command) -> &mut Command) {
    let mut command = Command::new(own_path());
    failed(&streams(command.args([mode, word]).args(bot.marker())).exec());
}

fn own_path() -> std::path::PathBuf {
    match env::current_exe() {
        Ok(path) => path,
        Err(error) => failed(&error),
    }
}

fn failed(error: &io::Error) -> ! {
    usage(&format!("cannot start another process: {error}"))
}
