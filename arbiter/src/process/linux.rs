//! The supervisor for Linux: one loop over the end of a program and three pipes.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rules::text::system_error;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::call::{Call, End, Observed};
use super::capture::Capture;
use super::clock::Clock;
use super::exit::{can_be_reaped, reap};
use super::finish::{Finish, First};
use super::limits::Limits;
use super::presence::{NOT_KNOWN, Presence};
use super::program::Program;
use super::running::Running;
use super::start::{StartError, Streams};
use super::watch::Watch;
use super::{group, resources};

/// How much is read from a pipe after the end, in bytes: the most that a pipe can hold by default,
/// so that an escaped writer cannot keep the referee reading.
const DRAIN_BYTES: usize = 1 << 20;

/// Why a program that no one can reap is not run.
const TRACED: &str = "it is traced by a process that cannot be killed";

/// How long a dead child that someone traces is left alone before it is looked at again.
const PAUSE: Duration = Duration::from_millis(5);

/// How much is read from a pipe at once, in bytes.
const CHUNK: usize = 16 << 10;

/// Runs one call to its end.
pub(super) fn run(call: &Call<'_>) -> Observed {
    let clock = Clock::start(call.limits.time);
    let mut presence = Presence::start();
    let (mut child, running) = match Running::start(call.program, call.scratch, Streams::Pipes) {
        Ok(started) => started,
        Err(error) => return Observed::nothing(error.into(), clock.wall()),
    };
    presence.supervise();
    let mut pipes = Pipes::take(&mut child, call);
    let mut watch = Watch::new(&running, &call.limits);
    let (seen, pidfd) = match supervise(&child, &call.limits) {
        Ok(pidfd) => {
            let seen = pipes.converse(pidfd.as_fd(), &clock, &mut watch, &mut presence);
            (seen.map_err(StartError::Referee), Some(pidfd))
        }
        Err(why) => (Err(why), None),
    };
    let wall = match seen {
        Ok(Seen::Exit) => clock.wall().min(call.limits.time),
        _ => clock.wall(),
    };
    let is_late = matches!(seen, Ok(Seen::Deadline));
    let referee_waited = is_late.then(|| presence.waited()).flatten();
    let waited = is_late.then(|| watch.waited()).flatten();
    // Before the child is reaped its number cannot become that of another process or group.
    group::kill(&mut child);
    if seen.is_ok() {
        pipes.drain();
    }
    // All is read by now: from here on it does not matter who stops the referee.
    let seen = match seen {
        Ok(Seen::Exit | Seen::Deadline) => {
            let known = presence.check(&clock, call.limits.time).map_err(StartError::Referee);
            known.and(seen)
        }
        seen => seen,
    };
    let (buried, escaped) = bury(child, pidfd, &running);
    let (end, cpu) = match (seen, buried) {
        (Err(why), _) => (why.into(), None),
        (_, Err(Unburied::Fault(why))) => (End::Fault(why), None),
        (Ok(_), Err(Unburied::Traced)) => (End::Traced, None),
        (Ok(seen), Ok((status, reaped))) => {
            let cpu = reaped.max(watch.cpu());
            (seen.end(status).or_cpu_limit(cpu, &call.limits), Some(cpu))
        }
    };
    let (stdout, _) = pipes.answer.into_parts();
    let (stderr, stderr_dropped) = pipes.remarks.into_parts();
    Observed {
        stdout,
        stderr,
        stderr_dropped,
        cpu,
        waited,
        referee_waited,
        escaped,
        ..Observed::nothing(end, wall)
    }
}

/// Starts a program and kills it at once.
pub(super) fn probe(program: &Program, scratch: &Path) -> Result<(), StartError> {
    let (mut child, running) = Running::start(program, scratch, Streams::Nowhere)?;
    let pidfd = pidfd_open(Pid::from_child(&child), PidfdFlags::empty());
    group::kill(&mut child);
    match bury(child, pidfd.ok(), &running).0 {
        Ok(_) => Ok(()),
        Err(Unburied::Fault(why)) => Err(StartError::Referee(why)),
        Err(Unburied::Traced) => Err(StartError::Program(TRACED.to_owned())),
    }
}

