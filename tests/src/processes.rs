//! What is running: found by an argument, since nobody tells a test about its bots' processes.

use std::fs;
use std::thread;
use std::time::Instant;

use crate::bench::{CEILING, PAUSE};

/// The command lines of all processes that carry an argument, each with the process's number.
pub fn with_argument(argument: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let command = |number| {
        let line = fs::read(format!("/proc/{number}/cmdline")).ok()?;
        let words: Vec<_> = line.split(|&byte| byte == 0).map(String::from_utf8_lossy).collect();
        words.iter().any(|word| word == argument).then(|| format!("{number}: {}", words.join(" ")))
    };
    numbers.filter_map(command).collect()
}

/// Waits until no process carries an argument any more: a killed one may take a moment to go.
pub fn wait_for_none(argument: &str) {
    let begun = Instant::now();
    loop {
        let left = with_argument(argument);
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < CEILING, "processes are left: {left:?}");
        thread::sleep(PAUSE);
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
        thread::sleep(PAUSE);
    }
}
