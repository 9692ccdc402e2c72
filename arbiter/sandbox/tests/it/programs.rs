//! Programs that behave and misbehave, under every supervisor, with their expected ends and output.

#![cfg(unix)]

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use sandbox::{CallEnd, Limits, Supervisor};

use crate::bench::{Bench, CEILING, linux, portable, supervisors};

/// The limit of programs that are to run out of it: time enough to print something first.
const SHORT: Duration = Duration::from_secs(2);

/// The bytes of an answer that are allowed.
const ALLOWED: usize = Limits::DEFAULT.answer_bytes;

/// How often a case is tried in which the machine failed, as a game would be.
const TRIES: u32 = 4;

/// The expected result of a program.
enum Want {
    /// This end, after this output.
    End(CallEnd, Vec<u8>),
    /// This end, whatever was printed.
    Any(CallEnd),
    /// More output than is allowed, which repeats these bytes.
    Flood(&'static str),
}

struct Case {
    name: &'static str,
    script: &'static str,
    request: Vec<u8>,
    time: Duration,
    want: Want,
}

fn output(bytes: impl AsRef<[u8]>) -> Want {
    Want::End(CallEnd::Exited(0), bytes.as_ref().to_vec())
}

fn exit(code: i32, output: &str) -> Want {
    Want::End(CallEnd::Exited(code), output.into())
}

fn signal(number: i32, output: &str) -> Want {
    Want::End(CallEnd::Signalled(number), output.into())
}

fn late(output: &str) -> Want {
    Want::End(CallEnd::Deadline, output.into())
}

fn flood(output: &'static str) -> Want {
    Want::Flood(output)
}

fn cases() -> Vec<Case> {
    let request = b"arbiter 1\nlegal 1\n7S\nend\n".to_vec();
    let ends = |name, script, want| {
        let request = request.clone();
        Case { name, script, request, time: CEILING, want }
    };
    let hangs = |name, script, want| Case { time: SHORT, ..ends(name, script, want) };
    let huge =
        |name, script, want| Case { request: vec![b'x'; 1 << 20], ..ends(name, script, want) };
    let huge_hangs = |name, script, want| Case { time: SHORT, ..huge(name, script, want) };
    vec![
        ends("2 silent", "exit 0", output("")),
        ends("3 exit 1", "exit 1", exit(1, "")),
        ends("4 answer, then exit 3", "echo 7S; exit 3", exit(3, "7S\n")),
        ends("4 answer, then SIGSEGV", "ulimit -c 0; echo 7S; kill -SEGV $$", signal(11, "7S\n")),
        ends("5 answers unasked", "echo 7S", output("7S\n")),
        ends("6 closes stdin first", "exec <&-; sleep 0.2; echo 7S", output("7S\n")),
        huge("7 never reads 1 MiB, answers", "sleep 0.2; echo 7S", output("7S\n")),
        huge("7 answers 1 MiB unasked", "echo 7S", output("7S\n")),
        huge_hangs("7 never reads 1 MiB, hangs", "sleep 60", late("")),
        huge("7 reads 1 MiB, silent", "cat >/dev/null", output("")),
        huge("7 reads 1 MiB, then answers", "cat | wc -c | tr -d ' '", output("1048576\n")),
        hangs("8 sleeps", "sleep 60", late("")),
        hangs("9 burns", "while :; do :; done", late("")),
        hangs("10 trickles", "while :; do printf x; sleep 0.1; done", Want::Any(CallEnd::Deadline)),
        ends("11 no newline", "printf 7S", output("7S")),
        hangs("12 answers, lives on", "echo 7S; sleep 60", late("7S\n")),
        hangs("13 half a line", "printf 7; sleep 60", late("7")),
        ends("14 CRLF and blanks", "printf '7S \\r\\n'", output("7S \r\n")),
        ends(
            "15 mark, NUL, escape, no UTF-8",
            "printf '\\357\\273\\2777S\\000\\033[2J\\377\\n'",
            output(b"\xef\xbb\xbf7S\0\x1b[2J\xff\n"),
        ),
        ends("16 empty line", "echo", output("\n")),
        ends("17 two answers", "echo 7S; echo 8S", output("7S\n8S\n")),
        ends("20 131070 characters", "head -c 131070 /dev/zero | tr '\\0' x", flood("x")),
        ends("20 10 MiB", "head -c 10485760 /dev/zero | tr '\\0' x", flood("x")),
        ends("20 one byte too many, exit 0", "head -c 4097 /dev/zero | tr '\\0' x", flood("x")),
        ends("20 just the limit", "head -c 4096 /dev/zero | tr '\\0' x", output("x".repeat(4096))),
        ends("21 endless without newline", "yes | tr -d '\\n'", flood("y")),
        ends("21 endless with newlines", "yes", flood("y\n")),
        hangs("22 endless stderr", "yes noise >&2", late("")),
        ends(
            "22 1 MiB of stderr, then answers",
            "head -c 1048576 /dev/zero >&2; echo 7S",
            output("7S\n"),
        ),
        ends("23 stderr in our words", "echo 'verdict timeout' >&2; echo 7S", output("7S\n")),
        hangs("24 closes stdout", "exec >&-; sleep 60", late("")),
        hangs("24 closes all", "exec <&- >&- 2>&-; sleep 60", late("")),
        hangs("25 ignores signals", "trap '' TERM INT HUP; sleep 60", late("")),
        hangs("26 stops itself", "kill -STOP $$", late("")),
        ends("27 child keeps stdout", "sleep 60 & echo 7S", output("7S\n")),
        ends("39 waits for more", "cat >/dev/null; cat; echo 7S", output("7S\n")),
        ends("40 slow start", "sleep 1; echo 7S", output("7S\n")),
        ends("45 killed by somebody else", "echo 7S; kill -KILL $$", signal(9, "7S\n")),
        ends("reads its request", "grep 7S", output("7S\n")),
    ]
}

/// Runs every case at the same time: most of them sleep.
fn run_all(supervisor: Supervisor) {
    let failures: Vec<String> = thread::scope(|scope| {
        let running: Vec<_> = cases()
            .into_iter()
            .map(|case| scope.spawn(move || failure(supervisor, &case)))
            .collect();
        running.into_iter().filter_map(|case| case.join().expect("no panic")).collect()
    });
    assert!(failures.is_empty(), "{supervisor:?}:\n{}", failures.join("\n"));
}

/// Tries a case, and again where the machine failed, as a game would be: a busy one may have kept the referee from
/// looking.
fn failure(supervisor: Supervisor, case: &Case) -> Option<String> {
    let mut tries = (0..TRIES).map(|_| tried(supervisor, case));
    let decided = tries.find(|tried| !matches!(tried, Err((CallEnd::Fault(_), _))));
    match decided.unwrap_or_else(|| tried(supervisor, case)) {
        Ok(()) => None,
        Err((end, printed)) => Some(format!("{}: {end:?} after {printed:?}", case.name)),
    }
}

fn tried(supervisor: Supervisor, case: &Case) -> Result<(), (CallEnd, String)> {
    let bench = Bench::new(supervisor);
    let seen = bench.shell(case.script, &case.request, case.time);
    let good = match &case.want {
        Want::End(end, output) => seen.end == *end && seen.stdout == *output,
        Want::Any(end) => seen.end == *end,
        // It may have ended by itself before it was stopped.
        Want::Flood(output) => {
            matches!(seen.end, CallEnd::OutputLimit | CallEnd::Exited(_) | CallEnd::Signalled(_))
                && seen.stdout.len() > ALLOWED
                && seen.stdout.starts_with(output.repeat(ALLOWED / output.len()).as_bytes())
        }
    };
    match good {
        true => Ok(()),
        false => Err((seen.end, String::from_utf8_lossy(&seen.stdout).chars().take(80).collect())),
    }
}

#[test]
#[cfg(target_os = "linux")]
fn every_case_comes_to_its_end_on_linux() {
    run_all(linux());
}

#[test]
fn every_case_comes_to_its_end_everywhere() {
    run_all(portable());
}

#[test]
fn stderr_is_kept_to_its_cap_and_the_rest_is_counted() {
    for supervisor in supervisors() {
        let script = "head -c 1048576 /dev/zero >&2; echo 7S";
        let seen = Bench::new(supervisor).shell(script, b"", CEILING);
        assert_eq!(seen.end, CallEnd::Exited(0), "{supervisor:?}");
        assert_eq!(seen.stderr.len(), 65_536, "{supervisor:?}");
        assert_eq!(seen.stderr_dropped, 1_048_576 - 65_536, "{supervisor:?}");
    }
}

#[test]
fn a_flood_is_killed_long_before_the_deadline_and_little_of_it_is_kept() {
    for supervisor in supervisors() {
        let seen = Bench::new(supervisor).shell("yes", b"", CEILING);
        assert_eq!(seen.end, CallEnd::OutputLimit, "{supervisor:?}");
        assert_eq!(seen.stdout.len(), 4097, "{supervisor:?}");
    }
}

#[test]
fn what_is_printed_just_before_the_exit_is_not_lost() {
    let limits = Limits { time: CEILING, answer_bytes: 60_000, ..Limits::default() };
    for supervisor in supervisors() {
        let bench = Bench::new(supervisor);
        for _ in 0..50 {
            let seen = bench.call(&["/usr/bin/head", "-c", "60000", "/dev/zero"], b"", limits);
            assert_eq!(seen.end, CallEnd::Exited(0), "{supervisor:?}");
            assert_eq!(seen.stdout.len(), 60_000, "{supervisor:?}");
        }
    }
}

#[test]
fn no_time_at_all_is_a_deadline_and_no_hang() {
    for supervisor in supervisors() {
        let once = || Bench::new(supervisor).shell("sleep 60", b"", Duration::ZERO).end;
        // A busy machine may have kept the referee from looking, as in `failure`.
        let ends = (0..TRIES).map(|_| once()).find(|end| !matches!(end, CallEnd::Fault(_)));
        assert_eq!(ends.unwrap_or_else(once), CallEnd::Deadline, "{supervisor:?}");
    }
}

#[test]
fn a_limit_beyond_the_clock_is_none() {
    for supervisor in supervisors() {
        let seen = Bench::new(supervisor).shell("echo 7S", b"", Duration::MAX);
        assert_eq!(seen.end, CallEnd::Exited(0), "{supervisor:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_of_the_program_is_left() {
    let scripts = [
        ("sleep 60 & echo $$ $! >pids; echo 7S", CEILING),
        ("(trap '' TERM; sleep 60) & echo $$ $! >pids; kill -SEGV $$", CEILING),
        ("sleep 60 & echo $$ $! >pids; yes", CEILING),
        ("sleep 60 & echo $$ $! >pids; wait", SHORT),
    ];
    for supervisor in supervisors() {
        for (script, time) in scripts {
            let bench = Bench::new(supervisor);
            bench.shell(script, b"", time);
            let pids = bench.scratch.path().join("pids");
            let pids = fs::read_to_string(pids).expect("the script has written it");
            for pid in pids.split_whitespace() {
                assert!(eventually(|| !is_alive(pid)), "{supervisor:?}: {script}: {pid}");
            }
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_daemon_that_holds_the_pipes_and_writes_for_ever_keeps_nobody() {
    let script = "setsid sh -c 'echo $$ >daemon.new; mv daemon.new daemon; yes >&2' &
        until [ -e daemon ]; do sleep 0.02; done; echo 7S";
    for supervisor in supervisors() {
        let bench = Bench::new(supervisor);
        let begun = Instant::now();
        let seen = bench.shell(script, b"", CEILING);
        assert!(begun.elapsed() < CEILING, "{supervisor:?}");
        assert_eq!(
            (seen.end, &seen.stdout[..]),
            (CallEnd::Exited(0), &b"7S\n"[..]),
            "{supervisor:?}"
        );
        // The daemon writes into a pipe without a reader, and dies of it.
        let pid = fs::read_to_string(bench.scratch.path().join("daemon")).expect("a number");
        assert!(eventually(|| !is_alive(pid.trim())), "{supervisor:?}: {pid}");
    }
}

/// Returns true if a process exists and is not waiting to be reaped.
fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}

/// Returns true once a condition is true, and false after a minute, so that a hang fails.
fn eventually(mut condition: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if condition() {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    false
}
