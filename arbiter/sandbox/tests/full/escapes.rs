//! Programs that leave their group, multiply, or outlive their answer: nothing of them is left.
//!
//! Every bomb here burns out: it is bounded in number, and no process of it lives long.

#![cfg(target_os = "linux")]

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use bench::{Bench, CEILING, linux};
use sandbox::{CallEnd, Limits};

use crate::{bench, missing};

/// The limits of calls that are to end by themselves, or by their processes.
const GENEROUS: Limits = Limits { time: CEILING, ..Limits::DEFAULT };

/// Processes that show this folder as theirs, but those that are just being reaped.
fn processes_of(bench: &Bench) -> Vec<String> {
    let mark = format!("ARBITER_SCRATCH={}", bench.scratch.path().display());
    let all = fs::read_dir("/proc").expect("there is /proc").flatten();
    all.filter(|process| {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes())
    })
    .map(|process| process.file_name().to_string_lossy().into_owned())
    .collect()
}

/// A script that starts a process in a session of its own, and waits until it exists.
fn daemon(what: &str) -> String {
    format!(
        "setsid sh -c 'echo $$ >daemon.new; mv daemon.new daemon; {what}' >/dev/null 2>&1 &
        until [ -e daemon ]; do sleep 0.02; done; echo 7S"
    )
}

#[test]
fn a_daemon_dies_with_its_call_and_is_counted() {
    let _turn = crate::turn();
    let scripts = [daemon("trap \"\" TERM HUP; sleep 60"), daemon("sleep 60 & sleep 60")];
    let supervisor = linux();
    for script in &scripts {
        let bench = Bench::new(supervisor);
        let seen = bench.shell(script, b"", CEILING);
        assert_eq!(seen.end, CallEnd::Exited(0), "{supervisor:?}: {script}");
        assert!((1..=3).contains(&seen.escaped), "{supervisor:?}: {} of {script}", seen.escaped);
        let left = processes_of(&bench);
        assert!(left.is_empty(), "{supervisor:?}: {left:?} of {script}");
    }
}

#[test]
fn a_daemon_that_hides_whose_it_is_dies_too() {
    let _turn = crate::turn();
    let hidden = "env -i /usr/bin/setsid /bin/sh -c 'echo $$ >pid; exec /bin/sleep 60' &
        until [ -s pid ]; do sleep 0.02; done; echo 7S";
    let supervisor = linux();
    let bench = Bench::new(supervisor);
    assert_eq!(bench.shell(hidden, b"", CEILING).end, CallEnd::Exited(0), "{supervisor:?}");
    let pid = fs::read_to_string(bench.scratch.path().join("pid")).expect("a number");
    let command = fs::read(format!("/proc/{}/cmdline", pid.trim())).unwrap_or_default();
    assert!(!command.starts_with(b"/bin/sleep"), "{supervisor:?}: {pid} lives");
}

#[test]
fn the_memory_of_the_referee_is_closed_to_its_bots() {
    let _turn = crate::turn();
    use rustix::process::{DumpableBehavior, dumpable_behavior};
    let seen = Bench::new(linux()).shell("head -c 1 /proc/$PPID/environ", b"", CEILING);
    assert_eq!(dumpable_behavior().ok(), Some(DumpableBehavior::NotDumpable));
    // The superuser's bots can still read it.
    let closed = seen.stdout.is_empty();
    assert!(closed || rustix::process::geteuid().is_root());
}

#[test]
fn what_stays_in_the_group_has_not_escaped() {
    let _turn = crate::turn();
    let supervisor = linux();
    let bench = Bench::new(supervisor);
    let seen = bench.shell("sleep 60 & (sleep 60 &) ; echo 7S", b"", CEILING);
    assert_eq!((seen.end, seen.escaped), (CallEnd::Exited(0), 0), "{supervisor:?}");
    assert!(processes_of(&bench).is_empty(), "{supervisor:?}");
}

#[test]
fn orphans_of_a_running_call_are_counted_with_it_and_left_in_peace_by_others() {
    let _turn = crate::turn();
    // It waits for its daemons, which are no descendants of it any more.
    let script = "for i in $(seq 10); do (setsid sh -c 'sleep 1; echo >done.'$i &); done
        for i in $(seq 10); do until [ -e done.$i ]; do sleep 0.02; done; done; echo 7S";
    thread::scope(|scope| {
        let patient = scope.spawn(|| Bench::new(linux()).shell(script, b"", CEILING));
        let bench = Bench::new(linux());
        while !patient.is_finished() {
            bench.shell("setsid sleep 60 & exit 0", b"", CEILING);
        }
        let seen = patient.join().expect("it ends in time");
        assert_eq!((seen.end, seen.stdout), (CallEnd::Exited(0), b"7S\n".to_vec()));
    });
    let limits = Limits { processes: 20, ..GENEROUS };
    let script = "for i in $(seq 30); do (setsid sleep 60 &); done; sleep 60";
    let seen = Bench::new(linux()).call(&["/bin/sh", "-c", script], b"", limits);
    assert_eq!(seen.end, CallEnd::ProcessLimit);
}

