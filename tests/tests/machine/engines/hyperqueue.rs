//! A real HyperQueue: a server and workers in processes of their own.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::Signal;
use tests::bench::run;
use tests::running::{Running, wait_or_say};

use super::cup::{Cup, DEALS, SHARDS, kill, python};
use super::night::assert_first_round_is_taken;

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
        || format!("{part} is ready: {}", cup.outputs()),
    );
    assert!(is_ready(), "{part} has ended: {}", cup.outputs());
    started
}

/// HyperQueue with a stand-in for its command `hq`, which submits jobs.
struct Queue<'a> {
    cup: &'a Cup,
    python: PathBuf,
    _server: Running,
}

impl Queue<'_> {
    /// Starts the server; `None` if HyperQueue is not installed.
    fn start(cup: &Cup) -> Option<Queue<'_>> {
        let python = python(cup)?;
        let mut import = cup.command(&python);
        if run(import.args(["-c", "import hyperqueue"])).code != Some(0) {
            println!("skipped: no HyperQueue, which `dist/check` installs");
            return None;
        }
        let server = start(cup, &python, "server", &["queue"]);
        let hq = Path::new(env!("CARGO_MANIFEST_DIR")).join("hyperqueue/hq.py");
        let queue = cup.bench.path("queue");
        let words = [&python, &hq, &queue].map(|path| format!("'{}'", path.display())).join(" ");
        cup.script("hq", &format!("#!/bin/sh\nexec {words} \"$@\"\n"));
        Some(Queue { cup, python, _server: server })
    }

    fn worker(&self, folder: &str) -> Running {
        start(self.cup, &self.python, "worker", &["queue", folder])
    }

    /// Starts the template.
    fn script(&self, shards: &str) -> Running {
        let mut command = self.cup.script_command("hyperqueue.sh");
        Running::start(command.arg(self.cup.folder()).arg(shards))
    }
}

#[test]
fn hyperqueue_plays_what_one_machine_plays() {
    let Some(cup) = Cup::plan() else { return };
    let Some(queue) = Queue::start(&cup) else { return };
    let mut first = queue.worker("one");
    let mut script = queue.script(&SHARDS.to_string());
    // The program is killed: its task has failed, and comes again with the next array.
    let programs = cup.wait_until_held(2);
    kill(*programs.first().expect("it is held"));
    // The worker is killed, and all that it runs: its tasks go to the next one.
    cup.wait_until_held(2);
    first.signal(Signal::KILL);
    first.wait();
    let _second = queue.worker("two");
    cup.wait_until_held(2);
    cup.open();
    let status = script.wait();
    assert_eq!(status.code(), Some(0), "{}", cup.outputs());
    drop(queue);
    cup.assert_is_that_of_one_machine();
}

#[test]
fn hyperqueue_plays_a_round_of_a_league() {
    let Some(cup) = Cup::league() else { return };
    let Some(queue) = Queue::start(&cup) else { return };
    let _worker = queue.worker("one");
    let mut script = queue.script(DEALS);
    let programs = cup.wait_until_held(2);
    kill(*programs.first().expect("it is held"));
    cup.wait_until_held(2);
    cup.open();
    let status = script.wait();
    assert_eq!(status.code(), Some(0), "{}", cup.outputs());
    assert_first_round_is_taken(&cup);
}
