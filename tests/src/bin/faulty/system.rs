//! Modes that turn against the referee and the terminal.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{self, Command};
use std::thread;
use std::time::Duration;

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, getrlimit, ioctl_tiocsctty, kill_process, prlimit,
    setsid,
};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::tcsetpgrp;

use crate::answers;
use crate::bot::{Bot, usage};
use crate::lives;

/// Exits 7 where there is a terminal, which it tries to write to.
pub(crate) fn terminal(bot: &Bot) {
    bot.request();
    if let Ok(mut terminal) = OpenOptions::new().read(true).write(true).open("/dev/tty") {
        let _ = terminal.write_all(b"What is your password? ");
        process::exit(7);
    }
    answers::ok(bot);
}

pub(crate) fn kill_parent(bot: &Bot) {
    bot.request();
    if let Some(parent) = parent() {
        let _ = kill_process(parent, Signal::KILL);
    }
    lives::sleep(bot);
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

fn parent() -> Option<Pid> {
    // A process that has lost its parent has process 1 for one.
    getppid().filter(|parent| !parent.is_init())
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

/// Both ends of a terminal, which becomes that of this process.
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
