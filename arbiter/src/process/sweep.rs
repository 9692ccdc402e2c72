//! Killing what a call has left behind.
//!
//! The referee is the parent of every orphan among its descendants (a *subreaper*), so nothing that
//! a program starts gets out of its sight, in any group or session: when the process above it is
//! gone, it is a child of the referee's main thread. After each call, those children that belong to
//! no call which is still running are killed with all that they have started, and reaped, until
//! there are none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, RawPid, Signal, WaitOptions, getpid, kill_process, pidfd_open,
    pidfd_send_signal, waitpid,
};

use super::clock::Clock;
use super::proc::{self, Stat};
use super::running::{self, CallId, Owner, Running};

/// How long one sweep may take.
///
/// Only processes that come and go faster than the referee can look make it take any time that
/// counts.
const LIMIT: Duration = Duration::from_secs(10);

/// How long dying processes are waited for before the referee looks around again.
const PAUSE: Duration = Duration::from_millis(20);

/// How long the referee waits before it looks again at one whose owner is unclear.
const GLANCE: Duration = Duration::from_millis(1);

/// How long a process whose owner is unclear is left alone while other calls are running.
///
/// Becoming another program takes much less, and no one is kept waiting longer by one that seems to
/// do it all the time.
const GRACE: Duration = Duration::from_millis(200);

/// Held by the one who reaps orphans: so their numbers stay theirs while someone looks at them.
static REAPING: Mutex<()> = Mutex::new(());

/// Kills and reaps all that belongs to a call, or to none that is running, and says how many of
/// these processes were alive outside the group of its program.
pub(super) fn sweep(ending: &Running) -> u32 {
    let _reaping = REAPING.lock().unwrap_or_else(PoisonError::into_inner);
    let clock = Clock::start(LIMIT);
    let mut killed =
        Killed { ending, numbers: BTreeSet::new(), unclear: BTreeMap::new(), escaped: 0 };
    while !clock.is_over() {
        let starts = running::pause_starts();
        let strangers = strangers();
        drop(starts);
        match killed.round(&strangers) {
            Round::Nobody => break,
            Round::Somebody => {}
            Round::Dying(process) => wait_for(process, PAUSE),
            Round::Unclear(process) => wait_for(process, GLANCE),
        }
    }
    killed.escaped
}

/// What one sweep has killed and not yet reaped.
struct Killed<'a> {
    ending: &'a Running,
    numbers: BTreeSet<RawPid>,
    /// How long to leave alone those whose owner is unclear.
    unclear: BTreeMap<RawPid, Clock>,
    escaped: u32,
}

/// What one look at the orphans has found.
enum Round {
    Nobody,
    /// Some were killed or reaped.
    Somebody,
    /// All that are left were killed before, this one among them.
    Dying(Pid),
    /// This one must be checked again; others may be dying.
    Unclear(Pid),
}

