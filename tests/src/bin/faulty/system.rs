//! Modes that turn against the referee and the terminal.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{self, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getrlimit, ioctl_tiocsctty, kill_process, prlimit,
    setsid,
};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::tcsetpgrp;

use crate::bot::{Bot, say, usage};
use crate::others::{become_words, leave_behind, parent, referee, wait_for_leaving};
use crate::{answers, lives};

/// Exits 7 where there is a terminal, which it tries to write to.
pub(crate) fn terminal(bot: &Bot) {
    bot.request();
    if let Ok(mut terminal) = OpenOptions::new().read(true).write(true).open("/dev/tty") {
        let _ = terminal.write_all(b"What is your password? ");
        process::exit(7);
    }
    answers::ok(bot);
}

pub(crate) fn kill_referee(bot: &Bot) {
    bot.request();
    if let Some(referee) = referee() {
        let _ = kill_process(referee, Signal::KILL);
    }
    lives::sleep(bot);
}

/// Kills every process that it may but itself, which is nobody else's where it is isolated: only for
/// such a bot.
pub(crate) fn kill_everybody(bot: &Bot) {
    bot.request();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let numbers: Vec<i32> = numbers.collect();
    // A process that sees the first one of the machine is not isolated.
    if numbers.len() > 3 {
        usage("there are other processes");
    }
    for other in numbers.into_iter().filter_map(Pid::from_raw).filter(|it| *it != getpid()) {
        let _ = kill_process(other, Signal::KILL);
    }
    answers::ok(&bot.with_words(&[]));
}

/// Takes from its parent the means to start another process: a way to have the machine fail in
/// the middle of a match. It does so once, and makes a FILE.
pub(crate) fn starve_parent(bot: &Bot) {
    let [resource, file] = bot.words() else { usage("expected a resource and a file") };
    let (resource, most) = match resource.as_str() {
        "descriptors" => (Resource::Nofile, 3),
        "processes" => (Resource::Nproc, 0),
        _ => usage("`starve-parent` expects `descriptors` or `processes`"),
    };
    bot.request();
    if File::create_new(file).is_ok() {
        let limit = Rlimit { current: Some(most), maximum: getrlimit(resource).maximum };
        if let Err(error) = prlimit(parent(), resource, limit) {
            usage(&format!("cannot starve the parent: {error}"));
        }
    }
    answers::ok(&bot.with_words(&[]));
}

/// Stops its parent until its own time is up: `late` answers then, `in-time` at once, `behind` exits
/// at once and leaves the answer to a child, which gives it then. It does so always, or once where
/// there is a FILE to be made.
pub(crate) fn stop_parent(bot: &Bot) {
    let (how, file) = match bot.words() {
        [how] => (how.as_str(), None),
        [how, file] => (how.as_str(), Some(file)),
        _ => usage("`stop-parent` expects `late`, `in-time` or `behind`, and perhaps a file"),
    };
    let request = bot.request();
    let time = request.value("time").and_then(|time| time.parse().ok());
    let time = Duration::from_millis(time.unwrap_or_default());
    let is_to_be_done = file.is_none_or(|file| File::create_new(file).is_ok());
    if let Some(parent) = parent().filter(|_| is_to_be_done && !time.is_zero()) {
        let pause = time + time / 4;
        if how != "late" {
            let answer = match how {
                "behind" => request.first_legal(),
                _ => String::new(),
            };
            let (parent, pause) = (parent.to_string(), pause.as_millis().to_string());
            let waker = leave_behind(bot, &["as-waker", &parent, &pause, &answer]);
            wait_for_leaving(waker);
        }
        let _ = kill_process(parent, Signal::STOP);
        match how {
            "late" => {
                thread::sleep(pause);
                let _ = kill_process(parent, Signal::CONT);
            }
            _ => wait_for_stop(parent, pause),
        }
        if how == "behind" {
            return;
        }
    }
    answers::ok(&bot.with_words(&[]));
}

