//! The traffic through the pipes of a program, from its start until it ends or has to be ended.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read, write};
use text::system_error;

use super::super::call::CallEnd;
use super::super::call::Capture;
use super::super::clock::Clock;
use super::super::finish_watch::{FinishWatch, FirstEvent};
use super::super::limits::Limits;
use super::super::request::EndOfAnswer;
use super::super::supervision_time::{NOT_KNOWN, SupervisionTime};
use super::watch::ResourceWatch;

/// The most bytes to read from a pipe after the end: as many as a pipe can hold by default, so that
/// an escaped writer cannot keep the keeper reading.
const DRAIN_BYTES: usize = 1 << 20;

/// Bytes to read from a pipe at once.
const CHUNK: usize = 16 << 10;

/// Time for which the output of a program stays in its pipes, which usually hold all of it: a program that ends
/// sooner wakes its keeper once. One that prints more than a pipe holds waits so long.
const QUIET: Duration = Duration::from_millis(5);

/// If less time than this is left, it may be over before the program is looked at.
const AT_ONCE: Duration = Duration::from_millis(50);

/// The event that ends a conversation, if the program does nothing wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EndCondition {
    /// The end of the program. It gets one request, and the end of its input.
    Exit,
    /// The end of an answer. There may be more requests after it.
    Answer(EndOfAnswer),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ConversationEnd {
    /// The program has ended in time.
    Exit,
    /// It has printed a line in time.
    Line,
    /// Its time is up.
    Deadline,
    /// It has printed too much.
    Flood,
    /// It has taken too much of something else.
    Excess(CallEnd),
    /// The referee is gone: no one wants to know.
    Forsaken,
}

/// The keeper's ends of a program's pipes, and what went through them.
#[derive(Debug)]
pub(super) struct Conversation<'a> {
    until: EndCondition,
    stdin: Option<OwnedFd>,
    unwritten: &'a [u8],
    stdout: Option<OwnedFd>,
    answer: Capture,
    stderr: Option<OwnedFd>,
    remarks: Capture,
}

/// Events for which a keeper wakes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WakeEvents {
    /// The end of the program, and room for its request.
    TheEnd,
    /// Its output, too.
    Everything,
}

/// Pipes that a wait found ready.
struct ReadyPipes {
    stdin: bool,
    stdout: bool,
    stderr: bool,
    referee: bool,
    finish: bool,
}

/// This side's ends of standard input, output and error, as far as they are open. They do not wait.
pub(super) type Pipes = [Option<OwnedFd>; 3];

impl<'a> Conversation<'a> {
    /// One with a program that answers and ends.
    pub(super) fn new(pipes: Pipes, request: &'a [u8], limits: &Limits) -> Self {
        Conversation::until(EndCondition::Exit, pipes, request, limits)
    }

    /// One with a program that answers and lives on.
    pub(super) fn of_turn(
        pipes: Pipes,
        request: &'a [u8],
        end: EndOfAnswer,
        limits: &Limits,
    ) -> Self {
        Conversation::until(EndCondition::Answer(end), pipes, request, limits)
    }

    fn until(until: EndCondition, pipes: Pipes, request: &'a [u8], limits: &Limits) -> Self {
        let [stdin, stdout, stderr] = pipes;
        Conversation {
            until,
            stdin,
            unwritten: request,
            stdout,
            answer: Capture::of_stdout(limits),
            stderr,
            remarks: Capture::of_stderr(limits),
        }
    }

    /// One of which the keeper hears nothing: the standard streams are those of someone else.
    pub(super) fn of_others(limits: &Limits) -> Self {
        Conversation::new([None, None, None], b"", limits)
    }

