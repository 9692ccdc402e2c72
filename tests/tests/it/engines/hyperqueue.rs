//! A real HyperQueue: a server and workers in processes of their own.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;

use rustix::process::Signal;
use tests::bench::run;
use tests::running::{Running, wait_or_say};

use super::cup::{Cup, SHARDS, kill, python};

/// Starts a part of HyperQueue, and waits until it is ready.
fn start(cup: &Cup, python: &Path, part: &str, folders: &[&str]) -> Running {
    let name = folders.join("-");
    let told = cup.bench.path(&format!("{part}-{name}.out"));
    let out = File::create(&told).expect("the folder is ours");
    let again = out.try_clone().expect("a descriptor");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("hyperqueue").join(part);
    let mut command = cup.command(python);
    let folders = folders.iter().map(|folder| cup.bench.path(folder));
    command.arg(script.with_extension("py")).args(folders);
    // It ends by itself when its standard input does.
    let mut started = Running::start(command.stdin(Stdio::piped()).stdout(out).stderr(again));
    let is_ready = || std::fs::read_to_string(&told).is_ok_and(|text| text.contains("ready"));
    wait_or_say(
        || is_ready() || started.has_ended(),
        || format!("{part} is ready: {}", cup.told()),
    );
    assert!(is_ready(), "{part} has ended: {}", cup.told());
    started
}

#[test]
fn hyperqueue_plays_what_one_machine_plays() {
    let Some(cup) = Cup::plan() else { return };
    let Some(python) = python(&cup) else { return };
    let mut import = cup.command(&python);
    if run(import.args(["-c", "import hyperqueue"])).code != Some(0) {
        println!("skipped: no HyperQueue, which `dist/check` installs");
        return;
    }
    let server = start(&cup, &python, "server", &["queue"]);
    let worker = |folder| start(&cup, &python, "worker", &["queue", folder]);
    let mut first = worker("one");
    let hq = Path::new(env!("CARGO_MANIFEST_DIR")).join("hyperqueue/hq.py");
    let queue = cup.bench.path("queue");
    let words = [&python, &hq, &queue].map(|path| format!("'{}'", path.display())).join(" ");
    cup.script("hq", &format!("#!/bin/sh\nexec {words} \"$@\"\n"));
    let mut command = cup.script_command("hyperqueue.sh");
    let mut script = Running::start(command.arg(cup.folder()).arg(SHARDS.to_string()));
    // The program is killed: its task has failed, and comes again with the next array.
    let programs = cup.wait_until_held(2);
    kill(*programs.first().expect("it is held"));
    // The worker is killed, and all that it runs: its tasks go to the next one.
    cup.wait_until_held(2);
    first.signal(Signal::KILL);
    first.wait();
    let _second = worker("two");
    cup.wait_until_held(2);
    cup.open();
    let status = script.wait();
    assert_eq!(status.code(), Some(0), "{}", cup.told());
    drop(server);
    cup.assert_is_that_of_one_machine();
}