/// Puts the limits on a child that already runs, and gets the descriptor that tells of its end.
fn supervise(child: &Child, limits: &Limits) -> Result<OwnedFd, StartError> {
    let pid = Pid::from_child(child);
    let pidfd = pidfd_open(pid, PidfdFlags::empty()).map_err(|error| {
        let other = "ARBITER_SUPERVISOR=portable does without";
        let why = io::Error::from(error);
        StartError::Referee(format!(
            "cannot open a process descriptor ({other}): {}",
            system_error(why)
        ))
    })?;
    resources::limit(pid, limits)?;
    Ok(pidfd)
}

/// Why a killed child is not reaped.
enum Unburied {
    /// The machine failed.
    Fault(String),
    /// It is dead, but someone whom the referee cannot kill traces it.
    Traced,
}

/// Waits until a killed child is gone, within bounds, kills what it has left, and reaps it; also
/// says how many processes it had left outside of its group.
///
/// What it has left goes first: a process that traces the child keeps it from being reaped.
fn bury(
    child: Child,
    pidfd: Option<OwnedFd>,
    running: &Running,
) -> (Result<(ExitStatus, Duration), Unburied>, u32) {
    if pidfd.is_some_and(|pidfd| !is_gone(&pidfd)) {
        let id = child.id();
        group::bury_later(child);
        let fault = format!("killed process {id} does not end");
        return (Err(Unburied::Fault(fault)), running.sweep());
    }
    let clock = Clock::start(group::BURIAL);
    let mut escaped = running.sweep();
    while !can_be_reaped(&child) {
        if clock.is_over() {
            group::bury_later(child);
            return (Err(Unburied::Traced), escaped);
        }
        thread::sleep(PAUSE);
        escaped += running.sweep();
    }
    (reap(child).map_err(Unburied::Fault), escaped)
}

/// Whether a killed child is gone, at the latest after the time that it is given for it.
fn is_gone(pidfd: &OwnedFd) -> bool {
    let clock = Clock::start(group::BURIAL);
    loop {
        let mut fds = [PollFd::new(pidfd, PollFlags::IN)];
        let waited = wait(&mut fds, clock.left());
        if !fds[0].revents().is_empty() {
            return true;
        }
        if waited.is_err() || clock.is_over() {
            return false;
        }
    }
}

/// What a conversation ended with.
enum Seen {
    Exit,
    Deadline,
    Flood,
    Excess(End),
}

impl Seen {
    fn end(self, status: ExitStatus) -> End {
        match self {
            Seen::Exit => End::from_status(status),
            Seen::Deadline => End::Deadline,
            Seen::Flood => End::OutputLimit,
            Seen::Excess(end) => end,
        }
    }
}

/// The referee's ends of a child's pipes, and what went through them.
struct Pipes<'a> {
    stdin: Option<ChildStdin>,
    unwritten: &'a [u8],
    stdout: Option<ChildStdout>,
    answer: Capture,
    stderr: Option<ChildStderr>,
    remarks: Capture,
}

/// What a wait found ready.
struct Ready {
    stdin: bool,
    stdout: bool,
    stderr: bool,
}

