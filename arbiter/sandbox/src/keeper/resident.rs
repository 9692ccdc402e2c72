//! A resident program: it gets one request after the other, and answers each with a
//! line.
//!
//! Between its turns it is stopped with all that it has started, unless it may ponder. The kernel itself
//! can be asked to let a stopped process go on: by a timer, or by a pipe that is read. So it is stopped
//! again at every look, and one that computes all the same is ended. One that ponders is looked at as
//! one that has its turn, but for its CPU time.

use std::mem;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use nix::sys::signal::Signal;
use nix::time::{ClockId, clock_gettime};
use rustix::process::Pid;

use super::super::call::{CallEnd, Capture, Observation};
use super::super::finish_watch::is_gone;
use super::super::layers::SignalAllToken;
use super::super::limits::Limits;
use super::super::proc::CpuTime;
use super::super::request::{EndOfAnswer, FAREWELL, PonderPermission};
use super::channel::is_ready;
use super::clone::StartedChild;
use super::conversation::{Conversation, ConversationEnd, ConversationParts, Pipes, take_all};
use super::launch::RunningProgram;
use super::remains::{self, ProgramPauser, signal};
use super::run::{MemoryBefore, RunContext, RunnableProgram, StartState};
use super::watch::ResourceWatch;

/// When a stopped program is first looked at, and how long it is between two looks at most.
const FIRST_LOOK: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// Time that a stopped program may compute by itself, and with the kernel's work for it. The system
/// counts in ticks, and the kernel finishes what it has begun, such as giving back much memory,
/// before a program stops.
const SLACK: CpuTime = CpuTime { all: Duration::from_millis(100), user: Duration::from_millis(30) };

/// A program between its turns.
#[derive(Debug)]
pub(super) struct ResidentProgram {
    started: StartedChild,
    /// The clock that counts its CPU time.
    cpu_clock: Option<ClockId>,
    stopping: ProgramPauser,
    pipes: Pipes,
    /// The part of the answered requests that it has not taken yet.
    unwritten: Vec<u8>,
    /// The CPU time of all that had been reaped when it was started.
    reaped: Duration,
    /// State of memory before it was started.
    memory: MemoryBefore,
    ponder: PonderPermission,
    limits: Limits,
    /// The reason why it had to be ended between its turns.
    excess: Option<CallEnd>,
}

impl RunnableProgram<'_> {
    /// Gives the program of a game its next request, and starts it where there is none; nothing comes
    /// back if the referee has gone meanwhile. What lives on is in `resident` then.
    pub(super) fn turn(
        mut self,
        resident: &mut Option<ResidentProgram>,
        (request, end): (&[u8], EndOfAnswer),
        limits: &Limits,
        ponder: PonderPermission,
        referee: BorrowedFd<'_>,
    ) -> Option<Observation> {
        let memory = resident
            .as_ref()
            .map_or_else(|| MemoryBefore::now(self.kills), |resident| resident.memory);
        let begun = StartState::uncounted(limits, memory, self.refused.count());
        let (mut own, is_first) = match resident.take() {
            Some(own) => (own, false),
            None => match self.start_resident(limits, ponder, memory) {
                Ok(own) => (own, true),
                Err(error) => return Some(Observation::without_output(error, begun.clock.wall())),
            },
        };
        let begun = if is_first { begun.restarted(limits) } else { begun };
        own.limits = *limits;
        // Output at its start belongs to its first answer.
        let output_between_turns = if is_first { Vec::new() } else { own.output_between_turns() };
        if !output_between_turns.is_empty() {
            *resident = Some(own);
            let seen = Observation::without_output(CallEnd::Unasked, begun.clock.wall());
            return Some(Observation { stdout: output_between_turns, ..seen });
        }
        // Its use before this turn counts for nothing here, whatever became of it.
        let used = own.total(limits);
        let input = [&mem::take(&mut own.unwritten)[..], request].concat();
        let pipes = mem::take(&mut own.pipes);
        let talk = Conversation::of_turn(pipes, &input, end, limits);
        let begun = begun.counting_from(own.reaped + used);
        let mut course = match is_first {
            true => RunContext::new(&own.started, talk, begun, limits),
            false => RunContext::of_turn(&own.started, talk, begun, limits),
        };
        let held = match own.excess.take() {
            Some(end) => Ok(ConversationEnd::Excess(end)),
            None if !is_first && is_gone(own.started.pidfd.as_fd(), Duration::ZERO) => {
                Ok(ConversationEnd::Exit)
            }
            None => {
                // One that was stopped finds its request at once.
                course.talk.write();
                own.wake(self.namespace);
                course.hold(&own.started, referee)
            }
        };
        if held != Ok(ConversationEnd::Line) {
            let cpu = own.total(limits).saturating_sub(used);
            let seen = self.conclude(own.started, course, held, limits)?;
            // Without a limit, what others of it used in earlier turns is not known.
            let cpu = seen.cpu.map(|seen| if limits.cpu.is_some() { seen } else { cpu });
            return Some(Observation { end: seen.end.clone().of_resident(), cpu, ..seen });
        }
        own.pause(self.namespace);
        let wall = course.begun.clock.wall();
        course.talk.drain();
        let tells_waits = limits.game_time.is_some();
        let referee_waited = tells_waits.then(|| course.begun.presence.waited()).flatten();
        // Its threads may also wait for their turn to be stopped.
        let waited = tells_waits.then(|| course.watch.waited()).flatten().map(|it| it.min(wall));
        // With what no one has waited for.
        let seen = if limits.cpu.is_some() { course.watch.cpu() } else { Duration::ZERO };
        let cpu = own.total(limits).saturating_sub(used).max(seen);
        let ConversationParts { pipes, unwritten, stdout, stderr, stderr_dropped } =
            course.talk.into_parts();
        own.pipes = pipes;
        if own.pipes[0].is_some() {
            own.unwritten = unwritten.to_vec();
        }
        *resident = Some(own);
        let seen = Observation::without_output(CallEnd::Answered, wall);
        let cpu = Some(cpu);
        Some(Observation { stdout, stderr, stderr_dropped, cpu, waited, referee_waited, ..seen })
    }

    /// Starts the program for a game. The kernel's limit on its CPU time would be one for all of its
    /// turns together.
    fn start_resident(
        &mut self,
        limits: &Limits,
        ponder: PonderPermission,
        memory: MemoryBefore,
    ) -> Result<ResidentProgram, CallEnd> {
        let reaped = remains::reaped().all;
        let endless = Limits { time: Duration::MAX, cpu: None, ..*limits };
        let RunningProgram { started, pipes } = self.launch.start(self.folder, &[], &endless)?;
        Ok(ResidentProgram {
            cpu_clock: cpu_clock(started.pid),
            stopping: ProgramPauser::new(started.pid, self.namespace),
            started,
            pipes,
            unwritten: Vec::new(),
            reaped,
            memory,
            ponder,
            limits: *limits,
            excess: None,
        })
    }

    /// Ends the program of a game: its input ends, and it is killed if it does not end by itself.
    pub(super) fn dismiss(mut self, resident: ResidentProgram) {
        let ResidentProgram { started, pipes, .. } = resident;
        drop(pipes);
        signal(started.pid, self.namespace, Signal::SIGCONT);
        is_gone(started.pidfd.as_fd(), FAREWELL);
        remains::kill_group(started.pid);
        self.reap_and_clean_up(started.pid, started.pidfd.as_fd());
    }
}

