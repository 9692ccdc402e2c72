//! Starting a program in the memory of its keeper, as `vfork` does.
//!
//! The standard library would set the handlers of all signals anew in every child, and could not set
//! limits before the program starts. Both are had by doing what it does, and no more.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;

use nix::sys::signal::SigSet;
use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, chdir, setpgid, setrlimit};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use super::super::layers::ChildUser;

/// The stack of a child until it becomes the program, in bytes: it makes a few calls of the system.
const STACK: usize = 64 << 10;

/// Everything that a child needs to become the program.
#[derive(Debug)]
pub(super) struct SpawnOrder<'a> {
    pub(super) path: &'a CStr,
    pub(super) arguments: &'a CStrings<'a>,
    pub(super) environment: &'a CStrings<'a>,
    pub(super) folder: &'a CStr,
    /// Its standard input, output and error.
    pub(super) streams: [BorrowedFd<'a>; 3],
    pub(super) limits: &'a [(Resource, Rlimit)],
    pub(super) rights: ChildUser,
}

/// A child that has become the program.
#[derive(Debug)]
pub(super) struct StartedChild {
    pub(super) pid: Pid,
    pub(super) pidfd: OwnedFd,
    pub(super) rights: ChildUser,
}

/// Why there is no child, or why it did not become the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpawnError {
    /// The system made no child.
    Child(Errno),
    /// A step before the program failed.
    Preparation(Errno),
    /// The folder cannot be entered.
    Folder(Errno),
    /// The program cannot be started.
    Program(Errno),
}

/// Texts as the system takes them: pointers, with a null pointer at the end.
#[derive(Debug)]
pub(super) struct CStrings<'a> {
    pointers: Vec<*const c_char>,
    _texts: std::marker::PhantomData<&'a CStr>,
}

impl<'a> CStrings<'a> {
    pub(super) fn new(texts: impl Iterator<Item = &'a CStr>) -> CStrings<'a> {
        let pointers = texts.map(CStr::as_ptr).chain([ptr::null()]).collect();
        CStrings { pointers, _texts: std::marker::PhantomData }
    }
}

/// The stack that one child after the other uses.
#[derive(Debug)]
pub(super) struct ChildStack(Box<[u128]>);

impl ChildStack {
    pub(super) fn new() -> ChildStack {
        ChildStack(vec![0; STACK / size_of::<u128>()].into_boxed_slice())
    }

    /// Its upper end, where it begins.
    fn top(&mut self) -> *mut c_void {
        self.0.as_mut_ptr_range().end.cast()
    }
}

/// An order, and what came of it.
struct SpawnTask<'a> {
    order: &'a SpawnOrder<'a>,
    failed: Option<SpawnError>,
}

