//! Regular checks of a running program and all that it has started.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rustix::process::{Pid, RawPid};

use super::super::call::CallEnd;
use super::super::layers::ChildUser;
use super::super::limits::Limits;
use super::super::memory::{OpenFileBytes, OpenFiles, ResidentMemory};
use super::super::proc::{self, CpuTime, ProcessStat, ProcessState};
use super::clone::StartedChild;
use super::remains;

/// When the first look is due: a program that is quicker is never looked at.
const FIRST: Duration = Duration::from_millis(5);

/// The least time between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Least length of the pause after a look, in times of the look itself, so that a program with many
/// processes cannot keep its keeper busy. A closer look has a pause of its own.
const SHARE: u32 = 10;

#[derive(Debug)]
pub(super) struct ResourceWatch {
    program: Pid,
    /// Rights to look at what it has open.
    rights: ChildUser,
    limits: Limits,
    due: Instant,
    /// Time of the next closer look.
    closer_due: Instant,
    /// The most CPU time of all processes that was seen at one time.
    cpu: Duration,
    /// CPU time of all that was reaped before, and of what the program had used.
    before: Duration,
    unwaited: UnwaitedTime,
    /// The longest that any one thread had waited for a processor when it was first looked at in
    /// this turn of a program that lives on; zero for one that was just started.
    waited_before: Option<Duration>,
}

/// Result of a look.
#[derive(Debug, Default)]
struct ProcessTreeUsage {
    /// A thread of each living process.
    living: Vec<Pid>,
    processes: u32,
    /// With all that was reaped.
    cpu: CpuTime,
    resident: u64,
}

impl ResourceWatch {
    /// `before` is the CPU time of all that was reaped before the program got its request, and of what
    /// it had used until then.
    pub(super) fn new(started: &StartedChild, limits: &Limits, before: Duration) -> ResourceWatch {
        let StartedChild { pid: program, rights, .. } = *started;
        let due = Instant::now() + FIRST;
        let (cpu, waited_before) = (Duration::ZERO, Some(Duration::ZERO));
        let (limits, closer_due) = (*limits, due);
        let unwaited = UnwaitedTime::default();
        ResourceWatch {
            program,
            rights,
            limits,
            due,
            closer_due,
            cpu,
            before,
            unwaited,
            waited_before,
        }
    }

    /// Watches a turn of a program that has had others.
    pub(super) fn of_turn(
        started: &StartedChild,
        limits: &Limits,
        before: Duration,
    ) -> ResourceWatch {
        let mut watch =
            ResourceWatch { waited_before: None, ..ResourceWatch::new(started, limits, before) };
        // Each turn on a clock tells how long it waited, and a short one may never be looked at.
        if limits.game_time.is_some() {
            let tree = watch.tree();
            watch.waited_before = Some(watch.longest_wait(&tree).unwrap_or_default());
        }
        watch
    }

    pub(super) fn time_to_next_look(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
    }

    /// Looks if a look is due, and says which limit is broken.
    pub(super) fn look(&mut self) -> Option<CallEnd> {
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
        if broken.is_some() || begun < self.closer_due {
            return broken;
        }
        let is_too_large = self.is_too_large(&tree);
        let done = Instant::now();
        self.closer_due = done + (done - now) * SHARE;
        is_too_large.then_some(CallEnd::MemoryLimit)
    }

    /// The last look, when the time of the program is up or its turn on a clock is over: the longest
    /// time that any one of its threads was ready to run while others ran.
    ///
    /// It is not the sum over the threads, because a program with many threads gets in its own way.
    /// A program that fills the machine with its own threads may still have waited long; but then
    /// it has used much CPU time as well.
    pub(super) fn waited(&mut self) -> Option<Duration> {
        let tree = self.tree();
        let before = self.waited_before.unwrap_or_default();
        self.longest_wait(&tree).map(|waited| waited.saturating_sub(before))
    }

    fn longest_wait(&self, tree: &ProcessTreeUsage) -> Option<Duration> {
        // The program itself may have ended just now, and still tells of its first thread.
        let all = tree.living.iter().copied().chain([self.program]);
        all.filter_map(proc::longest_wait).max()
    }

    /// The CPU time of all processes together, and of all that was reaped, as it is now.
    pub(super) fn used_by_now(&mut self) -> CpuTime {
        self.tree().cpu
    }

    /// The CPU time of all processes together, as it is now.
    pub(super) fn total_cpu(mut self) -> Duration {
        self.tree();
        self.cpu
    }

