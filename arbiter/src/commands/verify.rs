//! `arbiter verify`: derives everything in logs and tournaments again.

use std::io::Write;
use std::path::{Path, PathBuf};

use rules::text::printable;

use crate::aside::say;
use crate::failure::Failure;
use crate::totals::Totals;
use crate::tournament::read::Unreadable;
use crate::tournament::verify::{self as tournament, NotInOrder};
use crate::verify::{NotVerified, Verified, verify};

/// Verifies logs and tournaments one after the other; a line for each that is in order.
///
/// # Errors
///
/// Every one is looked at; the failure names the first thing wrong in the first bad one, after a
/// line for each bad one has been printed.
pub fn run(paths: &[PathBuf], out: &mut dyn Write) -> Result<(), Failure> {
    let mut bad: Vec<Failure> = Vec::new();
    for path in paths {
        let shown = printable(&path.display().to_string());
        match verified(path) {
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
            Err(Bad::Unreadable(problem)) => {
                bad.push(Failure::Usage(format!("{shown}: {problem}")))
            }
            Err(Bad::Wrong(problem)) => {
                bad.push(Failure::Verification(format!("{shown}: {problem}")));
            }
        }
    }
    let Some(last) = bad.pop() else { return Ok(()) };
    for failure in &bad {
        say(format!("error: {}", printable(&failure.to_string())));
    }
    Err(last)
}

/// Why something is not verified.
enum Bad {
    /// It cannot be read.
    Unreadable(String),
    /// Something in it is wrong.
    Wrong(String),
}

/// Verifies a log, or the tournament in a folder.
fn verified(path: &Path) -> Result<Verified, Bad> {
    if path.is_dir() {
        return tournament::verify(path).map_err(|error| match error {
            NotInOrder::Unreadable(Unreadable::Log { .. }) => Bad::Wrong(error.to_string()),
            NotInOrder::Unreadable(_) => Bad::Unreadable(error.to_string()),
            _ => Bad::Wrong(error.to_string()),
        });
    }
    verify(path).map_err(|error| match error {
        NotVerified::Unreadable(error) => Bad::Unreadable(format!("cannot be read: {error}")),
        NotVerified::Wrong(wrong) => Bad::Wrong(wrong.to_string()),
    })
}

/// How many games do not count, or count with a doubt, where there are any.
fn doubts(totals: &Totals) -> String {
    let counts =
        [(totals.played_again(), "played again"), (totals.suspect().len() as u64, "suspect")];
    let some = counts.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = some.map(|(count, what)| format!("{count} {what}")).collect();
    if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
}
