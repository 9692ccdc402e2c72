//! Looking at a league, which may be played meanwhile: its standings and its status.

use std::io::Write;
use std::path::Path;

use crate::commands::tournament::StandingsFormat;
use crate::output::Format;
use conditions::failure::Failure;
use contest::league::folder::LeagueFolder;
use contest::league::index::LeagueIndex;
use contest::league::told;
use contest::tournament::read;
use standings::told as report;

/// Which bots stand in the standings of a league.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Those that play.
    Active,
    /// Every version of every bot.
    All,
}

/// Writes the standings of a league after its last round that is over.
///
/// # Errors
///
/// As the exit codes say.
pub fn standings(
    path: &Path,
    shown: Shown,
    format: StandingsFormat,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.read()?;
    let all = LeagueIndex::of(&league, &folder)?.standings();
    let standings = match shown {
        Shown::All => all,
        Shown::Active => league.active_in(&all),
    };
    let text = match format {
        StandingsFormat::Text => Ok(report::text(&standings)),
        StandingsFormat::Csv => report::csv_rows(&standings),
        StandingsFormat::CsvCrosstable => report::csv_crosstable(&standings),
        StandingsFormat::Markdown => Ok(report::markdown(&standings)),
        StandingsFormat::Json => report::json(&standings).map(|line| line + "\n"),
    };
    let text =
        text.map_err(|error| Failure::Ours(format!("the standings cannot be written: {error}")))?;
    Ok(write!(out, "{text}")?)
}

/// Tells where a league stands.
///
/// # Errors
///
/// As the exit codes say.
pub fn status(path: &Path, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.read()?;
    let played = league.open_round().map(|round| {
        let games = read::part(&folder.round(round.line.round));
        games.map_or(0, |state| state.games.progress.played())
    });
    let status = told::Status::new(&league, played, folder.is_running());
    let _: () = match format {
        Format::Text => told::tell_status(&status, out)?,
        Format::Json => told::write_status(&status, out)?,
    };
    Ok(())
}
