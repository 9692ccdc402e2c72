//! What happens where memory runs out: which processes the kernel kills first, and whether it has killed
//! any.
//!
//! A bot has the highest score there is, so it goes before its keeper and the referee, however little it
//! holds itself: much of what it takes (files in memory, the buffers of its sockets) counts for no process.
//! That memory is free only when the bot has ended. Until then the kernel may kill another process, too.
//! The kernel gives a child the score of its parent, and a child cannot open its own score where the keeper
//! has closed itself to others. So a keeper raises its own score for the moment of a start, and lowers it
//! again.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// The score of those that the kernel kills before all others.
const FIRST: &str = "1000";

/// More than a counter of a control group holds, in bytes.
const ROOM: usize = 1 << 10;

/// The score of this process, by which the kernel chooses whom to kill.
#[derive(Debug)]
pub(super) struct Score(Option<(File, String)>);

impl Score {
    /// Opens it, which a process that is confined no longer can. Where it cannot be had, everyone has
    /// the same.
    pub(super) fn own() -> Score {
        const PATH: &str = "/proc/self/oom_score_adj";
        let file = OpenOptions::new().write(true).open(PATH).ok();
        Score(file.zip(fs::read_to_string(PATH).ok()))
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
pub(super) struct Kills(Option<File>);

impl Kills {
    /// Opens it, which a process that is confined no longer can.
    pub(super) fn of_own_group() -> Kills {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let opened = counters(&groups).into_iter().filter_map(|path| File::open(path).ok());
        Kills(opened.map(Some).map(Kills).find(|it| it.count().is_some()).and_then(|it| it.0))
    }

    /// How many there were so far; nothing where it cannot be told.
    pub(super) fn count(&self) -> Option<u64> {
        let mut text = [0; ROOM];
        let length = self.0.as_ref()?.read_at(&mut text, 0).ok()?;
        count_in(std::str::from_utf8(text.get(..length)?).ok()?)
    }
}

/// Where the counter of a process may be that is in these groups, as `/proc/self/cgroup` lists them. A
/// container often has its own group in the place of the whole tree.
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
    use super::*;

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
