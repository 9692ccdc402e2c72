//! The options that limit what an answer may take, for every command that starts bots.

use clap::Args;

use crate::bot::limits::{AskedLimit, AskedLimits, Limit, asked};

/// Limits of an answer, each for all bots or, as `NAME=VALUE`, for one.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits of each answer, for all bots or as NAME=VALUE for one")]
pub(super) struct LimitArgs {
    /// Wall time, the start of the program included [default: 5s]
    #[arg(long, value_name = "DURATION", value_parser = |text: &str| named(text, "time-limit"))]
    time_limit: Vec<AskedLimit>,
    /// CPU time of the program and of the children it waited for [default: none]
    #[arg(long, value_name = "DURATION", value_parser = |text: &str| named(text, "cpu-limit"))]
    cpu_limit: Vec<AskedLimit>,
    /// Resident memory of all its processes, looked at now and then [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = |text: &str| named(text, "memory"))]
    memory: Vec<AskedLimit>,
    /// Address space of each process; java and node need much [default: none]
    #[arg(long, value_name = "SIZE", value_parser = |text: &str| named(text, "address-space"))]
    address_space: Vec<AskedLimit>,
    /// Processes and threads at a time [default: 256]
    #[arg(long, value_name = "N", value_parser = |text: &str| named(text, "processes"))]
    processes: Vec<AskedLimit>,
    /// Size of each file that is written [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = |text: &str| named(text, "file-size"))]
    file_size: Vec<AskedLimit>,
    /// Open files of each process [default: 1024]
    #[arg(long, value_name = "N", value_parser = |text: &str| named(text, "open-files"))]
    open_files: Vec<AskedLimit>,
    /// Standard output, at most 64KiB [default: 4KiB]
    #[arg(long, value_name = "SIZE", value_parser = |text: &str| named(text, "answer-size"))]
    answer_size: Vec<AskedLimit>,
    /// Standard error that is kept; the rest is dropped and counted [default: 64KiB]
    #[arg(long, value_name = "SIZE", value_parser = |text: &str| named(text, "stderr-size"))]
    stderr_size: Vec<AskedLimit>,
}

impl LimitArgs {
    /// What was asked for.
    pub(super) fn asked(self) -> AskedLimits {
        self.each().into_iter().flatten().cloned().collect()
    }

    /// Whether nothing was asked for.
    pub(super) fn is_empty(&self) -> bool {
        self.each().into_iter().all(Vec::is_empty)
    }

    fn each(&self) -> [&Vec<AskedLimit>; 9] {
        [
            &self.time_limit,
            &self.cpu_limit,
            &self.memory,
            &self.address_space,
            &self.processes,
            &self.file_size,
            &self.open_files,
            &self.answer_size,
            &self.stderr_size,
        ]
    }
}

/// A limit by the name of its option.
fn named(text: &str, name: &str) -> Result<AskedLimit, String> {
    asked(text, |value| Limit::read(name, value))
}
