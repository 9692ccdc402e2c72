//! Makes a process the first one of namespaces of its own.
//!
//! A process that has unshared its users or its processes cannot undo it, and only a child of it is
//! in the new namespace of processes. So the outer keeper makes a *helper*, which unshares, makes
//! the *first* process, and ends. The first one is then a child of the outer keeper, which adopts
//! orphans. It confines itself, and asks for what can only be done outside. If it fails it says why
//! and ends, and the outer keeper is what it was before. Otherwise the outer one waits for the first
//! one, and ends as it did.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::os::unix::net::UnixStream;
use std::process;

use nix::sched::{CloneFlags, unshare};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpid, set_child_subreaper,
    set_parent_process_death_signal, wait, waitpid,
};
use text::system_error;

use super::namespaces::SignalAllToken;
use super::user::{self, Privilege};
use crate::fork::{ForkResult, fork};

/// Requests of the first process to the outer keeper, a line each.
mod ask {
    /// Says that it has adopted the first process.
    pub(super) const BEGIN: &str = "begin";
    /// Asks for the map of a new namespace of users.
    pub(super) const MAP: &str = "map";
    /// Asks it to wait from now on.
    pub(super) const READY: &str = "ready";
}

/// Lets `confine` run in the first process of new namespaces, and returns only there what it gave.
///
/// This process must have one thread and no children. From now on it adopts orphans, here and there.
///
/// Fails in this process, with one line, if there are no such namespaces or `confine` failed.
pub(super) fn enter<T>(
    privilege: Privilege,
    confine: impl FnOnce(SignalAllToken, &mut OuterKeeper) -> Result<T, String>,
) -> Result<T, String> {
    let fault = |error: io::Error| format!("cannot make a process: {}", system_error(error));
    set_child_subreaper(Some(getpid())).map_err(|error| fault(error.into()))?;
    let (ours, theirs) = UnixStream::pair().map_err(fault)?;
    let (reader, writer) = io::pipe().map_err(fault)?;
    match fork().map_err(fault)? {
        ForkResult::Parent(helper) => {
            drop((theirs, writer));
            Err(wait_outside(helper, reader, ours))
        }
        ForkResult::Child => {
            drop((ours, reader));
            let namespace = become_first_process(privilege, writer);
            let mut outer = OuterKeeper { lines: BufReader::new(theirs) };
            let confined = outer.ask(ask::BEGIN).and_then(|()| confine(namespace?, &mut outer));
            match confined.and_then(|confined| outer.die_with_outer().map(|()| confined)) {
                Ok(confined) => Ok(confined),
                Err(why) => {
                    // If this fails, there is no one left to be told.
                    let _ = writeln!(outer.lines.get_mut(), "{why}");
                    process::exit(1);
                }
            }
        }
    }
}

/// The outer keeper, as the first process knows it.
pub(super) struct OuterKeeper {
    lines: BufReader<UnixStream>,
}

impl OuterKeeper {
    /// Has the map of a new namespace of users written, which knows no user.
    pub(super) fn map(&mut self) -> Result<(), String> {
        self.ask(ask::MAP)
    }

    /// Arranges to die with the outer keeper, which then only waits.
    fn die_with_outer(&mut self) -> Result<(), String> {
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| {
            format!("cannot ask for a signal: {}", system_error(io::Error::from(error)))
        })?;
        // If it had died before, it would not answer.
        self.ask(ask::READY)
    }

    /// Sends one line and waits for the answer: an empty one, or why not.
    fn ask(&mut self, what: &str) -> Result<(), String> {
        let mut answer = String::new();
        writeln!(self.lines.get_mut(), "{what}")
            .and_then(|()| self.lines.read_line(&mut answer))
            .map_err(|error| format!("cannot ask the outer keeper: {}", system_error(error)))?;
        match answer.strip_suffix('\n') {
            Some("") => Ok(()),
            Some(why) => Err(why.to_owned()),
            None => Err("the outer keeper has ended".to_owned()),
        }
    }
}

/// Becomes the first process of a namespace of processes. The process that this was ends, and
/// writes what number the first one has outside, or why there is none.
fn become_first_process(
    privilege: Privilege,
    mut outside: PipeWriter,
) -> Result<SignalAllToken, String> {
    let forked = unshare_processes(privilege).and_then(|()| {
        fork().map_err(|error| format!("cannot make a process: {}", system_error(error)))
    });
    let said = match forked {
        Ok(ForkResult::Child) => return SignalAllToken::of_first(),
        Ok(ForkResult::Parent(first)) => first.as_raw_pid().to_string(),
        Err(why) => why,
    };
    // Without a reader, it is not needed.
    let _ = outside.write_all(said.as_bytes());
    process::exit(0)
}

fn unshare_processes(privilege: Privilege) -> Result<(), String> {
    match privilege {
        Privilege::Superuser => unshare(CloneFlags::CLONE_NEWPID).map_err(|error| {
            format!("cannot create a process namespace: {}", system_error(io::Error::from(error)))
        }),
        Privilege::Contained | Privilege::Ordinary => user::own_with_processes(privilege),
    }
}

/// Sees the helper end, and does what the first process asks for; once that is ready, ends as it
/// ends. Returns why there is none, or why it failed.
fn wait_outside(helper: Pid, mut said: PipeReader, stream: UnixStream) -> String {
    let mut number = String::new();
    let read = said.read_to_string(&mut number);
    // Before the helper has ended, the first process is no child of this one.
    let ended = wait_for_exit(helper);
    let why = match (read, ended, number.parse().ok().and_then(Pid::from_raw)) {
        (Err(error), _, _) => system_error(error),
        (_, Err(error), _) => system_error(io::Error::from(error)),
        (_, _, Some(first)) => serve(first, stream),
        (_, _, None) => number,
    };
    // The first process has no one left to speak to it, so it has ended or will.
    while !matches!(wait(WaitOptions::empty()), Err(Errno::CHILD)) {}
    why
}

/// Answers the first process; returns why it failed.
fn serve(first: Pid, stream: UnixStream) -> String {
    let mut stream = BufReader::new(stream);
    loop {
        let mut line = String::new();
        match stream.read_line(&mut line) {
            Ok(1..) => {}
            Ok(0) => return "the first process of a namespace has ended".to_owned(),
            Err(error) => return system_error(error),
        }
        let line = line.trim_end();
        let answer = match line {
            ask::BEGIN | ask::READY => String::new(),
            ask::MAP => user::map_nobody(first).err().unwrap_or_default(),
            why => return why.to_owned(),
        };
        if let Err(error) = writeln!(stream.get_mut(), "{answer}") {
            return system_error(error);
        }
        if line == ask::READY {
            process::exit(wait_for_exit(first).map_or(1, status));
        }
    }
}

fn wait_for_exit(child: Pid) -> Result<WaitStatus, Errno> {
    loop {
        match waitpid(Some(child), WaitOptions::empty()) {
            Ok(Some((_, status))) => return Ok(status),
            Ok(None) | Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
}

/// The status of a process that ends as another one did, after the custom of shells.
fn status(of: WaitStatus) -> i32 {
    of.exit_status().or(of.terminating_signal().map(|signal| 128 + signal)).unwrap_or(1)
}
