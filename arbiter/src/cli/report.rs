//! The options of `arbiter report`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::commands::report;
use crate::failure::Failure;

/// What becomes a report, and where it goes.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ReportArgs {
    /// The logs, or the folders of tournaments
    #[arg(required = true, value_name = "DIR|LOG")]
    sources: Vec<PathBuf>,
    /// The folder of the report: a new or an empty one, or one with a former report
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
}

const HELP: &str =
    "The report opens from disk, index.html first: it needs no server and no network. \
Every game is derived again on the way, as by `arbiter verify`; a log in which something is wrong \
makes no report. One that is not finished makes a report of the games that are in it.

Examples:
  arbiter report cup -o cup-report
  arbiter report match.jsonl -o report
  arbiter report cup another-cup match.jsonl -o report";

impl ReportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        report::run(&self.sources, &self.output, out)
    }
}
