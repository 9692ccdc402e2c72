//! A resident program, without a keeper: threads of the referee read what it
//! prints, and write its requests.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use std::{mem, thread};

use super::super::call::{CallEnd, Capture, Observation};
use super::super::clock::Clock;
use super::super::exit::{ChildChange, Waiter, can_be_reaped, reap};
use super::super::guard;
use super::super::limits::Limits;
use super::super::program::Program;
use super::super::request::{EndOfAnswer, FAREWELL, PonderPermission};
use super::super::start::spawn;
use super::super::supervision_time::{NOT_KNOWN, SupervisionTime};
use crate::exit;
use crate::exit::Group;
use text::system_error;

/// The most pieces of output that wait for the referee; then the program waits.
const WAITING: usize = 4;

#[derive(Debug)]
pub(super) struct PortableResidentProgram {
    child: Child,
    group: Group,
    waiter: Waiter,
    /// Its standard input ends with this.
    requests: Sender<Vec<u8>>,
    output: Receiver<Vec<u8>>,
    remarks: Arc<Mutex<Capture>>,
    ponder: PonderPermission,
    /// True if it has had a turn.
    is_begun: bool,
}

#[derive(Debug)]
enum TurnEvent {
    Line,
    Exit,
    Stop(i32),
    Silence,
    Flood,
}

impl PortableResidentProgram {
    pub(super) fn start(
        program: &Program,
        scratch: &Path,
        ponder: PonderPermission,
        limits: &Limits,
    ) -> Result<PortableResidentProgram, CallEnd> {
        let mut child = spawn(program, scratch, Stdio::piped)?;
        let mut group = Group::new(&child);
        guard::started(&child);
        match attach(&mut child, limits) {
            Ok((waiter, requests, output, remarks)) => {
                let is_begun = false;
                Ok(PortableResidentProgram {
                    child,
                    group,
                    waiter,
                    requests,
                    output,
                    remarks,
                    ponder,
                    is_begun,
                })
            }
            Err(error) => {
                let id = child.id();
                group.kill(&mut child);
                let buried = reap_killed(child, None);
                guard::ended(id);
                Err(CallEnd::Fault(buried.err().unwrap_or_else(|| no_thread(error))))
            }
        }
    }

    /// Gives the program its next request; also gives the program if it lives on.
    pub(super) fn turn(
        mut self,
        (request, end): (&[u8], EndOfAnswer),
        limits: &Limits,
        clock: &Clock,
    ) -> (Observation, Option<PortableResidentProgram>) {
        // Output at its start belongs to its first answer.
        let output_between_turns =
            if self.is_begun { self.output_between_turns(limits) } else { Vec::new() };
        self.is_begun = true;
        if !output_between_turns.is_empty() {
            let seen = Observation::without_output(CallEnd::Unasked, clock.wall());
            return (Observation { stdout: output_between_turns, ..seen }, Some(self));
        }
        let mut presence = SupervisionTime::start();
        let mut answer = Capture::of_stdout(limits);
        self.signal(JobSignal::Continue);
        // A program that has ended takes none, and is found to have ended.
        let _ = self.requests.send(request.to_vec());
        let seen = self.watch(&mut answer, end, clock, &mut presence);
        let wall = clock.wall();
        if matches!(seen, Ok(TurnEvent::Line)) {
            self.signal(JobSignal::Stop);
            let end = CallEnd::Answered;
            return (self.observed(end, wall, answer, limits), Some(self));
        }
        let is_late = matches!(seen, Ok(TurnEvent::Silence));
        let referee_waited = is_late.then(|| presence.waited()).flatten();
        self.group.kill(&mut self.child);
        let seen = match seen {
            Ok(TurnEvent::Exit | TurnEvent::Silence) => {
                presence.check(clock, limits.time).and(seen)
            }
            seen => seen,
        };
        let observed = self.observed(CallEnd::Answered, wall, answer, limits);
        let buried = self.reap_killed();
        let end = match (seen, buried) {
            (Err(why), _) | (_, Err(why)) => CallEnd::Fault(why),
            (Ok(TurnEvent::Exit), Ok((status, _))) => CallEnd::from_status(status).of_resident(),
            (Ok(TurnEvent::Stop(signal)), Ok(_)) => CallEnd::Signalled(signal),
            (Ok(TurnEvent::Silence), Ok(_)) => CallEnd::Silence,
            (Ok(TurnEvent::Flood), Ok(_)) => CallEnd::OutputLimit,
            (Ok(TurnEvent::Line), Ok(_)) => CallEnd::Answered,
        };
        // The system tells the CPU time of the whole game, and only now.
        (Observation { end, referee_waited, ..observed }, None)
    }