/// Python programs that multiply, and stop by themselves after 50 s at the latest.
const BOMBS: [(&str, &str); 4] = [
    (
        "fork bomb",
        "
import os, time
end = time.monotonic() + 50
for _ in range(10):
    os.fork()
while time.monotonic() < end: time.sleep(0.1)",
    ),
    (
        "fork bomb with setsid",
        "
import os, time
end = time.monotonic() + 50
for _ in range(10):
    if os.fork() == 0: os.setsid()
while time.monotonic() < end: time.sleep(0.1)",
    ),
    (
        "thread bomb",
        "
import threading, time
for _ in range(1000):
    threading.Thread(target=time.sleep, args=(50,)).start()",
    ),
    (
        "chains of processes that live for a moment",
        "
import os, time
end = time.monotonic() + 50
for chain in range(20):
    if os.fork() == 0:
        os.environ.clear()
        for link in range(100000):
            if time.monotonic() > end: os._exit(0)
            if os.fork(): os._exit(0)
            os.setsid()
        os._exit(0)
print('7S')",
    ),
];

#[test]
fn bombs_are_contained_and_the_next_call_does_not_notice() {
    let _turn = crate::turn();
    let Some(python) = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .into_iter()
        .find(|path| fs::exists(path).is_ok_and(|found| found))
    else {
        missing::tell("no Python, which the bombs are written in");
        return;
    };
    for (name, bomb) in BOMBS {
        let bench = Bench::new(linux());
        let begun = Instant::now();
        let seen = bench.call(&[python, "-I", "-S", "-c", bomb], b"", GENEROUS);
        let burnt_out = begun.elapsed() > Duration::from_secs(50);
        assert!(!burnt_out, "{name}: {:?}, {} escaped", seen.end, seen.escaped);
        // A program that leaves chains behind has itself ended, unless they were too many before.
        let chains = name.starts_with("chains") && seen.end == CallEnd::Exited(0);
        assert!(chains || seen.end == CallEnd::ProcessLimit, "{name}: {:?}", seen.end);
        assert!(processes_of(&bench).is_empty(), "{name}");
        let next = bench.shell("echo 7S", b"", CEILING);
        assert_eq!((next.end, next.escaped), (CallEnd::Exited(0), 0), "{name}");
    }
}

/// A program whose child traces it, so that the referee cannot reap it before that child is gone.
const TRACED: &str = r#"
#define _GNU_SOURCE
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>
int main(void) {
    int ready[2];
    char byte;
    pid_t self = getpid();
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    if (pipe(ready)) return 9;
    if (fork() == 0) {
        setsid();
        ptrace(PTRACE_SEIZE, self, 0, 0);
        if (write(ready[1], "x", 1) != 1) return 9;
        for (int i = 0; i < 3; i++) close(i);
        sleep(60);
        _exit(0);
    }
    if (read(ready[0], &byte, 1) != 1) return 9;
    return 1;
}
"#;

#[test]
fn a_program_that_has_itself_traced_keeps_nobody_waiting() {
    let _turn = crate::turn();
    let supervisor = linux();
    let bench = Bench::new(supervisor);
    let source = bench.scratch.path().join("traced.c");
    fs::write(&source, TRACED).expect("a scratch folder");
    let program = bench.scratch.path().join("traced");
    let compiled = std::process::Command::new("cc").arg("-o").args([&program, &source]).status();
    assert!(compiled.expect("a C compiler").success(), "the program is C");
    let limits = Limits { time: Duration::from_millis(500), ..Limits::DEFAULT };
    let seen = bench.call(&[&program.to_string_lossy()], b"", limits);
    // One of the supervisors learns of the end only when the tracer is gone.
    assert!(matches!(seen.end, CallEnd::Exited(1) | CallEnd::Deadline), "{supervisor:?}: {seen:?}");
    assert_eq!(seen.escaped, 1, "{supervisor:?}");
    assert_eq!(processes_of(&bench), Vec::<String>::new(), "{supervisor:?}");
}
