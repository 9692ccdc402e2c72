//! `arbiter verify`: derives everything in logs again.

use std::io::Write;
use std::path::PathBuf;

use rules::text::printable;

use crate::failure::Failure;
use crate::totals::Totals;
use crate::verify::{NotVerified, verify};

/// Verifies logs one after the other; a line for each that is in order.
///
/// # Errors
///
/// Every log is looked at; the failure names the first thing wrong in the first bad one, after a
/// line for each bad one has been printed.
pub fn run(logs: &[PathBuf], out: &mut dyn Write) -> Result<(), Failure> {
    let mut bad: Vec<Failure> = Vec::new();
    for path in logs {
        let shown = printable(&path.display().to_string());
        match verify(path) {
            Ok(log) => {
                let games = if log.games == 1 { "game" } else { "games" };
                writeln!(
                    out,
                    "{shown}: ok, {} {games} of {}{}, head {}",
                    log.games,
                    log.series.header().game,
                    doubts(&log.totals),
                    log.head
                )?;
            }
            Err(NotVerified::Unreadable(error)) => {
                bad.push(Failure::Usage(format!("{shown}: cannot be read: {error}")));
            }
            Err(wrong) => bad.push(Failure::Verification(format!("{shown}: {wrong}"))),
        }
    }
    let Some(last) = bad.pop() else { return Ok(()) };
    for failure in &bad {
        eprintln!("error: {}", printable(&failure.to_string()));
    }
    Err(last)
}

/// How many games do not count, or count with a doubt, where there are any.
fn doubts(totals: &Totals) -> String {
    let counts =
        [(totals.played_again(), "played again"), (totals.suspect().len() as u64, "suspect")];
    let some = counts.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = some.map(|(count, what)| format!("{count} {what}")).collect();
    if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
}
