//! Facts about processes from `/proc`, and which of them are the referee's own children.

use std::fs::{self, File};
use std::io;
use std::io::Read;
use std::ops::AddAssign;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, RwLock};
use std::time::Duration;

use super::clock::Clock;
use super::finish_watch::wait_for;
use rustix::io::Errno;
use rustix::param::clock_ticks_per_second;
use rustix::process::{
    DumpableBehavior, Pid, RawPid, Resource, Rlimit, Signal, WaitOptions, getpid, getrlimit,
    kill_process, set_child_subreaper, set_dumpable_behavior, setrlimit, waitpid,
};

/// The most that is read of a file, in bytes: more than an environment can hold, which is what a
/// process has most influence on.
const LONGEST: u64 = 16 << 20;

/// More than what the referee gives to a program, whose search path may be as long as any text in an
/// environment: 128 KiB.
const LONGEST_ENVIRONMENT: usize = 256 << 10;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CpuTime {
    pub(super) all: Duration,
    /// The part that was not spent in the kernel.
    pub(super) user: Duration,
}

impl AddAssign for CpuTime {
    fn add_assign(&mut self, other: CpuTime) {
        self.all += other.all;
        self.user += other.user;
    }
}

/// The list of all locks of files.
const LOCKS: &str = "/proc/locks";

/// The most that is read of it, in bytes.
const LONGEST_LOCKS: u64 = 1 << 20;

/// Returns true if a process waits for a file on which another process has a lease.
///
/// A process is told only of the locks of those that it can see: where a bot sees only its own, and may
/// have no lease, there is none.
pub(super) fn is_lease_waited_for() -> bool {
    let mut text = Vec::new();
    let read = File::open(LOCKS).and_then(|file| file.take(LONGEST_LOCKS).read_to_end(&mut text));
    read.is_ok() && lists_breaking(&String::from_utf8_lossy(&text))
}

fn lists_breaking(locks: &str) -> bool {
    let words = |line: &str| {
        let mut words = line.split_ascii_whitespace().skip(1);
        words.next().zip(words.next()).is_some_and(|it| it == ("LEASE", "BREAKING"))
    };
    locks.lines().any(words)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProcessState {
    Running,
    /// Its first thread has ended and others run on. The files of the process are empty then, those of
    /// the other threads are not.
    Headless,
    /// It waits to be reaped.
    Dead,
}

/// Facts from `/proc/PID/stat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProcessStat {
    pub(super) life: ProcessState,
    pub(super) parent: RawPid,
    pub(super) group: RawPid,
    /// CPU time of it and of the children it waited for.
    pub(super) cpu: CpuTime,
    /// CPU time of it alone.
    pub(super) own: Duration,
    /// When it was started, in a unit of the system's: with its number that is no other process.
    pub(super) started: u64,
    /// Its threads; at least one, for a dead one keeps its number in use.
    pub(super) threads: u32,
    /// Resident memory in bytes, copies of files included; none where its first thread has ended.
    pub(super) resident: u64,
}

impl ProcessStat {
    pub(super) fn read(pid: Pid) -> Option<ProcessStat> {
        ProcessStat::parse(&read(pid, "stat")?)
    }

    pub(super) fn parse(text: &str) -> Option<ProcessStat> {
        // The name of the program stands in parentheses, and may hold any character itself.
        let (_, fields) = text.rsplit_once(") ")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
        let per_second = u32::try_from(clock_ticks_per_second()).ok()?;
        let time = |places: [usize; 2]| {
            let ticks = places.into_iter().filter_map(number).sum();
            Duration::from_secs(ticks) / per_second
        };
        let user = time([11, 13]);
        let threads = u32::try_from(number(17)?).ok()?.max(1);
        let life = match fields.first() {
            Some(&"Z" | &"X") if threads > 1 => ProcessState::Headless,
            Some(&"Z" | &"X") => ProcessState::Dead,
            _ => ProcessState::Running,
        };
        Some(ProcessStat {
            life,
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            cpu: CpuTime { all: user + time([12, 14]), user },
            own: time([11, 12]),
            started: number(19)?,
            threads,
            resident: number(21)?.saturating_mul(rustix::param::page_size() as u64),
        })
    }
}

/// A thread of a process that has not ended, by the number under which the system shows all of the
/// process, and what it shows there.
///
/// It is the first one while that runs. Nothing comes back if all have ended.
pub(super) fn living_thread(pid: Pid, stat: ProcessStat) -> Option<(Pid, ProcessStat)> {
    match stat.life {
        ProcessState::Running => Some((pid, stat)),
        ProcessState::Headless => later_thread(pid),
        ProcessState::Dead => None,
    }
}

