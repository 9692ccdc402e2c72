//! The supervisor for every other system: a thread for each pipe, and a wait with a limit.
//!
//! There is no keeper: the referee's own threads start the program, and nothing keeps it apart.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fs, mem, thread};

use text::system_error;

use super::call::{Call, CallEnd, Capture, Observation};
use super::clock::Clock;
use super::exit::{ChildChange, Waiter, can_be_reaped};
use super::guard;
use super::limits::Limits;
use super::program::Program;
use super::request::{CallInput, EndOfAnswer, LeftFiles, PonderPermission, RequestFile};
use super::scratch::Scratch;
use super::start::{StartError, spawn};
use super::supervision_time::{NOT_KNOWN, SupervisionTime};
use crate::exit::Group;

mod resident;

use resident::{PortableResidentProgram, SLICE, locked, no_thread, read_into, reap_killed};

/// The most time for the readers to see the end of file once the group is dead.
///
/// Only a process that has left the group and holds a pipe makes them take any time that counts.
const GRACE: Duration = Duration::from_secs(1);

/// A program that is run in a scratch folder of the referee's.
#[derive(Debug)]
pub(super) struct PortableProgram {
    program: Program,
    scratch: Option<Scratch>,
    /// The program of a game that lives on.
    resident: Option<PortableResidentProgram>,
    ponder: PonderPermission,
    warnings: Vec<String>,
}

impl PortableProgram {
    /// A program that was not started yet.
    pub(super) fn new(program: &Program, ponder: PonderPermission) -> PortableProgram {
        let (program, warnings) = (program.clone(), Vec::new());
        PortableProgram { program, scratch: None, resident: None, ponder, warnings }
    }

    pub(super) fn ask(&mut self, request: CallInput<'_>, limits: &Limits) -> Observation {
        if let CallInput::Turn(bytes, end) = request
            && let Some(resident) = self.resident.take()
        {
            return self.turn(resident, (bytes, end), limits, &Clock::start(limits.time));
        }
        self.game_over();
        // A bot that spoils its own folder gets an empty one, and not a void game instead of a loss.
        if self.scratch.as_ref().is_some_and(|scratch| !scratch.is_usable()) {
            self.close();
        }
        match request {
            CallInput::Turn(bytes, end) => {
                let (begun, program, ponder) = (Instant::now(), self.program.clone(), self.ponder);
                let scratch = match self.folder() {
                    Ok(folder) => folder,
                    Err(error) => return no_folder(error),
                };
                match PortableResidentProgram::start(&program, scratch, ponder, limits) {
                    // Not before: the system may have waited for a file on which another process had a lease.
                    Ok(resident) => {
                        self.turn(resident, (bytes, end), limits, &Clock::start(limits.time))
                    }
                    Err(end) => Observation::without_output(end, begun.elapsed()),
                }
            }
            CallInput::Input(bytes) => self.run(&self.program.clone(), bytes, limits),
            CallInput::File { text, words, most } => {
                let file = match RequestFile::new(text) {
                    Ok(file) => file,
                    Err(error) => {
                        let why = system_error(error);
                        let fault = format!("cannot write the file of a request: {why}");
                        return Observation::without_output(CallEnd::Fault(fault), Duration::ZERO);
                    }
                };
                let words = words.iter().map(OsString::from);
                let words = [file.path().into_os_string()].into_iter().chain(words);
                let mut observed = self.run(&self.program.with_arguments(words), b"", limits);
                observed.file = file.read(most);
                self.warnings.extend(file.remove().err().map(|left| left.to_string()));
                observed
            }
        }
    }

    fn turn(
        &mut self,
        resident: PortableResidentProgram,
        request: (&[u8], EndOfAnswer),
        limits: &Limits,
        clock: &Clock,
    ) -> Observation {
        let (observed, resident) = resident.turn(request, limits, clock);
        self.resident = resident;
        observed
    }

    /// Ends the program if it lives on.
    pub(super) fn game_over(&mut self) {
        if let Some(resident) = self.resident.take() {
            resident.dismiss();
        }
    }

    /// Starts the program for a moment.
    pub(super) fn probe(&mut self) -> Result<(), StartError> {
        let program = self.program.clone();
        match self.folder() {
            Ok(folder) => probe(&program, folder),
            Err(error) => {
                let why = format!("cannot make a scratch folder: {}", system_error(error));
                Err(StartError::Referee(why))
            }
        }
    }

    /// Gives the program a new, empty folder.
    pub(super) fn renew_folder(&mut self) -> io::Result<()> {
        // The new one is made when it is needed. Where the old one cannot be emptied, it is left
        // behind: the new one has another name.
        self.close();
        Ok(())
    }

    /// Files that the program has left in its folder.
    pub(super) fn left_files(&self) -> LeftFiles {
        let folder = self.scratch.as_ref().map(|scratch| fs::read_dir(scratch.path()));
        let mut names = folder.into_iter().flatten().flatten().flatten().take(LeftFiles::COUNTED);
        let name = names.next().map(|entry| entry.file_name()).unwrap_or_default();
        let files = names.count() as u64 + u64::from(!name.is_empty());
        LeftFiles { files, name }
    }

    pub(super) fn take_warnings(&mut self) -> Vec<String> {
        mem::take(&mut self.warnings)
    }

    /// Removes what it leaves.
    pub(super) fn close(&mut self) {
        self.game_over();
        let removed = self.scratch.take().map_or(Ok(()), |mut folder| folder.remove());
        self.warnings.extend(removed.err().map(|left| left.to_string()));
    }

