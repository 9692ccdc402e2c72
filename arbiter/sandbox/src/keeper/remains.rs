//! The remains of a program, and their end.
//!
//! Every process that loses its parent becomes a child of the keeper, which is process 1 of a
//! namespace or adopts orphans otherwise, and has no children but the program and what that one has
//! started. So nothing is left when the keeper has no children any more.

use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::Signal;
use nix::sys::time::TimeVal;
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, RawPid, WaitOptions, getpid, kill_process, kill_process_group, pidfd_open,
    pidfd_send_signal, wait, waitpid,
};

use super::super::clock::Clock;
use super::super::finish_watch::wait_for;
use super::super::layers::SignalAllToken;
use super::super::proc::{self, CpuTime, ProcessStat, ProcessState};

const KILL: rustix::process::Signal = rustix::process::Signal::KILL;

/// The most time to end all that a program has left.
///
/// Only processes that come and go faster than the keeper can look, or that are stuck inside the
/// kernel, make it take any time that counts.
const LIMIT: Duration = Duration::from_secs(10);

/// The most looks for processes that were started while the keeper signalled others.
const LOOKS: usize = 20;

/// Time to wait for dying processes before the keeper looks around again.
const PAUSE: Duration = Duration::from_millis(20);

/// Ends and reaps all children but the one that is excepted, with all that they have started. The
/// group is that of the program. Returns how many processes were alive outside of it, or nothing if something does not
/// end.
pub(super) fn end(
    group: Pid,
    namespace: Option<&SignalAllToken>,
    except: Option<Pid>,
) -> Option<u32> {
    let clock = Clock::start(LIMIT);
    let mut ending = Cleanup { namespace, except, killed: BTreeSet::new() };
    let escaped = outside(group, &ending.remaining_children());
    loop {
        match ending.round() {
            CleanupRound::Nobody => return Some(escaped),
            // If processes come and go fast, there is no time to wait.
            CleanupRound::Somebody => {}
            CleanupRound::Dying(process) => wait_for(process, PAUSE),
        }
        if clock.is_over() {
            return None;
        }
    }
}

/// Number of these processes that are alive and not in this group.
fn outside(group: Pid, processes: &[Pid]) -> u32 {
    let is_out =
        |stat: &ProcessStat| stat.life != ProcessState::Dead && stat.group != group.as_raw_pid();
    let found = processes.iter().filter_map(|process| ProcessStat::read(*process)).filter(is_out);
    u32::try_from(found.count()).unwrap_or(u32::MAX)
}

/// Killing and reaping under way.
struct Cleanup<'a> {
    namespace: Option<&'a SignalAllToken>,
    except: Option<Pid>,
    /// The children that were killed and are not reaped yet.
    killed: BTreeSet<RawPid>,
}

/// Result of one look at the children.
enum CleanupRound {
    Nobody,
    /// Some were killed or reaped.
    Somebody,
    /// All that are left were killed before, this one among them.
    Dying(Pid),
}

impl Cleanup<'_> {
    fn remaining_children(&self) -> Vec<Pid> {
        children().into_iter().filter(|child| Some(*child) != self.except).collect()
    }

    fn round(&mut self) -> CleanupRound {
        // With a namespace of its own, this reaches everyone at once.
        let is_killed = self.namespace.is_some_and(|own| own.signal_all(Signal::SIGKILL).is_ok());
        let mut round = CleanupRound::Nobody;
        // The newest are last, and where processes come and go fast, only they are still alive.
        for child in self.remaining_children().into_iter().rev() {
            let number = child.as_raw_pid();
            // If they are many, most are dead, and looking at each would leave the living time.
            if matches!(waitpid(Some(child), WaitOptions::NOHANG), Ok(Some(_))) {
                self.killed.remove(&number);
                round = CleanupRound::Somebody;
            } else if self.killed.insert(number) {
                if !is_killed {
                    kill_tree(child);
                }
                round = CleanupRound::Somebody;
            } else if matches!(round, CleanupRound::Nobody) {
                round = CleanupRound::Dying(child);
            }
        }
        round
    }
}

/// Kills the group of a program, which is not reaped yet, so that the number is still its own.
pub(super) fn kill_group(program: Pid) {
    // No such group is not an error: then there is no one left to kill.
    let _ = kill_process_group(program, KILL);
    // It may have joined another group.
    let _ = kill_process(program, KILL);
}

/// Sends a signal to the group of a program, which is not reaped yet.
fn signal_group(program: Pid, signal: Signal) {
    let Some(signal) = rustix::process::Signal::from_named_raw(signal as i32) else { return };
    // It may have joined another group, and left none.
    let _ = kill_process_group(program, signal);
}

