//! The referee's own children, the keepers and the guard, and those that are none of them: what a
//! keeper has left that died before it could end it.

use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, RwLock};
use std::time::Duration;

use rustix::process::{
    DumpableBehavior, Pid, RawPid, Resource, Rlimit, Signal, WaitOptions, getpid, getrlimit,
    kill_process, set_child_subreaper, set_dumpable_behavior, setrlimit, waitpid,
};

use super::clock::Clock;
use super::finish::wait_for;
use super::proc::{self, Stat};

/// The most time to end everything that a dead keeper has left.
const LIMIT: Duration = Duration::from_secs(10);

/// Time to wait for dying processes before the referee looks around again.
const PAUSE: Duration = Duration::from_millis(5);

/// The children that this program has started itself.
static OWN: Mutex<Vec<RawPid>> = Mutex::new(Vec::new());

/// Held shared from before a child is started until it is known, and alone by code that must know
/// every child: a child that no one knows is then an orphan.
static STARTING: RwLock<()> = RwLock::new(());

pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    let _starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    let child = command.spawn()?;
    own().push(Pid::from_child(&child).as_raw_pid());
    Ok(child)
}

/// Waits for a child to end, for this time at most; kills it then, and reaps it.
pub(super) fn end(mut child: Child, time: Duration) {
    let pid = Pid::from_child(&child);
    if !time.is_zero() {
        wait_for(pid, time);
    }
    // It fails only for one that has been reaped.
    let _ = child.kill();
    let _ = child.wait();
    own().retain(|&known| known != pid.as_raw_pid());
}

/// Kills and reaps all children that this program has not started itself, with all that they have
/// started: their parents are gone.
pub(super) fn end_orphans() {
    let clock = Clock::start(LIMIT);
    while !clock.is_over() {
        let starting = STARTING.write().unwrap_or_else(PoisonError::into_inner);
        let known = own().clone();
        let mut orphans = proc::children(getpid(), 1);
        orphans.retain(|orphan| !known.contains(&orphan.as_raw_pid()));
        drop(starting);
        if orphans.is_empty() {
            return;
        }
        for orphan in orphans {
            // A child that no one reaps keeps its number; what it has started becomes an orphan too.
            if Stat::read(orphan).is_some_and(|stat| stat.parent == getpid().as_raw_pid()) {
                let _ = kill_process(orphan, Signal::KILL);
                wait_for(orphan, PAUSE);
                let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
            }
        }
    }
}

/// Lets this process open as many files as the system allows: each keeper takes a descriptor, and a tournament may
/// have hundreds. Programs under keepers have a limit of their own.
pub(super) fn allow_descriptors() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let limit = getrlimit(Resource::Nofile);
        // Where it is refused, as many as before are enough for most.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    });
}

fn own() -> MutexGuard<'static, Vec<RawPid>> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps other processes of the same user from reading the memory of this one, where the deck and the
/// seed are.
///
/// A system that refuses it leaves it undone: no game is void for it.
pub(super) fn close() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    });
}

/// Makes this process the parent of all orphans among its descendants: of what a keeper leaves that
/// dies before it could end it.
pub(super) fn adopt_orphans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = set_child_subreaper(Some(getpid()));
    });
}
