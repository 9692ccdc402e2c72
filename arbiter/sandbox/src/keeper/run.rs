//! One run of a program, from its start until it and all that it has left is gone.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, WaitOptions, WaitStatus, waitpid};
use text::system_error;

use super::super::call::{CallEnd, MemoryShortage, Observation, is_surely_above};
use super::super::clock::Clock;
use super::super::finish_watch::is_gone;
use super::super::layers::SignalAllToken;
use super::super::limits::Limits;
use super::super::memory::OomKills;
use super::super::proc;
use super::super::refused_starts::{RefusedStartCounters, has_no_room};
use super::super::start::StartError;
use super::super::supervision_time::SupervisionTime;
use super::clone::StartedChild;
use super::conversation::{Conversation, ConversationEnd, ConversationParts};
use super::launch::{Launch, RunningProgram};
use super::remains;
use super::watch::ResourceWatch;

/// The most time until a killed program is gone; then the keeper stops waiting for it.
///
/// Only a process stuck inside the kernel takes any time that counts.
const BURIAL: Duration = Duration::from_secs(10);

/// Time to leave a traced dead program alone before the next look.
const PAUSE: Duration = Duration::from_millis(5);

/// Why a program was late that may have done nothing wrong.
const OF_LEASE: &str = "a program was late while another one had a file locked by a lease";

#[derive(Debug)]
pub(super) struct RunInput<'a> {
    /// The last arguments.
    pub(super) words: Vec<OsString>,
    pub(super) request: &'a [u8],
    pub(super) limits: &'a Limits,
}

#[derive(Debug)]
pub(super) struct RunnableProgram<'a> {
    pub(super) launch: &'a mut Launch,
    /// The number of processes the kernel has killed for want of memory.
    pub(super) kills: &'a OomKills,
    /// The processes that the system has refused to start.
    pub(super) refused: &'a RefusedStartCounters,
    pub(super) folder: &'a Path,
    pub(super) namespace: Option<&'a SignalAllToken>,
    /// Set if this keeper can be trusted with no other run: something is left that does not end, or hides
    /// how much the next program takes.
    pub(super) is_done: &'a mut bool,
}

/// State just before a program gets a request.
#[derive(Debug)]
pub(super) struct StartState {
    pub(super) clock: Clock,
    pub(super) presence: SupervisionTime,
    /// The CPU time of all that was reaped or used before.
    before: Duration,
    memory: MemoryBefore,
    /// The number of processes that the system had refused to start.
    refused: u64,
}

/// State of memory before a program was started.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemoryBefore {
    /// The number of processes the kernel had killed for want of it.
    kills: Option<u64>,
    /// The largest process that was reaped until then, in bytes.
    largest: u64,
}

impl MemoryBefore {
    pub(super) fn now(kills: &OomKills) -> MemoryBefore {
        MemoryBefore { kills: kills.count(), largest: remains::largest() }
    }

    /// The shortage during the run, once the program is reaped.
    fn shortage(self, kills: &OomKills) -> MemoryShortage {
        if kills.count() <= self.kills {
            return MemoryShortage::None;
        }
        // An earlier one may hide this one where it had a higher limit.
        let largest = Some(remains::largest()).filter(|largest| *largest > self.largest);
        MemoryShortage::Killed { largest }
    }
}

impl StartState {
    fn now(limits: &Limits, keeping: &RunnableProgram<'_>) -> StartState {
        let begun = StartState::uncounted(
            limits,
            MemoryBefore::now(keeping.kills),
            keeping.refused.count(),
        );
        begun.counting_from(remains::reaped().all)
    }

    /// A start for which it is not known yet which CPU time to leave out.
    pub(super) fn uncounted(limits: &Limits, memory: MemoryBefore, refused: u64) -> StartState {
        let clock = Clock::start(limits.time);
        StartState {
            clock,
            presence: SupervisionTime::start(),
            before: Duration::ZERO,
            memory,
            refused,
        }
    }

    /// Starts again from now on, when the program is one: until then the system may have waited for
    /// its file, on which another process had a lease.
    pub(super) fn restarted(self, limits: &Limits) -> StartState {
        StartState::uncounted(limits, self.memory, self.refused).counting_from(self.before)
    }

    /// Leaves this CPU time out.
    pub(super) fn counting_from(self, before: Duration) -> StartState {
        StartState { before, ..self }
    }
}

/// A request under way.
#[derive(Debug)]
pub(super) struct RunContext<'a> {
    pub(super) talk: Conversation<'a>,
    pub(super) begun: StartState,
    pub(super) watch: ResourceWatch,
}

