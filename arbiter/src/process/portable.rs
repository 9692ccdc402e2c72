//! The supervisor for every other system: a thread for each pipe, and a wait with a limit.

use std::io::{self, Read, Write};
use std::mem;
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use rules::text::system_error;

use super::call::{Call, End, Observed};
use super::capture::Capture;
use super::clock::Clock;
use super::exit::{Change, Waiter, can_be_reaped, reap};
use super::group;
use super::presence::{NOT_KNOWN, Presence};
use super::program::Program;
use super::running::Running;
use super::start::{StartError, Streams};

/// How long the wait for an exit lasts before the output is looked at again.
const SLICE: Duration = Duration::from_millis(20);

/// How long the readers may take to see the end of file once the group is dead.
///
/// Only a process that has left the group and holds a pipe makes them take any time that counts.
const GRACE: Duration = Duration::from_secs(1);

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
    let mut output = Output::new(call);
    let mut waiter = Waiter::for_child(&child).map_err(no_thread);
    let seen = match (&mut waiter, output.attach(&mut child, call.request)) {
        (Ok(waiter), Ok(())) => watch(&mut child, waiter, &output, &clock, &mut presence),
        (Err(why), _) => Err(why.clone()),
        (_, Err(error)) => Err(no_thread(error)),
    };
    let wall = match seen {
        Ok(Seen::Exit) => clock.wall().min(call.limits.time),
        _ => clock.wall(),
    };
    let is_late = matches!(seen, Ok(Seen::Deadline));
    let referee_waited = is_late.then(|| presence.waited()).flatten();
    group::kill(&mut child);
    let seen = match seen {
        Ok(Seen::Exit | Seen::Deadline) => presence.check(&clock, call.limits.time).and(seen),
        seen => seen,
    };
    let (buried, escaped) = bury(child, waiter.ok(), &running);
    let (end, cpu) = match (seen, buried) {
        (Err(why), _) | (_, Err(why)) => (End::Fault(why), None),
        (Ok(seen), Ok((status, cpu))) => (seen.end(status), Some(cpu)),
    };
    let (answer, remarks) = output.finish();
    let (stdout, _) = answer.into_parts();
    let (stderr, stderr_dropped) = remarks.into_parts();
    Observed {
        stdout,
        stderr,
        stderr_dropped,
        cpu,
        referee_waited,
        escaped,
        ..Observed::nothing(end, wall)
    }
}

/// Starts a program and kills it at once.
pub(super) fn probe(program: &Program, scratch: &Path) -> Result<(), StartError> {
    let (mut child, running) = Running::start(program, scratch, Streams::Nowhere)?;
    let waiter = Waiter::for_child(&child).ok();
    group::kill(&mut child);
    bury(child, waiter, &running).0.map(drop).map_err(StartError::Referee)
}

fn no_thread(error: io::Error) -> String {
    format!("cannot start a thread for a program: {}", system_error(error))
}

/// What a watch ended with.
enum Seen {
    Exit,
    Stop(i32),
    Deadline,
    Flood,
}

impl Seen {
    fn end(self, status: ExitStatus) -> End {
        match self {
            Seen::Exit => End::from_status(status),
            // No one but the program can have asked the referee to trace it, so the stop counts as
            // the end that it brought on itself.
            Seen::Stop(signal) => End::Signalled(signal),
            Seen::Deadline => End::Deadline,
            Seen::Flood => End::OutputLimit,
        }
    }
}

/// Waits for the exit, the deadline or too much output.
fn watch(
    child: &mut Child,
    waiter: &mut Waiter,
    output: &Output,
    clock: &Clock,
    presence: &mut Presence,
) -> Result<Seen, String> {
    loop {
        let (begun, time) = (Instant::now(), clock.left().min(SLICE));
        let change = waiter.wait(child, time)?;
        presence.slept(begun, time);
        match change {
            Some(Change::Ended(at)) if clock.is_in_time(at) => return Ok(Seen::Exit),
            Some(Change::Ended(_)) => return Err(NOT_KNOWN.to_owned()),
            Some(Change::Stopped(signal)) => return Ok(Seen::Stop(signal)),
            None => {}
        }
        if locked(&output.answer).is_full() {
            return Ok(Seen::Flood);
        }
        if clock.is_over() {
            // It may have ended in time and not have been seen yet.
            return if can_be_reaped(child) {
                Err(NOT_KNOWN.to_owned())
            } else {
                Ok(Seen::Deadline)
            };
        }
    }
}

