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
    /// The logs, or the folders of tournaments, or the folder of a league
    #[arg(required = true, value_name = "DIR|LOG")]
    sources: Vec<PathBuf>,
    /// The folder of the report: new, empty, or with a former report, which is replaced
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
}

const HELP: &str =
    "Open index.html of the report in a browser: it needs no server and no network. \
Every game is derived again, as by `arbiter verify`, and a log that does not verify gives no report. \
An unfinished log gives a report of its games so far.

Examples:
  arbiter report cup -o cup-report
  arbiter report match.jsonl -o report
  arbiter report cup another-cup match.jsonl -o report
  arbiter report class -o class-report";

impl ReportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        report::run(&self.sources, &self.output, out)
    }
}
