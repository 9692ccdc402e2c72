//! A machine that has no room for one more process: a bot that fails then, and is within its own limit, is not charged.

#![cfg(target_os = "linux")]

use std::os::unix::process::CommandExt;
use std::process::{self, Command};

use rustix::process::geteuid;
use tests::bench::{Bench, Ended, run};
use tests::keeping::{Keeping, KeepingCommand, as_user, started_by};
use tests::log::assert_nobody_is_charged;
use tests::{log, missing, processes};

use super::control_group::Group;

/// Processes and threads of the referee, its keepers and the bots together: fewer than a bot may have.
const ROOM: &str = "60";

/// A user without rights or processes, who need not exist; each way of keeping has one of its own.
const USER: u32 = 61_300;

/// The users of as many runs of these tests differ.
const OTHERS: u32 = 1_000;

/// Ways to keep bots apart that have a keeper.
const KEEPINGS: [Keeping; 3] = [Keeping::Isolated, Keeping::Refused, Keeping::Off];

fn asked(bench: &Bench, keeping: Keeping) -> Command {
    let bad = format!("bad={}", bench.faulty("start-until-refused"));
    let words = ["match", "--game", "coup", "--quiet", "--log", "log", "--time-limit", "60s"];
    let mut command = bench.arbiter(words);
    command.args([bad, bench.faulty("ok")]).with_keeping(keeping);
    command
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
    for keeping in Keeping::had(KEEPINGS) {
        let bench = Bench::new();
        let limit = [("pids.max", ROOM)];
        let Some(group) = Group::new(&keeping.to_string(), "pids", &limit) else { return };
        assert_void(&bench, keeping, &run(&mut group.within(&asked(&bench, keeping))));
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
        let mut command =
            started_by(&["/bin/sh", "-c", &format!("{limit} && exec \"$@\""), "sh"], &command);
        command.uid(user).gid(user);
        assert_void(&bench, keeping, &run(&mut command));
    }
}