/// Reaps a killed child, within bounds if someone can wait for it, and kills what it has left; also
/// says how many processes it had left outside of its group.
fn bury(
    mut child: Child,
    waiter: Option<Waiter>,
    running: &Running,
) -> (Result<(ExitStatus, Duration), String>, u32) {
    let mut escaped = 0;
    let Some(mut waiter) = waiter else { return (reap(child), running.sweep()) };
    let clock = Clock::start(group::BURIAL);
    while !clock.is_over() {
        match waiter.wait(&mut child, clock.left().min(SLICE)) {
            // The second is a waiter that has already told of the end.
            Ok(Some(Change::Ended(_))) | Err(_) => {
                escaped += running.sweep();
                return (reap(child), escaped);
            }
            // A process that it has left may trace it, and then no one learns of its end.
            Ok(Some(Change::Stopped(_)) | None) => escaped += running.sweep(),
        }
    }
    let id = child.id();
    group::bury_later(child);
    (Err(format!("killed process {id} does not end")), escaped)
}

/// What the threads have read so far.
struct Output {
    answer: Arc<Mutex<Capture>>,
    remarks: Arc<Mutex<Capture>>,
    /// Each reader holds the sending end until its end of file, and sends nothing.
    reading: Receiver<()>,
    reader: Sender<()>,
}

impl Output {
    fn new(call: &Call<'_>) -> Output {
        let (reader, reading) = channel();
        Output {
            answer: Arc::new(Mutex::new(Capture::of_stdout(&call.limits))),
            remarks: Arc::new(Mutex::new(Capture::of_stderr(&call.limits))),
            reading,
            reader,
        }
    }

    /// Gives each pipe of the child a thread.
    fn attach(&mut self, child: &mut Child, request: &[u8]) -> io::Result<()> {
        if let Some(stdout) = child.stdout.take() {
            spawn_reader(stdout, &self.answer, &self.reader)?;
        }
        if let Some(stderr) = child.stderr.take() {
            spawn_reader(stderr, &self.remarks, &self.reader)?;
        }
        if let Some(stdin) = child.stdin.take() {
            spawn_writer(stdin, request)?;
        }
        Ok(())
    }

    /// Waits for the readers' end of file, within bounds, and takes what they have.
    ///
    /// A reader that is still at work ends with the next bytes it gets.
    fn finish(self) -> (Capture, Capture) {
        drop(self.reader);
        let _: Result<(), RecvTimeoutError> = self.reading.recv_timeout(GRACE);
        let take = |capture: Arc<Mutex<Capture>>| mem::take(&mut *locked(&capture));
        (take(self.answer), take(self.remarks))
    }
}

fn spawn_reader(
    stream: impl Read + Send + 'static,
    capture: &Arc<Mutex<Capture>>,
    reader: &Sender<()>,
) -> io::Result<()> {
    let (capture, reader) = (Arc::downgrade(capture), reader.clone());
    thread::Builder::new().name("bot output".into()).spawn(move || {
        read_all(stream, &capture);
        drop(reader);
    })?;
    Ok(())
}

/// Reads to the end of file, or until no one wants the bytes.
fn read_all(mut stream: impl Read, capture: &Weak<Mutex<Capture>>) {
    let mut chunk = [0; CHUNK];
    loop {
        let length = match stream.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let Some(capture) = capture.upgrade() else { return };
        locked(&capture).take(&chunk[..length]);
    }
}

fn spawn_writer(mut stdin: ChildStdin, request: &[u8]) -> io::Result<()> {
    let request = request.to_vec();
    thread::Builder::new().name("bot input".into()).spawn(move || {
        // A program need not read its request: a broken pipe is no one's fault.
        let _ = stdin.write_all(&request);
    })?;
    Ok(())
}

/// No reader panics while it holds the lock, and if one did, its bytes would still be whole.
fn locked(capture: &Mutex<Capture>) -> std::sync::MutexGuard<'_, Capture> {
    capture.lock().unwrap_or_else(PoisonError::into_inner)
}
