//! What the guard does when the referee is gone.

use std::ffi::OsStr;
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

use super::super::clock::Clock;
use super::super::proc::{self, Origin, Stat};
use super::watch::Legacy;
use crate::scratch;

/// How long the killing may take.
const LIMIT: Duration = Duration::from_secs(10);

/// How long killed processes are given before the guard looks again.
const PAUSE: Duration = Duration::from_millis(5);

/// Kills the programs that were running, and every process whose scratch folder is one of these;
/// then removes the folders.
pub(super) fn clean_up(legacy: &Legacy) {
    for (&number, pidfd) in &legacy.programs {
        if let (Some(pid), Some(pidfd)) = (Pid::from_raw(number), pidfd) {
            kill_program(pid, pidfd);
        }
    }
    let clock = Clock::start(LIMIT);
    while kill_owners(legacy) && !clock.is_over() {
        thread::sleep(PAUSE);
    }
    for folder in &legacy.folders {
        // No one is there to be told.
        let _ = scratch::remove(folder);
    }
}

/// Kills a program, its group, and all that it has started.
fn kill_program(pid: Pid, pidfd: &OwnedFd) {
    // All are stopped before the first is killed: with its parent, a process loses what shows
    // whose it is.
    let mut stopped = Vec::new();
    while stop_tree(pid, &mut stopped) {}
    // While the program is there, dead or alive, its number is that of no other group.
    if pidfd_send_signal(pidfd, Signal::KILL).is_ok() {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    for (_, pidfd) in &stopped {
        let _ = pidfd_send_signal(pidfd, Signal::KILL);
    }
    for (_, pidfd) in &stopped {
        let pause = Timespec::try_from(PAUSE).ok();
        let _ = poll(&mut [PollFd::new(pidfd, PollFlags::IN)], pause.as_ref());
    }
}

/// Stops what a program has started and was not stopped yet, and says whether there was anything.
fn stop_tree(top: Pid, stopped: &mut Vec<(Pid, OwnedFd)>) -> bool {
    let before = stopped.len();
    let mut unseen = vec![top];
    while let Some(parent) = unseen.pop() {
        let Some(stat) = Stat::read(parent) else { continue };
        for child in proc::children(parent, stat.threads) {
            if !stopped.iter().any(|(known, _)| *known == child) {
                let Ok(pidfd) = pidfd_open(child, PidfdFlags::empty()) else { continue };
                let is_child = |stat: &Stat| stat.parent == parent.as_raw_pid();
                if !Stat::read(child).as_ref().is_some_and(is_child) {
                    continue;
                }
                let _ = pidfd_send_signal(&pidfd, Signal::STOP);
                stopped.push((child, pidfd));
            }
            unseen.push(child);
        }
    }
    stopped.len() > before
}

/// Kills every process that shows one of the folders, or one in it, as its own, and says whether there was one.
fn kill_owners(legacy: &Legacy) -> bool {
    let is_owner = |pid: Pid| {
        let folder = |it: &[u8]| {
            let path = Path::new(OsStr::from_bytes(it));
            legacy.folders.iter().any(|own| path.starts_with(own))
        };
        matches!(Origin::read(pid), Origin::Scratch(scratch) if folder(&scratch))
    };
    let mut found = false;
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    for pid in numbers.filter_map(Pid::from_raw) {
        if is_owner(pid)
            && let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty())
            && is_owner(pid)
        {
            let _ = pidfd_send_signal(&pidfd, Signal::KILL);
            found = true;
        }
    }
    found
}
