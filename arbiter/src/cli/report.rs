//! The options of `arbiter report`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::commands::asked_log::all_or_last;
use crate::commands::report;
use conditions::failure::Failure;

/// `arbiter report`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ReportArgs {
    /// Logs, folders of tournaments, or the folder of a league [default: the log of the last match]
    #[arg(value_name = "DIR|LOG")]
    sources: Vec<PathBuf>,
    /// The folder for the report; it must be new or empty, or hold an earlier report, which is replaced
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
}

const HELP: &str =
    "Open index.html of the report in a browser; it needs no server and no network. \
Every game is derived again, as in `arbiter verify`; a log that does not verify gets no report. An \
unfinished log gets a report of the games so far.

Examples:
  arbiter report cup -o cup-report
  arbiter report match.jsonl -o report
  arbiter report -o report
  arbiter report cup another-cup match.jsonl -o report
  arbiter report class -o class-report";

impl ReportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        report::run(&all_or_last(self.sources)?, &self.output, out)
    }
}
