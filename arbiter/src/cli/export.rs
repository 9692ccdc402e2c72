//! `arbiter export` on the command line.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::parsed;
use crate::commands::export::{ExportRequest, run};
use crate::export::{Features, Format};
use crate::failure::Failure;

const HELP: &str = "Moves of games that count have a row each; those of the house, and answers \
that faulted, have none. The columns are described in export.md.

Examples:
  arbiter export match.jsonl --features moves
  arbiter export cup more.jsonl --features greedy --format jsonl -o greedy.jsonl
  arbiter export cup --features minimax -o minimax.csv";

/// Which moves go into a table, and how.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ExportArgs {
    /// The logs, or the folders of tournaments
    #[arg(required = true, value_name = "LOG|DIR")]
    logs: Vec<PathBuf>,
    /// What is told of each move: `greedy` and `minimax`, what these players look at, for Tablić
    /// alone
    #[arg(long, value_parser = names_of(&Features::ALL.map(Features::name)))]
    features: String,
    /// How it is written
    #[arg(long, default_value = "csv", value_parser = names_of(&Format::ALL.map(Format::name)))]
    format: String,
    /// Write to this new file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ExportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ExportArgs { logs, features, format, output } = self;
        let (features, format) = (parsed(&features)?, parsed(&format)?);
        run(&ExportRequest { logs, features, format, file: output }, out)
    }
}

fn names_of(names: &[&'static str]) -> PossibleValuesParser {
    PossibleValuesParser::new(names.iter().copied())
}
