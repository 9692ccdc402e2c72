//! `arbiter head`: the digest that identifies a log.

use std::io::Write;
use std::path::Path;

use text::{printable, system_error};

use crate::disputes::logged_game;
use record::{self, LogReader};
use text::failure::Failure;

/// Prints the digest of the last line of a log, or of the log of a tournament or league.
///
/// The log may still be written; a line that is cut off does not count. Only the chain is checked.
pub(crate) fn run(path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
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
