//! Starting other processes of this bot, and turning into one of them.

use std::env;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, getpgid, getppid};

use crate::bot::{Bot, usage};

/// Time between two looks at another process.
const PAUSE: Duration = Duration::from_millis(1);

/// Starts a mode that keeps standard output and standard error, and does not wait for it.
pub(crate) fn leave_behind(bot: &Bot, words: &[&str]) -> Pid {
    match try_leave_behind(bot, words) {
        Ok(child) => child,
        Err(error) => failed(&error),
    }
}

/// As [`leave_behind`], where it does not matter that there is no room for another process.
pub(crate) fn try_leave_behind(bot: &Bot, words: &[&str]) -> io::Result<Pid> {
    let mut command = Command::new(own_path());
    let child = command.args(words).args(bot.marker()).stdin(Stdio::null()).spawn()?;
    Ok(Pid::from_child(&child))
}

/// Waits until a child has left the group that it was started in: until then it would be killed
/// with it.
pub(crate) fn wait_for_leaving(child: Pid) {
    while getpgid(Some(child)).is_ok_and(|group| group != child) {
        thread::sleep(PAUSE);
    }
}

/// Waits until a process is gone, reaped by any other.
pub(crate) fn wait_for_end(process: Pid) {
    while getpgid(Some(process)).is_ok() {
        thread::sleep(PAUSE);
    }
}

/// The process whose number was given as an argument.
pub(crate) fn given_process(bot: &Bot) -> Pid {
    match bot.fixed_answer().parse().ok().and_then(Pid::from_raw) {
        Some(process) => process,
        None => usage("this mode expects the number of a process"),
    }
}

/// Turns into another mode with other streams: the way to close one without unsafe code.
pub(crate) fn become_mode(
    bot: &Bot,
    mode: &str,
    word: &str,
    streams: fn(&mut Command) -> &mut Command,
) {
    let mut command = Command::new(own_path());
    failed(&streams(command.args([mode, word]).args(bot.marker())).exec());
}

/// Turns into a mode with its words.
pub(crate) fn become_words(bot: &Bot, words: &[String]) {
    failed(&Command::new(own_path()).args(words).args(bot.marker()).exec());
}

/// The parent, unless it is process 1, which adopts processes without one.
pub(crate) fn parent() -> Option<Pid> {
    getppid().filter(|parent| !parent.is_init())
}

/// The referee: the parent, or the parent of that where it is a keeper.
pub(crate) fn referee() -> Option<Pid> {
    let parent = parent()?;
    let line = fs::read(format!("/proc/{parent}/cmdline")).unwrap_or_default();
    if line.split(|byte| *byte == 0).nth(1) != Some(b"keeper") {
        return Some(parent);
    }
    let stat = fs::read_to_string(format!("/proc/{parent}/stat")).ok()?;
    // Behind the name in brackets stand the state and the parent.
    let (_, fields) = stat.rsplit_once(") ")?;
    Pid::from_raw(fields.split(' ').nth(1)?.parse().ok()?)
}

pub(crate) fn own_path() -> PathBuf {
    match env::current_exe() {
        Ok(path) => path,
        Err(error) => failed(&error),
    }
}

pub(crate) fn failed(error: &io::Error) -> ! {
    usage(&format!("cannot start another process: {error}"))
}
