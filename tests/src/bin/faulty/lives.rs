//! Modes that end too early, too late, or in the wrong way.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{self, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    PidfdFlags, Signal, getpid, kill_process, pidfd_open, pidfd_send_signal, setsid,
};

use crate::bot::{Bot, say, usage};
use crate::others::{
    become_mode, failed, given_process, leave_behind, own_path, wait_for_end, wait_for_leaving,
};
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
    become_mode(bot, "never-read", &bot.fixed_answer(), |command| command.stdin(Stdio::null()));
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

/// As `burn`, in a session of its own: some systems share CPU time out by session.
pub(crate) fn burn_apart(bot: &Bot) {
    let _ = setsid();
    burn(bot);
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
    match pidfd_open(given_process(bot), PidfdFlags::empty()) {
        Ok(process) => {
            // A little less than its own life, which would otherwise end first.
            thread::sleep(LIFETIME - Duration::from_secs(1));
            let _ = pidfd_send_signal(&process, Signal::KILL);
        }
        Err(error) => failed(&error.into()),
    }
}

/// Is killed by another process, as by the system that has run out of memory.
pub(crate) fn killed(bot: &Bot) {
    bot.request();
    leave_behind(bot, &["killer", &getpid().to_string()]);
    sleep(bot);
}

pub(crate) fn killer(bot: &Bot) {
    let _ = kill_process(given_process(bot), Signal::KILL);
}

pub(crate) fn child(bot: &Bot) {
    leave_behind(bot, &["never-read-hang"]);
    answers::ok(bot);
}

/// As `sleep`, but a child sleeps too.
pub(crate) fn hang_with_child(bot: &Bot) {
    leave_behind(bot, &["never-read-hang"]);
    read_and_sleep(bot);
}

/// Answers once the child has left the group.
pub(crate) fn daemon(bot: &Bot) {
    wait_for_leaving(leave_behind(bot, &["as-daemon"]));
    answers::ok(bot);
}

pub(crate) fn as_daemon(bot: &Bot) {
    let _ = setsid();
    sleep(bot);
}

/// As `sleep`, but a child that has left the group sleeps too.
pub(crate) fn hang_with_daemon(bot: &Bot) {
    wait_for_leaving(leave_behind(bot, &["as-daemon"]));
    read_and_sleep(bot);
}

/// No process that is left can name the grandchild: its parent has ended.
pub(crate) fn double_fork(bot: &Bot) {
    let mut command = Command::new(own_path());
    let status = command.arg("as-forker").args(bot.marker()).stdin(Stdio::null()).status();
    if let Err(error) = status {
        failed(&error);
    }
    answers::ok(bot);
}

pub(crate) fn as_forker(bot: &Bot) {
    wait_for_leaving(leave_behind(bot, &["as-daemon"]));
}

/// The child has left the group, and writes when this call is over.
pub(crate) fn daemon_writes(bot: &Bot) {
    let number = bot.request().value("move").unwrap_or_default().to_owned();
    wait_for_leaving(leave_behind(bot, &["as-writer", &getpid().to_string(), &number]));
    eprintln!("call {number}");
    answers::ok(bot);
}

/// Writes into the pipes that it has, and into those of every other process of the same test.
pub(crate) fn as_writer(bot: &Bot) {
    let [process, number] = bot.words() else { usage("expected a process and a move") };
    let _ = setsid();
    wait_for_end(given_process(&bot.with_words(std::slice::from_ref(process))));
    let marker = bot.marker().unwrap_or_default();
    let begun = Instant::now();
    while begun.elapsed() < LIFETIME {
        say(format!("daemon of call {number}\n"));
        let _ = writeln!(io::stderr(), "daemon of call {number}");
        for own in tests::processes::numbers_with_argument(marker) {
            for stream in [1, 2] {
                let pipe = OpenOptions::new().write(true).open(format!("/proc/{own}/fd/{stream}"));
                let _ = pipe.and_then(|mut pipe| writeln!(pipe, "daemon of call {number}"));
            }
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Reads the request and goes on reading: there is nothing but its end.
pub(crate) fn wants_more(bot: &Bot) {
    let answer = bot.answer();
    let mut more = Vec::new();
    match io::stdin().read_to_end(&mut more) {
        Ok(0) => say(answer + "\n"),
        more => usage(&format!("expected the end of the request, found {more:?}")),
    }
}

pub(crate) fn slow_start(bot: &Bot) {
    thread::sleep(Duration::from_secs(1));
    answers::ok(bot);
}
