//! Want of processes: what the system tells of starts that it has refused, to any program.
//!
//! A program that gets no process may fail for that alone, in whatever way it likes. A control group counts the starts
//! that were refused for its limit. Nothing counts those for the limit of a user or of the whole machine, so for these
//! the keeper tries to start a process itself, before the program is reaped.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::process::{Signal, WaitOptions, kill_process, waitpid};

use super::fork::{ForkResult, fork};

/// More than a counter of a control group holds, in bytes.
const ROOM: usize = 1 << 10;

/// The counters of the control groups of this process.
#[derive(Debug)]
pub(super) struct RefusedStartCounters(Vec<File>);

impl RefusedStartCounters {
    /// Opens them, which a process that is confined no longer can.
    pub(super) fn of_own_groups() -> RefusedStartCounters {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let places = places(&groups);
        let open = |name: &str, most: usize| -> Vec<File> {
            let opened = places.iter().filter_map(|place| File::open(place.join(name)).ok());
            opened.take(most).collect()
        };
        // Since Linux 6.12 each group above counts the starts that its own limit has refused; before, the group of a
        // process counts those for any limit.
        let local = open("pids.events.local", usize::MAX);
        RefusedStartCounters(if local.is_empty() { open("pids.events", 1) } else { local })
    }

    /// The number of refused starts so far.
    pub(super) fn count(&self) -> u64 {
        self.0.iter().filter_map(count).fold(0, u64::saturating_add)
    }
}

/// Returns true if the system has no room for one more process of this user just now.
pub(super) fn has_no_room() -> bool {
    match fork() {
        Ok(ForkResult::Child) => std::process::exit(0),
        Ok(ForkResult::Parent(child)) => {
            // What the bot has left may have stopped it.
            let _ = kill_process(child, Signal::KILL);
            while matches!(waitpid(Some(child), WaitOptions::empty()), Err(Errno::INTR)) {}
            false
        }
        Err(error) => error.kind() == io::ErrorKind::WouldBlock,
    }
}

fn count(file: &File) -> Option<u64> {
    let mut text = [0; ROOM];
    let length = file.read_at(&mut text, 0).ok()?;
    count_in(std::str::from_utf8(text.get(..length)?).ok()?)
}

fn count_in(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("max ")?.trim().parse().ok())
}

/// Possible folders of a process in these groups, as `/proc/self/cgroup` lists them, its own first, and then those
/// above. A container often has its own group in the place of the whole tree.
fn places(groups: &str) -> Vec<PathBuf> {
    let place = |line: &str| {
        let mut words = line.splitn(3, ':').skip(1);
        let (controllers, group) = (words.next()?, words.next()?);
        let tree = match controllers {
            "" => Path::new("/sys/fs/cgroup"),
            some if some.split(',').any(|it| it == "pids") => Path::new("/sys/fs/cgroup/pids"),
            _ => return None,
        };
        let own = tree.join(group.trim_start_matches('/'));
        let above = own.ancestors().take_while(|it| it.starts_with(tree)).map(Path::to_owned);
        Some(above.collect::<Vec<_>>())
    };
    groups.lines().filter_map(place).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counters_of_either_kind_of_control_groups_are_found() {
        let found = |groups: &str| -> Vec<String> {
            places(groups).iter().map(|path| path.display().to_string()).collect()
        };
        assert_eq!(
            found("12:pids:/a\n4:cpu,memory:/a/b\n"),
            ["/sys/fs/cgroup/pids/a", "/sys/fs/cgroup/pids"]
        );
        assert_eq!(
            found("0::/user.slice/a:b.scope\n"),
            ["/sys/fs/cgroup/user.slice/a:b.scope", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"]
        );
        assert!(found("\nnothing\n1:cpu\n").is_empty());
        assert_eq!(count_in("max 12\n"), Some(12));
        assert_eq!(count_in("low 3\n"), None);
    }
}
