//! Memory of processes, as `/proc` tells it, and what happens where it runs out.
//!
//! Most of it is resident: pages that a process has mapped. But a file that exists in memory only
//! (`memfd_create`) holds its pages whether they are mapped or not, and so do the buffers of a socket.
//! Both are seen by the descriptors that lead to them.
//!
//! Where it cannot be known, it counts in favour of the bot: a file in memory that is mapped as well counts
//! once, a socket counts only where there are so many of them that no honest program has them. So does a
//! descriptor beyond the many that are looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::ops::Add;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::process::Pid;

use super::proc::read;

/// The number of sockets all processes of a program may have before any counts.
const FREE_SOCKETS: u64 = 64;

/// Bytes that a socket beyond those counts: the size of a full buffer left as large as it is by
/// default.
const SOCKET: u64 = 208 << 10;

/// The most descriptors of all processes of a program to look at: 64 for each of 256 processes. The
/// others stay unknown, so that looking takes a bounded time.
const LOOKED_AT: u64 = 16 << 10;

/// The unit of `st_blocks`, in bytes.
const BLOCK: u64 = 512;

/// Resident memory that is not a copy of a file, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ResidentMemory {
    /// Memory that is in no file at all.
    private: u64,
    /// Memory in files that exist in memory only, or shared in the same way.
    shared: u64,
}

impl ResidentMemory {
    /// The memory of a process; memory shared with others counts in full.
    pub(super) fn read(pid: Pid) -> ResidentMemory {
        let text = read(pid, "status").unwrap_or_default();
        ResidentMemory::in_lines(&text, ["RssAnon:", "RssShmem:"])
    }

    /// The memory of a process; memory shared by several processes counts in equal parts for each.
    ///
    /// The system walks all pages for it, so this is for the few cases that hang on it. None if the
    /// system does not tell.
    pub(super) fn in_parts(pid: Pid) -> Option<ResidentMemory> {
        let text = read(pid, "smaps_rollup")?;
        text.contains("Pss_Anon:")
            .then(|| ResidentMemory::in_lines(&text, ["Pss_Anon:", "Pss_Shmem:"]))
    }

    /// Adds up the lines of these names, which are in KiB.
    fn in_lines(text: &str, [private, shared]: [&str; 2]) -> ResidentMemory {
        let kib = |line: &str, name: &str| {
            line.strip_prefix(name)?.split_whitespace().next()?.parse::<u64>().ok()
        };
        let sum = |name: &str| {
            text.lines().filter_map(|line| kib(line, name)).sum::<u64>().saturating_mul(1024)
        };
        ResidentMemory { private: sum(private), shared: sum(shared) }
    }

    /// All of it with what is held besides, in bytes. What is mapped of files in memory and what such files
    /// hold may be the same.
    pub(super) fn with(self, held: OpenFileBytes) -> u64 {
        let files = self.shared.max(held.files);
        self.private.saturating_add(files).saturating_add(held.sockets)
    }
}

impl Add for ResidentMemory {
    type Output = ResidentMemory;

    fn add(self, other: ResidentMemory) -> ResidentMemory {
        ResidentMemory {
            private: self.private.saturating_add(other.private),
            shared: self.shared.saturating_add(other.shared),
        }
    }
}

/// Everything that the descriptors of processes lead to, each thing once.
#[derive(Debug, Default)]
pub(super) struct OpenFiles {
    /// The bytes of files that exist in memory only, by device and number.
    files: BTreeMap<(u64, u64), u64>,
    sockets: BTreeSet<Vec<u8>>,
    descriptors: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct OpenFileBytes {
    files: u64,
    /// With the descriptors that were not looked at, which count like sockets.
    sockets: u64,
}

impl OpenFiles {
    /// Adds what processes have open, as far as the system tells, until it is more than this many bytes.
    pub(super) fn add_up_to(&mut self, most: u64, processes: &[Pid]) {
        for pid in processes {
            let descriptors = fs::read_dir(format!("/proc/{pid}/fd"));
            for descriptor in descriptors.into_iter().flatten().flatten() {
                self.descriptors = self.descriptors.saturating_add(1);
                if self.descriptors <= LOOKED_AT {
                    self.add_descriptor(&descriptor.path());
                } else if self.unseen_bytes() > most {
                    return;
                }
            }
        }
    }

    /// Bytes that the descriptors not looked at count.
    fn unseen_bytes(&self) -> u64 {
        self.descriptors.saturating_sub(LOOKED_AT).saturating_mul(SOCKET)
    }

