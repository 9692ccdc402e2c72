//! A machine that has no room for one more process: a bot that fails then, and is within its own limit, is not charged.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::thread;
use std::time::Instant;

use rustix::process::geteuid;
use tests::bench::{Bench, CEILING, Ended, PAUSE, run};
use tests::keeping::{Keeping, KeepingCommand, as_user};
use tests::log::assert_nobody_is_charged;
use tests::{log, missing, processes};

/// Processes and threads of the referee, its keepers and the bots together: fewer than a bot may have.
const ROOM: u32 = 60;

/// A user without rights or processes, who need not exist; each way of keeping has one of its own.
const USER: u32 = 61_300;

/// The users of as many runs of these tests differ.
const OTHERS: u32 = 1_000;

/// Ways to keep bots apart that have a keeper.
const KEEPINGS: [Keeping; 3] = [Keeping::Isolated, Keeping::Refused, Keeping::Off];

/// A control group with room for few processes, which is removed when this is dropped.
struct Group(PathBuf);

impl Group {
    /// Nothing where none can be made, which it says.
    fn new(name: &str) -> Option<Group> {
        let made = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"].into_iter().find_map(|tree| {
            let folder = Path::new(tree).join(format!("arbiter-test-{}-{name}", process::id()));
            fs::create_dir(&folder).ok()?;
            let group = Group(folder);
            fs::write(group.0.join("pids.max"), ROOM.to_string()).ok()?;
            Some(group)
        });
        if made.is_none() {
            missing::tell("no control group for processes can be made here");
        }
        made
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let begun = Instant::now();
        // The last process may be about to end.
        while fs::remove_dir(&self.0).is_err() && begun.elapsed() < CEILING {
            thread::sleep(PAUSE);
        }
    }
}

fn asked(bench: &Bench, keeping: Keeping) -> Command {
    let bad = format!("bad={}", bench.faulty("start-until-refused"));
    let words = ["match", "--game", "coup", "--quiet", "--log", "log", "--time-limit", "60s"];
    let mut command = bench.arbiter(words);
    command.args([bad, bench.faulty("ok")]).with_keeping(keeping);
    command
}

/// The same command by a shell that does this first, with a word for it.
fn after(command: &Command, script: &str, word: &Path) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("{script} && exec \"$@\"")]).arg(word);
    shell.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell
}

fn assert_void(bench: &Bench, keeping: Keeping, ended: &Ended) {
    assert_eq!(ended.code, Some(1), "{keeping}: {ended:?}");
    let games = log::games(&bench.path("log"));
    assert_eq!(games.len(), 4, "{keeping}: {ended:?}");
    for game in &games {
        assert_nobody_is_charged(game);
        let reason = game["result"]["reason"].to_string();
        assert!(reason.contains("the machine refused to start a process"), "{keeping}: {game}");
    }
    processes::wait_for_none(bench.marker());
}

#[test]
fn a_bot_within_its_limit_is_not_charged_when_a_control_group_has_no_room_for_a_process() {
    for keeping in KEEPINGS {
        let bench = Bench::new();
        let Some(group) = Group::new(&keeping.to_string()) else { return };
        if !keeping.can_be_had(&bench) {
            continue;
        }
        let mut command =
            after(&asked(&bench, keeping), "echo $$ >\"$0\"", &group.0.join("cgroup.procs"));
        assert_void(&bench, keeping, &run(&mut command));
    }
}

/// The superuser's processes are not counted, so other users play then.
#[test]
#[ignore = "a limit of the user is not noticed on every machine yet"]
fn a_bot_within_its_limit_is_not_charged_when_its_user_has_no_room_for_a_process() {
    if !geteuid().is_root() {
        // Other processes of this user would count.
        missing::tell("only root can play as a user without other processes");
        return;
    }
    for (place, keeping) in [Keeping::Isolated, Keeping::Off].into_iter().enumerate() {
        let bench = Bench::new();
        if !keeping.can_be_had(&bench) {
            continue;
        }
        let user = USER + process::id() % OTHERS * KEEPINGS.len() as u32 + place as u32;
        let command = as_user(&bench, &asked(&bench, keeping), user);
        // Shells have two names for it.
        let limit =
            format!("(ulimit -u {ROOM}) 2>/dev/null && ulimit -u {ROOM} || ulimit -p {ROOM}");
        let mut command = {
            use std::os::unix::process::CommandExt;
            let mut shell = after(&command, &limit, Path::new("sh"));
            shell.uid(user).gid(user);
            shell
        };
        assert_void(&bench, keeping, &run(&mut command));
    }
}