    /// Writes the request and reads what comes, until the program ends, has printed the line that is
    /// waited for, or has to be ended.
    pub(super) fn hold(
        &mut self,
        pidfd: BorrowedFd<'_>,
        referee: BorrowedFd<'_>,
        clock: &Clock,
        watch: &mut ResourceWatch,
        presence: &mut SupervisionTime,
    ) -> Result<ConversationEnd, String> {
        let lost =
            |error: io::Error| format!("cannot wait for a program: {}", system_error(&error));
        // For a line that comes at once, no timer is made.
        let mut finish = match self.until {
            EndCondition::Answer(_) if clock.time_left() > AT_ONCE => None,
            EndCondition::Answer(_) | EndCondition::Exit => {
                Some(FinishWatch::watch(pidfd, clock).map_err(lost)?)
            }
        };
        self.write();
        let asked = Instant::now();
        loop {
            let begun = Instant::now();
            let mut time = clock.time_left().min(watch.time_to_next_look());
            let quiet = QUIET.saturating_sub(begun - asked);
            let hears = match self.until {
                // A program with little time is heard at once: the pause would be charged to it.
                EndCondition::Exit if !quiet.is_zero() && clock.time_left() > AT_ONCE => {
                    time = time.min(quiet);
                    WakeEvents::TheEnd
                }
                EndCondition::Exit | EndCondition::Answer(_) => WakeEvents::Everything,
            };
            let finishes = finish.as_ref().map_or(pidfd, FinishWatch::fd);
            let ready = self.wait(finishes, referee, time, hears)?;
            presence.slept(begun, time);
            if ready.referee {
                return Ok(ConversationEnd::Forsaken);
            }
            if ready.stdin {
                self.write();
            }
            if ready.stdout {
                take(&mut self.stdout, &mut self.answer);
            }
            if ready.stderr {
                take(&mut self.stderr, &mut self.remarks);
            }
            if self.has_answered() {
                // A line that is seen after the deadline counts as late.
                return Ok(if clock.is_over() {
                    ConversationEnd::Deadline
                } else {
                    ConversationEnd::Line
                });
            }
            let finish = match &mut finish {
                Some(finish) => finish,
                none if ready.finish || watch.time_to_next_look().is_zero() || clock.is_over() => {
                    none.insert(FinishWatch::watch(pidfd, clock).map_err(lost)?)
                }
                None if self.answer.is_full() => return Ok(ConversationEnd::Flood),
                None => continue,
            };
            match finish.first(clock).map_err(lost)? {
                FirstEvent::Exit => {
                    self.drain();
                    return Ok(if self.has_answered() {
                        ConversationEnd::Line
                    } else {
                        ConversationEnd::Exit
                    });
                }
                FirstEvent::Deadline => return Ok(ConversationEnd::Deadline),
                FirstEvent::Unknown => return Err(NOT_KNOWN.to_owned()),
                FirstEvent::Neither => {}
            }
            if self.answer.is_full() {
                return Ok(ConversationEnd::Flood);
            }
            if let Some(end) = watch.look() {
                return Ok(ConversationEnd::Excess(end));
            }
        }
    }

    /// Returns true if the line is there that is waited for.
    fn has_answered(&self) -> bool {
        matches!(self.until, EndCondition::Answer(end) if self.answer.holds(end))
    }

    fn wait(
        &self,
        finish: BorrowedFd<'_>,
        referee: BorrowedFd<'_>,
        time: Duration,
        hears: WakeEvents,
    ) -> Result<ReadyPipes, String> {
        let mut fds = [
            watched(self.stdin.as_ref().filter(|_| self.has_more()), finish, PollFlags::OUT),
            watched(
                self.stdout.as_ref().filter(|_| hears == WakeEvents::Everything),
                finish,
                PollFlags::IN,
            ),
            watched(
                self.stderr.as_ref().filter(|_| hears == WakeEvents::Everything),
                finish,
                PollFlags::IN,
            ),
            // It says nothing while it waits, and hangs up when it is gone.
            PollFd::from_borrowed_fd(referee, PollFlags::empty()),
            PollFd::from_borrowed_fd(finish, PollFlags::IN),
        ];
        match poll(&mut fds, Timespec::try_from(time).ok().as_ref()) {
            // An interruption counts as nothing ready, because every caller checks the time.
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => {
                let why = system_error(io::Error::from(error));
                return Err(format!("cannot wait for a program: {why}"));
            }
        }
        let [stdin, stdout, stderr, referee, finish] = fds.map(|fd| !fd.revents().is_empty());
        Ok(ReadyPipes { stdin, stdout, stderr, referee, finish })
    }