impl<'a> Pipes<'a> {
    fn take(child: &mut Child, call: &Call<'a>) -> Pipes<'a> {
        Pipes {
            stdin: child.stdin.take(),
            unwritten: call.request,
            stdout: child.stdout.take(),
            answer: Capture::of_stdout(&call.limits),
            stderr: child.stderr.take(),
            remarks: Capture::of_stderr(&call.limits),
        }
    }

    /// Writes the request and reads what comes, until the exit, the deadline or a broken limit.
    fn converse(
        &mut self,
        pidfd: BorrowedFd<'_>,
        clock: &Clock,
        watch: &mut Watch,
        presence: &mut Presence,
    ) -> Result<Seen, String> {
        self.unblock().map_err(|error| {
            format!("cannot make pipes non-blocking: {}", io::Error::from(error))
        })?;
        let lost =
            |error: io::Error| format!("cannot wait for a program: {}", system_error(&error));
        let finish = Finish::watch(pidfd, clock).map_err(lost)?;
        self.write();
        loop {
            let (begun, time) = (Instant::now(), clock.left().min(watch.left()));
            let ready = self.wait(finish.fd(), time)?;
            presence.slept(begun, time);
            if ready.stdin {
                self.write();
            }
            if ready.stdout {
                read(&mut self.stdout, &mut self.answer);
            }
            if ready.stderr {
                read(&mut self.stderr, &mut self.remarks);
            }
            match finish.first(clock).map_err(lost)? {
                First::Exit => return Ok(Seen::Exit),
                First::Deadline => return Ok(Seen::Deadline),
                First::Unknown => return Err(NOT_KNOWN.to_owned()),
                First::Neither => {}
            }
            if self.answer.is_full() {
                return Ok(Seen::Flood);
            }
            if let Some(end) = watch.look() {
                return Ok(Seen::Excess(end));
            }
        }
    }

    fn unblock(&self) -> Result<(), Errno> {
        let all = [
            self.stdin.as_ref().map(AsFd::as_fd),
            self.stdout.as_ref().map(AsFd::as_fd),
            self.stderr.as_ref().map(AsFd::as_fd),
        ];
        all.into_iter().flatten().try_for_each(|pipe| ioctl_fionbio(pipe, true))
    }

    fn wait(&self, finish: BorrowedFd<'_>, time: Duration) -> Result<Ready, String> {
        let mut fds = [
            PollFd::from_borrowed_fd(finish, PollFlags::IN),
            watched(self.stdin.as_ref(), finish, PollFlags::OUT),
            watched(self.stdout.as_ref(), finish, PollFlags::IN),
            watched(self.stderr.as_ref(), finish, PollFlags::IN),
        ];
        wait(&mut fds, time)?;
        let [_, stdin, stdout, stderr] = fds.map(|fd| !fd.revents().is_empty());
        Ok(Ready { stdin, stdout, stderr })
    }

    /// Writes as much of the request as the pipe takes, and closes the pipe after its last byte.
    fn write(&mut self) {
        while let Some(stdin) = &mut self.stdin {
            if self.unwritten.is_empty() {
                self.stdin = None;
                return;
            }
            match stdin.write(self.unwritten) {
                Ok(written) => self.unwritten = &self.unwritten[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // A program need not read its request: a broken pipe is no one's fault.
                Err(_) => self.stdin = None,
            }
        }
    }

    /// Reads what the pipes hold, without waiting and within bounds.
    fn drain(&mut self) {
        for _ in 0..DRAIN_BYTES / CHUNK {
            if self.answer.is_full() || read(&mut self.stdout, &mut self.answer) == Got::Nothing {
                break;
            }
        }
        for _ in 0..DRAIN_BYTES / CHUNK {
            if read(&mut self.stderr, &mut self.remarks) == Got::Nothing {
                break;
            }
        }
    }
}

/// What one read brought.
#[derive(PartialEq, Eq)]
enum Got {
    Something,
    Nothing,
}

/// Reads once; closes the stream at its end.
fn read<R: Read>(stream: &mut Option<R>, capture: &mut Capture) -> Got {
    let mut chunk = [0; CHUNK];
    let Some(open) = stream else { return Got::Nothing };
    match open.read(&mut chunk) {
        Ok(length @ 1..) => {
            capture.take(&chunk[..length]);
            return Got::Something;
        }
        Err(error) if error.kind() == io::ErrorKind::Interrupted => return Got::Something,
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
        Ok(0) | Err(_) => *stream = None,
    }
    Got::Nothing
}

/// A pipe to be polled; where it is closed, another descriptor stands in, asked for nothing.
fn watched<'fd>(
    pipe: Option<&'fd impl AsFd>,
    stand_in: BorrowedFd<'fd>,
    events: PollFlags,
) -> PollFd<'fd> {
    match pipe {
        Some(pipe) => PollFd::new(pipe, events),
        None => PollFd::from_borrowed_fd(stand_in, PollFlags::empty()),
    }
}

/// Polls once; an interruption counts as nothing ready, because every caller checks the time.
fn wait(fds: &mut [PollFd<'_>], time: Duration) -> Result<(), String> {
    match poll(fds, Timespec::try_from(time).ok().as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => {
            Err(format!("cannot wait for a program: {}", system_error(io::Error::from(error))))
        }
    }
}
