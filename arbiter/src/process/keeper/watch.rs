//! Regular checks of a running program and all that it has started.

use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::super::call::End;
use super::super::limits::Limits;
use super::super::proc::{self, CpuTime, Stat};
use super::remains;

/// When the first look is due: a program that is quicker is never looked at.
const FIRST: Duration = Duration::from_millis(5);

/// How much time lies between two looks at least.
const PAUSE: Duration = Duration::from_millis(20);

/// How many times as long as a look took the pause after it must be at least, so that a program
/// with many processes cannot keep its keeper busy.
const SHARE: u32 = 10;

/// What looks at one program.
#[derive(Debug)]
pub(super) struct Watch {
    program: Pid,
    limits: Limits,
    due: Instant,
    /// The most CPU time of all processes that was seen at one time.
    cpu: Duration,
    /// CPU time of all that was reaped before, and of what the program had used.
    before: Duration,
    /// How long any one thread had waited for a processor when it was first looked at in this turn of
    /// a program that lives on; zero for one that was just started.
    waited_before: Option<Duration>,
}

/// What a look has found.
#[derive(Debug, Default)]
struct Tree {
    living: Vec<Pid>,
    processes: u32,
    /// With all that was reaped.
    cpu: CpuTime,
    resident: u64,
}

impl Watch {
    /// `before` is the CPU time of all that was reaped before the program got its request, and of what
    /// it had used until then.
    pub(super) fn new(program: Pid, limits: &Limits, before: Duration) -> Watch {
        let due = Instant::now() + FIRST;
        let (cpu, waited_before) = (Duration::ZERO, Some(Duration::ZERO));
        Watch { program, limits: *limits, due, cpu, before, waited_before }
    }

    /// The same in a turn of a program that has had others.
    pub(super) fn of_turn(program: Pid, limits: &Limits, before: Duration) -> Watch {
        Watch { waited_before: None, ..Watch::new(program, limits, before) }
    }

    /// How long it is until the next look.
    pub(super) fn left(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
    }

    /// Looks if a look is due, and says which limit is broken.
    pub(super) fn look(&mut self) -> Option<End> {
        let begun = Instant::now();
        if begun < self.due {
            return None;
        }
        let tree = self.tree();
        if self.waited_before.is_none() {
            self.waited_before = Some(self.longest_wait(&tree).unwrap_or_default());
        }
        let broken = self.broken(&tree);
        let now = Instant::now();
        self.due = now + PAUSE.max((now - begun) * SHARE);
        broken
    }

    /// The last look, before the program is killed because its time is up: the longest time that
    /// any one of its threads was ready to run while others ran.
    ///
    /// It is not the sum over the threads, because a program with many threads gets in its own way.
    /// A program that fills the machine with its own threads may still have waited long; but then
    /// it has used much CPU time as well.
    pub(super) fn waited(&mut self) -> Option<Duration> {
        let tree = self.tree();
        let before = self.waited_before.unwrap_or_default();
        self.longest_wait(&tree).map(|waited| waited.saturating_sub(before))
    }

    fn longest_wait(&self, tree: &Tree) -> Option<Duration> {
        // The program itself may have ended just now, and still tells of its first thread.
        let all = tree.living.iter().copied().chain([self.program]);
        all.filter_map(proc::longest_wait).max()
    }

    /// The CPU time of all processes together that was not spent in the kernel, and of all that was
    /// reaped, as it is now.
    pub(super) fn user(&mut self) -> Duration {
        self.tree().cpu.user
    }

    /// The CPU time of all processes together, as it is now.
    pub(super) fn total_cpu(mut self) -> Duration {
        self.tree();
        self.cpu
    }

    /// The most CPU time that was seen, of all processes together.
    pub(super) fn cpu(&self) -> Duration {
        self.cpu
    }

    /// Finds the program's processes, until there are too many.
    fn tree(&mut self) -> Tree {
        // Whoever has lost its parent is a child of the keeper, as the program is.
        let mut unseen = remains::children();
        let orphans: Vec<Pid> =
            unseen.iter().copied().filter(|child| *child != self.program).collect();
        orphans.into_iter().for_each(remains::reap);
        let mut tree = Tree { cpu: remains::reaped(), ..Tree::default() };
        while let Some(pid) = unseen.pop() {
            let Some(stat) = Stat::read(pid) else { continue };
            tree.processes = tree.processes.saturating_add(stat.threads);
            tree.cpu += stat.cpu;
            tree.resident = tree.resident.saturating_add(stat.resident);
            if !stat.dead {
                tree.living.push(pid);
                unseen.extend(proc::children(pid, stat.threads));
            }
            if tree.processes > self.limits.processes {
                break;
            }
        }
        self.cpu = self.cpu.max(self.used(&tree));
        tree
    }

    /// The CPU time of all of it, without what counts for nothing here.
    fn used(&self, tree: &Tree) -> Duration {
        tree.cpu.all.saturating_sub(self.before)
    }

    fn broken(&self, tree: &Tree) -> Option<End> {
        if tree.processes > self.limits.processes {
            return Some(End::ProcessLimit);
        }
        if self.limits.cpu.is_some_and(|limit| self.used(tree) > limit) {
            return Some(End::CpuLimit);
        }
        self.is_too_large(tree).then_some(End::MemoryLimit)
    }

    /// Whether the memory is above its limit, found out no more exactly than that needs.
    fn is_too_large(&self, tree: &Tree) -> bool {
        let limit = self.limits.memory;
        if tree.resident <= limit {
            return false;
        }
        let total = |of: &dyn Fn(Pid) -> u64| {
            tree.living.iter().fold(0_u64, |sum, &pid| sum.saturating_add(of(pid)))
        };
        // Processes that were forked share what neither has changed, and it is there only once.
        let shared = |pid| proc::memory_in_parts(pid).unwrap_or_else(|| proc::memory(pid));
        total(&proc::memory) > limit && (tree.living.len() == 1 || total(&shared) > limit)
    }
}
