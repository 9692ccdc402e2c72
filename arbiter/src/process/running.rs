//! The calls that are running, known to one another.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustix::process::{Pid, RawPid};

use super::proc::{Origin, Stat};
use super::program::Program;
use super::start::{StartError, Streams, spawn};
use super::{guard, shelter, sweep};

/// All calls that are running.
static CALLS: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// The children of the referee that are no call's.
static HELPERS: Mutex<Vec<RawPid>> = Mutex::new(Vec::new());

/// Held shared from before a program is started until it is known, and alone by code that must know
/// every child: a child that no one knows is then an orphan.
static STARTING: RwLock<()> = RwLock::new(());

/// What others know of a call that is running.
#[derive(Debug)]
struct Known {
    call: CallId,
    pid: Pid,
    scratch: PathBuf,
}

/// Whose a process is, as far as can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// A running call has started it.
    Call(CallId),
    /// None that is running, by what it shows.
    Nobody,
    /// It shows nothing just now.
    Unclear,
}

/// Tells calls apart, whose programs may come to have the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CallId(u64);

/// A call that is running.
#[derive(Debug)]
pub(super) struct Running {
    call: CallId,
    pid: Pid,
}

impl Running {
    /// Starts a program, and makes it known before anyone could take it for an orphan.
    pub(super) fn start(
        program: &Program,
        scratch: &Path,
        streams: Streams,
    ) -> Result<(Child, Running), StartError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        shelter::prepare();
        let call = CallId(NEXT.fetch_add(1, Ordering::Relaxed));
        let starting = start_of_a_child();
        let child = spawn(program, scratch, streams)?;
        let pid = Pid::from_child(&child);
        calls().push(Known { call, pid, scratch: scratch.to_owned() });
        drop(starting);
        guard::started(pid);
        Ok((child, Running { call, pid }))
    }

    /// The number of its program, and of the group that it has started in.
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    pub(super) fn id(&self) -> CallId {
        self.call
    }

    /// Kills what the program of this call has left, which is dead and not reaped yet, and says
    /// how many of these processes had left its group and were alive.
    pub(super) fn sweep(&self) -> u32 {
        if sweep::strangers().is_empty() { 0 } else { sweep::sweep(self) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        calls().retain(|known| known.call != self.call);
        guard::ended(self.pid);
    }
}

/// Keeps everyone from starting a program for as long as the guard that it returns is there.
///
/// A process that is then a child of this one and not known is an orphan.
pub(super) fn pause_starts() -> RwLockWriteGuard<'static, ()> {
    STARTING.write().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a process is a helper or a program that a call is running, and not something that one
/// has left.
pub(super) fn is_program(process: Pid) -> bool {
    calls().iter().any(|known| known.pid == process) || helpers().contains(&process.as_raw_pid())
}

/// Whether no more than one call is running.
pub(super) fn is_alone() -> bool {
    calls().len() <= 1
}

/// Whose this process is.
pub(super) fn owner_of(process: Pid, stat: &Stat) -> Owner {
    let call_where = |is_it: &dyn Fn(&Known) -> bool| {
        calls().iter().find(|known| is_it(known)).map(|known| known.call)
    };
    if let Some(call) = call_where(&|known| known.pid.as_raw_pid() == stat.group) {
        return Owner::Call(call);
    }
    match Origin::read(process) {
        Origin::Scratch(folder) => {
            call_where(&|known| known.scratch.as_os_str().as_bytes() == folder)
                .map_or(Owner::Nobody, Owner::Call)
        }
        Origin::Hidden => Owner::Nobody,
        Origin::Unclear => Owner::Unclear,
    }
}

/// Starts a child of the referee that is no call's.
pub(super) fn start_helper(command: &mut Command) -> io::Result<Child> {
    let _starting = start_of_a_child();
    let child = command.spawn()?;
    helpers().push(Pid::from_child(&child).as_raw_pid());
    Ok(child)
}

/// Kills and reaps a helper.
pub(super) fn end_helper(mut child: Child) {
    let number = Pid::from_child(&child).as_raw_pid();
    // It fails only for one that has been reaped.
    let _ = child.kill();
    let _ = child.wait();
    helpers().retain(|&helper| helper != number);
}

fn start_of_a_child() -> RwLockReadGuard<'static, ()> {
    STARTING.read().unwrap_or_else(PoisonError::into_inner)
}

fn helpers() -> MutexGuard<'static, Vec<RawPid>> {
    HELPERS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn calls() -> MutexGuard<'static, Vec<Known>> {
    CALLS.lock().unwrap_or_else(PoisonError::into_inner)
}