    fn add_descriptor(&mut self, path: &Path) {
        // It may be closed by now.
        let Ok(target) = fs::read_link(path) else { return };
        let target = target.as_os_str().as_bytes();
        if target.starts_with(b"/memfd:") {
            if let Ok(found) = fs::metadata(path) {
                let bytes = found.blocks().saturating_mul(BLOCK);
                self.files.insert((found.dev(), found.ino()), bytes);
            }
        } else if target.starts_with(b"socket:[") {
            self.sockets.insert(target.to_vec());
        }
    }

    pub(super) fn bytes(&self) -> OpenFileBytes {
        let files = self.files.values().fold(0, |sum: u64, bytes| sum.saturating_add(*bytes));
        let counted = (self.sockets.len() as u64).saturating_sub(FREE_SOCKETS);
        let sockets = counted.saturating_mul(SOCKET).saturating_add(self.unseen_bytes());
        OpenFileBytes { files, sockets }
    }
}

impl OpenFileBytes {
    pub(super) fn sum(self) -> u64 {
        self.files.saturating_add(self.sockets)
    }
}

// When memory runs out, the kernel kills first what has the highest score.
//
// A bot has the highest score there is, so it goes before its keeper and the referee, however little it
// holds itself: much of what it takes (files in memory, the buffers of its sockets) counts for no process.
// That memory is free only when the bot has ended. Until then the kernel may kill another process, too.
// The kernel gives a child the score of its parent, and a child cannot open its own score where the keeper
// has closed itself to others. So a keeper raises its own score for the moment of a start, and lowers it
// again.

/// The score of those that the kernel kills before all others.
const FIRST: &str = "1000";

/// More than a counter of a control group holds, in bytes.
const ROOM: usize = 1 << 10;

/// The score of this process, by which the kernel chooses whom to kill.
#[derive(Debug)]
pub(super) struct OomScore(Option<(File, String)>);

impl OomScore {
    /// Opens it, which a process that is confined no longer can. Where it cannot be had, everyone has
    /// the same.
    pub(super) fn open() -> OomScore {
        const PATH: &str = "/proc/self/oom_score_adj";
        let file = OpenOptions::new().write(true).open(PATH).ok();
        OomScore(file.zip(fs::read_to_string(PATH).ok()))
    }

    /// Has all that `start` starts go first.
    pub(super) fn raised<T>(&self, start: impl FnOnce() -> T) -> T {
        let Some((file, own)) = &self.0 else { return start() };
        let set = |score: &str| (&*file).write_all(score.as_bytes());
        // A system that refuses it has everyone stay as likely as they are.
        let _ = set(FIRST);
        let started = start();
        let _ = set(own.trim_end());
        started
    }
}

/// The counter of processes that the kernel has killed in the control group of this process because
/// memory had run out, in the group or in the whole machine.
#[derive(Debug)]
pub(super) struct OomKills(Option<File>);

impl OomKills {
    /// Opens it, which a process that is confined no longer can.
    pub(super) fn of_own_group() -> OomKills {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let opened = counters(&groups).into_iter().filter_map(|path| File::open(path).ok());
        OomKills(opened.map(Some).map(OomKills).find(|it| it.count().is_some()).and_then(|it| it.0))
    }