/// A thread of a process that has not ended, besides the first one.
fn later_thread(pid: Pid) -> Option<(Pid, ProcessStat)> {
    let others = tasks(pid).into_iter().filter(|&task| task != pid.as_raw_pid());
    let mut others = others.filter_map(|task| {
        let thread = Pid::from_raw(task)?;
        Some((thread, ProcessStat::read(thread)?))
    });
    others.find(|(_, stat)| stat.life == ProcessState::Running)
}

/// The longest time that any one thread of a process was ready to run while others ran.
pub(super) fn longest_wait(pid: Pid) -> Option<Duration> {
    let waited = |task: RawPid| {
        let text = read(pid, &format!("task/{task}/schedstat"))?;
        text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
    };
    tasks(pid).into_iter().filter_map(waited).max()
}

/// The children of all threads of a process with this number of threads.
pub(super) fn children(pid: Pid, threads: u32) -> Vec<Pid> {
    match threads {
        1 => children_of_task(pid, pid.as_raw_pid()),
        _ => tasks(pid).into_iter().flat_map(|task| children_of_task(pid, task)).collect(),
    }
}

fn children_of_task(pid: Pid, task: RawPid) -> Vec<Pid> {
    let text = read(pid, &format!("task/{task}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|word| Pid::from_raw(word.parse().ok()?)).collect()
}

/// Signs in a process of the call that has started it.
///
/// They are from the start of the process; one that takes pains can show something else.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ProcessOrigin {
    /// The scratch folder in its environment.
    Scratch(Vec<u8>),
    /// Its environment names none.
    Hidden,
    /// It shows no environment, as every process in the moments in which it becomes another program.
    /// One that ends, that is closed to the referee or that has none looks the same.
    Unclear,
}

impl ProcessOrigin {
    pub(super) fn read(pid: Pid) -> ProcessOrigin {
        let environment = read_environment(pid).unwrap_or_default();
        let mut variables = environment.split(|&byte| byte == 0);
        match variables.find_map(|it| it.strip_prefix(b"ARBITER_SCRATCH=")) {
            Some(found) => ProcessOrigin::Scratch(found.to_vec()),
            None if environment.is_empty() => ProcessOrigin::Unclear,
            None => ProcessOrigin::Hidden,
        }
    }
}

/// The environment of a process, read at once: between two reads it may become another program, and
/// then the second finds the end of what is gone.
fn read_environment(pid: Pid) -> Option<Vec<u8>> {
    let open = |pid: Pid| File::open(format!("/proc/{pid}/environ"));
    let mut file = match open(pid) {
        // The first thread has ended, and it may be the only one that has.
        Err(error) if error.raw_os_error() == Some(Errno::SRCH.raw_os_error()) => {
            open(later_thread(pid)?.0).ok()?
        }
        opened => opened.ok()?,
    };
    let mut environment = vec![0; LONGEST_ENVIRONMENT];
    let length = file.read(&mut environment).ok()?;
    environment.truncate(length);
    Some(environment)
}

fn tasks(pid: Pid) -> Vec<RawPid> {
    let folder = fs::read_dir(format!("/proc/{pid}/task"));
    let names = folder.into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter_map(|name| name.to_str()?.parse().ok()).collect()
}

pub(super) fn read(pid: Pid, file: &str) -> Option<String> {
    // The name of a program may be any bytes.
    let bytes = read_bytes(pid, file)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The room for a file of the system, in bytes.
const ROOM: usize = 4 << 10;

/// Reads a file of a process. It may be too late for that: a process that is gone has no files, and is skipped.
fn read_bytes(pid: Pid, file: &str) -> Option<Vec<u8>> {
    // Most files fit into this at once.
    let mut bytes = Vec::with_capacity(ROOM);
    let file = File::open(format!("/proc/{pid}/{file}")).ok()?;
    file.take(LONGEST).read_to_end(&mut bytes).ok().map(|_| bytes)
}

/// The most time to end everything that a dead keeper has left.
const LIMIT: Duration = Duration::from_secs(10);

/// Time to wait for dying processes before the referee looks around again.
const PAUSE: Duration = Duration::from_millis(5);

/// The children that this program has started itself, the keepers and the guard. Any other child was left by a keeper
/// that died before it could end it.
static OWN: Mutex<Vec<RawPid>> = Mutex::new(Vec::new());

/// Held shared from before a child is started until it is known, and alone by code that must know
/// every child: a child that no one knows is then an orphan.
static STARTING: RwLock<()> = RwLock::new(());

pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    let _starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    let child = command.spawn()?;
    own_processes().push(Pid::from_child(&child).as_raw_pid());
    Ok(child)
}

/// Waits for a child to end, for this time at most; kills it then, and reaps it.
pub(super) fn end(mut child: Child, time: Duration) {
    let pid = Pid::from_child(&child);
    if !time.is_zero() {
        wait_for(pid, time);
    }
    // It fails only for one that has been reaped.
    let _ = child.kill();
    let _ = child.wait();
    own_processes().retain(|&known| known != pid.as_raw_pid());
}

/// Kills and reaps all children that this program has not started itself, with all that they have
/// started: their parents are gone.
pub(super) fn end_orphans() {
    let clock = Clock::start(LIMIT);
    while !clock.is_over() {
        let starting = STARTING.write().unwrap_or_else(PoisonError::into_inner);
        let known = own_processes().clone();
        let mut orphans = children(getpid(), 1);
        orphans.retain(|orphan| !known.contains(&orphan.as_raw_pid()));
        drop(starting);
        if orphans.is_empty() {
            return;
        }
        for orphan in orphans {
            // A child that no one reaps keeps its number; what it has started becomes an orphan too.
            if ProcessStat::read(orphan).is_some_and(|stat| stat.parent == getpid().as_raw_pid()) {
                let _ = kill_process(orphan, Signal::KILL);
                wait_for(orphan, PAUSE);
                let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
            }
        }
    }
}

/// Lets this process open as many files as the system allows: each keeper takes a descriptor, and a tournament may
/// have hundreds. Programs under keepers have a limit of their own.
pub(super) fn allow_descriptors() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let limit = getrlimit(Resource::Nofile);
        // Where it is refused, as many as before are enough for most.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    });
}