/// Sends a signal to a program, which is not reaped yet, and to all that it has started, as far as a
/// few looks can tell.
fn signal_tree(program: Pid, signal: Signal) {
    let Some(signal) = rustix::process::Signal::from_named_raw(signal as i32) else { return };
    let _ = kill_process_group(program, signal);
    // Processes outside of the group that have got it.
    let mut others = BTreeSet::new();
    for _ in 0..LOOKS {
        let known = others.len();
        let mut unseen: Vec<(Pid, Pid)> =
            children().into_iter().map(|child| (child, getpid())).collect();
        while let Some((process, parent)) = unseen.pop() {
            let is_meant = |stat: &ProcessStat| {
                stat.group != program.as_raw_pid() && others.insert(process.as_raw_pid())
            };
            if let Some(threads) = signal_child(process, parent, signal, is_meant) {
                let below = proc::children(process, threads).into_iter();
                unseen.extend(below.map(|child| (child, process)));
            }
        }
        // Processes in the group need no second look.
        if others.len() == known {
            break;
        }
    }
    if !others.is_empty() {
        // One of the others may have signalled the group meanwhile.
        let _ = kill_process_group(program, signal);
    }
}

/// The children of the keeper.
pub(super) fn children() -> Vec<Pid> {
    proc::children(getpid(), 1)
}

/// Returns true if the keeper has any child; the cheapest question of all.
pub(super) fn is_anyone_left() -> bool {
    match wait(WaitOptions::NOHANG) {
        Err(Errno::CHILD) => false,
        Ok(_) | Err(_) => true,
    }
}

/// Reaps a child if it is dead.
pub(super) fn reap(child: Pid) {
    // It fails for one that is no longer there.
    let _ = waitpid(Some(child), WaitOptions::NOHANG);
}

/// The CPU time of all that the keeper has reaped, and of what those had reaped.
pub(super) fn reaped() -> CpuTime {
    let time = |time: TimeVal| {
        let whole = Duration::from_secs(u64::try_from(time.tv_sec()).unwrap_or(0));
        whole + Duration::from_micros(u64::try_from(time.tv_usec()).unwrap_or(0))
    };
    // It cannot fail for one's own children.
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).map(|usage| {
        let user = time(usage.user_time());
        CpuTime { all: user + time(usage.system_time()), user }
    });
    used.unwrap_or_default()
}

/// The most resident memory, copies of files included, that any one process ever had of all that the
/// keeper has reaped and of what those had reaped, in bytes.
pub(super) fn largest() -> u64 {
    let kib = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss());
    u64::try_from(kib).unwrap_or(0).saturating_mul(1024)
}

/// Kills a child and all that it has started, as far as one look can tell: a process that slips
/// through becomes a child of the keeper itself.
fn kill_tree(top: Pid) {
    // A child that is not reaped keeps its number.
    let _ = kill_process(top, KILL);
    let mut unseen = vec![(top, ProcessStat::read(top).map_or(1, |stat| stat.threads))];
    while let Some((process, threads)) = unseen.pop() {
        let below = proc::children(process, threads).into_iter();
        unseen.extend(
            below.filter_map(|child| Some((child, signal_child(child, process, KILL, |_| true)?))),
        );
    }
}

/// Signals a process if it is still the child of this parent and among those that are meant, and says
/// how many threads it has.
///
/// The descriptor keeps the number from becoming that of another process in between.
fn signal_child(
    process: Pid,
    parent: Pid,
    signal: rustix::process::Signal,
    is_meant: impl FnOnce(&ProcessStat) -> bool,
) -> Option<u32> {
    let pidfd = pidfd_open(process, PidfdFlags::empty()).ok()?;
    let stat = ProcessStat::read(process).filter(|stat| stat.parent == parent.as_raw_pid())?;
    if is_meant(&stat) {
        // It fails only for a process that is gone.
        let _ = pidfd_send_signal(&pidfd, signal);
    }
    Some(stat.threads)
}

/// More than `/proc/PID/stat` holds, in bytes, and than two numbers of processes.
const ROOM: usize = 4 << 10;

/// Stops one program, again and again.
#[derive(Debug)]
pub(super) struct ProgramPauser {
    program: Pid,
    /// Nothing where it cannot be told, or need not be.
    single_process: Option<SingleProcessCheck>,
    /// True if more than the group of the program was stopped since it was let go on.
    has_stopped_tree: bool,
}