impl<'a> RunContext<'a> {
    pub(super) fn new(
        started: &StartedChild,
        talk: Conversation<'a>,
        mut begun: StartState,
        limits: &Limits,
    ) -> RunContext<'a> {
        begun.presence.supervise();
        let watch = ResourceWatch::new(started, limits, begun.before);
        RunContext { talk, begun, watch }
    }

    /// A turn of a program that has had others.
    pub(super) fn of_turn(
        started: &StartedChild,
        talk: Conversation<'a>,
        begun: StartState,
        limits: &Limits,
    ) -> RunContext<'a> {
        // Nothing was started since it was begun, so no time is left out.
        let watch = ResourceWatch::of_turn(started, limits, begun.before);
        RunContext { talk, begun, watch }
    }

    pub(super) fn hold(
        &mut self,
        started: &StartedChild,
        referee: BorrowedFd<'_>,
    ) -> Result<ConversationEnd, String> {
        let RunContext { talk, begun: StartState { clock, presence, .. }, watch } = self;
        talk.hold(started.pidfd.as_fd(), referee, clock, watch, presence)
    }
}

/// Fate of a program that was killed or has ended.
#[derive(Debug)]
pub(super) enum ProgramEnd {
    Reaped(WaitStatus),
    /// It is dead, but someone whom the keeper cannot kill traces it.
    Traced,
    Stuck(String),
}