    /// Ends the program: its input ends, and it is killed if it does not end by itself.
    pub(super) fn dismiss(mut self) {
        let (requests, _) = channel();
        drop(mem::replace(&mut self.requests, requests));
        self.signal(JobSignal::Continue);
        let _ = self.waiter.wait(&mut self.child, FAREWELL);
        self.group.kill(&mut self.child);
        // Its exit status is not asked for any more.
        let _ = self.reap_killed();
    }

    fn reap_killed(self) -> Result<(ExitStatus, Duration), String> {
        let id = self.child.id();
        let buried = reap_killed(self.child, Some(self.waiter));
        guard::ended(id);
        buried
    }

    /// Output since its last turn, up to the limit of an answer.
    fn output_between_turns(&mut self, limits: &Limits) -> Vec<u8> {
        let mut output_between_turns = Capture::of_stdout(limits);
        while !output_between_turns.is_full()
            && let Ok(chunk) = self.output.try_recv()
        {
            output_between_turns.take(&chunk);
        }
        output_between_turns.into_parts().0
    }

    /// Waits for a line, the exit, the deadline or too much output.
    fn watch(
        &mut self,
        answer: &mut Capture,
        end: EndOfAnswer,
        clock: &Clock,
        presence: &mut SupervisionTime,
    ) -> Result<TurnEvent, String> {
        presence.supervise();
        loop {
            let (begun, time) = (Instant::now(), clock.time_left().min(SLICE));
            let received = self.output.recv_timeout(time);
            presence.slept(begun, time);
            let patience = match received {
                Ok(chunk) => {
                    answer.take(&chunk);
                    Duration::ZERO
                }
                Err(RecvTimeoutError::Timeout) => Duration::ZERO,
                // Its standard output is closed: what is waited for is its end.
                Err(RecvTimeoutError::Disconnected) => clock.time_left().min(SLICE),
            };
            if answer.holds(end) {
                return Ok(if clock.is_over() { TurnEvent::Silence } else { TurnEvent::Line });
            }
            if answer.is_full() {
                return Ok(TurnEvent::Flood);
            }
            let begun = Instant::now();
            let change = self.waiter.wait(&mut self.child, patience)?;
            presence.slept(begun, patience);
            match change {
                Some(ChildChange::Ended(at)) if clock.is_in_time(at) => {
                    self.take_rest(answer);
                    return Ok(if answer.holds(end) { TurnEvent::Line } else { TurnEvent::Exit });
                }
                Some(ChildChange::Ended(_)) => return Err(NOT_KNOWN.to_owned()),
                Some(ChildChange::Stopped(signal)) => return Ok(TurnEvent::Stop(signal)),
                None => {}
            }
            if clock.is_over() {
                // It may have ended in time and not have been seen yet.
                return match can_be_reaped(&self.child) {
                    true => Err(NOT_KNOWN.to_owned()),
                    false => Ok(TurnEvent::Silence),
                };
            }
        }
    }

    /// Takes what a program that has ended has left in its output. What it has started may hold that
    /// open.
    fn take_rest(&mut self, answer: &mut Capture) {
        while !answer.is_full()
            && let Ok(chunk) = self.output.recv_timeout(SLICE)
        {
            answer.take(&chunk);
        }
    }

    fn observed(
        &self,
        end: CallEnd,
        wall: Duration,
        answer: Capture,
        limits: &Limits,
    ) -> Observation {
        let (stdout, _) = answer.into_parts();
        let remarks = mem::replace(&mut *locked(&self.remarks), Capture::of_stderr(limits));
        let (stderr, stderr_dropped) = remarks.into_parts();
        Observation { stdout, stderr, stderr_dropped, ..Observation::without_output(end, wall) }
    }

