//! Modes in which others burn the CPU time.

use std::hint::spin_loop;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::answers;
use crate::bot::Bot;
use crate::others::{failed, own_path};

/// CPU time of one process, and the number of them.
const TIME: Duration = Duration::from_millis(300);
const PROCESSES: u32 = 4;

pub(crate) fn burn_a_while(_: &Bot) {
    let used = || Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default();
    while used() < TIME {
        (0..1000).for_each(|_| spin_loop());
    }
}

/// A program that ignores a signal hands that on, and only a shell can ask for it here.
pub(crate) fn burn_unwaited(bot: &Bot) {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "trap '' CHLD; exec \"$@\"", "sh"]).arg(own_path()).arg("burn-one-by-one");
    failed(&shell.args(bot.words()).exec());
}

pub(crate) fn one_by_one(bot: &Bot) {
    for _ in 0..PROCESSES {
        let mut burner = Command::new(own_path());
        burner.arg("burn-a-while").stdin(Stdio::null());
        match burner.spawn() {
            // It fails where its end is ignored, and only then.
            Ok(mut burner) => drop(burner.wait()),
            Err(error) => failed(&error),
        }
    }
    answers::ok(bot);
}

pub(crate) fn burn_orphans(bot: &Bot) {
    for _ in 0..PROCESSES {
        let mut parent = Command::new("/bin/sh");
        parent.args(["-c", "\"$0\" burn-a-while &"]).arg(own_path());
        match parent.stdin(Stdio::null()).stdout(Stdio::piped()).spawn() {
            Ok(mut parent) => {
                // The orphan holds it.
                if let Some(mut held) = parent.stdout.take() {
                    let _ = held.read_to_end(&mut Vec::new());
                }
                let _ = parent.wait();
            }
            Err(error) => failed(&error),
        }
    }
    answers::ok(bot);
}