impl ProgramPauser {
    /// For a child of this thread, which has no other children but what that one has started.
    pub(super) fn new(program: Pid, namespace: Option<&SignalAllToken>) -> ProgramPauser {
        // In a namespace, one signal reaches everyone.
        let single_process =
            if namespace.is_some() { None } else { SingleProcessCheck::find(program) };
        ProgramPauser { program, single_process, has_stopped_tree: false }
    }

    pub(super) fn stop(&mut self, namespace: Option<&SignalAllToken>) {
        if namespace.is_none() {
            signal_group(self.program, Signal::SIGSTOP);
            if self.single_process.as_ref().is_some_and(SingleProcessCheck::is_certain) {
                return;
            }
            self.has_stopped_tree = true;
        }
        signal(self.program, namespace, Signal::SIGSTOP);
    }

    pub(super) fn go_on(&mut self, namespace: Option<&SignalAllToken>) {
        match (namespace, self.has_stopped_tree) {
            (None, false) => signal_group(self.program, Signal::SIGCONT),
            _ => signal(self.program, namespace, Signal::SIGCONT),
        }
        self.has_stopped_tree = false;
    }
}

/// Sends a signal to a program and all that it has started.
pub(super) fn signal(program: Pid, namespace: Option<&SignalAllToken>, signal: Signal) {
    match namespace {
        Some(own) => drop(own.signal_all(signal)),
        None => signal_tree(program, signal),
    }
}

/// Tells whether a program is a single process, in its own group. It is asked in every turn, so its
/// files stay open.
#[derive(Debug)]
struct SingleProcessCheck {
    program: Pid,
    stat: File,
    children: File,
    siblings: File,
}

impl SingleProcessCheck {
    fn find(program: Pid) -> Option<SingleProcessCheck> {
        Some(SingleProcessCheck {
            program,
            stat: File::open(format!("/proc/{program}/stat")).ok()?,
            children: File::open(format!("/proc/{program}/task/{program}/children")).ok()?,
            siblings: File::open("/proc/thread-self/children").ok()?,
        })
    }

    /// Returns true if no other process can be there, once the program was stopped.
    fn is_certain(&self) -> bool {
        // Its siblings come last: a process that loses its parent meanwhile is one of them.
        self.is_single().unwrap_or(false) && self.has_no_sibling().unwrap_or(false)
    }

    /// Returns true if the program is in its own group, and has one thread and no child.
    fn is_single(&self) -> Option<bool> {
        let stat = ProcessStat::parse(&read(&self.stat)?)?;
        let is_plain = stat.group == self.program.as_raw_pid() && stat.threads == 1;
        Some(is_plain && read(&self.children)?.is_empty())
    }

    fn has_no_sibling(&self) -> Option<bool> {
        Some(read(&self.siblings)?.trim_end() == self.program.to_string())
    }
}

/// Reads a short file of the system from its beginning.
fn read(file: &File) -> Option<String> {
    let mut text = [0; ROOM];
    let length = file.read_at(&mut text, 0).ok()?;
    Some(String::from_utf8_lossy(text.get(..length)?).into_owned())
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    use std::thread;

    use super::*;

    /// Returns true if a shell that runs this command is found alone once it has said a word.
    fn is_alone(command: &str, group: Option<i32>) -> bool {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Some(group) = group {
            shell.process_group(group);
        }
        let mut shell = shell.spawn().expect("there is a shell");
        let program = Pid::from_child(&shell);
        let single_process = SingleProcessCheck::find(program).expect("it runs");
        let mut word = String::new();
        let mut stdout = BufReader::new(shell.stdout.take().expect("a pipe"));
        stdout.read_line(&mut word).expect("it says a word");
        let found = single_process.is_certain();
        signal_group(program, Signal::SIGKILL);
        shell.kill().and_then(|()| shell.wait()).expect("it is ours");
        found
    }

    #[test]
    fn one_process_in_its_own_group_is_alone() {
        // A new thread has no children of other tests.
        let alone = thread::spawn(|| is_alone("echo a; read b", Some(0))).join();
        assert!(alone.expect("no panic"));
    }

    #[test]
    fn one_with_a_child_or_in_another_group_is_not() {
        assert!(!is_alone("sleep 1000 & echo a; read b", Some(0)));
        assert!(!is_alone("echo a; read b", None));
    }

    #[test]
    fn one_with_a_sibling_is_not() {
        let mut other = Command::new("/bin/cat").stdin(Stdio::piped()).spawn().expect("it starts");
        assert!(!is_alone("echo a; read b", Some(0)));
        other.kill().and_then(|()| other.wait()).map(drop).expect("it is ours");
    }
}