/// Waits until all threads of a process are stopped: a signal takes a moment to reach each of them.
///
/// After the pause something else may go on with the process.
fn wait_for_stop(process: Pid, pause: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < pause && !is_stopped(process) {
        thread::sleep(Duration::from_millis(1));
    }
}

fn is_stopped(process: Pid) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return false };
    threads.flatten().all(|thread| {
        // The state follows the name, which stands in brackets and may hold some itself.
        let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with('T'))
    })
}

/// Leaves the group, and after a while prints an ANSWER if there is one, and goes on with a process.
pub(crate) fn as_waker(bot: &Bot) {
    let [process, pause, answer] = bot.words() else {
        usage("expected a process, a pause and an answer")
    };
    let _ = setsid();
    let (process, pause) = (process.parse().ok().and_then(Pid::from_raw), pause.parse().ok());
    thread::sleep(Duration::from_millis(pause.unwrap_or_default()));
    if !answer.is_empty() {
        say(format!("{answer}\n"));
    }
    if let Some(process) = process {
        let _ = kill_process(process, Signal::CONT);
    }
}

/// Answers until there is a file GO; then makes the file REACHED, so that a test knows that this
/// move has come, and goes on as the rest says.
pub(crate) fn on_call(bot: &Bot) {
    let [go, reached, mode @ ..] = bot.words() else { usage("`on-call` expects two files") };
    bot.request();
    if !Path::new(go).exists() {
        return answers::ok(&bot.with_words(&[]));
    }
    if let Err(error) = File::create(reached) {
        usage(&format!("cannot make a file: {error}"));
    }
    crate::run_words(mode, bot);
}

/// Answers until there is an entry in the FOLDER; then becomes the program of the mode that the rest
/// says, which is seen from outside by its arguments.
pub(crate) fn until_called(bot: &Bot) {
    let [folder, mode @ ..] = bot.words() else { usage("`until-called` expects a folder") };
    bot.request();
    match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(true) => become_words(bot, mode),
        Ok(false) => answers::ok(&bot.with_words(&[])),
        Err(error) => usage(&format!("cannot look into a folder: {error}")),
    }
}

/// Runs a COMMAND in the foreground of a terminal of its own, as a person would, and types ^C as
/// soon as there is a FILE; exits as the command does.
pub(crate) fn on_terminal(bot: &Bot) {
    let [file, command, arguments @ ..] = bot.words() else { usage("expected a command") };
    let (keyboard, terminal) = match new_terminal() {
        Ok(ends) => ends,
        Err(error) => usage(&format!("cannot make a terminal: {error}")),
    };
    let child = Command::new(command).args(arguments).process_group(0).spawn();
    let mut child = child.unwrap_or_else(|error| usage(&format!("cannot start it: {error}")));
    if let Err(error) = tcsetpgrp(&terminal, Pid::from_child(&child)) {
        usage(&format!("cannot hand over the terminal: {error}"));
    }
    let mut keyboard = File::from(keyboard);
    let mut is_typed = false;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => process::exit(status.code().unwrap_or(130)),
            Ok(None) => thread::sleep(Duration::from_millis(2)),
            Err(error) => usage(&format!("cannot wait for it: {error}")),
        }
        if !is_typed && Path::new(file).exists() {
            is_typed = keyboard.write_all(b"\x03").is_ok();
        }
    }
}

/// Both ends of a terminal, which becomes the terminal of this process.
fn new_terminal() -> io::Result<(OwnedFd, File)> {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&keyboard)?;
    unlockpt(&keyboard)?;
    let name = ptsname(&keyboard, Vec::new())?;
    setsid()?;
    let name = Path::new(OsStr::from_bytes(name.as_bytes())).to_owned();
    let terminal = File::options().read(true).write(true).open(name)?;
    ioctl_tiocsctty(&terminal)?;
    Ok((keyboard, terminal))
}