    /// Stops the group of the program until its next turn, or lets it go on; on Unix only.
    fn signal(&self, signal: JobSignal) {
        if self.ponder == PonderPermission::Allowed {
            return;
        }
        #[cfg(unix)]
        {
            use rustix::process::{Pid, kill_process_group};
            let signal = match signal {
                JobSignal::Stop => rustix::process::Signal::STOP,
                JobSignal::Continue => rustix::process::Signal::CONT,
            };
            // No such group is not an error: then there is no one left.
            let _ = kill_process_group(Pid::from_child(&self.child), signal);
        }
        #[cfg(not(unix))]
        let _ = signal;
    }
}

#[derive(Debug, Clone, Copy)]
enum JobSignal {
    Stop,
    Continue,
}

type Attached = (Waiter, Sender<Vec<u8>>, Receiver<Vec<u8>>, Arc<Mutex<Capture>>);

/// Starts a thread for each pipe of a program, and one that waits for its exit.
fn attach(child: &mut Child, limits: &Limits) -> io::Result<Attached> {
    let waiter = Waiter::for_child(child)?;
    let (requests, to_write) = channel();
    let (chunks, output) = sync_channel(WAITING);
    let remarks = Arc::new(Mutex::new(Capture::of_stderr(limits)));
    if let Some(stdin) = child.stdin.take() {
        let write = move || write_all(stdin, &to_write);
        thread::Builder::new().name("bot input".into()).spawn(write)?;
    }
    if let Some(stdout) = child.stdout.take() {
        let read = move || {
            read_all(stdout, |bytes| match chunks.send(bytes.to_vec()) {
                Ok(()) => ControlFlow::Continue(()),
                // No one wants them.
                Err(_) => ControlFlow::Break(()),
            });
        };
        thread::Builder::new().name("bot output".into()).spawn(read)?;
    }
    if let Some(stderr) = child.stderr.take() {
        let kept = Arc::downgrade(&remarks);
        let read = move || read_into(stderr, &kept);
        thread::Builder::new().name("bot remarks".into()).spawn(read)?;
    }
    Ok((waiter, requests, output, remarks))
}

/// Writes requests until there are no more.
fn write_all(mut stdin: ChildStdin, requests: &Receiver<Vec<u8>>) {
    for request in requests {
        // A program need not read its request: a broken pipe is no one's fault.
        if stdin.write_all(&request).is_err() {
            return;
        }
    }
}

/// Time to wait for an exit before the output is looked at again.
pub(super) const SLICE: Duration = Duration::from_millis(20);

/// Bytes to read from a pipe at once.
const CHUNK: usize = 16 << 10;

pub(super) fn no_thread(error: io::Error) -> String {
    format!("cannot start a thread for a program: {}", system_error(error))
}

/// Reaps a killed child, within bounds if someone can wait for it.
pub(super) fn reap_killed(
    mut child: Child,
    waiter: Option<Waiter>,
) -> Result<(ExitStatus, Duration), String> {
    let Some(mut waiter) = waiter else { return reap(child) };
    let clock = Clock::start(exit::BURIAL);
    while !clock.is_over() {
        match waiter.wait(&mut child, clock.time_left().min(SLICE)) {
            // The second is a waiter that has already told of the end.
            Ok(Some(ChildChange::Ended(_))) | Err(_) => return reap(child),
            // A process that it has left may trace it, and then no one learns of its end.
            Ok(Some(ChildChange::Stopped(_)) | None) => {}
        }
    }
    let id = child.id();
    exit::reap_later(child);
    Err(format!("killed process {id} does not end"))
}

/// Reads into what keeps the bytes, until no one wants them.
pub(super) fn read_into(stream: impl Read, capture: &Weak<Mutex<Capture>>) {
    read_all(stream, |bytes| match capture.upgrade() {
        Some(capture) => {
            locked(&capture).take(bytes);
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    });
}

/// Reads to the end of file, or until no one wants the bytes.
fn read_all(mut stream: impl Read, mut take: impl FnMut(&[u8]) -> ControlFlow<()>) {
    let mut chunk = [0; CHUNK];
    loop {
        let length = match stream.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        if take(&chunk[..length]).is_break() {
            return;
        }
    }
}

/// No reader panics while it holds the lock, and if one did, its bytes would still be whole.
pub(super) fn locked(capture: &Mutex<Capture>) -> std::sync::MutexGuard<'_, Capture> {
    capture.lock().unwrap_or_else(PoisonError::into_inner)
}
