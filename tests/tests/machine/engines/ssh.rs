//! The loop over ssh, with a stand-in for ssh: a machine is a folder.

use std::fs;

use tests::installed;
use tests::running::{Running, wait_until};

use super::cup::{Cup, SHARDS, kill, place_bot};

/// Runs a command in the folder of a machine, as ssh does in a home folder; 255 where there is none.
const SSH: &str = r#"#!/bin/sh
[ "$1" = -n ] && shift && exec </dev/null
cd "$MACHINES/$1" || exit 255
shift
exec sh -c "$*"
"#;

fn start(cup: &Cup, machines: &[&str]) -> Running {
    let mut command = cup.script_command("ssh.sh");
    command.arg(&cup.name).arg(SHARDS.to_string()).args(machines);
    Running::start(command.env("MACHINES", cup.bench.path("machines")))
}

#[test]
fn machines_over_ssh_play_what_one_machine_plays() {
    let Some(cup) = Cup::plan() else { return };
    if !installed::is_there("rsync") {
        return;
    }
    cup.script("ssh", SSH);
    for machine in ["one", "two"] {
        let folder = cup.bench.path("machines").join(machine);
        fs::create_dir_all(&folder).expect("the folder is ours");
        place_bot(&folder);
    }
    let open = |machine: &str| {
        let gate = cup.bench.path("machines").join(machine).join("closed");
        fs::remove_file(gate).expect("it was closed");
    };
    // A machine is not there, and on another one the program is killed: all else is played.
    let mut script = start(&cup, &["one", "gone"]);
    wait_until("a shard is begun", || cup.programs().len() == 1);
    kill(*cup.programs().first().expect("one runs"));
    open("one");
    open("two");
    assert_eq!(script.wait().code(), Some(75), "shards are not finished: {}", cup.outputs());
    // One of the two was killed, perhaps before its first game.
    assert!((1..=2).contains(&cup.begun()), "copied back: {}", cup.outputs());
    let mut script = start(&cup, &["one", "two"]);
    assert_eq!(script.wait().code(), Some(0), "{}", cup.outputs());
    cup.assert_is_that_of_one_machine();
}