    /// Returns true if there is something to do with standard input.
    fn has_more(&self) -> bool {
        self.until == EndCondition::Exit || !self.unwritten.is_empty()
    }

    /// Writes as much of the request as the pipe takes, and closes the pipe after its last byte if no
    /// other request comes.
    pub(super) fn write(&mut self) {
        while let Some(stdin) = &self.stdin {
            if self.unwritten.is_empty() {
                if self.until == EndCondition::Exit {
                    self.stdin = None;
                }
                return;
            }
            match write(stdin, self.unwritten) {
                Ok(written) => self.unwritten = &self.unwritten[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                // A program need not read its request: a broken pipe is no one's fault.
                Err(_) => self.stdin = None,
            }
        }
    }

    /// Reads what the pipes hold, without waiting and within bounds.
    pub(super) fn drain(&mut self) {
        take_all(&mut self.stdout, &mut self.answer);
        for _ in 0..DRAIN_BYTES / CHUNK {
            if !take(&mut self.stderr, &mut self.remarks) {
                break;
            }
        }
    }

    /// The end if nothing that it waits for comes in time.
    pub(super) fn lateness(&self) -> CallEnd {
        match self.until {
            EndCondition::Exit => CallEnd::Deadline,
            EndCondition::Answer(_) => CallEnd::Silence,
        }
    }

    pub(super) fn into_parts(self) -> ConversationParts<'a> {
        let (stdout, _) = self.answer.into_parts();
        let (stderr, stderr_dropped) = self.remarks.into_parts();
        let pipes = [self.stdin, self.stdout, self.stderr];
        ConversationParts { pipes, unwritten: self.unwritten, stdout, stderr, stderr_dropped }
    }
}

#[derive(Debug)]
pub(super) struct ConversationParts<'a> {
    pub(super) pipes: Pipes,
    /// The part of the request that the program has not taken yet.
    pub(super) unwritten: &'a [u8],
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// Number of bytes of standard error that were dropped.
    pub(super) stderr_dropped: u64,
}

/// Reads what standard output holds, without waiting, and no more than may be kept of it.
pub(super) fn take_all(stdout: &mut Option<OwnedFd>, answer: &mut Capture) {
    for _ in 0..DRAIN_BYTES / CHUNK {
        if answer.is_full() || !take(stdout, answer) {
            break;
        }
    }
}

/// Reads once, and closes the stream at its end. Returns true if there may be more now.
fn take(stream: &mut Option<OwnedFd>, capture: &mut Capture) -> bool {
    let mut chunk = [const { MaybeUninit::uninit() }; CHUNK];
    let Some(open) = stream else { return false };
    match read(open, &mut chunk) {
        Ok((found, _)) if !found.is_empty() => {
            capture.take(found);
            return true;
        }
        Err(Errno::INTR) => return true,
        Err(Errno::AGAIN) => {}
        Ok(_) | Err(_) => *stream = None,
    }
    false
}

/// A pipe to be polled; where it is closed, another descriptor stands in, asked for nothing.
fn watched<'fd>(
    pipe: Option<&'fd OwnedFd>,
    stand_in: BorrowedFd<'fd>,
    events: PollFlags,
) -> PollFd<'fd> {
    match pipe {
        Some(pipe) => PollFd::from_borrowed_fd(pipe.as_fd(), events),
        None => PollFd::from_borrowed_fd(stand_in, PollFlags::empty()),
    }
}
