//! `arbiter compress`: makes finished logs shorter.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use text::printable;

use league::compression::{CompressionOutcome, compress_all};
use record::compress::Compressed;
use text::failure::Failure;
use text::terminal::say;

const HELP: &str = "Writes LOG.gz, reads it back and compares it, then removes LOG. The \
head stays the same, and every command reads compressed logs. In a tournament, compresses the logs \
of all parts and shards; in a league, those of finished rounds. Use `gunzip` to decompress. `--log \
FILE.gz` compresses a new log directly. Typical size: a quarter to a third.

Examples:
  arbiter compress cup
  arbiter compress match.jsonl
  arbiter match --game tablic --log match.jsonl.gz random greedy";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct CompressArgs {
    /// Logs, or tournament or league folders
    #[arg(value_name = "LOG|DIR", required = true)]
    logs: Vec<PathBuf>,
}

impl CompressArgs {
    /// Compresses all logs at these paths, with a line for each.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut unwritten = None;
        for path in &self.logs {
            compress_all(path, &mut |outcome| {
                unwritten = unwritten.take().or_else(|| tell(&outcome, out).err());
            })?;
        }
        unwritten.map_or(Ok(()), |error| Err(Failure::Output(error).or_undone()))
    }
}

fn tell(outcome: &CompressionOutcome, out: &mut dyn Write) -> std::io::Result<()> {
    match outcome {
        CompressionOutcome::Done(Compressed { path, before, after }) => {
            let share = *after as f64 * 100.0 / (*before).max(1) as f64;
            writeln!(out, "{}: {after} of {before} bytes ({share:.0} %)", display_path(path))
        }
        CompressionOutcome::Already(path) => {
            writeln!(out, "{}: already compressed", display_path(path))
        }
        CompressionOutcome::Open(path) => {
            say(format!("note: {}: skipped, the round is in progress", display_path(path)));
            Ok(())
        }
    }
}

fn display_path(path: &Path) -> String {
    printable(&path.display().to_string())
}
