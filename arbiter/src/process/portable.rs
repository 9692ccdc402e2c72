//! The supervisor for every other system: a thread for each pipe, and a wait with a limit.

use std::io::{self, Read, Write};
use std::mem;
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use wait_timeout::ChildExt;

use super::call::{Call, End, Observed};
use super::capture::Capture;
use super::clock::Clock;
use super::group;
use super::program::Program;
use super::start::{StartError, Streams, start};

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
    let mut child = match start(call.program, call.scratch, Streams::Pipes) {
        Ok(child) => child,
        Err(error) => return Observed::nothing(error.into(), clock.wall()),
    };
    let mut output = Output::of(call);
    let seen = match output.attach(&mut child, call.request) {
        Ok(()) => watch(&mut child, &output, &clock),
        Err(error) => Err(format!("cannot start a thread for a pipe: {error}")),
    };
    let wall = clock.wall();
    group::kill(&mut child);
    let buried = bury(child, &seen);
    let end = match (seen, buried) {
        (Err(why), _) | (_, Err(why)) => End::Fault(why),
        (Ok(Seen::Exit(status)), Ok(())) => End::of(status),
        (Ok(Seen::Deadline), Ok(())) => End::Deadline,
        (Ok(Seen::Flood), Ok(())) => End::OutputLimit,
    };
    let (answer, remarks) = output.finish();
    let (stdout, _) = answer.into_parts();
    let (stderr, stderr_dropped) = remarks.into_parts();
    Observed { stdout, stderr, stderr_dropped, ..Observed::nothing(end, wall) }
}

/// Starts a program and kills it at once.
pub(super) fn probe(program: &Program, scratch: &Path) -> Result<(), StartError> {
    let mut child = start(program, scratch, Streams::Nowhere)?;
    group::kill(&mut child);
    bury(child, &Ok(Seen::Deadline)).map_err(StartError::Referee)
}

/// What a watch ended with.
enum Seen {
    Exit(ExitStatus),
    Deadline,
    Flood,
}

/// Waits for the exit, the deadline or too much output.
fn watch(child: &mut Child, output: &Output, clock: &Clock) -> Result<Seen, String> {
    loop {
        if let Some(status) = wait(child, clock.left().min(SLICE))? {
            return Ok(Seen::Exit(status));
        }
        if locked(&output.answer).is_full() {
            return Ok(Seen::Flood);
        }
        if clock.is_over() {
            return Ok(Seen::Deadline);
        }
    }
}

fn wait(child: &mut Child, time: Duration) -> Result<Option<ExitStatus>, String> {
    match child.wait_timeout(time) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
        waited => waited.map_err(|error| format!("cannot wait for a program: {error}")),
    }
}

/// Reaps a killed child, within bounds.
fn bury(mut child: Child, seen: &Result<Seen, String>) -> Result<(), String> {
    if let Ok(Seen::Exit(status)) = seen {
        bury_traced(&child, *status);
        return Ok(());
    }
    let clock = Clock::start(group::BURIAL);
    while !clock.is_over() {
        if let Ok(Some(status)) = wait(&mut child, clock.left()) {
            bury_traced(&child, status);
            return Ok(());
        }
    }
    let id = child.id();
    group::bury_later(child);
    Err(format!("killed process {id} does not end"))
}

/// Reaps a child that was reported as stopped, which the standard library takes for its end.
///
/// That happens only to a child that has asked to be traced by its parent.
#[cfg(unix)]
fn bury_traced(child: &Child, status: ExitStatus) {
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
    use std::os::unix::process::ExitStatusExt;
    if status.stopped_signal().is_some() {
        let pid = Pid::from_child(child);
        let _ = kill_process(pid, Signal::KILL);
        let _ = waitpid(Some(pid), WaitOptions::empty());
    }
}

#[cfg(not(unix))]
fn bury_traced(_child: &Child, _status: ExitStatus) {}

/// What the threads have read so far.
struct Output {
    answer: Arc<Mutex<Capture>>,
    remarks: Arc<Mutex<Capture>>,
    /// Each reader holds the sending end until its end of file, and sends nothing.
    reading: Receiver<()>,
    reader: Sender<()>,
}

impl Output {
    fn of(call: &Call<'_>) -> Output {
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

/// Reads to the end of file, or until nobody wants the bytes any more.
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
        // A program need not read its request: a broken pipe is no fault of anybody.
        let _ = stdin.write_all(&request);
    })?;
    Ok(())
}

/// No reader panics while it holds the lock, and if one did, its bytes would still be whole.
fn locked(capture: &Mutex<Capture>) -> std::sync::MutexGuard<'_, Capture> {
    capture.lock().unwrap_or_else(PoisonError::into_inner)
}