impl ResidentProgram {
    /// Output since its last turn, up to the limit of an answer.
    fn output_between_turns(&mut self) -> Vec<u8> {
        let mut output_between_turns = Capture::of_stdout(&self.limits);
        take_all(&mut self.pipes[1], &mut output_between_turns);
        output_between_turns.into_parts().0
    }

    /// The CPU time that it has used in all its turns.
    ///
    /// The time of the program itself is known at no cost. The time of others is looked for where
    /// it is limited.
    fn total(&self, limits: &Limits) -> Duration {
        match limits.cpu {
            None => self.own_cpu(),
            Some(_) => ResourceWatch::new(&self.started, limits, self.reaped).total_cpu(),
        }
    }

    /// The memory of all its processes together, in bytes, as its limit counts it.
    pub(super) fn memory(&self) -> u64 {
        ResourceWatch::new(&self.started, &self.limits, self.reaped).memory()
    }

    /// The CPU time of the program itself, with all of its threads.
    fn own_cpu(&self) -> Duration {
        // It fails only for one that is dead.
        let time = self.cpu_clock.and_then(|clock| clock_gettime(clock).ok());
        time.map(Duration::from).unwrap_or_default()
    }

    /// Lets it go on.
    fn wake(&mut self, namespace: Option<&SignalAllToken>) {
        if self.ponder == PonderPermission::Never {
            self.stopping.go_on(namespace);
        }
    }

    /// Stops it until its next turn.
    fn pause(&mut self, namespace: Option<&SignalAllToken>) {
        if self.ponder == PonderPermission::Never {
            self.stopping.stop(namespace);
        }
    }

    /// Looks at the program between its turns, until the referee says something or is gone.
    pub(super) fn watch_between_turns(
        &mut self,
        namespace: Option<&SignalAllToken>,
        referee: BorrowedFd<'_>,
    ) {
        let limits = Limits { cpu: None, ..self.limits };
        let mut watch = ResourceWatch::new(&self.started, &limits, self.reaped);
        let mut pause = FIRST_LOOK;
        let mut first = None;
        while self.excess.is_none() {
            let time = match self.ponder {
                PonderPermission::Never => pause,
                PonderPermission::Allowed => watch.time_to_next_look(),
            };
            // If it cannot be asked whether the referee is there, it is found out next.
            if is_ready(referee, time).unwrap_or(true) {
                return;
            }
            self.excess = match self.ponder {
                PonderPermission::Allowed => watch.look(),
                PonderPermission::Never => {
                    self.pause(namespace);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                    let used = watch.used_by_now();
                    let first = *first.get_or_insert(used);
                    let is_awake =
                        used.user > first.user + SLACK.user || used.all > first.all + SLACK.all;
                    // Memory held while stopped counts all the same.
                    is_awake.then_some(CallEnd::Awake).or_else(|| watch.look())
                }
            };
        }
        signal(self.started.pid, namespace, Signal::SIGKILL);
    }
}

/// The clock that counts the CPU time of a process, until it is reaped.
fn cpu_clock(program: Pid) -> Option<ClockId> {
    ClockId::pid_cpu_clock_id(nix::unistd::Pid::from_raw(program.as_raw_pid())).ok()
}
