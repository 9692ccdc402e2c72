//! `arbiter league pairings`: who met whom, and why.

use std::io::Write;
use std::path::Path;

use crate::output::Format;
use conditions::failure::Failure;
use contest::league::folder::LeagueFolder;
use contest::league::told;

/// Tells the tables of one round, or of the last one, with the reason for each.
///
/// # Errors
///
/// As the exit codes say.
pub fn pairings(
    path: &Path,
    round: Option<u64>,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.read()?;
    let rounds = league.rounds();
    let found = match round {
        None => rounds.last(),
        Some(number) => rounds.iter().find(|round| round.line.round == number),
    };
    let round = found.ok_or_else(|| {
        Failure::Usage(match rounds.len() {
            0 => "no round has been played yet: `arbiter league run` plays one".to_owned(),
            count => format!("no such round, expected one from 0 to {}", count - 1),
        })
    })?;
    let _: () = match format {
        Format::Text => told::tell_pairings(round, out)?,
        Format::Json => told::write_pairings(round, out)?,
    };
    Ok(())
}