    /// The memory of all processes together, as it is now, in bytes.
    pub(super) fn memory(mut self) -> u64 {
        let tree = self.tree();
        let held = self.open_file_bytes(&tree);
        Self::in_use(&tree).with(held)
    }

    /// The most CPU time that was seen, of all processes together.
    pub(super) fn cpu(&self) -> Duration {
        self.cpu
    }

    /// The CPU time of all that was started, once nothing of it is left.
    pub(super) fn used_in_all(&mut self) -> Duration {
        let reaped = remains::reaped().all;
        self.unwaited.look(BTreeMap::new(), reaped);
        let used = reaped.saturating_sub(self.before).saturating_add(self.unwaited.lost_cpu_time());
        used.max(self.cpu)
    }

    /// Returns true if there are no more processes and threads than there may be.
    pub(super) fn has_few_processes(&mut self) -> bool {
        self.tree().processes <= self.limits.processes
    }

    /// Finds the program's processes, until there are too many.
    fn tree(&mut self) -> ProcessTreeUsage {
        // Whoever has lost its parent is a child of the keeper, as the program is.
        let mut unseen = remains::children();
        let orphans: Vec<Pid> =
            unseen.iter().copied().filter(|child| *child != self.program).collect();
        orphans.into_iter().for_each(remains::reap);
        let mut tree = ProcessTreeUsage { cpu: remains::reaped(), ..ProcessTreeUsage::default() };
        let (mut seen, mut own) = (BTreeMap::new(), Duration::ZERO);
        while let Some(pid) = unseen.pop() {
            let Some(stat) = ProcessStat::read(pid) else { continue };
            tree.processes = tree.processes.saturating_add(stat.threads);
            tree.cpu += stat.cpu;
            if tree.processes > self.limits.processes {
                break;
            }
            own = own.saturating_add(stat.own);
            seen.insert((pid.as_raw_pid(), stat.started), stat.own);
            if let Some((thread, shown)) = proc::living_thread(pid, stat) {
                tree.resident = tree.resident.saturating_add(shown.resident);
                tree.living.push(thread);
            }
            if stat.life != ProcessState::Dead {
                unseen.extend(proc::children(pid, stat.threads));
            }
        }
        // Otherwise not all was looked at.
        if tree.processes <= self.limits.processes {
            self.unwaited.look(seen, tree.cpu.all.saturating_sub(own));
        }
        self.cpu = self.cpu.max(self.used(&tree));
        tree
    }

    /// The CPU time of all of it, without what counts for nothing here.
    fn used(&self, tree: &ProcessTreeUsage) -> Duration {
        tree.cpu.all.saturating_sub(self.before).saturating_add(self.unwaited.lost_cpu_time())
    }

    fn broken(&self, tree: &ProcessTreeUsage) -> Option<CallEnd> {
        if tree.processes > self.limits.processes {
            return Some(CallEnd::ProcessLimit);
        }
        if self.limits.cpu.is_some_and(|limit| self.used(tree) > limit) {
            return Some(CallEnd::CpuLimit);
        }
        self.is_one_too_large(tree).then_some(CallEnd::MemoryLimit)
    }

    /// Returns true if one process alone is above the limit on memory, which is quickly found out.
    fn is_one_too_large(&self, tree: &ProcessTreeUsage) -> bool {
        let limit = self.limits.memory;
        let is_above =
            |&pid: &Pid| ResidentMemory::read(pid).with(OpenFileBytes::default()) > limit;
        tree.resident > limit && tree.living.iter().any(is_above)
    }

    /// Returns true if the memory is above its limit, found out no more exactly than that needs.
    fn is_too_large(&self, tree: &ProcessTreeUsage) -> bool {
        let limit = self.limits.memory;
        let held = self.open_file_bytes(tree);
        if tree.resident.saturating_add(held.sum()) <= limit {
            return false;
        }
        let is_above = |memory: ResidentMemory| memory.with(held) > limit;
        is_above(total(tree, &ResidentMemory::read)) && is_above(Self::in_use(tree))
    }

    fn open_file_bytes(&self, tree: &ProcessTreeUsage) -> OpenFileBytes {
        let mut held = OpenFiles::default();
        self.rights.look(|| held.add_up_to(self.limits.memory, &tree.living));
        held.bytes()
    }

    /// Its memory but for what it holds open.
    fn in_use(tree: &ProcessTreeUsage) -> ResidentMemory {
        if tree.living.len() == 1 {
            return total(tree, &ResidentMemory::read);
        }
        // Processes that were forked share what neither has changed, and it is there only once.
        total(tree, &|pid| {
            ResidentMemory::in_parts(pid).unwrap_or_else(|| ResidentMemory::read(pid))
        })
    }
}