    fn run(&mut self, program: &Program, request: &[u8], limits: &Limits) -> Observation {
        match self.folder() {
            Ok(folder) => run(&Call { program, scratch: folder, request, limits: *limits }),
            Err(error) => no_folder(error),
        }
    }

    fn folder(&mut self) -> io::Result<&Path> {
        match &mut self.scratch {
            Some(scratch) => Ok(scratch.path()),
            none => Ok(none.insert(Scratch::new()?).path()),
        }
    }
}

/// Otherwise nothing would end a program that lives on.
impl Drop for PortableProgram {
    fn drop(&mut self) {
        self.game_over();
    }
}

fn no_folder(error: io::Error) -> Observation {
    let why = format!("cannot make a scratch folder: {}", system_error(error));
    Observation::without_output(CallEnd::Fault(why), Duration::ZERO)
}

pub(super) fn run(call: &Call<'_>) -> Observation {
    let clock = Clock::start(call.limits.time);
    let mut presence = SupervisionTime::start();
    let mut child = match spawn(call.program, call.scratch, Stdio::piped) {
        Ok(child) => child,
        Err(error) => return Observation::without_output(error.into(), clock.wall()),
    };
    // The system may have waited for its file, on which another process had a lease.
    let clock = Clock::start(call.limits.time);
    let (id, mut group) = (child.id(), Group::new(&child));
    guard::started(&child);
    presence.supervise();
    let mut output = Output::new(call);
    let mut waiter = Waiter::for_child(&child).map_err(no_thread);
    let seen = match (&mut waiter, output.attach(&mut child, call.request)) {
        (Ok(waiter), Ok(())) => watch(&mut child, waiter, &output, &clock, &mut presence),
        (Err(why), _) => Err(why.clone()),
        (_, Err(error)) => Err(no_thread(error)),
    };
    let wall = match seen {
        Ok(CallEvent::Exit) => clock.wall().min(call.limits.time),
        _ => clock.wall(),
    };
    let is_late = matches!(seen, Ok(CallEvent::Deadline));
    let referee_waited = is_late.then(|| presence.waited()).flatten();
    group.kill(&mut child);
    let seen = match seen {
        Ok(CallEvent::Exit | CallEvent::Deadline) => {
            presence.check(&clock, call.limits.time).and(seen)
        }
        seen => seen,
    };
    let buried = reap_killed(child, waiter.ok());
    guard::ended(id);
    let (end, cpu) = match (seen, buried) {
        (Err(why), _) | (_, Err(why)) => (CallEnd::Fault(why), None),
        (Ok(seen), Ok((status, cpu))) => (seen.end(status), Some(cpu)),
    };
    let (answer, remarks) = output.finish();
    let (stdout, _) = answer.into_parts();
    let (stderr, stderr_dropped) = remarks.into_parts();
    Observation {
        stdout,
        stderr,
        stderr_dropped,
        cpu,
        referee_waited,
        ..Observation::without_output(end, wall)
    }
}

/// Starts a program and kills it at once.
fn probe(program: &Program, scratch: &Path) -> Result<(), StartError> {
    let mut child = spawn(program, scratch, Stdio::null)?;
    let (mut group, waiter) = (Group::new(&child), Waiter::for_child(&child).ok());
    group.kill(&mut child);
    reap_killed(child, waiter).map(drop).map_err(StartError::Referee)
}

enum CallEvent {
    Exit,
    Stop(i32),
    Deadline,
    Flood,
}

impl CallEvent {
    fn end(self, status: ExitStatus) -> CallEnd {
        match self {
            CallEvent::Exit => CallEnd::from_status(status),
            // No one but the program can have asked the referee to trace it, so the stop counts as
            // the end that it brought on itself.
            CallEvent::Stop(signal) => CallEnd::Signalled(signal),
            CallEvent::Deadline => CallEnd::Deadline,
            CallEvent::Flood => CallEnd::OutputLimit,
        }
    }
}

/// Waits for the exit, the deadline or too much output.
fn watch(
    child: &mut Child,
    waiter: &mut Waiter,
    output: &Output,
    clock: &Clock,
    presence: &mut SupervisionTime,
) -> Result<CallEvent, String> {
    loop {
        let (begun, time) = (Instant::now(), clock.time_left().min(SLICE));
        let change = waiter.wait(child, time)?;
        presence.slept(begun, time);
        match change {
            Some(ChildChange::Ended(at)) if clock.is_in_time(at) => return Ok(CallEvent::Exit),
            Some(ChildChange::Ended(_)) => return Err(NOT_KNOWN.to_owned()),
            Some(ChildChange::Stopped(signal)) => return Ok(CallEvent::Stop(signal)),
            None => {}
        }
        if locked(&output.answer).is_full() {
            return Ok(CallEvent::Flood);
        }
        if clock.is_over() {
            // It may have ended in time and not have been seen yet.
            return if can_be_reaped(child) {
                Err(NOT_KNOWN.to_owned())
            } else {
                Ok(CallEvent::Deadline)
            };
        }
    }
}

/// Everything that the threads have read so far.
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
        read_into(stream, &capture);
        drop(reader);
    })?;
    Ok(())
}

fn spawn_writer(mut stdin: ChildStdin, request: &[u8]) -> io::Result<()> {
    let request = request.to_vec();
    thread::Builder::new().name("bot input".into()).spawn(move || {
        // A program need not read its request: a broken pipe is no one's fault.
        let _ = stdin.write_all(&request);
    })?;
    Ok(())
}
