//! The table of limits. The command line, plans, headers of logs and reports take the words for a
//! limit from its entry.
//!
//! A new limit is one entry and the code that enforces it. Older logs lack its key, so the type of
//! the key is an `Option`, and a log without it is read with the default.

use std::time::Duration;

use bytesize::ByteSize;

use text::counted;

mod forms;
mod kind;
mod value;

use forms::limits;
pub use kind::{LimitKind, Unit};
pub use value::Amount;
use value::Value;

/// The least memory that can be asked for, in bytes.
const LEAST_MEMORY: u64 = 1 << 20;

/// The largest answer that can be allowed, in bytes: logs keep every one whole.
const LARGEST_ANSWER: u64 = 64 << 10;

/// The most processes or files that can be allowed: more than any system has.
const MOST: u64 = 1 << 30;

/// Three are open before the program has opened any.
const LEAST_FILES: u64 = 4;

limits! {
    /// Wall time from just before the program is started until it has ended.
    time: Duration = Duration::from_secs(5), {
        name: "time-limit",
        unit: Unit::Duration,
        help: "Wall time, including the start of the program",
        key: time_ms: u64,
        told: Some(|ms| format!("{ms} ms")),
    }
    /// CPU time of the program and the children it waited for, and, while it runs, of all its
    /// processes together; nothing if only `time` counts.
    cpu: Option<Duration> = None, {
        name: "cpu-limit",
        unit: Unit::Duration,
        help: "CPU time of the program and the children it waited for",
        key: cpu_ms: Option<u64>,
        told: Some(|ms| format!("{ms} ms of CPU time")),
    }
    /// Resident memory of the program and all its processes, in bytes, sampled about every 20 ms;
    /// pages of files do not count.
    memory: u64 = 1 << 30, {
        name: "memory",
        unit: Unit::Size { least: LEAST_MEMORY, most: None },
        help: "Resident memory of the bot's processes, sampled every 20 ms",
        key: memory_bytes: u64,
        told: Some(|bytes| format!("{} of memory", ByteSize(bytes))),
    }
    /// Address space of each process, in bytes; nothing for no limit.
    address_space: Option<u64> = None, {
        name: "address-space",
        unit: Unit::Size { least: LEAST_MEMORY, most: None },
        help: "Address space per process; java and node need a lot",
        key: address_space_bytes: Option<u64>,
        told: Some(|bytes| format!("{} of address space", ByteSize(bytes))),
    }
    /// Processes and threads at the same time, including the program itself, sampled about every 20 ms.
    processes: u32 = 256, {
        name: "processes",
        unit: Unit::Count { least: 1, most: MOST },
        help: "Processes and threads at the same time",
        key: processes: u32,
        told: Some(|number| counted(number, "process", "processes")),
    }
    /// Size of each file that is written, in bytes.
    file_bytes: u64 = 64 << 20, {
        name: "file-size",
        unit: Unit::Size { least: 0, most: None },
        help: "Size of each file the bot writes",
        key: file_bytes: u64,
        told: None,
    }
    /// Descriptors that each process may have open at a time.
    open_files: u64 = 1024, {
        name: "open-files",
        unit: Unit::Count { least: LEAST_FILES, most: MOST },
        help: "Open files per process",
        key: open_files: u64,
        told: None,
    }
    /// Bytes of standard output; one byte more stops the program.
    answer_bytes: usize = 4096, {
        name: "answer-size",
        unit: Unit::Size { least: 1, most: Some(LARGEST_ANSWER) },
        help: "Size of standard output, at most 64KiB",
        key: answer_bytes: u64,
        told: Some(|bytes| format!("{} of output", ByteSize(bytes))),
    }
    /// Bytes of standard error that are kept; the rest is read, counted and dropped.
    stderr_bytes: usize = 65_536, {
        name: "stderr-size",
        unit: Unit::Size { least: 0, most: None },
        help: "Size of standard error to keep; the rest is counted and dropped",
        key: stderr_bytes: u64,
        told: None,
    }
}

impl Default for Limits {
    /// [`Limits::DEFAULT`].
    fn default() -> Self {
        Limits::DEFAULT
    }
}

impl LimitsLine {
    /// The limits that a program can hit, in one line; `none` for a person.
    pub fn in_words(&self) -> String {
        let told: Vec<_> = LIMITS.iter().filter_map(|kind| kind.told(self)).collect();
        if told.is_empty() { "none".to_owned() } else { told.join(", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROTOCOL: &str = include_str!("../../../../protocol.md");

    #[test]
    fn the_protocol_lists_every_limit_with_its_default() {
        for kind in LIMITS {
            let row = format!("| `--{}` |", kind.name);
            let row = PROTOCOL.lines().find(|line| line.starts_with(&row));
            let row = row.unwrap_or_else(|| panic!("protocol.md has no row for {}", kind.name));
            let default = row.split('|').nth(3).map(str::trim);
            assert_eq!(default, Some(kind.default_text().as_str()), "{row}");
        }
    }

    #[test]
    fn the_header_has_its_keys_in_the_order_of_the_table() {
        let all = LIMITS
            .iter()
            .fold(Limits::DEFAULT, |limits, kind| kind.changed(limits, Amount::Number(1 << 20)));
        let text = serde_json::to_string(&LimitsLine::from(all)).unwrap();
        let keys: Vec<_> = LIMITS.iter().map(|kind| format!("\"{}\":1048576", kind.key)).collect();
        assert_eq!(text, format!("{{{}}}", keys.join(",")));
    }
}
