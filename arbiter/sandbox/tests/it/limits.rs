//! Resources that a program uses, and programs that use too much.

#![cfg(unix)]

use std::thread;
use std::time::Duration;

use sandbox::{CallEnd, Limits};

/// The limits of a program that breaks one long before its time is up.
const GENEROUS: Limits = Limits { time: CEILING, ..Limits::DEFAULT };

use crate::bench::{Bench, CEILING, linux, supervisors};

/// A script that computes until it has used this many hundredths of a second of CPU time.
fn burn(hundredths: u32) -> String {
    format!(
        "while read -r _ _ _ _ _ _ _ _ _ _ _ _ _ user system _ </proc/$$/stat &&
            [ $((user + system)) -lt {hundredths} ]; do
            i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); done
        done"
    )
}

#[test]
#[cfg(target_os = "linux")]
fn cpu_time_is_that_of_the_program_and_of_the_children_it_waited_for() {
    let own = format!("{}; echo 7S", burn(20));
    let child = format!("sh -c '{}'; echo 7S", burn(20));
    for supervisor in supervisors() {
        for script in [&own, &child] {
            let seen = Bench::new(supervisor).shell(script, b"", CEILING);
            assert_eq!(seen.end, CallEnd::Exited(0), "{supervisor:?}: {script}");
            let cpu = seen.cpu.expect("Linux tells it");
            assert!(cpu >= Duration::from_millis(180), "{supervisor:?}: {cpu:?} of {script}");
            assert!(cpu < CEILING, "{supervisor:?}: {cpu:?} of {script}");
        }
        let seen = Bench::new(supervisor).shell("sleep 0.5", b"", CEILING);
        let cpu = seen.cpu.expect("Linux tells it");
        assert!(cpu < seen.wall, "{supervisor:?}: {cpu:?} of a sleep of {:?}", seen.wall);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn cpu_time_above_its_limit_is_charged_even_after_a_clean_exit() {
    let cpu = Duration::from_millis(100);
    let limits = Limits { time: CEILING, cpu: Some(cpu), ..Limits::default() };
    let script = format!("{}; echo 7S", burn(30));
    for supervisor in supervisors() {
        let seen = Bench::new(supervisor).call(&["/bin/sh", "-c", &script], b"", limits);
        // Whichever is seen first: the crate `bot` charges both.
        let is_charged = seen.end == CallEnd::CpuLimit || seen.cpu > Some(cpu);
        assert!(is_charged, "{supervisor:?}: {:?} after {:?}", seen.end, seen.cpu);
    }
}

/// Runs a script under limits that only Linux keeps.
#[cfg(target_os = "linux")]
fn limited(script: &str, limits: Limits) -> sandbox::Observation {
    Bench::new(linux()).call(&["/bin/sh", "-c", script], b"", limits)
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_takes_too_much_memory_is_killed() {
    let limits = Limits { memory: 64 << 20, ..GENEROUS };
    // A line without an end is kept until it ends: here by a child, and by the program itself.
    let child = "head -c 2000000000 /dev/zero | tail >/dev/null; echo 7S";
    let own = "exec tail /dev/zero";
    // None of these takes more than it may, and all of them together do.
    let shared = "for i in 1 2 3 4 5 6; do
            { head -c 30000000 /dev/zero; sleep 60; } | tail &
        done; wait";
    for script in [child, own, shared] {
        assert_eq!(limited(script, limits).end, CallEnd::MemoryLimit, "{script}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_that_forked_processes_share_counts_once() {
    let limits = Limits { memory: 200 << 20, ..GENEROUS };
    let script = "x=$(head -c 40000000 /dev/zero | tr '\\0' x)
        for i in 1 2 3 4 5 6 7; do (sleep 0.5; :) & done; wait; echo 7S";
    let seen = limited(script, limits);
    assert_eq!((seen.end, &seen.stdout[..]), (CallEnd::Exited(0), &b"7S\n"[..]));
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_of_too_many_processes_is_killed() {
    let limits = Limits { processes: 20, ..GENEROUS };
    let few = "for i in $(seq 15); do sleep 0.3 & done; wait; echo 7S";
    assert_eq!(limited(few, limits).end, CallEnd::Exited(0));
    let wide = "for i in $(seq 30); do sleep 60 & done; wait";
    let deep = "n() { if [ $1 -gt 0 ]; then (n $(($1 - 1)); :); else sleep 60; fi; }; n 30";
    for script in [wide, deep] {
        assert_eq!(limited(script, limits).end, CallEnd::ProcessLimit, "{script}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn cpu_time_counts_for_all_processes_together_while_they_run() {
    let cpu = Some(Duration::from_millis(300));
    let limits = Limits { cpu, ..GENEROUS };
    let script = "for i in 1 2 3 4; do (while :; do :; done) & done; sleep 60";
    let seen = limited(script, limits);
    assert_eq!(seen.end, CallEnd::CpuLimit);
    assert!(seen.cpu > cpu, "{:?}", seen.cpu);
}

#[test]
#[cfg(target_os = "linux")]
fn files_and_descriptors_are_limited() {
    let script = "cat /proc/self/oom_score_adj; ulimit -n; ulimit -v; head -c 70000 /dev/zero >huge; stat -c %s huge";
    let limits =
        Limits { file_bytes: 65_536, open_files: 40, address_space: Some(300 << 20), ..GENEROUS };
    let seen = limited(script, limits);
    assert_eq!(String::from_utf8_lossy(&seen.stdout), "1000\n40\n307200\n65536\n");
}

/// Otherwise the kernel could kill the keeper instead of a program with more memory than it shows, and no
/// program would be charged.
#[test]
#[cfg(target_os = "linux")]
fn a_keeper_outlives_its_program_where_memory_runs_out() {
    let own = std::fs::read_to_string("/proc/self/oom_score_adj").expect("it is there");
    let own = own.trim();
    // The keeper lowers its score again once the program has started, which may be a moment later.
    let script = format!(
        "read -r own </proc/self/oom_score_adj
        until read -r keeper </proc/$PPID/oom_score_adj && [ $keeper = {own} ]; do :; done
        echo $own $keeper"
    );
    let seen = limited(&script, GENEROUS);
    assert_eq!(seen.end, CallEnd::Exited(0), "the score of the keeper stays above {own}");
    assert_eq!(String::from_utf8_lossy(&seen.stdout), format!("1000 {own}\n"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_waits_for_the_processors_is_known_to() {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let busy = "while :; do :; done";
    let time = Duration::from_millis(1500);
    let limits = Limits { time, ..Limits::default() };
    let waited = thread::scope(|scope| {
        let all: Vec<_> =
            (0..4 * cores).map(|_| scope.spawn(|| limited(busy, limits).waited)).collect();
        all.into_iter().map(|one| one.join().expect("no panic")).collect::<Vec<_>>()
    });
    let least = Duration::from_millis(10);
    assert!(waited.iter().all(|waited| waited.is_some_and(|it| it > least)), "{waited:?}");
    assert_eq!(limited("echo 7S", limits).waited, None);
}
