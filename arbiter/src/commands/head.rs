//! `arbiter head`: the digest that identifies a log.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use text::{printable, system_error};

use crate::disputes::logged_game;
use crate::options::logs::or_last;
use record::{self, LogReader};
use text::failure::Failure;

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter head match.jsonl")]
pub(crate) struct HeadArgs {
    /// Log or tournament folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
}

impl HeadArgs {
    /// Prints the digest of the last line of a log, or of the log of a tournament or league.
    ///
    /// The log may still be written; a line that is cut off does not count. Only the chain is checked.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let path = &or_last(self.log)?;
        let shown = printable(&path.display().to_string());
        let source =
            logged_game::last_log_of(path).and_then(|log| record::open(&log)).map_err(|error| {
                Failure::Usage(format!("{shown}: cannot be read: {}", system_error(error)))
            })?;
        let mut reader = LogReader::new(source);
        let mut head = None;
        loop {
            match reader.next_raw() {
                Ok(Some(line)) => head = Some(line.digest()),
                Ok(None) | Err(record::BadLine::Torn) => break,
                Err(bad) => {
                    let problem = format!("{shown}: line {} {bad}", reader.number());
                    return Err(Failure::Verification(problem));
                }
            }
        }
        let nothing = || Failure::Verification(format!("{shown}: the log is empty"));
        writeln!(out, "{}", head.ok_or_else(nothing)?)?;
        Ok(())
    }
}
