//! The options that limit what an answer may take, for every command that starts bots.

use clap::Args;

use crate::limits::{AskedLimit, AskedLimits, Limit, answer_size, asked, count, duration, size};

/// The least memory that can be asked for, in bytes.
const LEAST_MEMORY: u64 = 1 << 20;

/// The most processes or files that can be allowed: more than any system has.
const MOST: u32 = 1 << 30;

/// Limits of an answer, each for all bots or, as `NAME=VALUE`, for one.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits of each answer, for all bots or as NAME=VALUE for one")]
pub(super) struct LimitArgs {
    /// Wall time, the start of the program included [default: 5s]
    #[arg(long, value_name = "DURATION", value_parser = |text: &str| asked(text, time))]
    time_limit: Vec<AskedLimit>,
    /// CPU time of the program and of the children it waited for [default: none]
    #[arg(long, value_name = "DURATION", value_parser = |text: &str| asked(text, cpu))]
    cpu_limit: Vec<AskedLimit>,
    /// Resident memory of all its processes, looked at now and then [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = |text: &str| asked(text, memory))]
    memory: Vec<AskedLimit>,
    /// Address space of each process; java and node need much [default: none]
    #[arg(long, value_name = "SIZE", value_parser = |text: &str| asked(text, address_space))]
    address_space: Vec<AskedLimit>,
    /// Processes and threads at a time [default: 256]
    #[arg(long, value_name = "N", value_parser = |text: &str| asked(text, processes))]
    processes: Vec<AskedLimit>,
    /// Size of each file that is written [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = |text: &str| asked(text, file_size))]
    file_size: Vec<AskedLimit>,
    /// Open files of each process [default: 1024]
    #[arg(long, value_name = "N", value_parser = |text: &str| asked(text, open_files))]
    open_files: Vec<AskedLimit>,
    /// Standard output, at most 64KiB [default: 4KiB]
    #[arg(long, value_name = "SIZE", value_parser = |text: &str| asked(text, answer))]
    answer_size: Vec<AskedLimit>,
    /// Standard error that is kept; the rest is dropped and counted [default: 64KiB]
    #[arg(long, value_name = "SIZE", value_parser = |text: &str| asked(text, stderr))]
    stderr_size: Vec<AskedLimit>,
}

impl LimitArgs {
    /// What was asked for.
    pub(super) fn asked(self) -> AskedLimits {
        [
            self.time_limit,
            self.cpu_limit,
            self.memory,
            self.address_space,
            self.processes,
            self.file_size,
            self.open_files,
            self.answer_size,
            self.stderr_size,
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

fn time(text: &str) -> Result<Limit, String> {
    duration(text).map(Limit::Time)
}

fn cpu(text: &str) -> Result<Limit, String> {
    duration(text).map(Limit::Cpu)
}

fn memory(text: &str) -> Result<Limit, String> {
    size(text, LEAST_MEMORY).map(Limit::Memory)
}

fn address_space(text: &str) -> Result<Limit, String> {
    size(text, LEAST_MEMORY).map(Limit::AddressSpace)
}

fn processes(text: &str) -> Result<Limit, String> {
    count(text, 1, MOST).map(Limit::Processes)
}

fn file_size(text: &str) -> Result<Limit, String> {
    size(text, 0).map(Limit::FileBytes)
}

fn open_files(text: &str) -> Result<Limit, String> {
    // Three are open before the program has opened any.
    count(text, 4, u64::from(MOST)).map(Limit::OpenFiles)
}

fn answer(text: &str) -> Result<Limit, String> {
    answer_size(text).map(Limit::AnswerBytes)
}

fn stderr(text: &str) -> Result<Limit, String> {
    size(text, 0).map(|size| Limit::StderrBytes(usize::try_from(size).unwrap_or(usize::MAX)))
}
