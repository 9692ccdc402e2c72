//! Descriptors, children and threads of the referee after many calls, and with too few descriptors for one.
//!
//! This counts what belongs to the whole process, so no other test may run beside it.

#![cfg(target_os = "linux")]

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sandbox::{CallEnd, Limits, Supervisor};

use crate::bench::{Bench, CEILING, resolve, supervisors};

#[test]
fn no_descriptor_process_or_thread_is_left() {
    let _turn = crate::turn();
    for supervisor in supervisors() {
        many_calls(supervisor);
        too_few_descriptors(supervisor);
    }
}

fn many_calls(supervisor: Supervisor) {
    let bench = Bench::new(supervisor);
    assorted(&bench);
    settle(supervisor, Held::now());
    let before = Held::now();
    for _ in 0..40 {
        assorted(&bench);
    }
    settle(supervisor, before);
}

/// Five calls that end in five ways.
fn assorted(bench: &Bench) {
    let short = Duration::from_millis(20);
    let request = [b'x'; 100_000];
    assert_eq!(bench.shell("exit 0", &request, CEILING).end, CallEnd::Exited(0));
    assert_eq!(bench.shell("sleep 60 & exit 1", &request, CEILING).end, CallEnd::Exited(1));
    // On a busy machine, the supervisor may not run for most of so short a time.
    let late = bench.shell("sleep 60", &request, short).end;
    assert!(matches!(late, CallEnd::Deadline | CallEnd::Fault(_)), "{late:?}");
    assert_eq!(bench.shell("yes", &request, CEILING).end, CallEnd::OutputLimit);
    let program = resolve(&["/bin/sh"]);
    let scratch = bench.scratch.path().join("gone");
    let limits = Limits::default();
    let seen = bench.supervisor.run_in(&scratch, &program, &request, limits);
    assert!(matches!(seen.end, CallEnd::Fault(_)));
}

/// Lets a call fail at each descriptor that it needs, in turn.
fn too_few_descriptors(supervisor: Supervisor) {
    let bench = Bench::new(supervisor);
    let program = resolve(&["/bin/sh", "-c", "exit 0"]);
    // The first keeper raises the limit, and no other one does.
    bench.shell("exit 0", b"", CEILING);
    let before = Held::now();
    let full = getrlimit(Resource::Nofile);
    let mut ends = Vec::new();
    for spare in 0..24 {
        let most = Some(3 + spare);
        setrlimit(Resource::Nofile, Rlimit { current: most, ..full }).expect("lower is allowed");
        let scratch = bench.scratch.path();
        let limits = Limits { time: CEILING, ..Limits::default() };
        let seen = supervisor.run_in(scratch, &program, b"7S\n", limits);
        setrlimit(Resource::Nofile, full).expect("it was so before");
        assert!(
            matches!(seen.end, CallEnd::Fault(_) | CallEnd::Exited(0)),
            "{supervisor:?} with {spare} spare: {:?}",
            seen.end
        );
        ends.push(seen.end);
        settle(supervisor, before);
    }
    assert!(matches!(ends.first(), Some(CallEnd::Fault(_))), "{supervisor:?}: {ends:?}");
    assert_eq!(ends.last(), Some(&CallEnd::Exited(0)), "{supervisor:?}: {ends:?}");
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Held {
    descriptors: usize,
    children: usize,
    threads: usize,
}

impl Held {
    fn now() -> Held {
        let entries = |path: &str| fs::read_dir(path).expect("there is /proc").count();
        Held {
            descriptors: entries("/proc/self/fd"),
            children: children(),
            threads: entries("/proc/self/task"),
        }
    }
}

/// The number of children of this process, including those that wait to be reaped.
fn children() -> usize {
    let own = std::process::id().to_string();
    let processes = fs::read_dir("/proc").expect("there is /proc").flatten();
    let stats = processes.filter_map(|it| fs::read_to_string(it.path().join("stat")).ok());
    let is_child = |stat: &String| {
        // The fields after the program's name are its state and its parent.
        let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
        fields.split(' ').nth(1) == Some(&own)
    };
    stats.filter(is_child).count()
}

/// Waits until this process holds no more than before and has no child, at most for the ceiling:
/// the portable supervisor's threads end a moment after the call.
fn settle(supervisor: Supervisor, before: Held) {
    let begun = Instant::now();
    loop {
        let now = Held::now();
        let more = now.descriptors > before.descriptors || now.threads > before.threads;
        // Orphans are ended and reaped by keepers alone: elsewhere they are children of the system.
        if !more && (now.children == 0 || supervisor.name() == "portable") {
            return;
        }
        assert!(begun.elapsed() < CEILING, "{supervisor:?}: {before:?} became {now:?}");
        thread::sleep(Duration::from_millis(5));
    }
}