    /// The number so far; none if it cannot be told.
    pub(super) fn count(&self) -> Option<u64> {
        let mut text = [0; ROOM];
        let length = self.0.as_ref()?.read_at(&mut text, 0).ok()?;
        count_in(std::str::from_utf8(text.get(..length)?).ok()?)
    }
}

/// Possible places of the counter of a process in these groups, as `/proc/self/cgroup` lists them.
/// A container often has its own group in the place of the whole tree.
fn counters(groups: &str) -> Vec<PathBuf> {
    let counter = |line: &str| {
        let mut words = line.splitn(3, ':').skip(1);
        let (controllers, group) = (words.next()?, words.next()?);
        let (tree, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.events"),
            some if some.split(',').any(|it| it == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.oom_control")
            }
            _ => return None,
        };
        Some([format!("{tree}{group}/{file}"), format!("{tree}/{file}")].map(PathBuf::from))
    };
    groups.lines().filter_map(counter).flatten().collect()
}

/// The counter among the lines of `memory.oom_control` or `memory.events`.
fn count_in(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    use rustix::fs::{MemfdFlags, memfd_create};
    use rustix::io::dup;
    use rustix::process::getpid;

    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn only_the_lines_asked_for_count() {
        let text = "VmRSS:\t     900 kB\nRssAnon:\t     500 kB\nRssShmem:\t       2 kB\n";
        let found = ResidentMemory::in_lines(text, ["RssAnon:", "RssShmem:"]);
        assert_eq!(found, ResidentMemory { private: 500 << 10, shared: 2 << 10 });
    }

    #[test]
    fn this_process_has_memory() {
        let memory = ResidentMemory::read(getpid());
        assert!(memory.private > 0);
        assert!(ResidentMemory::in_parts(getpid()).is_none_or(|memory| memory.private > 0));
    }

    #[test]
    fn a_file_in_memory_that_is_mapped_counts_once() {
        let held = OpenFileBytes { files: 5 * MIB, sockets: 2 * MIB };
        let memory = ResidentMemory { private: MIB, shared: 3 * MIB };
        assert_eq!(memory.with(held), (1 + 5 + 2) * MIB);
        assert_eq!(memory.with(OpenFileBytes::default()), 4 * MIB);
    }

    #[test]
    fn files_in_memory_count_once_however_often_they_are_open() {
        let file = memfd_create("a", MemfdFlags::CLOEXEC).expect("there is room");
        let again = dup(&file).expect("there is room");
        let mut file = File::from(file);
        file.write_all(&vec![7; 3 * MIB as usize]).expect("there is room");
        // Nothing of it is mapped, and most of its length is a hole.
        file.set_len(100 * MIB).expect("it may be long");
        let mut held = OpenFiles::default();
        held.add_up_to(u64::MAX, &[getpid(), getpid()]);
        let own = file.metadata().expect("it is open");
        let bytes = held.files.get(&(own.dev(), own.ino())).copied();
        assert!(bytes.is_some_and(|bytes| (3 * MIB..4 * MIB).contains(&bytes)), "{bytes:?}");
        drop(again);
    }

    #[test]
    fn a_few_sockets_count_for_nothing() {
        let pairs: Vec<_> = (0..50).map(|_| UnixStream::pair().expect("there is room")).collect();
        let mut held = OpenFiles::default();
        held.add_up_to(u64::MAX, &[getpid(), getpid()]);
        // Other tests have sockets, too.
        let sockets = held.sockets.len() as u64;
        assert!(sockets >= 2 * pairs.len() as u64, "{sockets}");
        assert_eq!(held.bytes().sockets, (sockets - FREE_SOCKETS) * SOCKET);
        let few = held.sockets.into_iter().take(FREE_SOCKETS as usize).collect();
        assert_eq!(OpenFiles { sockets: few, ..OpenFiles::default() }.bytes().sockets, 0);
    }

    #[test]
    fn descriptors_beyond_those_that_are_looked_at_count_as_sockets() {
        let held = |descriptors| OpenFiles { descriptors, ..OpenFiles::default() }.bytes();
        assert_eq!(held(LOOKED_AT), OpenFileBytes::default());
        assert_eq!(held(LOOKED_AT + 3).sum(), 3 * SOCKET);
        let mut many = OpenFiles { descriptors: LOOKED_AT, ..OpenFiles::default() };
        // There are at least the standard streams, and it stops when it has seen enough.
        many.add_up_to(SOCKET, &[getpid(), getpid(), getpid()]);
        assert_eq!(many.descriptors, LOOKED_AT + 2);
    }

    #[test]
    fn the_counter_of_either_kind_of_control_groups_is_found() {
        let older = "12:pids:/a\n4:cpu,memory:/a/b\n1:name=systemd:/a\n";
        let found = |groups: &str| -> Vec<String> {
            counters(groups).iter().map(|path| path.display().to_string()).collect()
        };
        assert_eq!(
            found(older),
            [
                "/sys/fs/cgroup/memory/a/b/memory.oom_control",
                "/sys/fs/cgroup/memory/memory.oom_control"
            ]
        );
        let newer = "0::/user.slice/a:b.scope\n";
        assert_eq!(
            found(newer),
            ["/sys/fs/cgroup/user.slice/a:b.scope/memory.events", "/sys/fs/cgroup/memory.events"]
        );
        assert!(found("\nnothing\n1:cpu\n").is_empty());
    }

    #[test]
    fn only_processes_that_were_killed_count() {
        assert_eq!(count_in("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n"), Some(3));
        assert_eq!(count_in("max 9\noom 7\noom_kill 12\noom_group_kill 1\n"), Some(12));
        // Kernels before 4.13 do not count them.
        assert_eq!(count_in("oom_kill_disable 0\nunder_oom 0\n"), None);
    }
}