fn own_processes() -> MutexGuard<'static, Vec<RawPid>> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps other processes of the same user from reading the memory of this one, where the deck and the
/// seed are.
///
/// A system that refuses it leaves it undone: no game is void for it.
pub(super) fn close() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    });
}

/// Makes this process the parent of all orphans among its descendants: of what a keeper leaves that
/// dies before it could end it.
pub(super) fn adopt_orphans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = set_child_subreaper(Some(getpid()));
    });
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_lease_that_somebody_waits_for_is_found() {
        let quiet = "1: POSIX  ADVISORY  WRITE 12 00:1a:7 0 EOF\n2: LEASE  ACTIVE    WRITE 3 00:1a:8 0 EOF\n";
        assert!(!lists_breaking("") && !lists_breaking(quiet));
        assert!(lists_breaking(&format!("{quiet}3: LEASE  BREAKING  READ 3 00:1a:9 0 EOF\n")));
    }

    #[test]
    fn a_name_that_looks_like_the_end_of_itself_is_read_over() {
        let text = "7 (a) Z 1 9) S 1 42 7 0 -1 4194304 1 2 3 4 100 50 25 25 20 0 3 0 99 4096 10 0";
        let stat = ProcessStat::parse(text).expect("it is one");
        assert_eq!(stat.life, ProcessState::Running);
        assert_eq!((stat.parent, stat.group, stat.threads), (1, 42, 3));
        assert_eq!((stat.own * clock_ticks_per_second() as u32).as_secs(), 150);
        assert_eq!(stat.started, 99);
        assert_eq!(stat.cpu.all * clock_ticks_per_second() as u32, Duration::from_secs(200));
        assert_eq!(stat.resident, 10 * rustix::param::page_size() as u64);
        assert_eq!(ProcessStat::parse("7 (a) S 1"), None);
    }

    #[test]
    fn a_process_whose_first_thread_has_ended_is_not_dead() {
        let life = |threads| {
            let text = format!("7 (a) Z 1 9 0 0 -1 0 1 2 3 4 0 0 0 0 20 0 {threads} 0 99 0 0");
            ProcessStat::parse(&text).expect("it is one").life
        };
        assert_eq!(
            [0, 1, 2].map(life),
            [ProcessState::Dead, ProcessState::Dead, ProcessState::Headless]
        );
    }

    #[test]
    fn this_process_is_found() {
        let own = getpid();
        let stat = ProcessStat::read(own).expect("it runs");
        assert_eq!(stat.life, ProcessState::Running);
        assert!(stat.resident > 0);
    }

    #[test]
    fn a_process_shows_its_origin() {
        let origin = |variables: &[(&str, &str)]| {
            let mut command = Command::new("/bin/cat");
            let command = command.env_clear().envs(variables.iter().copied());
            let mut cat = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            // A process that answers has become the intended program.
            cat.stdin.as_mut().unwrap().write_all(b"x").unwrap();
            cat.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
            let origin = ProcessOrigin::read(Pid::from_child(&cat));
            cat.kill().and_then(|()| cat.wait()).unwrap();
            origin
        };
        let scratch = ProcessOrigin::Scratch(b"/a".to_vec());
        assert_eq!(origin(&[("A", "1"), ("ARBITER_SCRATCH", "/a")]), scratch);
        assert_eq!(origin(&[("A", "1")]), ProcessOrigin::Hidden);
        assert_eq!(origin(&[]), ProcessOrigin::Unclear);
        assert_eq!(
            ProcessOrigin::read(Pid::from_raw(i32::MAX).expect("a number")),
            ProcessOrigin::Unclear
        );
    }
}