fn total(tree: &ProcessTreeUsage, of: &dyn Fn(Pid) -> ResidentMemory) -> ResidentMemory {
    tree.living.iter().fold(ResidentMemory::default(), |sum, &pid| sum + of(pid))
}

/// A process by its number and its start.
pub(super) type ProcessIdentity = (RawPid, u64);

/// CPU time of processes for whose end no process has waited.
///
/// The system adds the time of a process to the time of the one that waits for its end. Where that one ignores the ends
/// of its children, the time is lost. So what a look has seen of a process that is gone by the next one is remembered
/// until it turns up in the time of those that have waited.
#[derive(Debug, Default)]
pub(super) struct UnwaitedTime {
    /// The own CPU time of each process, without that of children, in the last look.
    seen: BTreeMap<ProcessIdentity, Duration>,
    /// The CPU time that was handed on to those who had waited, in the last look.
    handed_on: Option<Duration>,
    /// The processes that are gone, and that the time that is lost is of.
    gone: BTreeMap<ProcessIdentity, Duration>,
    lost: Duration,
}

impl UnwaitedTime {
    /// Takes what a look has found: the own CPU time of each process, and all that was handed on.
    pub(super) fn look(&mut self, seen: BTreeMap<ProcessIdentity, Duration>, handed_on: Duration) {
        if let Some(before) = self.handed_on {
            // A look can miss a process whose parent has just ended.
            for own in seen.keys().filter_map(|identity| self.gone.remove(identity)) {
                self.lost = self.lost.saturating_sub(own);
            }
            let gone = self.seen.iter().filter(|(identity, _)| !seen.contains_key(*identity));
            let gone: Vec<(ProcessIdentity, Duration)> =
                gone.map(|(id, own)| (*id, *own)).collect();
            let sum = gone.iter().fold(Duration::ZERO, |sum, (_, own)| sum.saturating_add(*own));
            let expected = self.lost.saturating_add(sum).saturating_add(before);
            self.lost = expected.saturating_sub(handed_on);
            self.gone.extend(gone);
            if self.lost.is_zero() {
                self.gone.clear();
            }
        }
        (self.seen, self.handed_on) = (seen, Some(handed_on));
    }

    pub(super) fn lost_cpu_time(&self) -> Duration {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The processes of a look, each with its milliseconds, and the milliseconds that were handed on.
    type TreeLook<'a> = (&'a [(RawPid, u64)], u64);

    #[test]
    fn time_that_no_one_has_waited_for_is_remembered() {
        const PARENT: (RawPid, u64) = (1, 10);
        let cases: [(&str, &[TreeLook<'_>], u64); 8] = [
            ("one look", &[(&[PARENT, (2, 500)], 0)], 0),
            ("a child that runs", &[(&[PARENT, (2, 500)], 0), (&[PARENT, (2, 900)], 0)], 0),
            ("a child that was waited for", &[(&[PARENT, (2, 500)], 0), (&[PARENT], 520)], 0),
            ("a child that was not", &[(&[PARENT, (2, 500)], 0), (&[PARENT], 0)], 500),
            (
                "a child that one look has missed",
                &[(&[PARENT, (2, 500)], 0), (&[PARENT], 0), (&[PARENT, (2, 600)], 0)],
                0,
            ),
            (
                "three of them",
                &[(&[PARENT, (2, 500)], 0), (&[(3, 400)], 0), (&[(4, 1)], 0), (&[], 11)],
                900,
            ),
            // Its parent was looked at just before it waited.
            (
                "a child that is handed on late",
                &[(&[PARENT, (2, 500)], 0), (&[PARENT], 0), (&[PARENT], 505)],
                0,
            ),
            // It takes what it was given along.
            ("a parent without a parent", &[(&[PARENT, (2, 5)], 700), (&[PARENT], 100)], 605),
        ];
        for (case, looks, lost) in cases {
            let mut unwaited = UnwaitedTime::default();
            for (processes, handed_on) in looks {
                let seen =
                    processes.iter().map(|(pid, ms)| ((*pid, 7), Duration::from_millis(*ms)));
                unwaited.look(seen.collect(), Duration::from_millis(*handed_on));
            }
            assert_eq!(unwaited.lost_cpu_time(), Duration::from_millis(lost), "{case}");
        }
    }
}