/// Has no program that is started from now on get any descriptor but its standard streams, also of those
/// that this process was started with.
///
/// Fails on a kernel before Linux 5.11.
#[expect(unsafe_code, reason = "no crate has this call in a safe form")]
pub(super) fn close_descriptors_at_start() -> io::Result<()> {
    let (first, last, flags) = (3_u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC);
    // SAFETY: it closes nothing here: only the flag of each descriptor changes.
    match unsafe { libc::syscall(libc::SYS_close_range, first, last, flags) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Resets the signals that this process was started to ignore or block, as `nohup` ignores SIGHUP and Python SIGXFSZ:
/// programs that are started from now on would inherit that. SIGPIPE stays ignored.
///
/// The functions of the C library would leave out the signals that it uses itself.
#[expect(unsafe_code, reason = "no crate has this call in a safe form for all signals")]
pub(super) fn reset_signals() {
    /// The first word is the handler; a structure of the kernel has no more words than these.
    type Action = [usize; 8];
    const SET: usize = size_of::<u64>();
    let usual: Action = [libc::SIG_DFL; 8];
    for signal in (1..=64).filter(|signal| *signal != libc::SIGPIPE) {
        let mut found: Action = usual;
        // SAFETY: both actions are longer than what the kernel reads or writes, and the default handler, of which
        // all words are 0, needs no function. SIGKILL, SIGSTOP and numbers that are no signals are refused.
        unsafe {
            let nothing = ptr::null::<usize>();
            libc::syscall(libc::SYS_rt_sigaction, signal, nothing, found.as_mut_ptr(), SET);
            if found[0] == libc::SIG_IGN {
                libc::syscall(libc::SYS_rt_sigaction, signal, usual.as_ptr(), nothing, SET);
            }
        }
    }
    let _ = SigSet::empty().thread_set_mask();
}

/// Starts a program, and returns when it is one or cannot become one.
#[expect(unsafe_code, reason = "no crate starts a process with limits and without a fork")]
pub(super) fn start(
    order: &SpawnOrder<'_>,
    stack: &mut ChildStack,
) -> Result<StartedChild, SpawnError> {
    let mut task = SpawnTask { order, failed: None };
    let mut pidfd: c_int = -1;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    // SAFETY: the keeper has one thread. `CLONE_VFORK` stops it until the child has become the
    // program or is gone, so no two of them use this memory at a time, and `task`, `stack` and
    // `pidfd` outlive the child's use of them. The child runs on `stack` alone, whose end is aligned
    // to 16 bytes, and only in `child`, which allocates nothing, takes no lock and does not unwind.
    let number = unsafe {
        let task = (&raw mut task).cast::<c_void>();
        libc::clone(child, stack.top(), flags, task, &raw mut pidfd)
    };
    let Some(pid) = Pid::from_raw(number).filter(|_| number > 0) else {
        let error = io::Error::last_os_error();
        return Err(SpawnError::Child(Errno::from_io_error(&error).unwrap_or(Errno::AGAIN)));
    };
    // SAFETY: the system has just opened this descriptor for us, since it has made a child.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    match task.failed {
        None => Ok(StartedChild { pid, pidfd, rights: order.rights }),
        Some(failed) => {
            // It has ended, or is about to.
            let _ = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
            Err(failed)
        }
    }
}

/// The child: it becomes the program, or says why not and ends.
#[expect(unsafe_code, reason = "it is started by the system, and starts a program")]
extern "C" fn child(task: *mut c_void) -> c_int {
    // SAFETY: it is the task that `start` gave, and the only other one who knows it is stopped.
    let task = unsafe { &mut *task.cast::<SpawnTask<'_>>() };
    let order = task.order;
    let failed = match prepare(order) {
        Err(failed) => failed,
        Ok(()) => {
            let (arguments, environment) =
                (order.arguments.pointers.as_ptr(), order.environment.pointers.as_ptr());
            // SAFETY: the path and all texts end with a NUL, both lists with a null pointer, and all
            // of them are borrowed by the order. The handler of a signal is set to the default, which
            // needs no function, in the child's own table of handlers.
            unsafe {
                libc::signal(libc::SIGPIPE, libc::SIG_DFL);
                libc::execve(order.path.as_ptr(), arguments, environment);
            }
            let error = io::Error::last_os_error();
            SpawnError::Program(Errno::from_io_error(&error).unwrap_or(Errno::NOEXEC))
        }
    };
    task.failed = Some(failed);
    // The library ends the child with this code.
    127
}

/// Everything before the program: plain calls of the system.
fn prepare(order: &SpawnOrder<'_>) -> Result<(), SpawnError> {
    let streams = || {
        let [input, output, error] = order.streams;
        setpgid(None, None)?;
        dup2_stdin(input.as_fd())?;
        dup2_stdout(output.as_fd())?;
        dup2_stderr(error.as_fd())
    };
    streams().map_err(SpawnError::Preparation)?;
    order.rights.take().map_err(|error| {
        SpawnError::Preparation(Errno::from_io_error(&error).unwrap_or(Errno::PERM))
    })?;
    // With the rights of the program: it must be able to be there.
    chdir(order.folder).map_err(SpawnError::Folder)?;
    for (resource, limit) in order.limits {
        setrlimit(*resource, *limit).map_err(SpawnError::Preparation)?;
    }
    Ok(())
}