impl Killed<'_> {
    fn round(&mut self, strangers: &[Pid]) -> Round {
        let mut round = Round::Nobody;
        // The newest are last, and where processes come and go fast, only they are still alive.
        for &orphan in strangers.iter().rev() {
            // Where they are many, most are dead, and looking at each would leave the living time.
            if reap(orphan) {
                self.numbers.remove(&orphan.as_raw_pid());
                round = Round::Somebody;
                continue;
            }
            let Some(stat) = Stat::read(orphan).filter(is_child) else { continue };
            let owner = running::owner_of(orphan, &stat);
            let is_own = match owner {
                Owner::Call(call) => call == self.ending.id(),
                Owner::Nobody | Owner::Unclear => running::is_alone(),
            };
            match owner {
                Owner::Call(_) if !is_own => continue,
                Owner::Unclear if !is_own && self.is_to_be_left_alone(orphan) => {
                    if !matches!(round, Round::Somebody) {
                        round = Round::Unclear(orphan);
                    }
                    continue;
                }
                Owner::Call(_) | Owner::Nobody | Owner::Unclear => {}
            }
            if self.numbers.insert(orphan.as_raw_pid()) {
                // A child that no one reaps keeps its number.
                let _ = kill_process(orphan, Signal::KILL);
                let mut killed = vec![stat];
                self.kill_descendants(orphan, stat.threads, &mut killed);
                // Where others run, what hides its owner may be of one that ended before.
                if is_own {
                    self.count(&killed);
                }
                round = Round::Somebody;
            } else if matches!(round, Round::Nobody) {
                round = Round::Dying(orphan);
            }
        }
        round
    }

    fn is_to_be_left_alone(&mut self, orphan: Pid) -> bool {
        let number = orphan.as_raw_pid();
        let grace = || Clock::start(GRACE);
        !self.numbers.contains(&number)
            && !self.unclear.entry(number).or_insert_with(grace).is_over()
    }

    /// Kills all that a killed process has started, as far as one look can tell.
    ///
    /// A process that slips through becomes an orphan itself.
    fn kill_descendants(&mut self, top: Pid, threads: u32, killed: &mut Vec<Stat>) {
        let below = |parent, threads| {
            proc::children(parent, threads).into_iter().map(move |child| (child, parent))
        };
        let mut unseen: Vec<(Pid, Pid)> = below(top, threads).collect();
        while let Some((process, parent)) = unseen.pop() {
            if let Some(stat) = kill_child(process, parent) {
                if self.numbers.insert(process.as_raw_pid()) {
                    killed.push(stat);
                }
                unseen.extend(below(process, stat.threads));
            }
        }
    }

    fn count(&mut self, killed: &[Stat]) {
        let group = self.ending.pid().as_raw_pid();
        let outside = killed.iter().filter(|stat| stat.group != group && !stat.dead).count();
        self.escaped = self.escaped.saturating_add(u32::try_from(outside).unwrap_or(u32::MAX));
    }
}

/// The children of the main thread that do not belong to a running call: orphans, of running calls
/// too.
pub(super) fn strangers() -> Vec<Pid> {
    let mut children = proc::children(getpid(), 1);
    children.retain(|&child| !running::is_program(child));
    children
}

/// The living orphans of a running call, as far as can be told; dead ones are reaped, and their
/// CPU time is added to `buried`.
pub(super) fn orphans_of(call: CallId, buried: &mut Duration) -> Vec<Pid> {
    let strangers = strangers();
    if strangers.is_empty() {
        return strangers;
    }
    // The thread that sweeps reaps them, and no thread with a deadline waits for that.
    let reaping = REAPING.try_lock();
    let mut living = Vec::new();
    for orphan in strangers {
        let Some(stat) = Stat::read(orphan).filter(is_child) else { continue };
        if running::owner_of(orphan, &stat) != Owner::Call(call) {
            continue;
        }
        if stat.dead && reaping.is_ok() {
            *buried += stat.cpu;
            reap(orphan);
        } else if !stat.dead {
            living.push(orphan);
        }
    }
    living
}

fn is_child(stat: &Stat) -> bool {
    stat.parent == getpid().as_raw_pid()
}

/// Kills a process if it is still the child of this parent, and says what was known of it.
///
/// The descriptor keeps the number from becoming that of another process in between.
fn kill_child(process: Pid, parent: Pid) -> Option<Stat> {
    let pidfd = pidfd_open(process, PidfdFlags::empty()).ok()?;
    let stat = Stat::read(process).filter(|stat| stat.parent == parent.as_raw_pid())?;
    // It fails only for a process that is gone.
    let _ = pidfd_send_signal(&pidfd, Signal::KILL);
    Some(stat)
}

/// Reaps an orphan if it is dead, and says whether it was.
///
/// Never any child: those that the standard library has started must be left to it.
fn reap(orphan: Pid) -> bool {
    matches!(waitpid(Some(orphan), WaitOptions::NOHANG), Ok(Some(_)))
}

/// Waits until an unreaped child is gone, at most for this time.
fn wait_for(child: Pid, time: Duration) {
    let Ok(pidfd) = pidfd_open(child, PidfdFlags::empty()) else {
        thread::sleep(time);
        return;
    };
    let pause = Timespec::try_from(time).ok();
    // An interruption is as good as a pause: the waiting thread looks again.
    let _ = poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], pause.as_ref());
}
