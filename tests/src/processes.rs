//! Running processes, found by an argument, since a test is not told the processes of its bots.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::bench::{CEILING, pause};

/// Longest time until killed processes are gone: far more than they take, and less than the minute
/// after which every process of a faulty bot ends by itself.
const GONE: Duration = Duration::from_secs(40);

/// Returns true if these tests ignore a signal, which the referee inherits; then says that the test
/// is skipped.
///
/// `nohup` has them ignore a hangup, and the background of a shell an interrupt.
pub fn is_ignored(signal: Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    let is_ignored = mask >> (signal.as_raw() - 1) & 1 == 1;
    if is_ignored {
        println!("skipped: {signal:?}, which these tests were started to ignore");
    }
    is_ignored
}

/// The command lines of all processes that carry an argument, each with the process's number.
pub fn with_argument(argument: &str) -> Vec<String> {
    let shown = |(number, words): (u32, Vec<String>)| format!("{number}: {}", words.join(" "));
    carriers(argument).map(shown).collect()
}

/// The numbers of all processes that carry an argument.
pub fn numbers_with_argument(argument: &str) -> Vec<u32> {
    carriers(argument).map(|(number, _)| number).collect()
}

/// The numbers of all processes with an argument of this kind.
pub fn numbers_with(is_it: impl Fn(&str) -> bool) -> Vec<u32> {
    let carries = |words: &[String]| words.iter().any(|word| is_it(word));
    all().filter(|(_, words)| carries(words)).map(|(number, _)| number).collect()
}

/// The first arguments of all processes that carry another one.
pub fn modes(argument: &str) -> Vec<String> {
    carriers(argument).filter_map(|(_, words)| words.into_iter().nth(1)).collect()
}

fn carriers(argument: &str) -> impl Iterator<Item = (u32, Vec<String>)> {
    all().filter(move |(_, words)| words.iter().any(|word| word == argument))
}

/// All processes, each with its number and its words.
fn all() -> impl Iterator<Item = (u32, Vec<String>)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let words = |number| {
        let line = fs::read(format!("/proc/{number}/cmdline")).ok()?;
        let word = |word| String::from_utf8_lossy(word).into_owned();
        let words: Vec<String> = line.split(|&byte| byte == 0).map(word).collect();
        Some((number, words))
    };
    numbers.filter_map(words)
}

/// Kills all processes that carry an argument, which must be a marker of the test's own.
pub fn kill(argument: &str) {
    for number in numbers_with_argument(argument) {
        // It fails only for one that has just ended.
        let _ = Pid::from_raw(number as i32).map(|pid| kill_process(pid, Signal::KILL));
    }
}

/// Waits until no process carries an argument any more: a killed one may take a moment to go.
pub fn wait_for_none(argument: &str) {
    let begun = Instant::now();
    loop {
        let left = with_argument(argument);
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < GONE, "processes are left: {left:?}");
        pause(begun);
    }
}

/// Waits until a process carries an argument, and gives all that do: a program has none for a
/// moment while it is being started.
pub fn wait_for_some(argument: &str) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let found = with_argument(argument);
        if !found.is_empty() || begun.elapsed() > CEILING {
            return found;
        }
        pause(begun);
    }
}
