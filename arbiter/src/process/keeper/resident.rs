//! A program that lives for a whole game: it gets one request after the other, and answers each with a
//! line.
//!
//! Between its turns it is stopped with all that it has started, unless it may ponder. A stopped
//! process can start nothing, so nobody has to look at it. One that ponders is looked at as one that
//! has its turn, but for its CPU time.

use std::mem;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::time::{ClockId, clock_gettime};
use rustix::event::PollFlags;
use rustix::process::Pid;

use super::super::call::{End, Observed};
use super::super::capture::Capture;
use super::super::gone::is_gone;
use super::super::layers::OwnNamespace;
use super::super::limits::Limits;
use super::super::request::Ponder;
use super::channel::wait;
use super::clone::Started;
use super::conversation::{Conversation, Ended, Parts, Pipes, take_all};
use super::launch::Running;
use super::remains;
use super::run::{Begun, Course, Keeping};
use super::watch::Watch;

/// How long a program may take to end by itself once its input has ended.
const FAREWELL: Duration = Duration::from_millis(250);

/// A program between its turns.
#[derive(Debug)]
pub(super) struct Resident {
    started: Started,
    pipes: Pipes,
    /// What it has not taken yet of the requests that it has answered.
    unwritten: Vec<u8>,
    /// The CPU time of all that had been reaped when it was started.
    reaped: Duration,
    /// The CPU time that was counted to its turns so far.
    used: Duration,
    ponder: Ponder,
    limits: Limits,
    /// How it had to be ended while it pondered.
    excess: Option<End>,
}

impl Keeping<'_> {
    /// Gives the program of a game its next request, and starts it where there is none; nothing comes
    /// back if the referee has gone meanwhile. What lives on is in `resident` then.
    pub(super) fn turn(
        mut self,
        resident: &mut Option<Resident>,
        request: &[u8],
        limits: &Limits,
        ponder: Ponder,
        referee: BorrowedFd<'_>,
    ) -> Option<Observed> {
        let begun = Begun::now(limits);
        let mut own = match resident.take() {
            Some(own) => own,
            None => match self.start_resident(limits, ponder) {
                Ok(own) => own,
                Err(error) => return Some(Observed::nothing(error, begun.clock.wall())),
            },
        };
        own.limits = *limits;
        let unasked = own.unasked();
        if !unasked.is_empty() {
            *resident = Some(own);
            let seen = Observed::nothing(End::Unasked, begun.clock.wall());
            return Some(Observed { stdout: unasked, ..seen });
        }
        if own.ponder == Ponder::Allowed {
            own.used = own.used.max(own.total(limits));
        }
        let input = [&mem::take(&mut own.unwritten)[..], request].concat();
        let pipes = mem::take(&mut own.pipes);
        let talk = Conversation::of_turn(pipes, &input, limits);
        let begun = begun.counting_from(own.reaped + own.used);
        let mut course = Course::new(&own.started, talk, begun, limits);
        own.wake(self.namespace);
        let held = match own.excess.take() {
            Some(end) => Ok(Ended::Excess(end)),
            None => course.hold(&own.started, referee),
        };
        if held != Ok(Ended::Line) {
            return self.conclude(own.started, course, held, limits);
        }
        own.rest(self.namespace);
        let wall = course.begun.clock.wall();
        course.talk.drain();
        let total = own.total(limits);
        let cpu = total.saturating_sub(own.used).max(course.watch.cpu());
        own.used = total.max(own.used + cpu);
        let Parts { pipes, unwritten, stdout, stderr, stderr_dropped } = course.talk.into_parts();
        own.pipes = pipes;
        own.unwritten = unwritten.to_vec();
        *resident = Some(own);
        let seen = Observed::nothing(End::Answered, wall);
        Some(Observed { stdout, stderr, stderr_dropped, cpu: Some(cpu), ..seen })
    }

    /// Starts the program for a game. The kernel's limit on its CPU time would be one for all of its
    /// turns together.
    fn start_resident(&mut self, limits: &Limits, ponder: Ponder) -> Result<Resident, End> {
        let reaped = remains::reaped_cpu();
        let endless = Limits { time: Duration::MAX, cpu: None, ..*limits };
        let Running { started, pipes } = self.launch.start(self.folder, &[], &endless)?;
        Ok(Resident {
            started,
            pipes,
            unwritten: Vec::new(),
            reaped,
            used: Duration::ZERO,
            ponder,
            limits: *limits,
            excess: None,
        })
    }

    /// Ends the program of a game: its input ends, and it is killed if it does not end by itself.
    pub(super) fn dismiss(mut self, resident: Resident) {
        let Resident { started, pipes, .. } = resident;
        drop(pipes);
        signal(started.pid, self.namespace, Signal::SIGCONT);
        is_gone(started.pidfd.as_fd(), FAREWELL);
        remains::kill_group(started.pid);
        self.bury(started.pid, started.pidfd.as_fd());
    }
}

impl Resident {
    /// What it has printed since its last turn, up to the limit of an answer.
    fn unasked(&mut self) -> Vec<u8> {
        let mut unasked = Capture::of_stdout(&self.limits);
        take_all(&mut self.pipes[1], &mut unasked);
        unasked.into_parts().0
    }

    /// The CPU time that it has used in all its turns.
    ///
    /// That of the program itself is known at no cost. That of others is looked for where it is limited.
    fn total(&self, limits: &Limits) -> Duration {
        match limits.cpu {
            None => own_cpu(self.started.pid),
            Some(_) => Watch::new(self.started.pid, limits, self.reaped).total_cpu(),
        }
    }

    /// Lets it go on.
    fn wake(&self, namespace: Option<&OwnNamespace>) {
        if self.ponder == Ponder::Never {
            signal(self.started.pid, namespace, Signal::SIGCONT);
        }
    }

    /// Stops it until its next turn.
    fn rest(&self, namespace: Option<&OwnNamespace>) {
        if self.ponder == Ponder::Never {
            signal(self.started.pid, namespace, Signal::SIGSTOP);
        }
    }

    /// Looks at a program that ponders, until the referee says something or is gone.
    pub(super) fn accompany(&mut self, namespace: Option<&OwnNamespace>, referee: BorrowedFd<'_>) {
        if self.ponder == Ponder::Never {
            return;
        }
        let limits = Limits { cpu: None, ..self.limits };
        let mut watch = Watch::new(self.started.pid, &limits, self.reaped);
        while self.excess.is_none() {
            let by = Instant::now().checked_add(watch.left());
            if wait(referee, PollFlags::IN, by).is_ok() {
                return;
            }
            self.excess = watch.look();
        }
        signal(self.started.pid, namespace, Signal::SIGKILL);
    }
}

/// Sends a signal to a program and all that it has started.
fn signal(program: Pid, namespace: Option<&OwnNamespace>, signal: Signal) {
    match namespace {
        Some(own) => drop(own.signal_all(signal)),
        None => remains::signal_tree(program, signal),
    }
}

/// The CPU time of one process, with all of its threads.
fn own_cpu(program: Pid) -> Duration {
    let number = nix::unistd::Pid::from_raw(program.as_raw_pid());
    // It fails only for one that is dead.
    let time = ClockId::pid_cpu_clock_id(number).and_then(clock_gettime);
    time.map(Duration::from).unwrap_or_default()
}
