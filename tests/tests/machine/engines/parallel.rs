//! GNU parallel, whose jobs and which itself are killed.

use rustix::process::Signal;
use tests::installed;
use tests::running::Running;

use super::cup::{Cup, SHARDS, kill};

fn start(cup: &Cup) -> Running {
    let mut command = cup.script_command("parallel.sh");
    Running::start(command.arg(cup.folder()).arg(SHARDS.to_string()).args(["--jobs", "2"]))
}

#[test]
fn parallel_plays_what_one_machine_plays() {
    let Some(cup) = Cup::plan() else { return };
    if !installed::is_there("parallel") {
        return;
    }
    let mut script = start(&cup);
    // The program is killed: parallel starts it again.
    let programs = cup.wait_until_held(2);
    let killed = *programs.first().expect("it is held");
    kill(killed);
    let programs = cup.wait_until_held(2);
    assert!(!programs.contains(&killed));
    // Parallel is killed, and its jobs go on without it. Those of the next one wait for them.
    for child in tests::running::children(script.id()) {
        kill(child);
    }
    script.signal(Signal::KILL);
    script.wait();
    assert_eq!(cup.programs(), programs);
    let mut script = start(&cup);
    tests::running::wait_until("both are there twice", || cup.programs().len() == 4);
    cup.open();
    assert_eq!(script.wait().code(), Some(0), "{}", cup.outputs());
    cup.assert_is_that_of_one_machine();
}
