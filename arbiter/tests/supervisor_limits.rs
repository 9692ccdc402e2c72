//! What a program takes, and what becomes of one that takes too much.

#![cfg(unix)]

use std::time::Duration;

use arbiter::process::{End, Limits, Supervisor, judge};
use rules::{Answer, Stop};

#[path = "supervisor_bench/mod.rs"]
mod bench;
use bench::{Bench, CEILING};

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
    for &supervisor in Supervisor::ALL {
        for script in [&own, &child] {
            let seen = Bench::new(supervisor).shell(script, b"", CEILING);
            assert_eq!(seen.end, End::Exited(0), "{supervisor:?}: {script}");
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
    for &supervisor in Supervisor::ALL {
        let seen = Bench::new(supervisor).call(&["/bin/sh", "-c", &script], b"", limits);
        let answer = judge(&seen, &limits);
        assert!(
            matches!(&answer, Answer::Stopped { by: Stop::Timeout, detail, .. }
                if detail == "more than 100 ms of CPU time"),
            "{supervisor:?}: {answer:?}"
        );
    }
}