impl RunnableProgram<'_> {
    /// Runs the program once, and gives what was seen; nothing if the referee has gone meanwhile.
    pub(super) fn run(self, run: RunInput<'_>, referee: BorrowedFd<'_>) -> Option<Observation> {
        let limits = run.limits;
        let begun = StartState::now(limits, &self);
        let running = match self.launch.start(self.folder, &run.words, limits) {
            Ok(running) => running,
            Err(error) => {
                return Some(Observation::without_output(error.into(), begun.clock.wall()));
            }
        };
        let (begun, RunningProgram { started, pipes }) = (begun.restarted(limits), running);
        self.run_to_end(
            started,
            Conversation::new(pipes, run.request, limits),
            begun,
            limits,
            referee,
        )
    }

    /// Runs a command once, in the place of the program and on these standard streams, and gives how it
    /// ended; nothing if the referee has gone meanwhile.
    pub(super) fn attend(
        self,
        words: &[OsString],
        streams: [OwnedFd; 3],
        limits: &Limits,
        referee: BorrowedFd<'_>,
    ) -> Option<Observation> {
        let begun = StartState::now(limits, &self);
        let fds = streams.each_ref().map(OwnedFd::as_fd);
        let started = match self.launch.start_command(self.folder, words, fds, limits) {
            Ok(started) => started,
            Err(error) => {
                return Some(Observation::without_output(error.into(), begun.clock.wall()));
            }
        };
        // Whoever reads them waits for all that hold them.
        drop(streams);
        self.run_to_end(started, Conversation::of_others(limits), begun, limits, referee)
    }

    /// Sees a program that runs to its end.
    fn run_to_end(
        self,
        started: StartedChild,
        talk: Conversation<'_>,
        begun: StartState,
        limits: &Limits,
        referee: BorrowedFd<'_>,
    ) -> Option<Observation> {
        let mut course = RunContext::new(&started, talk, begun, limits);
        let held = course.hold(&started, referee);
        self.conclude(started, course, held, limits)
    }

    /// Ends a program with all that it has started, after its last request; gives what was seen of
    /// that, or nothing if the referee has gone meanwhile.
    pub(super) fn conclude(
        mut self,
        StartedChild { pid, pidfd, .. }: StartedChild,
        course: RunContext<'_>,
        held: Result<ConversationEnd, String>,
        limits: &Limits,
    ) -> Option<Observation> {
        let RunContext { mut talk, begun, mut watch } = course;
        let StartState { clock, presence, before: _, memory, refused } = begun;
        let wall = match held {
            Ok(ConversationEnd::Exit) => clock.wall().min(limits.time),
            _ => clock.wall(),
        };
        // At once: what the program has left must not print more.
        talk.drain();
        let is_late = held == Ok(ConversationEnd::Deadline);
        let tells_waits = is_late || limits.game_time.is_some();
        let referee_waited = tells_waits.then(|| presence.waited()).flatten();
        let waited = tells_waits.then(|| watch.waited()).flatten();
        let may_lack = matches!(held, Ok(ConversationEnd::Exit | ConversationEnd::Deadline));
        let lacks_process = may_lack && self.lacks_process(pid, refused, is_late, &mut watch);
        // Before the program is reaped its number cannot become that of another process or group.
        remains::kill_group(pid);
        // All is known by now: from here on it does not matter who stops the keeper.
        let presence = match held {
            Ok(ConversationEnd::Exit | ConversationEnd::Deadline) => {
                presence.check(&clock, limits.time)
            }
            _ => Ok(()),
        };
        // The system may take long to tell, which must not look as if the keeper had been stopped.
        let presence = match presence {
            Ok(()) if is_late && proc::is_lease_waited_for() => Err(OF_LEASE.to_owned()),
            other => other,
        };
        let (death, escaped) = self.reap_and_clean_up(pid, pidfd.as_fd());
        let shortage = memory.shortage(self.kills);
        self.hand_over_if_blind(shortage, limits);
        let used = watch.used_in_all();
        let end = match (held, presence, death) {
            (Ok(ConversationEnd::Forsaken), ..) => return None,
            (Err(why), ..) | (_, Err(why), _) | (.., ProgramEnd::Stuck(why)) => CallEnd::Fault(why),
            (.., ProgramEnd::Traced) => CallEnd::Traced,
            (Ok(ConversationEnd::Exit), _, ProgramEnd::Reaped(status)) => {
                let end = end_of(status).or_cpu_limit(used, limits);
                end.or_out_of_memory(shortage, limits)
            }
            (Ok(ConversationEnd::Deadline), ..) => talk.lateness(),
            (Ok(ConversationEnd::Flood), ..) => CallEnd::OutputLimit,
            (Ok(ConversationEnd::Excess(end)), ..) => end,
            (Ok(ConversationEnd::Line), ..) => CallEnd::Answered,
        };
        let is_within = limits.cpu.is_none_or(|limit| used <= limit);
        let end = if lacks_process && is_within { end.without_process() } else { end };
        let cpu = (!matches!(end, CallEnd::Fault(_) | CallEnd::Traced)).then_some(used);
        let ConversationParts { stdout, stderr, stderr_dropped, .. } = talk.into_parts();
        Some(Observation {
            stdout,
            stderr,
            stderr_dropped,
            cpu,
            waited,
            referee_waited,
            escaped,
            ..Observation::without_output(end, wall)
        })
    }

    /// Starts the program and kills it at once.
    pub(super) fn probe(mut self, limits: &Limits) -> Result<(), StartError> {
        let RunningProgram { started: StartedChild { pid, pidfd, .. }, .. } =
            self.launch.start(self.folder, &[], limits)?;
        remains::kill_group(pid);
        match self.reap_and_clean_up(pid, pidfd.as_fd()).0 {
            ProgramEnd::Reaped(_) => Ok(()),
            ProgramEnd::Stuck(why) => Err(StartError::Referee(why)),
            ProgramEnd::Traced => {
                let why = "it is traced by a process that cannot be killed";
                Err(StartError::Program(why.to_owned()))
            }
        }
    }

    /// Reaps a program that has ended or was killed, within bounds, and ends all that it has left;
    /// also says how many processes it had left outside of its group.
    pub(super) fn reap_and_clean_up(
        &mut self,
        program: Pid,
        pidfd: BorrowedFd<'_>,
    ) -> (ProgramEnd, u32) {
        let clock = Clock::start(BURIAL);
        let mut escaped = 0;
        let death = loop {
            match waitpid(Some(program), WaitOptions::NOHANG) {
                // One that has asked to be traced is reported where it stops, too.
                Ok(Some((_, status))) if !status.stopped() => break ProgramEnd::Reaped(status),
                Ok(_) => {}
                Err(error) => {
                    let why = system_error(io::Error::from(error));
                    break ProgramEnd::Stuck(format!(
                        "cannot take the exit status of a program: {why}"
                    ));
                }
            }
            let is_dead = is_gone(pidfd, clock.time_left());
            if clock.is_over() {
                *self.is_done = true;
                break match is_dead {
                    true => ProgramEnd::Traced,
                    false => ProgramEnd::Stuck(format!("killed process {program} does not end")),
                };
            }
            if is_dead && !can_be_reaped(program) {
                // Its remains go first: a process that traces it keeps it from being reaped.
                escaped += self.end_remains(program, Some(program));
                thread::sleep(PAUSE);
            }
        };
        if remains::is_anyone_left() {
            escaped += self.end_remains(program, None);
        }
        (death, escaped)
    }

    /// Returns true if the system has refused to start a process while the program ran, or would refuse it now, and the
    /// program has no more than it may have. One that ends well is judged by what it printed.
    fn lacks_process(
        &self,
        pid: Pid,
        before: u64,
        is_late: bool,
        watch: &mut ResourceWatch,
    ) -> bool {
        if !is_late && has_ended_well(pid) {
            return false;
        }
        (self.refused.count() > before || has_no_room()) && watch.has_few_processes()
    }

    /// Lets another keeper take over where a process that the kernel has killed may hide the next one above
    /// the limit: the system tells the largest of all that were reaped only.
    fn hand_over_if_blind(&mut self, shortage: MemoryShortage, limits: &Limits) {
        *self.is_done |=
            shortage != MemoryShortage::None && is_surely_above(remains::largest(), limits);
    }

    fn end_remains(&mut self, program: Pid, except: Option<Pid>) -> u32 {
        let escaped = remains::end(program, self.namespace, except);
        *self.is_done |= escaped.is_none();
        escaped.unwrap_or_default()
    }
}

/// Returns true if a dead program can be reaped: one that someone else traces belongs to that one first.
fn can_be_reaped(program: Pid) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    // If the question fails, so will the reaping, and say why.
    !matches!(waitid(WaitId::Pid(program), options), Ok(None))
}

/// Returns true if a program that is not reaped yet has ended with exit code 0.
fn has_ended_well(program: Pid) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let found = waitid(WaitId::Pid(program), options);
    matches!(found, Ok(Some(status)) if status.exit_status() == Some(0))
}

/// The end of a program that the keeper did not kill.
fn end_of(status: WaitStatus) -> CallEnd {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => CallEnd::Exited(code),
        (None, Some(signal)) => CallEnd::Signalled(signal),
        (None, None) => CallEnd::Fault(format!("unknown exit status: {status:?}")),
    }
}
