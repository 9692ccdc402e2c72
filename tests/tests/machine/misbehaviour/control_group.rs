//! Control groups for the referee, its keepers and the bots together.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::time::Instant;

use tests::bench::{CEILING, pause};
use tests::keeping::started_by;
use tests::missing;

/// A control group, which is removed when this is dropped.
pub(super) struct Group(PathBuf);

impl Group {
    /// A group of this kind with the limits that its kernel has; nothing where none can be made, which it says.
    pub(super) fn new(name: &str, kind: &str, limits: &[(&str, &str)]) -> Option<Group> {
        let trees = [format!("/sys/fs/cgroup/{kind}"), "/sys/fs/cgroup".to_owned()];
        let made = trees.iter().find_map(|tree| {
            let folder = Path::new(tree).join(format!("arbiter-test-{}-{name}", process::id()));
            fs::create_dir(&folder).ok()?;
            let group = Group(folder);
            let set = |(file, limit): &&(&str, &str)| fs::write(group.0.join(file), limit).is_ok();
            (limits.iter().filter(set).count() > 0).then_some(group)
        });
        if made.is_none() {
            missing::tell(&format!("no control group for {kind} can be made here"));
        }
        made
    }

    /// The same command in this group, with no input.
    pub(super) fn within(&self, command: &Command) -> Command {
        let place = self.0.join("cgroup.procs").display().to_string();
        started_by(&["/bin/sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", &place], command)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let begun = Instant::now();
        // The last process may be about to end.
        while fs::remove_dir(&self.0).is_err() && begun.elapsed() < CEILING {
            pause(begun);
        }
    }
}
